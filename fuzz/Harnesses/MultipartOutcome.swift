import HTTP1

/// All that a `MultipartByteRangesReader` says of content that ends: equal for every arrival of the same bytes.
struct MultipartOutcome: Equatable {
  struct Part: Equatable {
    let range: ContentRange
    let fields: [FieldText]
    var content: [UInt8] = []
  }

  private(set) var parts: [Part] = []
  private(set) var error: ProtocolError?

  init(parts: [Part]) { self.parts = parts }

  init(of content: [UInt8], in pieces: Pieces, boundary: MultipartBoundary) throws {
    var reader = MultipartByteRangesReader(boundary: boundary)
    var sizes = pieces.cycle
    var shown = 0
    do {
      while shown < content.count {
        let end = min(content.count, shown + (sizes.next() ?? content.count))
        try show(content.span.extracting(shown..<end), to: &reader)
        shown = end
      }
      try reader.contentDidEnd()
    } catch let error as ProtocolError {
      self.error = error
      try requireAgain(error, from: &reader)
    }
  }

  private mutating func show(_ piece: Span<UInt8>, to reader: inout MultipartByteRangesReader) throws {
    var taken = 0
    while true {
      let shown = piece.extracting(taken...)
      let step = try reader.didReceive(shown)
      try require(step.taken >= 0 && step.taken <= shown.count, "more was taken than shown")
      taken += step.taken
      switch step.event {
      case .part(let first, let last, let completeLength):
        let range = ContentRange.part(first: first, last: last, completeLength: completeLength)
        parts.append(Part(range: range, fields: reader.fields.inText))
      case .content(let range):
        try require(!range.isEmpty && range.upperBound <= step.taken, "content is some of what was taken")
        try require(!parts.isEmpty, "content outside any part")
        for index in range { parts[parts.count - 1].content.append(shown[index]) }
      case .needsMore, .complete:
        try require(step.taken == shown.count, "all was taken")
        return
      }
    }
  }

  /// No more parts and fields than the bounds let through (`docs/SUPPORTED-HTTP.md`), and each part has what its range
  /// says: less only where the content broke off in it.
  func requireBounds() throws {
    try require(parts.count <= 1_000, "more than 1,000 parts")
    try require(error != nil || !parts.isEmpty, "whole without any part")
    for (index, part) in parts.enumerated() {
      try requireBounded(part.fields)
      guard case .part(let first, let last, _) = part.range else {
        throw Violation(description: "a part without range")
      }
      let missing = last - first + 1 - Int64(part.content.count)
      let mayMiss = index == parts.count - 1 && error == .incompleteMultipart
      try require(missing == 0 || missing > 0 && mayMiss, "\(missing) bytes are missing in part \(index)")
    }
  }
}

/// Refused content stays refused, with the same error, whatever comes.
private func requireAgain(_ error: ProtocolError, from reader: inout MultipartByteRangesReader) throws {
  for more in ["\r\n--B--\r\n", "", "\n"] {
    var again: ProtocolError?
    do throws(ProtocolError) { _ = try reader.didReceive(Array(more.utf8).span) } catch { again = error }
    try require(again == error, "\(error) became \(String(describing: again))")
  }
}
