/// What the arguments amount to, before anyone asks what the options mean.
struct ParsedArguments {
  struct Occurrence {
    let option: CommandOption
    let value: [UInt8]
  }
  var occurrences: [Occurrence] = []
  var operands: [[UInt8]] = []
}

/// GNU conventions: options and operands in any order, `--name=value` or `--name value`, clustered letters, `-ovalue`,
/// `--` before operands only. Names are exact: a prefix that is unambiguous today would break a script tomorrow.
enum ArgumentParser {
  static func parse(_ arguments: [[UInt8]]) throws(UsageError) -> ParsedArguments {
    var parsed = ParsedArguments()
    var rest = arguments[...]
    let dash = UInt8(ascii: "-")
    while let argument = rest.popFirst() {
      if argument.elementsEqual("--".utf8) {
        parsed.operands += rest
        break
      } else if argument.starts(with: "--".utf8) {
        parsed.occurrences.append(try long(Array(argument.dropFirst(2)), &rest))
      } else if argument.count > 1 && argument[0] == dash {
        parsed.occurrences += try cluster(Array(argument.dropFirst()), &rest)
      } else {
        parsed.operands.append(argument)
      }
    }
    return parsed
  }

  private static func long(
    _ text: [UInt8], _ rest: inout ArraySlice<[UInt8]>
  ) throws(UsageError) -> ParsedArguments.Occurrence {
    let equals = text.firstIndex(of: UInt8(ascii: "="))
    let name = Array(text[..<(equals ?? text.count)])
    guard let option = CommandOption.table.first(where: { name.elementsEqual($0.name.utf8) }) else {
      throw .unknownOption(Array("--".utf8) + name)
    }
    if option.argument == nil {
      if equals != nil { throw .unexpectedArgument(option: option.name) }
      return ParsedArguments.Occurrence(option: option, value: [])
    }
    if let equals { return ParsedArguments.Occurrence(option: option, value: Array(text[(equals + 1)...])) }
    guard let value = rest.popFirst() else { throw .missingArgument(option: option.name) }
    return ParsedArguments.Occurrence(option: option, value: value)
  }

  /// `-qv`, `-ofile`, `-o file`.
  private static func cluster(
    _ letters: [UInt8], _ rest: inout ArraySlice<[UInt8]>
  ) throws(UsageError) -> [ParsedArguments.Occurrence] {
    var occurrences: [ParsedArguments.Occurrence] = []
    var index = 0
    while index < letters.count {
      let letter = letters[index]
      if letter == UInt8(ascii: "O") { throw .foreignLetter }
      guard let option = CommandOption.table.first(where: { $0.letter == letter }) else {
        throw .unknownOption([UInt8(ascii: "-"), letter])
      }
      index += 1
      if option.argument == nil {
        occurrences.append(ParsedArguments.Occurrence(option: option, value: []))
        continue
      }
      if index < letters.count {
        occurrences.append(ParsedArguments.Occurrence(option: option, value: Array(letters[index...])))
      } else if let value = rest.popFirst() {
        occurrences.append(ParsedArguments.Occurrence(option: option, value: value))
      } else {
        throw .missingArgument(option: option.name)
      }
      break
    }
    return occurrences
  }
}
