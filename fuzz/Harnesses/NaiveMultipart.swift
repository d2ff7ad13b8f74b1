import HTTP1

/// What multipart/byteranges content is (RFC 2046 §5.1.1), by a reader that has all of it before it begins.
struct NaiveMultipart {
  private(set) var parts: [MultipartOutcome.Part] = []
  private(set) var stop: NaiveStop?  // nil: every part is whole
  private var cursor: NaiveCursor

  init(_ content: [UInt8], boundary: [UInt8]) {
    cursor = NaiveCursor(content)
    do throws(NaiveStop) {
      if content.first == 0x0D { try take("\r\n".utf8) }
      try take("--".utf8 + boundary)
      while next != UInt8(ascii: "-") || parts.isEmpty {
        try readPart()
        try take("\r\n--".utf8 + boundary)
      }
      try readEnd()
    } catch { stop = error }
  }

  private var next: UInt8? { cursor.bytes[cursor.position...].first }

  private mutating func take(_ expected: some Sequence<UInt8>) throws(NaiveStop) {
    for byte in expected {
      guard let next else { throw .incomplete }
      guard next == byte else { throw .refused }
      cursor.position += 1
    }
  }

  private mutating func takePadding() throws(NaiveStop) {
    let padding = cursor.bytes[cursor.position...].prefix { $0.isNaiveBlank }
    guard padding.count <= 256 else { throw .refused }
    cursor.position += padding.count
  }

  private mutating func readPart() throws(NaiveStop) {
    try takePadding()
    try take("\r\n".utf8)
    guard parts.count < 1_000 else { throw .refused }
    let fields = try cursor.fields()
    let ranges = fields.naiveMembers(of: "content-range").map { ContentRange(fieldValue: Array($0)) }
    guard ranges.count == 1, case .part(let first, let last, let completeLength)? = ranges[0] else { throw .refused }
    if case .part(_, _, let other)? = parts.first?.range, other != completeLength { throw .refused }

    let count = last - first + 1
    let encodings = fields.filter { $0.name.isNaively("content-transfer-encoding") }.map(\.value)
    guard encodings.allSatisfy({ $0.isNaively("binary") && $0 == encodings[0] }),
      !fields.contains(where: { $0.name.isNaively("transfer-encoding") })
    else { throw .refused }
    let lengths = fields.filter { $0.name.isNaively("content-length") }.map(\.value)
    guard lengths.allSatisfy({ $0 == lengths[0] && $0.naiveNumber == count }) else { throw .refused }

    let content = cursor.bytes[cursor.position...].prefix(Int(count))
    parts.append(
      .init(
        range: .part(first: first, last: last, completeLength: completeLength), fields: fields, content: Array(content))
    )
    cursor.position += content.count
    if content.count < count { throw .incomplete }
  }

  private mutating func readEnd() throws(NaiveStop) {
    try take("--".utf8)
    try takePadding()
    if next == nil { return }
    try take("\r\n".utf8)
    if next != nil { throw .refused }
  }

  /// Throws unless the incremental reader came to the same end.
  func requireSame(as outcome: MultipartOutcome) throws {
    try require((stop == nil) == (outcome.error == nil), "whole: \(outcome.error == nil)")
    try require(
      (stop == .incomplete) == (outcome.error == .incompleteMultipart), "\(String(describing: outcome.error))")
    try require(parts == outcome.parts, "other parts")
  }
}
