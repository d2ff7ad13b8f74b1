import Testing

@testable import HTTP1

/// All that a reader says of one multipart content: equal for every arrival of the same bytes.
struct MultipartOutcome: Equatable, Sendable {
  struct Part: Equatable, Sendable {
    var range: ContentRange
    var fields: [String]
    var content: [UInt8] = []
  }

  var parts: [Part] = []
  var error: ProtocolError?  // nil: every part is whole, and nothing else was there

  /// What is read of `content` when it is cut at `cuts` and ends in order.
  init(of content: [UInt8], cuts: [Int], boundary: MultipartBoundary) {
    var reader = MultipartByteRangesReader(boundary: boundary)
    do throws(ProtocolError) {
      var start = 0
      for cut in cuts + [content.count] {
        try feed(content.span.extracting(start..<cut), to: &reader)
        start = cut
      }
      try reader.contentDidEnd()
    } catch {
      self.error = error
      requireAgain(error, from: &reader)
    }
  }

  init(parts: [Part]) { self.parts = parts }

  private mutating func feed(
    _ input: Span<UInt8>, to reader: inout MultipartByteRangesReader
  ) throws(ProtocolError) {
    var taken = 0
    while true {
      let shown = input.extracting(taken...)
      let step = try reader.didReceive(shown)
      require(step.taken >= 0 && step.taken <= shown.count, "takes no more than was shown")
      taken += step.taken
      switch step.event {
      case .part(let first, let last, let completeLength):
        let range = ContentRange.part(first: first, last: last, completeLength: completeLength)
        parts.append(Part(range: range, fields: reader.fields.inText))
      case .content(let range):
        require(!range.isEmpty && range.upperBound == step.taken && !parts.isEmpty, "content is some of what was taken")
        for index in range { parts[parts.count - 1].content.append(shown[index]) }
      case .needsMore, .complete:
        require(step.taken == shown.count, "all was taken")
        return
      }
    }
  }
}

/// Reads `content` with the boundary `B` under every arrival; the outcome may not depend on it.
func multipartOutcome(
  of content: String, boundary: String = "B", sourceLocation: SourceLocation = #_sourceLocation
) throws -> MultipartOutcome {
  let contentType = bytes("multipart/byteranges; boundary=\"\(boundary)\"")
  let boundary = try #require(MultipartBoundary(contentType: contentType), sourceLocation: sourceLocation)
  let content = bytes(content)
  let whole = MultipartOutcome(of: content, cuts: [], boundary: boundary)
  for cuts in everyCut(of: content.count) {
    let other = MultipartOutcome(of: content, cuts: cuts, boundary: boundary)
    if other == whole { continue }
    Issue.record("cut at \(cuts.prefix(8)): \(other), whole: \(whole)", sourceLocation: sourceLocation)
    break
  }
  return whole
}

/// A failed reader stays failed, with the same error, whatever comes.
private func requireAgain(_ error: ProtocolError, from reader: inout MultipartByteRangesReader) {
  for input in ["\r\n--B--\r\n", "", "-"] {
    require(thrown { () throws(ProtocolError) in try reader.didReceive(bytes(input).span) } == error, "thrown again")
  }
  require(thrown { () throws(ProtocolError) in try reader.contentDidEnd() } == error, "thrown at the end")
}

/// Cheaper than `#expect` where it holds millions of times.
private func require(_ condition: Bool, _ rule: @autoclosure () -> String) {
  if !condition { Issue.record("broken rule: \(rule())") }
}
