internal import HTTP1

/// What a request asks for (RFC 9110 §7.1): an http or https URI, read once and strictly, kept in the encoded form in
/// which it is sent.
///
/// Many hold one: its parts are in one place, and a copy is a reference.
public struct TargetURI: Equatable, Sendable {
  private final class Parts: Sendable {
    let scheme: Scheme
    let host: Host
    let port: UInt16
    let path: [UInt8]
    let query: [UInt8]?
    let userinfo: Userinfo?

    init(_ scheme: Scheme, _ host: Host, _ port: UInt16, _ path: [UInt8], _ query: [UInt8]?, _ userinfo: Userinfo?) {
      (self.scheme, self.host, self.port) = (scheme, host, port)
      (self.path, self.query, self.userinfo) = (path, query, userinfo)
    }
  }
  private let parts: Parts

  /// http or https.
  public var scheme: Scheme { parts.scheme }
  /// A name or an address, without userinfo and port.
  public var host: Host { parts.host }
  /// The scheme's own where none was given.
  public var port: UInt16 { parts.port }

  /// Percent-encoded, without dot segments; begins with a slash.
  public var path: [UInt8] { parts.path }

  /// Percent-encoded, without its question mark. Empty is not absent.
  public var query: [UInt8]? { parts.query }

  /// In no other property of this type.
  public var userinfo: Userinfo? { parts.userinfo }

  /// Reads what a person typed or pasted.
  ///
  /// Blanks around it are dropped and those inside encoded, as are bytes from 0x80 and all that a URI may not hold;
  /// encoded octets stay. A backslash is such a character, not a slash. Dot segments go here as in resolution (RFC 3986
  /// §6.2.2.3): servers remove them anyway, and one resource has one text, by which a part file finds it again.
  public init(text: [UInt8]) throws(TargetURIError) {
    try self.init(text: text, translation: systemHostTranslation)
  }

  /// The same, of text.
  public init(_ text: String) throws(TargetURIError) { try self.init(text: Array(text.utf8)) }

  package init(text: [UInt8], translation: HostTranslation) throws(TargetURIError) {
    let reference = try URIReference(text)
    guard let name = reference.scheme else {
      throw text.allSatisfy({ $0.isBlank }) ? .empty : .missingScheme
    }
    let scheme: Scheme
    do {
      scheme = try Scheme(name)
    } catch {
      throw reference.looksLikeHostAndPort ? .missingScheme : error
    }
    try self.init(scheme: scheme, reference: reference, translation: translation)
  }

  /// Reads a reference whose scheme is known and which has to name its host.
  init(scheme: Scheme, reference: URIReference, translation: HostTranslation) throws(TargetURIError) {
    guard let text = reference.authority else { throw .missingHost }
    let authority = try Authority(text, translation: translation)
    try self.init(
      scheme: scheme, host: authority.host, port: authority.port ?? scheme.defaultPort, userinfo: authority.userinfo,
      path: PercentEncoding.encoding(reference.path, as: .path), query: reference.encodedQuery)
  }

  /// `path` is encoded, and empty or begins with a slash.
  init(
    scheme: Scheme, host: Host, port: UInt16, userinfo: Userinfo?, path: [UInt8], query: [UInt8]?
  ) throws(TargetURIError) {
    let whole = path.isEmpty ? [UInt8(ascii: "/")] : URIReference.removingDotSegments(path)
    parts = Parts(scheme, host, port, whole, query, userinfo)
    // Most are far from it, and not put together for that.
    guard textLengthAtMost <= URIReference.limit || text.count <= URIReference.limit else {
      throw .tooLong(limit: URIReference.limit)
    }
  }
}

extension TargetURI {
  /// Equal in every part, userinfo included.
  public static func == (left: TargetURI, right: TargetURI) -> Bool {
    left.parts === right.parts
      || left.origin == right.origin && left.path == right.path && left.query == right.query
        && left.userinfo == right.userinfo
  }

  /// Who answers for it.
  public var origin: Origin { Origin(scheme: scheme, host: host, port: port) }

  /// The Host field's value (RFC 9110 §7.2): the port only if it is not the scheme's own.
  package var hostField: [UInt8] {
    var field = host.fieldValue
    appendPort(to: &field)
    return field
  }

  /// `origin-form` (RFC 9112 §3.2.1).
  package var requestTarget: [UInt8] {
    guard let query else { return path }
    return path + [UInt8(ascii: "?")] + query
  }

  /// `absolute-form`, for a proxy (RFC 9112 §3.2.2).
  package var absoluteForm: [UInt8] { originText + requestTarget }

  /// How it begins: the scheme, and who answers for it without a zone.
  var originText: [UInt8] { beginning(host.fieldValue) }

  /// For people and records: without userinfo and fragment, with the zone. Reading it gives an equal target URI, but for
  /// the userinfo.
  public var text: [UInt8] {
    var text = textWithoutQuery
    if let query {
      text.append(UInt8(ascii: "?"))
      text += query
    }
    return text
  }

  var textWithoutQuery: [UInt8] {
    var text = beginning(host.text)
    text += path
    return text
  }

  private func beginning(_ host: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(textLengthAtMost)
    text += scheme.name.utf8
    text += "://".utf8
    text += host
    appendPort(to: &text)
    return text
  }

  /// Bytes that `text` can't exceed.
  private var textLengthAtMost: Int {
    let others = "https://[%25]:65535?".utf8.count
    return others + host.bytes.count + (host.zone?.count ?? 0) + path.count + (query?.count ?? 0)
  }

  private func appendPort(to text: inout [UInt8]) {
    if port == scheme.defaultPort { return }
    text.append(UInt8(ascii: ":"))
    text += String(port).utf8
  }
}

extension URIReference {
  var encodedQuery: [UInt8]? {
    guard let query else { return nil }
    return PercentEncoding.encoding(query, as: .query)
  }
}
