/// A request line and its fields, in the bytes that are sent (RFC 9112 §3).
///
/// Nothing that could end a line early is ever written: a target or a field with CR, LF or NUL in it is refused.
public struct RequestHead: Sendable {
  /// Most heads are no longer, the target aside: room is made for so much at once.
  private static let usualSize = 384  // bytes

  /// Ready to send once `finished()` has added the empty line.
  private var bytes: [UInt8]

  /// nil when `target` is empty or holds a byte outside of VCHAR: a request target is encoded before it comes here.
  public init?(method: RequestMethod, target: [UInt8]) {
    guard !target.isEmpty, target.allSatisfy({ $0 > .space && $0 < 0x7F }) else { return nil }
    bytes = []
    bytes.reserveCapacity(RequestHead.usualSize + target.count)
    bytes += method.token
    bytes.append(.space)
    bytes += target
    bytes += " HTTP/1.1\r\n".utf8
  }

  /// Appends a field line; false, and nothing appended, when `value` may not stand in one.
  public mutating func append(_ name: FieldName, _ value: [UInt8]) -> Bool { append(name.text.utf8, value) }

  /// The same, of text.
  public mutating func append(_ name: FieldName, _ value: String) -> Bool { append(name.text.utf8, value.utf8) }

  /// The same, where there is a value.
  public mutating func append(_ name: FieldName, ifAny value: [UInt8]?) -> Bool {
    guard let value else { return true }
    return append(name, value)
  }

  /// Appends a field line; false, and nothing appended, when name or value may not stand in one (RFC 9110 §5.1, §5.5).
  public mutating func append(name: [UInt8], value: [UInt8]) -> Bool {
    FieldLine.isName(name) && append(name, value)
  }

  /// `name` is a token.
  private mutating func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) -> Bool {
    guard FieldLine.isValue(value) else { return false }
    bytes += name
    bytes += ": ".utf8
    bytes += value
    bytes += "\r\n".utf8
    return true
  }

  /// The whole head with the empty line that ends it.
  public consuming func finished() -> [UInt8] {
    bytes += "\r\n".utf8
    return bytes
  }
}

/// A field that may be sent: a token, and a value without CR, LF, NUL or other controls but HTAB.
public struct FieldLine: Equatable, Sendable {
  public let name: [UInt8]
  public let value: [UInt8]

  public init?(name: [UInt8], value: [UInt8]) {
    guard FieldLine.isName(name), FieldLine.isValue(value) else { return nil }
    self.name = name
    self.value = value
  }

  static func isName(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { $0.isTokenCharacter }
  }

  static func isValue(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.allSatisfy { $0 >= .space && $0 != 0x7F || $0 == .htab }
  }

  /// Reads `Name: value` as a person writes it; OWS around the value is cut.
  public init?(text: [UInt8]) {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let value = trimmingBlanks(text.span, in: (colon + 1)..<text.count)
    self.init(name: Array(text[..<colon]), value: Array(text[value]))
  }

  public func isNamed(_ name: FieldName) -> Bool { self.name.equalsIgnoringCase(name.text) }
}
