internal import HTTP1

/// The textual forms of addresses, as a URI may hold them: RFC 3986 §3.2.2 and RFC 4291 §2.2.
///
/// `inet_aton` takes more for an IPv4 address (`127.1`, `0177.0.0.1`, `0x7f000001`, `2130706433`); which address those
/// name depends on who reads them, so they are no addresses here, and not host names either.
enum IPLiteral {
  /// Four decimal numbers of at most 255, without leading zeros, which some read as octal.
  static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
    var position = text.startIndex
    for number in 1...4 {
      let start = position
      var value = 0
      while position < text.endIndex, text[position].isDigit, position < start + 4 {
        value = value * 10 + Int(text[position] - UInt8(ascii: "0"))
        position += 1
      }
      let count = position - start
      guard (1...3).contains(count), count == 1 || text[start] != UInt8(ascii: "0"), value <= 255 else { return false }
      if number == 4 { break }
      guard position < text.endIndex, text[position] == UInt8(ascii: ".") else { return false }
      position += 1
    }
    return position == text.endIndex
  }

  /// True for a name whose last label is a number, decimal or hexadecimal: it has to be an address, or nothing.
  static func endsInNumber(_ name: ArraySlice<UInt8>) -> Bool {
    let rooted = name.last == UInt8(ascii: ".") ? name.dropLast() : name
    let label = rooted.suffix(while: { $0 != UInt8(ascii: ".") })
    if label.allSatisfy({ $0.isDigit }) { return true }
    guard label.count > 1, label.first == UInt8(ascii: "0") else { return false }
    let prefixed = label.dropFirst()
    return prefixed.first?.lowercased == UInt8(ascii: "x")
      && prefixed.dropFirst().allSatisfy { $0.hexadecimalValue != nil }
  }

  /// Eight groups of one to four hexadecimal digits; `::` once, for one group or more; the last two groups may be an
  /// IPv4 address. Without brackets and without a zone.
  static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
    let colon = UInt8(ascii: ":")
    var rest = text
    var groups = 0
    var hasGap = false
    if rest.first == colon {
      guard rest.dropFirst().first == colon else { return false }
      hasGap = true
      rest = rest.dropFirst(2)
    }
    while !rest.isEmpty {
      let group = rest.prefix { $0 != colon }
      rest = rest.dropFirst(group.count)
      if rest.isEmpty, isIPv4(group) {
        groups += 2
        break
      }
      guard (1...4).contains(group.count), group.allSatisfy({ $0.hexadecimalValue != nil }) else { return false }
      groups += 1
      if rest.isEmpty { break }
      rest = rest.dropFirst()
      if rest.first == colon {
        guard !hasGap else { return false }
        hasGap = true
        rest = rest.dropFirst()
      } else if rest.isEmpty {
        return false  // one colon at the end
      }
    }
    return hasGap ? groups <= 7 : groups == 8
  }
}

extension ArraySlice<UInt8> {
  /// What follows the last byte that does not belong.
  fileprivate func suffix(while belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    var start = endIndex
    while start > startIndex, belongs(self[start - 1]) { start -= 1 }
    return self[start...]
  }
}
