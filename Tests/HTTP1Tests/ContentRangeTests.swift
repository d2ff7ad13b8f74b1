import Testing

@testable import HTTP1

/// Content-Range (RFC 9110 §14.4): the numbers must all fit each other, or it says nothing.
struct ContentRangeTests {
  struct Row {
    let fieldValue: String
    let range: ContentRange?  // nil: must be refused
    let because: String
  }

  static let accepted = [
    Row(fieldValue: "bytes 0-4/5", range: .part(first: 0, last: 4, completeLength: 5), because: "all of it"),
    Row(fieldValue: "bytes 5-10/11", range: .part(first: 5, last: 10, completeLength: 11), because: "the rest"),
    Row(fieldValue: "bytes 0-0/1", range: .part(first: 0, last: 0, completeLength: 1), because: "one byte"),
    Row(fieldValue: "bytes 5-10/*", range: .part(first: 5, last: 10, completeLength: nil), because: "unknown length"),
    Row(fieldValue: "bytes */11", range: .unsatisfied(completeLength: 11), because: "of a 416"),
    Row(fieldValue: "bytes */0", range: .unsatisfied(completeLength: 0), because: "nothing there"),
    Row(fieldValue: "BYTES 5-10/11", range: .part(first: 5, last: 10, completeLength: 11), because: "T7: any case"),
    Row(fieldValue: "bytes 05-010/0011", range: .part(first: 5, last: 10, completeLength: 11), because: "zeros"),
    Row(
      fieldValue: "bytes 9007199254740993-9007199254740994/9007199254740995",
      range: .part(first: 1 << 53 + 1, last: 1 << 53 + 2, completeLength: 1 << 53 + 3), because: "T12: beyond 2^53"),
    Row(
      fieldValue: "bytes 0-9223372036854775806/9223372036854775807",
      range: .part(first: 0, last: .max - 1, completeLength: .max), because: "T12: 2^63-1 bytes"),
  ]

  static func refused(_ values: [String], _ because: String) -> [Row] {
    values.map { Row(fieldValue: $0, range: nil, because: because) }
  }

  static let rows =
    accepted
    + refused(["bytes 5-11/11", "bytes 5-10/0", "bytes 0-0/0", "bytes 5-10/5"], "the last is beyond the length")
    + refused(["bytes 10-5/11", "bytes 1-0/5"], "the last is before the first")
    + refused(["bytes */*", "bytes *"], "says nothing at all")
    + refused(["bytes 5-/11", "bytes -5/11", "bytes -/11", "bytes /11", "bytes 5/11"], "half a range")
    + refused(["bytes 5-10", "bytes 5-10/", "bytes */"], "no length")
    + refused(["5-10/11", "bytes", "bytes ", "", "/", "*/11"], "no unit, or nothing else")
    + refused(["items 5-10/11", "byte 5-10/11", "bytesx 5-10/11", "none 5-10/11"], "another unit")
    + refused(["bytes=5-10/11", "bytes:5-10/11", "bytes\t5-10/11", "bytes5-10/11"], "no SP behind the unit")
    + refused(["bytes  5-10/11", " bytes 5-10/11", "bytes 5 - 10/11", "bytes 5-10 / 11", "bytes 5-10/11 "], "blanks")
    + refused(["bytes -5-10/11", "bytes +5-10/11", "bytes 5-+10/11", "bytes 5-10/+11", "bytes 5-10/-1"], "signs")
    + refused(["bytes 0x5-0xa/0xb", "bytes 5-a/11", "bytes 5-10/1e3", "bytes 5.0-10/11"], "not 1*DIGIT")
    + refused(["bytes 5-10/11 ok", "bytes 5-10/11;x", "bytes 5-10/11/12", "bytes 5-10-11/12"], "more than a range")
    + refused(["bytes 5-10/11, bytes 5-10/11", "bytes 0-1,4-5/11"], "a list")
    + refused(["bytes 5-10/9223372036854775808", "bytes 5-10/18446744073709551627"], "T12: a length beyond 2^63-1")
    + refused(["bytes 9223372036854775808-9223372036854775809/*", "bytes */9223372036854775808"], "T12: 2^63")
    + refused(["bytes 0-9223372036854775807/*"], "T12: last + 1 can't be counted")

  @Test(arguments: rows) func readsContentRange(_ row: Row) {
    #expect(ContentRange(fieldValue: bytes(row.fieldValue)) == row.range)
  }

  @Test func readsBack() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<1_000 {
      let first = Int64.random(in: 0..<Int64.max - 1, using: &generator)
      let last = Int64.random(in: first..<Int64.max, using: &generator)
      let length = generator.isOne(in: 3) ? nil : Int64.random(in: last + 1...Int64.max, using: &generator)
      let ranges = [
        ContentRange.part(first: first, last: last, completeLength: length), .unsatisfied(completeLength: first),
      ]
      for range in ranges {
        #expect(ContentRange(fieldValue: range.fieldValue) == range)
      }
    }
  }

  /// Whatever the bytes: nil, or a range that is in order and reads back.
  @Test func neverTrapsNorBelievesNonsense() {
    var generator = SeededGenerator(seed: 4)
    let alphabet = bytes("0123456789-/* ,9")
    for _ in 0..<5_000 {
      let value = bytes("bytes ") + generator.bytes(count: 0...30, from: alphabet)
      guard let range = ContentRange(fieldValue: value) else { continue }
      #expect(ContentRange(fieldValue: range.fieldValue) == range)
      guard case .part(let first, let last, let length) = range else { continue }
      #expect(first >= 0 && first <= last && last < length ?? Int64.max)
    }
  }
}
