import HTTP1

extension Harness {
  /// Chunked content without a head: text, then the four decisions of `amplified`, then four sizes of pieces.
  static let chunked = Harness("chunked") { input in
    var choices = Choices(input, count: 8)
    let text = amplified(choices.text, &choices)
    let whole = try ChunkedOutcome(of: text, in: Pieces(sizes: []))
    let pieces = Pieces(&choices, count: 4).scaled(to: text.count)
    try require(ChunkedOutcome(of: text, in: pieces) == whole, "in pieces of \(pieces.sizes) it is other content")
    try requireReadBack(choices.text, pieces)
    if text.count <= Pieces.byteByByteLimit {
      try require(ChunkedOutcome(of: text, in: .bytes) == whole, "byte by byte it is other content")
    }
    try requireBounded(whole.trailers)

    var naive = NaiveChunks(at: NaiveCursor(text))
    var stop: NaiveStop?
    do throws(NaiveStop) { try naive.read() } catch { stop = error }
    try require((whole.error != nil) == (stop == .refused), "refused with \(String(describing: whole.error))")
    try require((whole.end != nil) == (stop == nil), "complete: \(whole.end != nil)")
    try require(whole.content == naive.content, "other content")
    guard let end = whole.end else { return }
    try require(end == naive.cursor.position && whole.trailers == naive.trailers, "another end or other trailers")
    try require(ChunkedOutcome(of: text + text, in: pieces) == whole, "bytes behind the end change nothing")
    try require(ChunkedOutcome(of: text[..<(end - 1)] + [], in: pieces).end == nil, "complete without its last byte")
  }
}

/// `content` as chunks of these sizes reads back as it is.
private func requireReadBack(_ content: [UInt8], _ pieces: Pieces) throws {
  var written: [UInt8] = []
  var sizes = pieces.cycle
  var rest = content[...]
  while !rest.isEmpty {
    let data = rest.prefix(max(1, sizes.next() ?? content.count))
    written += Array(String(data.count, radix: 16).utf8) + [0x0D, 0x0A] + data + [0x0D, 0x0A]
    rest = rest.dropFirst(data.count)
  }
  written += Array("0\r\n\r\n".utf8)
  let outcome = try ChunkedOutcome(of: written, in: pieces)
  try require(outcome.content == content && outcome.end == written.count, "chunks do not read back as written")
}

/// All that `ChunkedContent` says of its input.
private struct ChunkedOutcome: Equatable {
  private(set) var end: Int?  // bytes
  private(set) var content: [UInt8] = []
  private(set) var trailers: [FieldText] = []
  private(set) var error: ProtocolError?

  init(of text: [UInt8], in pieces: Pieces) throws {
    var reader = ChunkedContent()
    var sizes = pieces.cycle
    var shown = 0
    do {
      while shown < text.count, !reader.isComplete {
        let piece = text.span.extracting(shown..<min(text.count, shown + (sizes.next() ?? text.count)))
        var taken = 0
        while let range = try reader.didReceive(piece, at: &taken) {
          try require(!range.isEmpty && range.upperBound <= taken, "content is some of what was taken")
          for index in range { content.append(piece[index]) }
        }
        try require(taken == piece.count || reader.isComplete && taken <= piece.count, "all is taken up to the end")
        shown += taken
      }
    } catch let error as ProtocolError { self.error = error }
    end = reader.isComplete ? shown : nil
    trailers = reader.trailers.inText
    let isWhole = (try? reader.connectionDidEnd()) != nil
    try require(isWhole == (end != nil), "the end of the connection decides otherwise")
  }
}
