// The plainest possible reading of the elements of RFC 9110 §5.6, to judge the real one by. Nothing of HTTP1 is used.

extension UInt8 {
  var isNaiveDigit: Bool { self >= 0x30 && self <= 0x39 }
  var isNaiveBlank: Bool { self == 0x20 || self == 0x09 }

  /// `tchar` (RFC 9110 §5.6.2).
  var isNaiveTokenCharacter: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true  // 0 to 9, A to Z, a to z
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true  // !#$%&'*+-.^_`|~
    default: false
    }
  }
}

extension Collection<UInt8> {
  /// Without regard to the case of A to Z.
  func isNaively(_ lowercase: String) -> Bool {
    elementsEqual(lowercase.utf8) { byte, other in (byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte) == other }
  }

  /// 1*DIGIT of at most 2^63-1.
  var naiveNumber: Int64? {
    guard !isEmpty, allSatisfy({ $0.isNaiveDigit }) else { return nil }
    return Int64(String(decoding: self, as: UTF8.self))
  }
}

extension ArraySlice<UInt8> {
  var naivelyTrimmed: ArraySlice<UInt8> {
    var rest = drop { $0.isNaiveBlank }
    while let last = rest.last, last.isNaiveBlank { rest.removeLast() }
    return rest
  }
}
