/// The character classes of RFC 9110 §5.6, over bytes: protocol text is never a `String`.
extension UInt8 {
  package static let htab: UInt8 = 0x09
  package static let lf: UInt8 = 0x0A
  package static let cr: UInt8 = 0x0D
  package static let space: UInt8 = 0x20

  /// DIGIT (RFC 5234 appendix B.1): ASCII only.
  @inlinable package var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  package var isLetter: Bool { self.lowercased >= 0x61 && self.lowercased <= 0x7A }

  /// SP or HTAB, the bytes of OWS (RFC 9110 §5.6.3).
  package var isBlank: Bool { self == .space || self == .htab }

  /// `tchar` (RFC 9110 §5.6.2): one bit for each byte below 0x80, 0x00 and 0x40 in the lowest.
  package var isTokenCharacter: Bool {
    let bits: UInt64 = self < 0x40 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
    return self < 0x80 && bits &>> UInt64(self & 0x3F) & 1 == 1
  }

  /// The value of HEXDIG in either case, or nil.
  package var hexadecimalValue: UInt8? {
    switch self {
    case 0x30...0x39: self &- 0x30
    case 0x41...0x46: self &- 0x37
    case 0x61...0x66: self &- 0x57
    default: nil
    }
  }

  /// A to Z become a to z; every other byte, those above 0x7F included, stays.
  @inlinable package var lowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

extension Collection<UInt8> {
  /// Equal when A to Z and a to z count as the same (RFC 9110 §5.1, §5.6.2).
  ///
  /// Inlinable, as what else is generic here: other modules would go through witness tables for every byte.
  @inlinable package func equalsIgnoringCase(_ text: String) -> Bool {
    let other = text.utf8
    guard count == other.count else { return false }
    var index = startIndex
    for byte in other {
      guard self[index].lowercased == byte.lowercased else { return false }
      formIndex(after: &index)
    }
    return true
  }

  @inlinable package func equals(_ text: String) -> Bool { elementsEqual(text.utf8) }
}

/// The part of `range` that remains when OWS is cut from both ends (RFC 9110 §5.5).
package func trimmingBlanks(_ bytes: Span<UInt8>, in range: Range<Int>) -> Range<Int> {
  var lower = range.lowerBound
  var upper = range.upperBound
  while lower < upper, bytes[lower].isBlank { lower += 1 }
  while lower < upper, bytes[upper - 1].isBlank { upper -= 1 }
  return lower..<upper
}

/// The value of 1*DIGIT, at most 2^63-1; nil for anything else, an empty run included.
/// Leading zeros are part of the grammar (RFC 9110 §8.6) and cost nothing.
@inlinable package func decimalValue(_ digits: some Sequence<UInt8>) -> Int64? {
  var value: Int64 = 0
  var isEmpty = true
  for byte in digits {
    guard byte.isDigit else { return nil }
    let (tens, overflowed) = value.multipliedReportingOverflow(by: 10)
    let (sum, overflowedAgain) = tens.addingReportingOverflow(Int64(byte &- 0x30))
    if overflowed || overflowedAgain { return nil }
    value = sum
    isEmpty = false
  }
  return isEmpty ? nil : value
}

extension Int64 {
  /// The number as 1*DIGIT with a minus sign where needed.
  package var decimalDigits: [UInt8] { Array(String(self).utf8) }
}
