internal import HTTP1
internal import Posix

/// The content of an answer that brings several ranges.
final class SelectedParts {
  var reader: MultipartByteRangesReader
  /// What the answer's head said.
  let seen: Representation

  init(_ boundary: MultipartBoundary, _ seen: Representation) {
    reader = MultipartByteRangesReader(boundary: boundary)
    self.seen = seen
  }
}

// Byte ranges in place of the whole (`WantedRanges`): one answer after another goes to the sink, or one with parts.
extension Download {
  /// The head of an answer that is no redirect; false where no ranges are wanted.
  mutating func didLandSelection(_ head: ResponseHead, now: Instant) throws(DownloadError) -> Bool {
    guard selection != nil, let attempt else { return false }
    if case .finished = stage { return true }
    let clock = WallClock.secondsSince1970()
    let seen = Representation(of: head, framing: attempt.framing, at: attempt.target, now: clock)
    guard let answer = selection?.didReceiveHead(head, framing: attempt.framing, seen) else { return false }
    parts = nil
    switch answer {
    case .part(let count): try beginSelected(head, count: count, now: now)
    case .parts(let boundary):
      try beginSelected(head, count: nil, now: now)
      parts = SelectedParts(boundary, seen)
    case .refused(let status): throw attempt.refusal(status, retryAfter: head.fields.retryDelay(now: clock))
    case .changed, .noRanges, .unproven, .unsatisfiable, .violation: throw failure(of: answer)
    }
    return true
  }

  private func failure(of answer: RangeSelection.Answer) -> DownloadError {
    switch answer {
    case .changed: .changed
    case .noRanges: .noRanges
    case .unproven: .unprovenRanges
    case .unsatisfiable(let range, let length): .noSuchRange(range, completeLength: length)
    case .refused(let status): .refused(status: status, retryAfter: nil)
    case .violation(let error): .protocolViolation(error)
    case .part, .parts: .protocolViolation(.invalidContentRange)
    }
  }

  /// Content follows, for the place where the selection is. An earlier run's part is compared as it passes, and set aside
  /// where it differs.
  private mutating func beginSelected(_ head: ResponseHead, count: Int64?, now: Instant) throws(DownloadError) {
    guard let selection, let seen = selection.known else { return }
    let total = selection.totalLength
    if let limit = options.lengthLimit, let total, total > limit { throw .tooLarge(limit: limit) }
    try requireAllowed(head, seen, completeLength: total)
    try createPart(now: now)
    try sink?.requireSpace(for: (total ?? 0) - selection.position)
    response = ResponseProgress()
    response.expected = count
    digests.expectMessage(head.fields)
    candidate = seen.with(completeLength: total)
    try sink?.begin(at: selection.position, .whole)
    try adoptCandidate()
    events.append(.began(progress))
  }

  /// Content of an answer with several ranges, framing included.
  mutating func didReceiveParts(_ content: Span<UInt8>, _ now: Instant) throws(DownloadError) {
    guard let parts else { return }
    var taken = 0
    while taken < content.count {
      let step: MultipartByteRangesReader.Step
      do throws(ProtocolError) { step = try parts.reader.didReceive(content.extracting(taken...)) } catch {
        throw .protocolViolation(error)
      }
      switch step.event {
      case .part(let first, let last, let completeLength):
        if let answer = selection?.didReceivePart(
          first: first, last: last, completeLength: completeLength, parts.seen)
        {
          throw failure(of: answer)
        }
        noteTotalLength()
      case .content(let range):
        let piece = (taken + range.lowerBound)..<(taken + range.upperBound)
        try keep(content.extracting(piece), now)
      case .needsMore, .complete: break
      }
      taken += step.taken
    }
  }

  /// Each range is known to be there, and how long it is.
  private mutating func noteTotalLength() {
    if let total = selection?.totalLength { note(completeLength: total) }
  }

  private mutating func note(completeLength: Int64) {
    candidate = candidate?.with(completeLength: completeLength)
    representation = representation?.with(completeLength: completeLength)
  }

  /// An answer is whole: asks for what is still missing, or ends.
  mutating func didCompleteSelected(_ now: Instant) throws(DownloadError) {
    if !digests.verifyMessage() { try failVerification() }
    do throws(ProtocolError) { try parts?.reader.contentDidEnd() } catch {
      // Whoever closes to end the content may as well have broken off.
      throw .protocolViolation(attempt?.framing == .untilClose ? .unprovenEnd : error)
    }
    parts = nil
    guard let selection else { return }
    guard selection.isComplete else {
      guard selection.isContinuable else { throw .unprovenRanges }
      if selection.hasProgressed { retry.didProgress() }
      return beginAttempt()
    }
    try finishSelected(now)
  }

  /// Every byte that was wanted is here.
  mutating func finishSelected(_ now: Instant) throws(DownloadError) {
    guard let selection else { return }
    parts = nil
    digests.forgetMessage()
    note(completeLength: selection.position)
    try settleCandidate()
    try finishComplete(now)
  }

  /// The representation changed between two answers: the ranges are asked for again from the first one on, unless bytes of
  /// the other went into a stream. Counts as an attempt that brought nothing.
  mutating func selectionBeginsAgain(after error: DownloadError) -> Bool {
    guard case .changed = error, selection != nil, sink?.part != nil || (sink?.length ?? 0) == 0 else { return false }
    selection?.restart()
    return true
  }
}
