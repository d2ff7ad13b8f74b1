/// The bytes that base64 stands for (RFC 4648 §4); nil for anything outside the alphabet, line ends included. Padding that
/// is not there at all and pad bits that are not zero are let go, as RFC 8941 §4.2.7 recommends: every byte is certain
/// without them.
package func base64Decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
  guard text.last == UInt8(ascii: "=") ? text.count.isMultiple(of: 4) : text.count % 4 != 1 else { return nil }
  let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count / 4 * 3)
  var bits: UInt16 = 0  // those not yet in a whole byte are the lowest
  var bitCount = 0
  for byte in text.dropLast(padding) {
    guard let value = byte.base64Value else { return nil }
    bits = bits << 6 | UInt16(value)
    bitCount += 6
    if bitCount >= 8 {
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt16(bitCount)))
    }
  }
  return bytes
}

extension UInt8 {
  /// 0 to 63, or nil for what is not in the alphabet.
  fileprivate var base64Value: UInt8? {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): self - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
