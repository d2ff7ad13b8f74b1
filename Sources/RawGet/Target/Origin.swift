internal import HTTP1

/// The two schemes this client speaks (RFC 9110 §4.2).
public enum Scheme: Equatable, Sendable {
  /// HTTP/1.1 over TCP.
  case http
  /// HTTP/1.1 over TLS.
  case https

  /// 80 or 443 (RFC 9110 §4.2).
  public var defaultPort: UInt16 {
    switch self {
    case .http: 80
    case .https: 443
    }
  }

  /// Without the colon, in lower case.
  public var text: [UInt8] { Array(name.utf8) }

  var name: String {
    switch self {
    case .http: "http"
    case .https: "https"
    }
  }

  /// Schemes are case-insensitive (RFC 3986 §3.1).
  init(_ text: ArraySlice<UInt8>) throws(TargetURIError) {
    if text.equalsIgnoringCase("http") {
      self = .http
    } else if text.equalsIgnoringCase("https") {
      self = .https
    } else {
      throw .unsupportedScheme(text.prefix(32).map { $0.lowercased })
    }
  }
}

/// Who answers for a target URI (RFC 9110 §4.3.1): credentials and cookies stay with it, connections belong to it.
///
/// Compared as written, in lower case: `example.org` and `example.org.`, or two spellings of one address, count as two
/// origins. The mistake is then a password asked for again, never one given away.
public struct Origin: Equatable, Sendable {
  /// The scheme, which decides about TLS.
  public let scheme: Scheme
  /// The host as the target URI names it.
  public let host: Host
  /// The port, the scheme's own where none was given.
  public let port: UInt16
}
