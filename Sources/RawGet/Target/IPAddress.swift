internal import HTTP1

/// An address as a number of 128 bits. One of IPv4 is the IPv6 address it is mapped to (RFC 4291 §2.5.5.2), so that both
/// spellings are one address.
struct IPAddress: Equatable {
  private let high: UInt64
  private let low: UInt64

  private static let mapped: UInt64 = 0xFFFF << 32

  /// Reads what `IPLiteral` takes for an address; nil for anything else.
  init?(_ text: ArraySlice<UInt8>) {
    if IPLiteral.isIPv4(text) {
      high = 0
      low = IPAddress.mapped | IPAddress.value(ofIPv4: text)
      return
    }
    guard IPLiteral.isIPv6(text) else { return nil }
    let groups = IPAddress.groups(text)
    var halves: [UInt64] = [0, 0]
    for index in 0..<8 { halves[index / 4] = halves[index / 4] << 16 | groups[index] }
    (high, low) = (halves[0], halves[1])
  }

  /// Reads `ADDRESS/BITS`, or an address alone, without a port; nil for anything else. The prefix is counted in the 128.
  static func range(_ text: ArraySlice<UInt8>) -> (address: IPAddress, prefix: Int)? {
    let literal = text.prefix { $0 != UInt8(ascii: "/") }
    guard let address = IPAddress(literal) else { return nil }
    if literal.count == text.count { return (address, 128) }
    let width: Int64 = IPLiteral.isIPv4(literal) ? 32 : 128
    guard let bits = decimalValue(text[literal.endIndex...].dropFirst()), bits <= width else { return nil }
    return (address, Int(128 - width + bits))
  }

  /// Whether the first `prefix` bits are those of `other`. An IPv6 range holds no IPv4 address, however wide it is.
  func isWithin(_ other: IPAddress, prefix: Int) -> Bool {
    if isIPv4 != other.isIPv4 { return false }
    let highMask: UInt64 = prefix >= 64 ? .max : ~(.max >> UInt64(prefix))
    let lowMask: UInt64 = prefix <= 64 ? 0 : prefix == 128 ? .max : ~(.max >> UInt64(prefix - 64))
    return (high ^ other.high) & highMask == 0 && (low ^ other.low) & lowMask == 0
  }

  private var isIPv4: Bool { high == 0 && low >> 32 == IPAddress.mapped >> 32 }

  var isLoopback: Bool { high == 0 && (low == 1 || low >> 24 == IPAddress.mapped >> 24 | 127) }

  private static func value(ofIPv4 text: ArraySlice<UInt8>) -> UInt64 {
    text.split(separator: UInt8(ascii: ".")).reduce(0) { $0 << 8 | UInt64(decimalValue($1) ?? 0) }
  }

  /// The eight groups of an IPv6 literal that is known to be one.
  private static func groups(_ text: ArraySlice<UInt8>) -> [UInt64] {
    var groups: [UInt64] = []
    var gap: Int?
    for group in text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
      if group.isEmpty {
        if gap == nil { gap = groups.count }
      } else if IPLiteral.isIPv4(group) {
        let value = value(ofIPv4: group)
        groups += [value >> 16, value & 0xFFFF]
      } else {
        groups.append(group.reduce(0) { $0 << 4 | UInt64($1.hexadecimalValue ?? 0) })
      }
    }
    if let gap { groups.insert(contentsOf: [UInt64](repeating: 0, count: max(8 - groups.count, 0)), at: gap) }
    return groups
  }
}
