import Testing

@testable import HTTP1

/// All that a response reader says of one response: equal for every arrival of the same bytes.
struct Outcome: Equatable, Sendable {
  var isComplete = false
  var interimCount = 0
  var status: Int?
  var reason: String?
  var fields: [String] = []
  var framing = Framing.none
  var content: [UInt8] = []
  var trailers: [String] = []
  var leftoverCount = 0  // bytes shown after the end
  var allowsPersistence = false
  var error: ProtocolError?
}

/// How a response comes: what it answers, where its bytes are cut, and what the connection does after them.
struct Arrival {
  var method = RequestMethod.get
  var cuts: [Int] = []
  /// nil: the connection stays open.
  var end: ResponseReader.ConnectionEnd?

  func outcome(of response: [UInt8]) -> Outcome {
    var reader = ResponseReader(answering: method)
    var outcome = Outcome()
    do throws(ProtocolError) {
      var start = 0
      for cut in cuts + [response.count] {
        try feed(response.span.extracting(start..<cut), to: &reader, into: &outcome)
        start = cut
      }
      if let end, !outcome.isComplete {
        try reader.connectionDidEnd(end)
        outcome.isComplete = true
      }
    } catch {
      outcome.error = error
      requireAgain(error, from: &reader)
    }
    describe(reader, into: &outcome)
    return outcome
  }
}

/// Shows `input` as the documentation of `ResponseReader` says, and holds every step to it.
private func feed(
  _ input: Span<UInt8>, to reader: inout ResponseReader, into outcome: inout Outcome
) throws(ProtocolError) {
  var taken = 0
  while true {
    let shown = input.extracting(taken...)
    let step = try reader.didReceive(shown)
    require(step.taken >= 0 && step.taken <= shown.count, "takes no more than was shown")
    taken += step.taken
    switch step.event {
    case .head:
      require(reader.head != nil, "the head is there when it is announced")
    case .content(let range):
      require(!range.isEmpty && range.upperBound <= step.taken, "content is some of what was taken")
      for index in range { outcome.content.append(shown[index]) }
    case .needsMore:
      require(step.taken == shown.count, "more is wanted only when all was taken")
      return
    case .complete:
      outcome.isComplete = true
      outcome.leftoverCount += shown.count - step.taken
      return
    }
  }
}

/// A failed reader stays failed, with the same error, whatever comes.
private func requireAgain(_ error: ProtocolError, from reader: inout ResponseReader) {
  let more: [UInt8] = bytes("HTTP/1.1 200 OK\r\n\r\n")
  var errors: [ProtocolError?] = []
  for input in [more, []] {
    do throws(ProtocolError) {
      _ = try reader.didReceive(input.span)
      errors.append(nil)
    } catch { errors.append(error) }
  }
  for end in [ResponseReader.ConnectionEnd.orderly, .abrupt] {
    do throws(ProtocolError) {
      try reader.connectionDidEnd(end)
      errors.append(nil)
    } catch { errors.append(error) }
  }
  require(errors.allSatisfy { $0 == error }, "\(error) is thrown again")
}

private func describe(_ reader: borrowing ResponseReader, into outcome: inout Outcome) {
  outcome.interimCount = reader.interimCount
  outcome.status = reader.head?.status
  outcome.reason = (reader.head?.statusLine.reason).map { text($0) }
  outcome.fields = reader.head?.fields.inText ?? []
  outcome.framing = reader.framing
  outcome.trailers = reader.trailers.inText
  outcome.allowsPersistence = reader.allowsPersistence
}

extension Fields {
  /// Each line as `name: value`.
  var inText: [String] { (0..<count).map { text(name(at: $0)) + ": " + text(value(at: $0)) } }
}

/// Cheaper than `#expect` where it holds millions of times.
private func require(_ condition: Bool, _ rule: @autoclosure () -> String) {
  if !condition { Issue.record("broken rule: \(rule())") }
}
