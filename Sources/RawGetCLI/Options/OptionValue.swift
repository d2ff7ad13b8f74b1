internal import RawGet

/// The argument of an option, and how it is read. What does not read is a `UsageError` that names option and value.
struct OptionValue {
  let option: String
  let bytes: [UInt8]

  func invalid(_ expected: Text) -> UsageError { .invalidValue(option: option, value: bytes, expected: expected) }

  /// 1*DIGIT within bounds.
  func number(_ range: ClosedRange<Int64>) throws(UsageError) -> Int64 {
    guard let number = decimal(bytes), range.contains(number) else {
      throw invalid("a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// How many connections a file may have.
  func connections() throws(UsageError) -> ConnectionChoice {
    if bytes.elementsEqual("auto".utf8) { return .automatic }
    guard let number = decimal(bytes), number > 0, number <= ConnectionChoice.limit else {
      throw invalid("a whole number from 1 to \(ConnectionChoice.limit), or auto")
    }
    return .exactly(Int(number))
  }

  /// Seconds, with up to three decimal places; more than 0, and at most a year.
  func duration() throws(UsageError) -> Duration {
    let point = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.count
    let fraction = Array(bytes[min(point + 1, bytes.count)...])
    let thousandths = fraction.prefix(3) + [UInt8](repeating: UInt8(ascii: "0"), count: 3 - min(fraction.count, 3))
    guard let seconds = decimal(Array(bytes[..<point])), seconds <= 31_536_000,
      let milliseconds = decimal(Array(thousandths)), fraction.isEmpty || decimal(fraction) != nil,
      seconds > 0 || milliseconds > 0
    else { throw invalid("seconds, such as 30 or 0.5") }
    return .seconds(seconds) + .milliseconds(milliseconds)
  }

  /// Bytes, with K, M or G for powers of 1024; more than 0.
  func size() throws(UsageError) -> Int64 {
    var digits = bytes
    var shift: Int64 = 0
    switch bytes.last {
    case UInt8(ascii: "K"), UInt8(ascii: "k"): shift = 10
    case UInt8(ascii: "M"), UInt8(ascii: "m"): shift = 20
    case UInt8(ascii: "G"), UInt8(ascii: "g"): shift = 30
    default: break
    }
    if shift > 0 { digits.removeLast() }
    guard let number = decimal(digits), number > 0, number <= Int64.max >> shift else {
      throw invalid("a number of bytes, such as 500K or 2M")
    }
    return number << shift
  }

  /// One of the words, by what it stands for.
  func choice<Choice>(_ choices: [(String, Choice)]) throws(UsageError) -> Choice {
    for (word, choice) in choices where bytes.elementsEqual(word.utf8) { return choice }
    var expected: Text = "one of"
    for (index, (word, _)) in choices.enumerated() { expected.append("\(index == 0 ? " " : ", ")\(word)") }
    throw invalid(expected)
  }

  /// A URL that any server may see: credentials are for the URL that is asked for, and its origin alone.
  func mirror() throws(UsageError) -> TargetURI {
    let target = try Item.target(bytes)
    guard target.userinfo == nil else {
      throw .at(Array("--mirror".utf8), .malformed("a mirror's URL can't carry credentials"))
    }
    return target
  }

  func checksum() throws(UsageError) -> Checksum {
    guard let checksum = Checksum(text: bytes) else { throw invalid("an algorithm and its digest, sha-256=… say") }
    return checksum
  }

  /// `Name: value` that may be sent, and is not the engine's own to decide.
  func field() throws(UsageError) -> CallerField {
    guard let field = CallerField(text: bytes) else { throw invalid("'Name: value' without control characters") }
    if field.isOwned { throw .ownedField(field.name) }
    return field
  }
}

/// 1*DIGIT, at most 18 of them, so that it fits.
func decimal(_ digits: [UInt8]) -> Int64? {
  guard !digits.isEmpty, digits.count <= 18 else { return nil }
  var value: Int64 = 0
  for digit in digits {
    guard digit >= 0x30, digit <= 0x39 else { return nil }
    value = value * 10 + Int64(digit - 0x30)
  }
  return value
}
