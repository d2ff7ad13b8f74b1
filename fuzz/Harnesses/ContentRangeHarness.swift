import HTTP1

extension Harness {
  /// `Content-Range` and `Range`: text that is read as either, then two numbers of eight bytes each to be written.
  static let contentRange = Harness("content-range") { input in
    var choices = Choices(input, count: 16)
    let read = ContentRange(fieldValue: choices.text)
    try require(read == naiveContentRange(choices.text), "\(String(describing: read))")
    if let read { try require(ContentRange(fieldValue: read.fieldValue) == read, "\(read) does not read back") }

    let range = ByteRange(text: choices.text)
    if let range {
      try require(ByteRange(text: range.text) == range, "\(range) does not read back")
      try require(range.fieldValue == Array("bytes=".utf8) + range.text, "one range of bytes, in lower case")
    }
    guard case .closed(let first, let last)? = range else { return try writes(choices.int64(), choices.int64()) }
    try require(first >= 0 && first <= last, "positions out of order")
    let count = last - first == Int64.max ? nil : last - first + 1
    try require(range?.count == count, "not the count of \(first)-\(last)")
    try writes(first, last)
  }

  /// Whatever the numbers: what is written is read as the same, or refused if the numbers do not fit.
  private static func writes(_ one: Int64, _ other: Int64) throws {
    for completeLength in [nil, 0, other, other &+ 1, Int64.max] as [Int64?] {
      let part = ContentRange.part(first: one, last: other, completeLength: completeLength)
      let fits = one >= 0 && one <= other && other < Int64.max && completeLength.map { other < $0 } ?? true
      try require(ContentRange(fieldValue: part.fieldValue) == (fits ? part : nil), "\(part)")
    }
    let unsatisfied = ContentRange.unsatisfied(completeLength: other)
    try require(ContentRange(fieldValue: unsatisfied.fieldValue) == (other >= 0 ? unsatisfied : nil), "\(unsatisfied)")
    for range in [ByteRange.closed(first: one, last: other), .from(one), .suffix(length: other)] {
      guard let again = ByteRange(text: range.text) else { continue }
      try require(again == range || one < 0 || other < 0, "\(range) reads back as \(again)")
    }
  }
}

/// `bytes` SP ( first `-` last / `*` ) `/` ( length / `*` ), the numbers in order (RFC 9110 §14.4).
private func naiveContentRange(_ text: [UInt8]) -> ContentRange? {
  guard text.prefix(6).isNaively("bytes ") else { return nil }
  let halves = text.dropFirst(6).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  guard halves.count == 2 else { return nil }
  let completeLength = halves[1].naiveNumber
  guard completeLength != nil || halves[1].isNaively("*") else { return nil }
  if halves[0].isNaively("*") { return completeLength.map { .unsatisfied(completeLength: $0) } }
  let positions = halves[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(\.naiveNumber)
  guard positions.count == 2, let first = positions[0], let last = positions[1], first <= last,
    last < completeLength ?? Int64.max
  else { return nil }
  return .part(first: first, last: last, completeLength: completeLength)
}
