internal import RawGet

/// What was wrong with the arguments, in a line, and with which exit status.
enum UsageSentences {
  static func exitStatus(_ error: UsageError) -> Int32 {
    switch error {
    case .invalidTarget(.unsupportedScheme, _), .invalidTarget(.internationalHost(unavailable: true), _): 16
    case .at(_, let error): exitStatus(error)
    default: 2
    }
  }

  static func sentence(_ error: UsageError) -> Text {
    var text = Text()
    add(error, to: &text)
    if exitStatus(error) == 2, !isAboutAFile(error) { text.add("; see rawget --help") }
    return text
  }

  private static func isAboutAFile(_ error: UsageError) -> Bool {
    switch error {
    case .at, .unreadable, .notPrivate, .fileTooLarge: true
    default: false
    }
  }

  private static func add(_ error: UsageError, to text: inout Text) {
    switch error {
    case .at(let place, let error):
      text.add(foreign: place)
      text.add(": ")
      add(error, to: &text)
    case .unreadable(let path, let error):
      add(path, to: &text)
      text.append(FailureSentences.cause(error))
    case .notPrivate(let path):
      add(path, to: &text)
      text.add("others may read it, and it holds secrets; chmod 600 it")
    case .fileTooLarge(let path, let limit):
      add(path, to: &text)
      text.append("it is larger than \(limit) bytes")
    case .lineTooLong(let limit): text.append("the line is longer than \(limit) bytes")
    case .tooManyColumns: text.add("more than a URL, a name and a checksum")
    case .invalidName(let name): addQuoted(name, "is not a file name", to: &text)
    case .invalidChecksum(let value): addQuoted(value, "is not an algorithm and its digest, sha-256=… say", to: &text)
    case .malformed(let complaint): text.add(complaint)
    case .missingPassword: text.add("--user has no password, and there is no terminal to ask for it on")
    case .unknownOption(let name):
      text.add("there is no option ")
      text.add(foreign: name)
    case .missingArgument(let option): text.append("--\(option) needs an argument")
    case .unexpectedArgument(let option): text.append("--\(option) takes no argument")
    case .invalidValue(let option, let value, let expected):
      text.append("--\(option) '")
      text.add(foreign: value)
      text.append("' is not \(expected)")
    case .ownedField(let name):
      text.add("the field ")
      text.add(foreign: name)
      text.add(" is set by rawget itself and can't be given")
    case .invalidProxy: text.add("no URL of a proxy, such as http://proxy:3128 or socks5h://127.0.0.1")
    case .invalidProxyList: text.add("not names, addresses or ranges such as 10.0.0.0/8, separated by commas")
    case .invalidLogin: text.add("not a user and a password with a colon between them")
    case .conflict(let option, let other): text.append("--\(option) can't be had with \(other)")
    case .missingCompanion(let option, let needed): text.append("--\(option) needs --\(needed)")
    case .notInConfiguration(let option): text.append("\(option) is for the command line alone")
    case .missingOperand: text.add("no URL was given")
    case .oneNameForMany: text.add("-o names one file, and there are several downloads; -P names a directory")
    case .foreignLetter:
      text.add("-O means different things to different tools; write -o FILE, or -o - for standard output")
    case .invalidTarget(let error, let operand):
      text.add("'")
      text.add(foreign: withoutUserinfo(operand))
      text.add("': ")
      add(error, to: &text)
    }
  }

  private static func add(_ path: [UInt8], to text: inout Text) {
    text.add(foreign: path)
    text.add(": ")
  }

  private static func addQuoted(_ value: [UInt8], _ complaint: String, to text: inout Text) {
    text.add("'")
    text.add(foreign: value)
    text.append("' \(complaint)")
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
    case .controlCharacter(let offset): text.append("there is a control character at byte \(offset)")
    case .tooLong(let limit): text.append("the URL is longer than \(limit) bytes")
    }
  }
}
