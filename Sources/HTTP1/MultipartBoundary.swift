/// The boundary of `multipart/byteranges` content, as its Content-Type names it (RFC 9110 §8.3.1, §14.6).
public struct MultipartBoundary: Equatable, Sendable {
  static let lengthLimit = 70  // bytes (RFC 2046 §5.1.1)

  /// 1 to 70 bytes, without the two hyphens that stand before it in a delimiter.
  public let text: [UInt8]

  /// Reads a whole field value; nil unless the media type is `multipart/byteranges`, every byte is within the grammar,
  /// and one usable boundary is named. In time linear to its length.
  public init?(contentType: [UInt8]) {
    let type = contentType.prefix { $0.isTokenCharacter || $0 == UInt8(ascii: "/") }
    guard type.equalsIgnoringCase("multipart/byteranges") else { return nil }
    var rest = contentType.dropFirst(type.count)
    var boundary: [UInt8]?
    while !rest.isEmpty {
      rest = rest.drop { $0.isBlank }
      guard rest.popFirst() == UInt8(ascii: ";") else { return nil }
      rest = rest.drop { $0.isBlank }
      if rest.isEmpty || rest.first == UInt8(ascii: ";") { continue }  // a parameter may be absent
      guard let (name, value) = MultipartBoundary.nextParameter(&rest) else { return nil }
      guard name.equalsIgnoringCase("boundary") else { continue }
      guard boundary == nil else { return nil }
      boundary = value
    }
    guard let boundary, MultipartBoundary.isUsable(boundary) else { return nil }
    text = boundary
  }

  /// `bchars`, of which the last is no space (RFC 2046 §5.1.1).
  private static func isUsable(_ text: [UInt8]) -> Bool {
    guard (1...lengthLimit).contains(text.count), text.last != .space else { return false }
    return text.allSatisfy { $0.isDigit || $0.isLetter || "'()+_,-./:=? ".utf8.contains($0) }
  }

  /// `token "=" ( token / quoted-string )` (RFC 9110 §5.6.6).
  private static func nextParameter(_ rest: inout ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: [UInt8])? {
    guard let name = nextToken(&rest), rest.popFirst() == UInt8(ascii: "=") else { return nil }
    if rest.first == UInt8(ascii: "\"") {
      guard let value = nextQuotedString(&rest) else { return nil }
      return (name, value)
    }
    guard let value = nextToken(&rest) else { return nil }
    return (name, Array(value))
  }

  private static func nextToken(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let token = rest.prefix { $0.isTokenCharacter }
    rest = rest.dropFirst(token.count)
    return token.isEmpty ? nil : token
  }

  /// The text between two quotes, each quoted pair replaced by its second byte (RFC 9110 §5.6.4).
  private static func nextQuotedString(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    rest = rest.dropFirst()
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return text }
      if byte == UInt8(ascii: "\\") {
        guard let quoted = rest.popFirst() else { return nil }
        byte = quoted
      }
      guard byte >= .space && byte != 0x7F || byte == .htab else { return nil }
      text.append(byte)
    }
    return nil
  }
}
