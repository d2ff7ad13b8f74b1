/// Chunked content (RFC 9112 §7.1) that is there as a whole.
struct NaiveChunks {
  private(set) var cursor: NaiveCursor
  private(set) var content: [UInt8] = []
  private(set) var trailers: [FieldText] = []
  private var total: Int64 = 0  // bytes announced
  private var skipped = 0  // bytes of padding, extensions and needless digits

  init(at cursor: NaiveCursor) { self.cursor = cursor }

  mutating func read() throws(NaiveStop) {
    while true {
      let size = try sizeLine()
      if size == 0 {
        trailers = try cursor.fields()
        return
      }
      let (sum, overflowed) = total.addingReportingOverflow(size)
      if overflowed { throw .refused }
      total = sum
      let data = cursor.bytes[cursor.position...].prefix(Int(size))
      content += data
      cursor.position = data.endIndex
      if data.count < size { throw .incomplete }
      try lineEnd()
    }
  }

  private mutating func sizeLine() throws(NaiveStop) -> Int64 {
    let rest = cursor.bytes[cursor.position...]
    if rest.isEmpty { throw .incomplete }
    let line = rest.prefix { $0 != 0x0D && $0 != 0x0A }
    let digits = line.prefix { $0.isNaiveDigit || 0x41...0x46 ~= $0 || 0x61...0x66 ~= $0 }
    let significant = digits.drop { $0 == UInt8(ascii: "0") }
    let tail = line[digits.endIndex...]
    skipped += max(0, digits.count - 16) + tail.count
    guard !digits.isEmpty, skipped <= 65_536, tail.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }),
      let size = significant.isEmpty ? 0 : Int64(String(decoding: significant, as: UTF8.self), radix: 16)
    else { throw .refused }
    let afterPadding = tail.drop { $0.isNaiveBlank }
    if let first = afterPadding.first, first != UInt8(ascii: ";") { throw .refused }
    if line.endIndex < rest.endIndex, endsInQuotes(afterPadding) { throw .refused }
    cursor.position = line.endIndex
    try lineEnd()
    return size
  }

  /// Quotes that are open at the end, in which a CR would be part of the text.
  private func endsInQuotes(_ text: ArraySlice<UInt8>) -> Bool {
    var isInside = false
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { isInside.toggle() }
      if byte == UInt8(ascii: "\\"), isInside { _ = rest.popFirst() }
    }
    return isInside
  }

  /// CRLF and nothing else.
  private mutating func lineEnd() throws(NaiveStop) {
    for expected in [0x0D, 0x0A] as [UInt8] {
      guard cursor.position < cursor.bytes.count else { throw .incomplete }
      guard cursor.bytes[cursor.position] == expected else { throw .refused }
      cursor.position += 1
    }
  }
}
