internal import RawGet

/// What was wrong with the arguments, in a line, and with which exit status.
enum UsageSentences {
  static func exitStatus(_ error: UsageError) -> Int32 {
    switch error {
    case .invalidTarget(.unsupportedScheme, _), .invalidTarget(.internationalHost(unavailable: true), _): 16
    default: 2
    }
  }

  static func sentence(_ error: UsageError) -> Text {
    var text = Text()
    switch error {
    case .unknownOption(let name):
      text.add("there is no option ")
      text.add(foreign: name)
    case .missingArgument(let option): text.add("--\(option) needs an argument")
    case .unexpectedArgument(let option): text.add("--\(option) takes no argument")
    case .invalidValue(let option, let value, let expected):
      text.add("--\(option) '")
      text.add(foreign: value)
      text.add("' is not \(expected)")
    case .ownedField(let name):
      text.add("the field ")
      text.add(foreign: name)
      text.add(" is set by rawget itself and can't be given")
    case .missingOperand: text.add("no URL was given")
    case .tooManyOperands: text.add("one URL at a time")
    case .foreignLetter:
      text.add("-O means different things to different tools; write -o FILE, or -o - for standard output")
    case .invalidTarget(let error, let operand):
      text.add("'")
      text.add(foreign: withoutUserinfo(operand))
      text.add("': ")
      add(error, to: &text)
    }
    if exitStatus(error) == 2 { text.add("; see rawget --help") }
    return text
  }

  /// What stands before an `@` may be a password, in a URL that can't be read too.
  private static func withoutUserinfo(_ operand: [UInt8]) -> [UInt8] {
    guard let at = operand.lastIndex(of: UInt8(ascii: "@")) else { return operand }
    return Array("…".utf8) + operand[at...]
  }

  private static func add(_ error: TargetURIError, to text: inout Text) {
    switch error {
    case .empty: text.add("the URL is empty")
    case .missingScheme: text.add("the URL has no scheme; write http:// or https:// before it")
    case .unsupportedScheme(let scheme):
      text.add("the scheme ")
      text.add(foreign: scheme)
      text.add(" is not supported; http and https are")
    case .colonInFirstSegment: text.add("there is a colon where no scheme is")
    case .missingHost: text.add("the URL names no host")
    case .invalidHost: text.add("the host is neither a name nor an address")
    case .internationalHost(unavailable: true):
      text.add("a host name beyond ASCII needs the library libidn2, which is not here")
    case .internationalHost(unavailable: false): text.add("the host is not a valid international name")
    case .invalidPort: text.add("the port is not a number from 1 to 65535")
    case .invalidUserinfo: text.add("user or password hold what can't be sent")
    case .controlCharacter(let offset): text.add("there is a control character at byte \(offset)")
    case .tooLong(let limit): text.add("the URL is longer than \(limit) bytes")
    }
  }
}
