/// The file name that a Content-Disposition field proposes (RFC 6266). It is text from a stranger: make it safe before
/// it names anything.
///
/// Senders break the grammar in ways that leave no doubt, and those are read: a bare value runs to the next semicolon,
/// blanks and slashes included; a value of `filename*` may stand in quotes. Where doubt begins, at a parameter without
/// value, an open quote, bytes after a closing quote, reading ends; what was read before it counts.
public struct ContentDisposition: Equatable, Sendable {
  /// UTF-8, not empty. From the first usable `filename*`, else from the first `filename`.
  public let filename: [UInt8]?

  /// Reads a whole field value; nil unless it begins with a disposition type. In time linear to its length.
  public init?(fieldValue: [UInt8]) {
    var rest = fieldValue[...].droppingBlanks()
    let type = rest.prefix { $0.isTokenCharacter }
    rest = rest.dropFirst(type.count).droppingBlanks()
    guard !type.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: ";") else { return nil }

    var plain: [UInt8]?
    var extended: [UInt8]?
    while rest.first == UInt8(ascii: ";") {
      rest = rest.dropFirst().droppingBlanks()
      if rest.isEmpty || rest.first == UInt8(ascii: ";") { continue }  // `;;` and a last `;` separate nothing
      guard let (name, value) = ContentDisposition.nextParameter(&rest) else { break }
      if name.equalsIgnoringCase("filename"), plain == nil, !value.isEmpty {
        plain = String(validating: value, as: UTF8.self) != nil ? value : utf8(fromLatin1: value)
      } else if name.equalsIgnoringCase("filename*"), extended == nil {
        extended = ContentDisposition.extendedValue(value)
      }
    }
    filename = extended ?? plain
  }

  /// `token "=" value` (RFC 6266 §4.1), and the blanks up to the next semicolon; nil where doubt begins.
  private static func nextParameter(_ rest: inout ArraySlice<UInt8>) -> (name: [UInt8], value: [UInt8])? {
    let name = rest.prefix { $0.isTokenCharacter }
    rest = rest.dropFirst(name.count).droppingBlanks()
    guard !name.isEmpty, rest.first == UInt8(ascii: "=") else { return nil }
    rest = rest.dropFirst().droppingBlanks()

    let value: [UInt8]
    if rest.first == UInt8(ascii: "\"") {
      guard let text = quotedString(&rest) else { return nil }
      value = text
      rest = rest.droppingBlanks()
      guard rest.isEmpty || rest.first == UInt8(ascii: ";") else { return nil }
    } else {
      var text = rest.prefix { $0 != UInt8(ascii: ";") }
      rest = rest.dropFirst(text.count)
      while text.last?.isBlank == true { text.removeLast() }
      guard !text.contains(UInt8(ascii: "\"")) else { return nil }
      value = Array(text)
    }
    return (Array(name), value)
  }

  /// The text between two quotes, each quoted pair replaced by its second byte (RFC 9110 §5.6.4), even in `"C:\name"`,
  /// where the sender hardly meant it.
  private static func quotedString(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    var text: [UInt8] = []
    rest = rest.dropFirst()
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return text
      case UInt8(ascii: "\\"):
        guard let quoted = rest.popFirst() else { return nil }
        text.append(quoted)
      default: text.append(byte)
      }
    }
    return nil
  }

  /// `ext-value` (RFC 8187 §3.2) in UTF-8: charset, language (ignored), percent-encoded bytes. nil for another charset, a
  /// broken encoding, bytes that are not UTF-8 (RFC 3629 §3: overlong forms and surrogates are not), nothing at all.
  /// Bare characters beyond `attr-char` are taken: `encodeURIComponent` leaves some of them.
  private static func extendedValue(_ text: [UInt8]) -> [UInt8]? {
    let quote = UInt8(ascii: "'")
    let charset = Array(text.prefix { $0 != quote })
    let afterCharset = text.dropFirst(charset.count + 1)
    let language = afterCharset.prefix { $0 != quote }
    guard charset.count + 1 + language.count < text.count else { return nil }  // both quotes are there
    guard let value = percentDecoded(afterCharset.dropFirst(language.count + 1)), !value.isEmpty else { return nil }
    if charset.equalsIgnoringCase("UTF-8") { return String(validating: value, as: UTF8.self) != nil ? value : nil }
    if charset.equalsIgnoringCase("ISO-8859-1") { return utf8(fromLatin1: value) }
    return nil
  }

  /// nil if a `%` is not followed by two hexadecimal digits, or if a byte is not printable ASCII.
  private static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
          return nil
        }
        result.append(high << 4 | low)
      } else {
        guard (0x20...0x7E).contains(byte) else { return nil }
        result.append(byte)
      }
    }
    return result
  }
}

/// Every byte of ISO-8859-1 is the scalar of the same number; from 0x80 it takes two bytes in UTF-8 (RFC 3629 §3).
private func utf8(fromLatin1 bytes: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(bytes.count)
  for byte in bytes {
    if byte < 0x80 {
      result.append(byte)
    } else {
      result += [0xC0 | byte >> 6, 0x80 | byte & 0x3F]
    }
  }
  return result
}

extension ArraySlice<UInt8> {
  fileprivate func droppingBlanks() -> ArraySlice<UInt8> { drop { $0.isBlank } }
}
