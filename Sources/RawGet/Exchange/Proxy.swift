internal import HTTP1

/// An intermediary that leads to other servers (RFC 9110 §3.7): an HTTP proxy, over TLS or not, or a SOCKS5 server.
public struct Proxy: Equatable, Sendable {
  /// What is spoken with it.
  enum Kind: Equatable {
    case http
    /// HTTP over TLS.
    case https
    /// SOCKS5; names are resolved here.
    case socks5
    /// SOCKS5; the proxy is told the name.
    case socks5h

    fileprivate static var all: [Kind] { [.http, .https, .socks5, .socks5h] }

    var scheme: String {
      switch self {
      case .http: "http"
      case .https: "https"
      case .socks5: "socks5"
      case .socks5h: "socks5h"
      }
    }

    fileprivate var defaultPort: UInt16 {
      switch self {
      case .http: 80
      case .https: 443
      case .socks5, .socks5h: 1080
      }
    }
  }

  let kind: Kind
  let host: Host
  let port: UInt16
  /// For this proxy's eyes only.
  var userinfo: Userinfo?

  /// Reads `[scheme://][user:password@]host[:port][/]`; without a scheme it is http. nil for anything else, so that nobody
  /// is asked who can't be meant.
  public init?(text: [UInt8]) {
    var rest = text[...]
    var kind = Kind.http
    if let end = text.indices.first(where: { text[$0...].starts(with: "://".utf8) }) {
      guard let named = Kind.all.first(where: { text[..<end].equalsIgnoringCase($0.scheme) }) else { return nil }
      kind = named
      rest = text[(end + 3)...]
    }
    if rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
    let delimiters = Array("/?#".utf8)
    guard rest.count <= Proxy.limit, !rest.contains(where: { delimiters.contains($0) }) else { return nil }
    do throws(TargetURIError) {
      let authority = try Authority(rest, translation: systemHostTranslation)
      host = authority.host
      port = authority.port ?? kind.defaultPort
      userinfo = authority.userinfo
    } catch {
      return nil
    }
    self.kind = kind
    if isSOCKS, let userinfo {  // each has its length in one byte (RFC 1929 §2)
      guard !userinfo.user.isEmpty, userinfo.user.count < 256, userinfo.password.count < 256 else { return nil }
    }
  }

  private static let limit = 1_024  // bytes

  var isSOCKS: Bool { kind == .socks5 || kind == .socks5h }

  /// For people: nothing secret is in it.
  package var text: [UInt8] {
    Array(kind.scheme.utf8) + Array("://".utf8) + host.text + [UInt8(ascii: ":")] + Int64(port).decimalDigits
  }

  /// The Proxy-Authorization field's value (RFC 9110 §11.7.2).
  var authorization: [UInt8]? { userinfo.map { Credentials($0).fieldValue } }
}
