/// What a representation is linked to: the `Link` field (RFC 8288 §3), read strictly. A field that breaks the grammar
/// anywhere says nothing at all.
public struct LinkField: Equatable, Sendable {
  public struct Link: Equatable, Sendable {
    /// The URI reference between `<` and `>`, as it came: printable ASCII, perhaps empty, and not looked into.
    public let target: [UInt8]
    /// The relation types, in lower case (RFC 8288 §2.1.1, §3.3); never empty.
    public let relations: [[UInt8]]
    /// The link begins somewhere else than at this representation (RFC 8288 §3.2).
    public let isAnchored: Bool
    /// 1 to 999,999, the lowest first; nil when none is said that can be (RFC 6249 §3.1).
    public let priority: Int64?
    /// This mirror says the same entity tags as the server (RFC 6249 §3.3).
    public let isPreferred: Bool

    public func isRelated(_ relation: String) -> Bool { relations.contains { $0.equals(relation) } }
  }

  /// The first so many links count; what comes behind them is held to the grammar alone.
  public static let limit = 64  // links

  /// In their order, those without a relation left out: they are to be ignored (RFC 8288 §3.3).
  public let links: [Link]

  /// Reads all lines of the field; nil if one of them is malformed. Empty without any.
  public init?(in fields: Fields) {
    var links: [Link] = []
    var start = 0
    while let index = fields.firstIndex(of: .link, from: start) {
      guard LinkField.read(fields.value(at: index), into: &links) else { return nil }
      start = index + 1
    }
    self.links = links
  }

  /// Reads one line.
  public init?(fieldValue: [UInt8]) {
    var links: [Link] = []
    guard LinkField.read(fieldValue, into: &links) else { return nil }
    self.links = links
  }

  /// Other places of the whole of this representation, best first (RFC 6249 §3): those that say the same entity tags,
  /// then by priority, then as they came.
  public var duplicates: [Link] {
    let lowest: Int64 = 999_999
    var ordered: [Link] = []
    for link in links where link.isRelated("duplicate") && !link.isAnchored {
      let place = ordered.firstIndex { other in
        if link.isPreferred != other.isPreferred { return link.isPreferred }
        return link.priority ?? lowest < other.priority ?? lowest
      }
      ordered.insert(link, at: place ?? ordered.count)
    }
    return ordered
  }

  /// `#link-value`, whose list may have empty members (RFC 9110 §5.6.1.2). In time linear to its length.
  private static func read(_ fieldValue: [UInt8], into links: inout [Link]) -> Bool {
    var reader = LinkReader(rest: fieldValue[...])
    do throws(MalformedLink) {
      while try reader.beginLink() {
        if let link = try reader.link(), links.count < limit { links.append(link) }
      }
    } catch {
      return false
    }
    return true
  }
}

private struct MalformedLink: Error {}

/// Takes links from the front of a field value.
private struct LinkReader {
  var rest: ArraySlice<UInt8>

  /// Moves on to the next member; false at the end.
  mutating func beginLink() throws(MalformedLink) -> Bool {
    rest = rest.drop { $0.isBlank || $0 == UInt8(ascii: ",") }
    guard let first = rest.popFirst() else { return false }
    if first != UInt8(ascii: "<") { throw MalformedLink() }
    return true
  }

  /// What follows `<`, up to the comma behind the link or the end; nil for a link without a relation.
  mutating func link() throws(MalformedLink) -> LinkField.Link? {
    let target = rest.prefix { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
    rest = rest.dropFirst(target.count)
    guard rest.popFirst() == UInt8(ascii: ">"), !target.contains(UInt8(ascii: "\"")) else { throw MalformedLink() }
    // Of several parameters with one name the first counts (RFC 8288 §3.3).
    var relations: [[UInt8]]?
    var priority: [UInt8]?
    var isAnchored = false
    var isPreferred = false
    while try hasMore() {
      guard let (name, value) = try parameter() else { continue }
      if name.equalsIgnoringCase("rel"), relations == nil {
        relations = (value ?? []).split(separator: .space).map { $0.map { $0.lowercased } }
      } else if name.equalsIgnoringCase("pri"), priority == nil {
        priority = value ?? []
      } else if name.equalsIgnoringCase("anchor") {
        isAnchored = true
      } else if name.equalsIgnoringCase("pref") {
        isPreferred = true
      }
    }
    guard let relations, !relations.isEmpty else { return nil }
    let number = priority.flatMap { decimalValue($0) }.flatMap { (1...999_999).contains($0) ? $0 : nil }
    return LinkField.Link(
      target: Array(target), relations: relations, isAnchored: isAnchored, priority: number, isPreferred: isPreferred)
  }

  /// Takes the semicolon before the next parameter; false at the end of the link.
  private mutating func hasMore() throws(MalformedLink) -> Bool {
    rest = rest.drop { $0.isBlank }
    guard let next = rest.first, next != UInt8(ascii: ",") else { return false }
    if next != UInt8(ascii: ";") { throw MalformedLink() }
    rest = rest.dropFirst().drop { $0.isBlank }
    return true
  }

  /// `token BWS [ "=" BWS ( token / quoted-string ) ]`; nil for the nothing that may stand between semicolons.
  private mutating func parameter() throws(MalformedLink) -> (name: ArraySlice<UInt8>, value: [UInt8]?)? {
    let name = rest.prefix { $0.isTokenCharacter }
    if name.isEmpty {
      guard let next = rest.first, next != UInt8(ascii: ";"), next != UInt8(ascii: ",") else { return nil }
      throw MalformedLink()
    }
    rest = rest.dropFirst(name.count).drop { $0.isBlank }
    guard rest.first == UInt8(ascii: "=") else { return (name, nil) }
    rest = rest.dropFirst().drop { $0.isBlank }
    if rest.first == UInt8(ascii: "\"") { return (name, try quotedString()) }
    let value = rest.prefix { $0.isTokenCharacter }
    if value.isEmpty { throw MalformedLink() }
    rest = rest.dropFirst(value.count)
    return (name, Array(value))
  }

  /// RFC 9110 §5.6.4: the text, each quoted pair replaced by its second byte.
  private mutating func quotedString() throws(MalformedLink) -> [UInt8] {
    rest = rest.dropFirst()
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return text
      case UInt8(ascii: "\\"):
        guard let quoted = rest.popFirst(), isText(quoted) else { throw MalformedLink() }
        text.append(quoted)
      default:
        guard isText(byte) else { throw MalformedLink() }
        text.append(byte)
      }
    }
    throw MalformedLink()
  }

  private func isText(_ byte: UInt8) -> Bool { byte.isBlank || byte > 0x20 && byte != 0x7F }
}

extension FieldName {
  public static var link: FieldName { FieldName("Link") }
}
