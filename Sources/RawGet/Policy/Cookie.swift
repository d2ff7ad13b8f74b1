internal import HTTP1

/// A cookie, and where it may be sent (RFC 6265 §5.3).
public struct Cookie: Equatable, Sendable {
  static let sizeLimit = 4_096  // bytes of name and value together

  let name: [UInt8]
  var value: [UInt8]
  /// In lower case, without a leading dot.
  var domain: [UInt8]
  /// The domain alone, not what is below it.
  var isHostOnly: Bool
  var path: [UInt8] = [UInt8(ascii: "/")]
  var isSecure = false
  /// Seconds since 1970; nil: when the session ends.
  var expires: Int64?

  init(name: [UInt8], value: [UInt8], domain: [UInt8], isHostOnly: Bool) {
    self.name = name
    self.value = value
    self.domain = domain
    self.isHostOnly = isHostOnly
  }

  /// The same place in a jar: the newer one replaces the older (RFC 6265 §5.3, step 11).
  func replaces(_ other: Cookie) -> Bool { name == other.name && domain == other.domain && path == other.path }

  /// RFC 6265 §5.4, step 1.
  func isFor(_ target: TargetURI, now: Int64) -> Bool {
    if isSecure && target.scheme != .https { return false }
    if let expires, expires <= now { return false }
    guard Cookie.pathMatches(target.path, path) else { return false }
    return isHostOnly ? target.host.bytes == domain : Cookie.domainMatches(target.host, domain)
  }

  /// RFC 6265 §5.1.3: the same, or below it at a dot; an address is only itself.
  static func domainMatches(_ host: Host, _ domain: [UInt8]) -> Bool {
    if host.bytes == domain { return true }
    let rest = host.bytes.count - domain.count
    guard !host.isAddress, rest > 1, !domain.isEmpty else { return false }
    return host.bytes[(rest - 1)...].elementsEqual([UInt8(ascii: ".")] + domain)
  }

  /// RFC 6265 §5.1.4.
  static func pathMatches(_ requested: [UInt8], _ path: [UInt8]) -> Bool {
    let slash = UInt8(ascii: "/")
    guard requested.starts(with: path) else { return false }
    return requested.count == path.count || path.last == slash || requested[path.count] == slash
  }

  /// Of `/a/b` that is `/a` (RFC 6265 §5.1.4).
  static func defaultPath(_ requested: [UInt8]) -> [UInt8] {
    guard let slash = requested.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return [UInt8(ascii: "/")] }
    return Array(requested[..<slash])
  }

  /// Whether one may be set for all hosts below it. No list of public suffixes is kept: a name without a dot is one
  /// for certain.
  static func maySpan(_ domain: [UInt8]) -> Bool { domain.dropFirst().dropLast().contains(UInt8(ascii: ".")) }

  /// What may stand on the two sides of `=` in a Cookie field.
  static func isSendable(name: [UInt8], value: [UInt8]) -> Bool {
    let ends = [UInt8(ascii: ";"), UInt8(ascii: "=")]
    return !name.isEmpty && name.count + value.count <= sizeLimit
      && name.allSatisfy { $0 > .space && $0 != 0x7F && !ends.contains($0) }
      && value.allSatisfy { $0 >= .space && $0 != 0x7F && $0 != ends[0] }
  }
}

extension Cookie {
  /// Reads `NAME=VALUE; NAME=VALUE` as a caller writes it, for a host that is not known yet; nil when it can't be sent.
  public static func pairs(_ text: [UInt8]) -> [Cookie]? {
    var cookies: [Cookie] = []
    for pair in text.split(separator: UInt8(ascii: ";")) {
      let pair = Array(pair)[trimmingBlanks(Array(pair).span, in: 0..<pair.count)]
      if pair.isEmpty { continue }
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let name = Array(pair[..<equals])
      let value = Array(pair[(equals + 1)...])
      guard isSendable(name: name, value: value) else { return nil }
      cookies.append(Cookie(name: name, value: value, domain: [], isHostOnly: true))
    }
    return cookies.isEmpty ? nil : cookies
  }

  /// Reads a line of a Netscape cookie file: domain, whether hosts below it count, path, whether only https, expiry in
  /// seconds since 1970 or 0, name, value, separated by tabs.
  public init?(fileLine line: [UInt8]) {
    let columns = line.split(separator: .htab, omittingEmptySubsequences: false).map { Array($0) }
    guard columns.count == 6 || columns.count == 7 else { return nil }
    let dot = UInt8(ascii: ".")
    let domain = Array((columns[0].first == dot ? columns[0].dropFirst() : columns[0][...]).map { $0.lowercased })
    let value = columns.count == 7 ? columns[6] : []
    guard let spans = Cookie.flag(columns[1]), let isSecure = Cookie.flag(columns[3]),
      let expires = decimalValue(columns[4]), columns[2].first == UInt8(ascii: "/"),
      Cookie.isSendable(name: columns[5], value: value), !domain.isEmpty, !spans || Cookie.maySpan(domain)
    else { return nil }
    self.init(name: columns[5], value: value, domain: domain, isHostOnly: !spans)
    path = columns[2]
    self.isSecure = isSecure
    self.expires = expires == 0 ? nil : expires
  }

  private static func flag(_ text: [UInt8]) -> Bool? {
    text.equalsIgnoringCase("TRUE") ? true : text.equalsIgnoringCase("FALSE") ? false : nil
  }
}
