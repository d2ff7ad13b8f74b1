import HTTP1

extension Harness {
  /// multipart/byteranges: a line with the Content-Type, the content, then the four decisions of `amplified`, then four
  /// sizes of pieces. A Content-Type without a usable boundary leaves `B`.
  static let multipart = Harness("multipart") { input in
    var choices = Choices(input, count: 8)
    let line = choices.text.prefix { $0 != UInt8(ascii: "\n") }
    let boundary = try checkedBoundary(Array(line))
    let data = Array(choices.text.dropFirst(line.count + 1))
    let content = amplified(data, &choices)
    let pieces = Pieces(&choices, count: 4)

    let whole = try MultipartOutcome(of: content, in: Pieces(sizes: []), boundary: boundary)
    try require(MultipartOutcome(of: content, in: pieces, boundary: boundary) == whole, "in pieces it is other content")
    if content.count <= Pieces.byteByByteLimit {
      try require(
        MultipartOutcome(of: content, in: .bytes, boundary: boundary) == whole, "byte by byte it is other content")
    }
    try whole.requireBounds()
    try NaiveMultipart(content, boundary: boundary.text).requireSame(as: whole)
    if whole.error != .incompleteMultipart {
      let more = try MultipartOutcome(of: content + content, in: pieces, boundary: boundary)
      try require(more.error == whole.error ?? .invalidMultipart, "what is decided stays so when more bytes come")
      try require(more.parts == whole.parts, "more bytes make other parts")
    }
    let written = WrittenMultipart(of: data, &choices, boundary: boundary)
    let read = try MultipartOutcome(of: written.content, in: pieces, boundary: boundary)
    try require(read == written.outcome, "what was written is read as something else")
  }
}

/// The boundary that `contentType` names, or `B`. Named in the plainest way, it is the same.
private func checkedBoundary(_ contentType: [UInt8]) throws -> MultipartBoundary {
  let named = MultipartBoundary(contentType: contentType)
  let text = named?.text ?? [UInt8(ascii: "B")]
  let again = MultipartBoundary(
    contentType: Array("multipart/byteranges;boundary=\"".utf8) + text + [UInt8(ascii: "\"")])
  guard let again, (1...70).contains(text.count) else { throw Violation(description: "a boundary that can't be named") }
  try require(named == nil || again == named, "a boundary that reads back as another")
  return again
}
