internal import HTTP1

/// A piece of output under construction: our own words, and bytes of others that are made harmless first.
package struct Text {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  @inline(never) package init(_ words: String) { bytes = Array(words.utf8) }

  /// Bytes that were made harmless in another way.
  init(harmless bytes: [UInt8]) { self.bytes = bytes }

  /// Our own words, as they are. Here as in what follows, a call is smaller than what it would be replaced by.
  @inline(never) package mutating func add(_ words: String) { bytes += Array(words.utf8) }

  @inline(never) package mutating func add(_ number: Int64) { bytes += number.decimalDigits }

  @inline(never) package mutating func append(_ text: Text) { bytes += text.bytes }

  /// Drops blanks at the end.
  mutating func trim() {
    while bytes.last == 0x20 { bytes.removeLast() }
  }

  /// Bytes from a server, a file name or an argument: controls, which a terminal might obey, become `\xNN`.
  /// C1 controls are the two bytes C2 80 to C2 9F in UTF-8.
  package mutating func add(foreign: [UInt8]) {
    var index = 0
    while index < foreign.count {
      let byte = foreign[index]
      let next = index + 1 < foreign.count ? foreign[index + 1] : 0
      if byte < 0x20 || byte == 0x7F {
        addEscaped(byte)
      } else if byte == 0xC2 && next >= 0x80 && next < 0xA0 {
        addEscaped(byte)
        addEscaped(next)
        index += 1
      } else {
        bytes.append(byte)
      }
      index += 1
    }
  }

  private mutating func addEscaped(_ byte: UInt8) {
    let digits = Array("0123456789abcdef".utf8)
    bytes += Array("\\x".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  /// A count of bytes for people: three digits and a decimal unit, the count itself below 1,000.
  package mutating func add(size: Int64) {
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    var unit = 0
    var tenths = min(max(size, 0), Int64.max / 10) * 10
    while tenths >= 10_000 && unit < units.count - 1 {
      tenths /= 1_000
      unit += 1
    }
    append("\(tenths / 10)")
    if unit > 0 && tenths < 1_000 { append(".\(tenths % 10)") }
    append(" \(units[unit])")
  }

  /// `12.3 of 20.0 MB`: the unit is said once where both have the same.
  package mutating func add(size part: Int64, of whole: Int64) {
    var left = Text()
    left.add(size: part)
    var right = Text()
    right.add(size: whole)
    let blank = UInt8(ascii: " ")
    if let unit = left.bytes.lastIndex(of: blank), right.bytes.suffix(left.bytes.count - unit) == left.bytes[unit...] {
      left.bytes.removeSubrange(unit...)
    }
    append(left)
    add(" of ")
    append(right)
  }

  /// `part` of `whole` with two decimal places, never above 100.00; `whole` is positive.
  package mutating func add(percentOf part: Int64, _ whole: Int64) {
    let product = min(max(part, 0), whole).multipliedFullWidth(by: 10_000)
    let hundredths = whole.dividingFullWidth(product).quotient
    append("\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)%")
  }

  /// Seconds with one decimal place.
  package mutating func add(seconds duration: Duration) {
    let (seconds, attoseconds) = duration.components
    append("\(seconds).\(attoseconds / 100_000_000_000_000_000) s")
  }
}
