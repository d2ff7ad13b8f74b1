import Testing

@testable import HTTP1

/// Byte ranges of a request (RFC 9110 §14.1.2): S0-4, S1-9, T5, T7, T12.
struct ByteRangeTests {
  struct Row {
    let text: String
    let range: ByteRange?  // nil: must be refused
    let because: String
  }

  static let rows = [
    Row(text: "0-499", range: .closed(first: 0, last: 499), because: "S1-9: x-y"),
    Row(text: "500-", range: .from(500), because: "S1-9: x-"),
    Row(text: "-500", range: .suffix(length: 500), because: "S1-9, T5: -y is the last y bytes, not 0 to y"),
    Row(text: "0-0", range: .closed(first: 0, last: 0), because: "one byte"),
    Row(text: "0-", range: .from(0), because: "all"),
    Row(text: "-0", range: .suffix(length: 0), because: "in the grammar, and never satisfiable"),
    Row(text: "007-08", range: .closed(first: 7, last: 8), because: "leading zeros"),
    Row(text: "2147483648-", range: .from(1 << 31), because: "T12: 2^31"),
    Row(text: "4294967296-", range: .from(1 << 32), because: "T12: 2^32"),
    Row(text: "9007199254740993-", range: .from(1 << 53 + 1), because: "T12: 2^53+1"),
    Row(text: "0-9223372036854775807", range: .closed(first: 0, last: .max), because: "T12: 2^63-1"),
    Row(text: "-9223372036854775807", range: .suffix(length: .max), because: "T12: 2^63-1"),
    Row(text: "9223372036854775808-", range: nil, because: "2^63"),
    Row(text: "0-9223372036854775808", range: nil, because: "2^63 is not left out as if it were open"),
    Row(text: "-9223372036854775808", range: nil, because: "2^63"),
    Row(text: "", range: nil, because: "nothing"),
    Row(text: "-", range: nil, because: "no number"),
    Row(text: "5", range: nil, because: "no dash"),
    Row(text: "5-4", range: nil, because: "the last before the first"),
    Row(text: "--5", range: nil, because: "two dashes"),
    Row(text: "5--", range: nil, because: "two dashes"),
    Row(text: "1-2-3", range: nil, because: "two dashes"),
    Row(text: "a-b", range: nil, because: "no numbers"),
    Row(text: "0-x", range: nil, because: "half a number is not an open range"),
    Row(text: "x-5", range: nil, because: "nor a suffix"),
    Row(text: "0x0-0xf", range: nil, because: "hexadecimal"),
    Row(text: "+0-5", range: nil, because: "a sign"),
    Row(text: "0-+5", range: nil, because: "a sign"),
    Row(text: " 0-5", range: nil, because: "a blank"),
    Row(text: "0 - 5", range: nil, because: "blanks"),
    Row(text: "0-5 ", range: nil, because: "a blank"),
    Row(text: "0-1,4-5", range: nil, because: "one range"),
    Row(text: "bytes=0-5", range: nil, because: "the unit is not part of it"),
    Row(text: "0\u{2013}5", range: nil, because: "a dash of typography"),
  ]

  @Test(arguments: rows) func readsRange(_ row: Row) {
    #expect(ByteRange(text: Array(row.text.utf8)) == row.range)
  }

  struct CountRow {
    let range: ByteRange
    let count: Int64?
    let because: String
  }

  static let counts = [
    CountRow(range: .closed(first: 0, last: 1_023), count: 1_024, because: "S0-4: both ends are included"),
    CountRow(range: .closed(first: 7, last: 7), count: 1, because: "S0-4: one byte"),
    CountRow(range: .closed(first: 1, last: .max), count: .max, because: "T12: 2^63-1 bytes"),
    CountRow(range: .closed(first: .max - 1, last: .max - 1), count: 1, because: "T12: far out"),
    CountRow(range: .closed(first: 0, last: .max), count: nil, because: "T12: 2^63 bytes can't be counted"),
    CountRow(range: .closed(first: .max, last: .max), count: 1, because: "T12: as far out as can be"),
    CountRow(range: .closed(first: 5, last: 4), count: nil, because: "none"),
    CountRow(range: .closed(first: .min, last: .max), count: nil, because: "T12: never traps"),
    CountRow(range: .from(5), count: nil, because: "T11: not known without the complete length"),
    CountRow(range: .suffix(length: 5), count: nil, because: "at most 5"),
  ]

  @Test(arguments: counts) func countsItsBytes(_ row: CountRow) {
    #expect(row.range.count == row.count)
  }

  /// S0-4: length = last - first + 1, for any range.
  @Test func countIsLastMinusFirstPlusOne() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<1_000 {
      let first = Int64.random(in: 0..<Int64.max, using: &generator)
      let last = Int64.random(in: first..<Int64.max, using: &generator)
      let range = ByteRange.closed(first: first, last: last)
      #expect(range.count == last - first + 1)
      #expect(ByteRange(text: range.text) == range)
    }
  }

  static let everyForm: [ByteRange] = [0, 1, 1 << 31, 1 << 32, 1 << 53 + 1, .max].flatMap { position in
    [.closed(first: position, last: position), .from(position), .suffix(length: position)]
  }

  @Test(arguments: everyForm) func readsBackAndNamesItsUnitInLowerCase(_ range: ByteRange) {
    #expect(ByteRange(text: range.text) == range)
    #expect(range.fieldValue == Array("bytes=".utf8) + range.text, "T7: some servers compare the unit exactly")
  }

  @Test func writesEachForm() {
    #expect(text(ByteRange.closed(first: 0, last: 499).fieldValue) == "bytes=0-499")
    #expect(text(ByteRange.from(500).fieldValue) == "bytes=500-")
    #expect(text(ByteRange.suffix(length: 500).fieldValue) == "bytes=-500")
  }
}
