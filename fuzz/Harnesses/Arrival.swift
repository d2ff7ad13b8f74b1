@testable import HTTP1

/// How a response comes: what it answers, in pieces of which sizes, and what the connection does after them.
///
/// Read from eight decisions: the method (0 GET, 1 HEAD, 2 CONNECT), the end (0 none, 1 orderly, 2 abrupt), six sizes.
struct Arrival {
  var method = RequestMethod.get
  /// nil: the connection stays open.
  var end: ResponseReader.ConnectionEnd?
  var pieces = Pieces(sizes: [])

  init() {}

  init(_ choices: inout Choices) {
    method = [.get, .head, .connect][choices.number(below: 3)]
    end = [nil, .orderly, .abrupt][choices.number(below: 3)]
    pieces = Pieces(&choices, count: 6)
  }

  /// Shows `response` to a reader as the documentation of `ResponseReader` says, and holds every step to it.
  func outcome(of response: [UInt8]) throws -> ResponseOutcome {
    var reader = ResponseReader(answering: method)
    var outcome = ResponseOutcome()
    do {
      var shown = 0
      var sizes = pieces.cycle
      while shown < response.count, outcome.end == nil {
        let end = min(response.count, shown + (sizes.next() ?? response.count))
        try show(response.span.extracting(shown..<end), from: shown, to: &reader, into: &outcome)
        shown = end
      }
      if let end, outcome.end == nil {
        try reader.connectionDidEnd(end)
        outcome.end = response.count
      }
    } catch let error as ProtocolError {
      outcome.error = error
      try requireAgain(error, from: &reader)
    }
    describe(reader, into: &outcome)
    return outcome
  }
}

private func show(
  _ piece: Span<UInt8>, from offset: Int, to reader: inout ResponseReader, into outcome: inout ResponseOutcome
) throws {
  var taken = 0
  while outcome.end == nil {
    let shown = piece.extracting(taken...)
    let step = try reader.didReceive(shown)
    try require(step.taken >= 0 && step.taken <= shown.count, "more was taken than shown")
    taken += step.taken
    switch step.event {
    case .head:
      try require(reader.head != nil && outcome.headEnd == nil, "one head is announced, once it is there")
      outcome.headEnd = offset + taken
    case .content(let range):
      try require(!range.isEmpty && range.upperBound <= step.taken, "content is some of what was taken")
      for index in range { outcome.content.append(shown[index]) }
    case .needsMore:
      try require(step.taken == shown.count, "more is wanted only when all was taken")
      return
    case .complete:
      outcome.end = offset + taken
      let again = try reader.didReceive(piece)
      try require(again.taken == 0 && again.event == .complete, "bytes behind the message are left alone")
    }
  }
}

/// A refused message stays refused, with the same error, whatever comes.
private func requireAgain(_ error: ProtocolError, from reader: inout ResponseReader) throws {
  for more in [Array("HTTP/1.1 200 OK\r\n\r\n".utf8), [], [0x0A]] {
    var again: ProtocolError?
    do throws(ProtocolError) { _ = try reader.didReceive(more.span) } catch { again = error }
    try require(again == error, "\(error) became \(String(describing: again))")
  }
  for end in [ResponseReader.ConnectionEnd.orderly, .abrupt] {
    var again: ProtocolError?
    do throws(ProtocolError) { try reader.connectionDidEnd(end) } catch { again = error }
    try require(again == error, "\(error) became \(String(describing: again)) at the end")
  }
}

private func describe(_ reader: borrowing ResponseReader, into outcome: inout ResponseOutcome) {
  outcome.interimCount = reader.interimCount
  outcome.statusLine = reader.head?.statusLine
  outcome.fields = reader.head?.fields.inText ?? []
  outcome.framing = reader.framing
  outcome.trailers = reader.trailers.inText
  outcome.allowsPersistence = reader.allowsPersistence
  outcome.hasBegun = reader.hasBegun
}
