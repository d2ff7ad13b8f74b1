/// Why a text does not name something this client can ask for.
public enum TargetURIError: Error, Equatable, Sendable {
  /// Nothing but blanks, or nothing at all.
  case empty

  /// No `scheme:` in front, as in `example.org/file` or `example.org:8080/file`: `http://` is what is wanting.
  case missingScheme

  /// Neither http nor https. Lower case, cut to its first 32 bytes.
  case unsupportedScheme([UInt8])

  /// A relative reference such as `1:2`, whose first segment could be taken for a scheme (RFC 3986 §4.2).
  case colonInFirstSegment

  /// No `//`, or no host after it (RFC 9110 §4.2.1: a recipient must reject it).
  case missingHost

  /// Not a name of letters, digits, `-`, `_` and dots, not a dotted quad, not an IPv6 literal in brackets.
  case invalidHost

  /// A host name beyond ASCII. Either nothing on this system can translate it, or it is not a valid name (RFC 5891).
  case internationalHost(unavailable: Bool)

  /// Not 1*DIGIT, or outside of 1...65535 (RFC 3986 §3.2.3).
  case invalidPort

  /// A user name or password that Basic authentication cannot carry (RFC 7617 §2), or that holds a bare `\`.
  case invalidUserinfo

  /// A byte below 0x20, or 0x7F; counted from the first byte of the text, blanks in front included.
  case controlCharacter(offset: Int)  // bytes

  /// The text, or what percent-encoding and resolution made of it.
  case tooLong(limit: Int)  // bytes
}
