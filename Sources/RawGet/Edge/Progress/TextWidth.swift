/// How many columns a terminal gives to text: two for East Asian wide characters and emoji, none for what combines with
/// the character before it (Unicode Standard Annex 11, width W and F). In doubt a column more: a line that is too long
/// wraps, and one that is too short is only that.
package enum TextWidth {
  /// From and to, in ascending order.
  private static let wide: [UInt32] = [
    0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0, 0x23F3, 0x23F3, 0x25FD, 0x25FE,
    0x2614, 0x2615, 0x2648, 0x2653, 0x267F, 0x267F, 0x2693, 0x2693, 0x26A1, 0x26A1, 0x26AA, 0x26AB, 0x26BD, 0x26BE,
    0x26C4, 0x26C5, 0x26CE, 0x26CE, 0x26D4, 0x26D4, 0x26EA, 0x26EA, 0x26F2, 0x26F5, 0x26FA, 0x26FD, 0x2705, 0x2705,
    0x270A, 0x270B, 0x2728, 0x2728, 0x274C, 0x274E, 0x2753, 0x2757, 0x2795, 0x2797, 0x27B0, 0x27BF, 0x2B1B, 0x2B1C,
    0x2B50, 0x2B55, 0x2E80, 0x303E, 0x3041, 0xA4CF, 0xA960, 0xA97C, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE10, 0xFE19,
    0xFE30, 0xFE6F, 0xFF01, 0xFF60, 0xFFE0, 0xFFE6, 0x16FE0, 0x18DFF, 0x1AFF0, 0x1B2FF, 0x1F004, 0x1F004,
    0x1F0CF, 0x1F0CF, 0x1F18E, 0x1F19A, 0x1F200, 0x1F64F, 0x1F680, 0x1F6FF, 0x1F7E0, 0x1F7F0, 0x1F900, 0x1F9FF,
    0x1FA70, 0x1FAFF, 0x20000, 0x3FFFD,
  ]

  private static let combining: [UInt32] = [
    0x0300, 0x036F, 0x0483, 0x0489, 0x0591, 0x05BD, 0x05BF, 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5, 0x05C7, 0x05C7,
    0x0610, 0x061A, 0x064B, 0x065F, 0x0670, 0x0670, 0x06D6, 0x06DC, 0x06DF, 0x06E4, 0x06E7, 0x06E8, 0x06EA, 0x06ED,
    0x0900, 0x0902, 0x093C, 0x093C, 0x0941, 0x0948, 0x094D, 0x094D, 0x0E31, 0x0E31, 0x0E34, 0x0E3A, 0x0E47, 0x0E4E,
    0x1160, 0x11FF, 0x1AB0, 0x1AFF, 0x1DC0, 0x1DFF, 0x200B, 0x200F, 0x202A, 0x202E, 0x2060, 0x2064, 0x20D0, 0x20FF,
    0x302A, 0x302D, 0x3099, 0x309A, 0xFE00, 0xFE0E, 0xFE20, 0xFE2F, 0xFEFF, 0xFEFF, 0xE0100, 0xE01EF,
  ]

  package static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    if contains(combining, scalar.value) { return 0 }
    return contains(wide, scalar.value) ? 2 : 1
  }

  private static func contains(_ ranges: [UInt32], _ value: UInt32) -> Bool {
    var index = 0
    while index < ranges.count && ranges[index] <= value {
      if value <= ranges[index + 1] { return true }
      index += 2
    }
    return false
  }

  /// Of text whose only controls are colours; what is not UTF-8 counts as U+FFFD, which terminals show in its place.
  package static func columns(of text: [UInt8]) -> Int {
    var sum = 0
    var isInColor = false
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      if scalar.value == 0x1B { isInColor = true }
      if !isInColor { sum += columns(of: scalar) }
      if scalar.value == 0x6D { isInColor = false }
    }
    return sum
  }

  /// The text, or its beginning and its end around an ellipsis of one column, in at most so many columns.
  package static func shortened(_ text: [UInt8], to limit: Int, _ ellipsis: [UInt8] = Array("…".utf8)) -> [UInt8] {
    let scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    var whole = 0
    for scalar in scalars { whole += columns(of: scalar) }
    if whole <= limit { return text }
    guard limit > 0 else { return [] }
    var head = 0
    var left = limit / 2  // columns: the end of a name tells more than its middle
    while head < scalars.count, columns(of: scalars[head]) <= left {
      left -= columns(of: scalars[head])
      head += 1
    }
    var tail = scalars.count
    left = limit - 1 - (limit / 2 - left)
    while tail > head, columns(of: scalars[tail - 1]) <= left {
      left -= columns(of: scalars[tail - 1])
      tail -= 1
    }
    while tail < scalars.count, columns(of: scalars[tail]) == 0 { tail += 1 }  // has lost what it combines with
    return bytes(of: scalars[..<head]) + ellipsis + bytes(of: scalars[tail...])
  }

  private static func bytes(of scalars: ArraySlice<Unicode.Scalar>) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in scalars { bytes += UTF8.encode(scalar).map { Array($0) } ?? [] }
    return bytes
  }
}
