internal import HTTP1

/// An intermediary that leads to other servers (RFC 9110 §3.7): an HTTP proxy, over TLS or not, or a SOCKS5 server. A copy
/// is a reference.
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

  private final class Parts: Sendable {
    let kind: Kind
    let host: Host
    let port: UInt16
    let userinfo: Userinfo?

    init(_ kind: Kind, _ host: Host, _ port: UInt16, _ userinfo: Userinfo?) {
      (self.kind, self.host, self.port, self.userinfo) = (kind, host, port, userinfo)
    }
  }
  private let parts: Parts

  var kind: Kind { parts.kind }
  var host: Host { parts.host }
  var port: UInt16 { parts.port }
  /// For this proxy's eyes only.
  var userinfo: Userinfo? { parts.userinfo }

  private init(_ parts: Parts) { self.parts = parts }

  func with(userinfo: Userinfo) -> Proxy { Proxy(Parts(kind, host, port, userinfo)) }

  /// Equal in every part.
  public static func == (left: Proxy, right: Proxy) -> Bool {
    left.parts === right.parts
      || left.kind == right.kind && left.host == right.host && left.port == right.port
        && left.userinfo == right.userinfo
  }

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
      parts = Parts(kind, authority.host, authority.port ?? kind.defaultPort, authority.userinfo)
    } catch {
      return nil
    }
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
