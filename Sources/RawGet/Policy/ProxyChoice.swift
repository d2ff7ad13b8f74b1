internal import HTTP1

/// Which proxy the way to an origin leads through, if any: what `--proxy` says, or the environment.
public struct ProxyChoice: Equatable, Sendable {
  /// For every origin, loopback included.
  private var forced: Proxy?
  private var http: Proxy?
  private var https: Proxy?
  private var exceptions: [ProxyException] = []

  /// None for any.
  public init() {}

  /// This one for all.
  public init(always proxy: Proxy) { forced = proxy }

  /// A variable that does not read.
  public struct InvalidVariable: Error {
    /// As it is spelt, in the case that it was found in.
    public let name: String
    /// It is `no_proxy`.
    public let isList: Bool
  }

  /// Reads the customary variables: lower case goes before upper case, and an empty one counts as not set. `HTTP_PROXY` is
  /// not read: to a CGI program it is a field of somebody's request.
  ///
  /// - Parameter value: that of a variable.
  public init(_ value: (String) -> [UInt8]?) throws(InvalidVariable) {
    func first(_ names: String...) -> (name: String, value: [UInt8])? {
      for name in names {
        if let value = value(name), !value.isEmpty { return (name, value) }
      }
      return nil
    }
    func proxy(_ found: (name: String, value: [UInt8])?) throws(InvalidVariable) -> Proxy? {
      guard let found else { return nil }
      guard let proxy = Proxy(text: found.value) else { throw InvalidVariable(name: found.name, isList: false) }
      return proxy
    }
    let other = try proxy(first("all_proxy", "ALL_PROXY"))
    http = try proxy(first("http_proxy")) ?? other
    https = try proxy(first("https_proxy", "HTTPS_PROXY")) ?? other
    guard let list = first("no_proxy", "NO_PROXY") else { return }
    guard let exceptions = ProxyException.list(list.value) else { throw InvalidVariable(name: list.name, isList: true) }
    self.exceptions = exceptions
  }

  /// Gives these to every proxy that has none of its own.
  public mutating func logIn(as userinfo: Userinfo) {
    func with(_ proxy: Proxy?) -> Proxy? {
      proxy?.userinfo == nil ? proxy?.with(userinfo: userinfo) : proxy
    }
    (forced, http, https) = (with(forced), with(http), with(https))
  }

  /// Whether any way may lead through a proxy: only then is there something to tell.
  var isAny: Bool { forced != nil || http != nil || https != nil }

  /// The proxy for an origin; nil: the way is direct. The environment has no say about this machine itself.
  func proxy(for origin: Origin) -> Proxy? {
    if let forced { return forced }
    guard let proxy = origin.scheme == .http ? http : https, !origin.host.isLoopback else { return nil }
    return exceptions.contains { $0.matches(origin) } ? nil : proxy
  }
}

/// A member of `no_proxy`: `*`, an address, a range of addresses such as `10.0.0.0/8`, or a name that stands for itself
/// and all below it; each but the range perhaps with a port.
struct ProxyException: Equatable {
  private enum Kind: Equatable {
    case every
    case addresses(IPAddress, prefix: Int)  // bits
    case domain([UInt8])
  }
  private let kind: Kind
  private let port: UInt16?

  /// nil when a member is none of these. Commas and blanks separate.
  static func list(_ text: [UInt8]) -> [ProxyException]? {
    var exceptions: [ProxyException] = []
    for member in text.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0.isBlank }) {
      guard let exception = ProxyException(member) else { return nil }
      exceptions.append(exception)
    }
    return exceptions
  }

  private init?(_ member: ArraySlice<UInt8>) {
    if member.equals("*") {
      kind = .every
      port = nil
    } else if let range = IPAddress.range(member) {
      kind = .addresses(range.address, prefix: range.prefix)
      port = nil
    } else {
      var name = member
      if name.starts(with: "*.".utf8) { name = name.dropFirst() }
      if name.first == UInt8(ascii: ".") { name = name.dropFirst() }
      guard !name.contains(UInt8(ascii: "@")) else { return nil }
      do throws(TargetURIError) {
        let authority = try Authority(name, translation: systemHostTranslation)
        port = authority.port
        kind =
          IPAddress(authority.host.bytes[...]).map { .addresses($0, prefix: 128) }
          ?? .domain(authority.host.certificateName)
      } catch {
        return nil
      }
    }
  }

  func matches(_ origin: Origin) -> Bool {
    if let port, port != origin.port { return false }
    switch kind {
    case .every: return true
    case .addresses(let address, let prefix):
      return IPAddress(origin.host.bytes[...])?.isWithin(address, prefix: prefix) ?? false
    case .domain(let domain):
      let name = origin.host.certificateName
      guard !origin.host.isAddress, name.suffix(domain.count).elementsEqual(domain) else { return false }
      return name.count == domain.count || name[name.count - domain.count - 1] == UInt8(ascii: ".")
    }
  }
}

extension Host {
  /// This machine by name (RFC 6761 §6.3) or address (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
  var isLoopback: Bool {
    if let address = IPAddress(bytes[...]) { return address.isLoopback }
    let name = certificateName
    return name.equals("localhost") || name.suffix(10).equals(".localhost")
  }
}
