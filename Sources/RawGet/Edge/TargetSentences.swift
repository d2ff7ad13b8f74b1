extension TargetURIError {
  /// The exit status of the command for it (docs/PROMISES.md).
  package var exitCode: Int32 {
    switch self {
    case .unsupportedScheme, .internationalHost(unavailable: true): 16
    default: 2
    }
  }
}

/// Why a text does not name something to ask for, in words.
package enum TargetSentences {
  package static func sentence(_ error: TargetURIError) -> Text {
    switch error {
    case .empty: "the URL is empty"
    case .missingScheme: "the URL has no scheme; write http:// or https:// before it"
    case .unsupportedScheme(let scheme): unsupported(scheme)
    case .colonInFirstSegment: "there is a colon where no scheme is"
    case .missingHost: "the URL names no host"
    case .invalidHost: "the host is neither a name nor an address"
    case .internationalHost(unavailable: true):
      "a host name beyond ASCII needs the library libidn2, which is not here"
    case .internationalHost(unavailable: false): "the host is not a valid international name"
    case .invalidPort: "the port is not a number from 1 to 65535"
    case .invalidUserinfo: "user or password hold what can't be sent"
    case .controlCharacter(let offset): "there is a control character at byte \(offset)"
    case .tooLong(let limit): "the URL is longer than \(limit) bytes"
    }
  }

  private static func unsupported(_ scheme: [UInt8]) -> Text {
    var text: Text = "the scheme "
    text.add(foreign: scheme)
    text.add(" is not supported; http and https are")
    return text
  }
}
