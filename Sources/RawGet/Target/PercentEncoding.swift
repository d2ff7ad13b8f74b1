internal import HTTP1

/// Percent-encoding, part by part (RFC 3986 §2.1): the path and the query allow different characters, so neither is
/// ever encoded by the other's rules, and no text is encoded twice.
package enum PercentEncoding {
  package enum Part { case path, query }

  /// Encodes what the part may not hold: blanks, bytes from 0x80, `"<>\^{|}` and the backquote, brackets, and `?` in a path.
  ///
  /// An encoded octet stays as it is, in the case it was written, since signatures may cover it; a `%` that encodes
  /// nothing becomes `%25`. Encoding the result again changes nothing. At most three times as long as `bytes`.
  package static func encoding(_ bytes: ArraySlice<UInt8>, as part: Part) -> [UInt8] {
    if bytes.allSatisfy({ isPathCharacter($0) }) { return Array(bytes) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (position, byte) in zip(bytes.indices, bytes) {
      let isAllowed =
        byte == UInt8(ascii: "%")
        ? encodedOctet(bytes[position...]) != nil
        : isPathCharacter(byte) || (part == .query && byte == UInt8(ascii: "?"))
      if isAllowed {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 0x0F)]
      }
    }
    return result
  }

  /// Every encoded octet decoded, once; a `%` that encodes nothing stays.
  package static func decoding(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "%")) else { return Array(bytes) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.first {
      if byte == UInt8(ascii: "%"), let octet = encodedOctet(rest) {
        result.append(octet)
        rest = rest.dropFirst(3)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// The octet that the `%` at the front encodes, if two hexadecimal digits follow it.
  private static func encodedOctet(_ bytes: ArraySlice<UInt8>) -> UInt8? {
    guard bytes.count >= 3 else { return nil }
    let start = bytes.startIndex
    guard let high = bytes[start + 1].hexadecimalValue, let low = bytes[start + 2].hexadecimalValue else { return nil }
    return high << 4 | low
  }

  /// `pchar` without its encoded octets, or the slash between segments (RFC 3986 §3.3).
  private static func isPathCharacter(_ byte: UInt8) -> Bool {
    if byte.isUnreserved { return true }
    switch byte {
    case 0x21, 0x24, 0x26...0x2C, 0x2F, 0x3A, 0x3B, 0x3D, 0x40: return true  // !$&'()*+,/:;=@
    default: return false
    }
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}

extension UInt8 {
  /// `unreserved` (RFC 3986 §2.3).
  var isUnreserved: Bool {
    isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") || self == UInt8(ascii: "_")
      || self == UInt8(ascii: "~")
  }
}
