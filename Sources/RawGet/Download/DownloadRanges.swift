internal import HTTP1
internal import Posix

// Several connections, or blocks over one: the first answer says whether that can be (docs/RANGES.md).
extension Download {
  /// Requests are for parts of what is missing.
  var asksInBlocks: Bool {
    let isWished = options.connections != .exactly(1) || options.blockLength != nil
    guard isWished, !isSingle, !continuationRefused, order.isPlain, !options.onlyExplains, existing == nil else {
      return false
    }
    if case .existing? = placement?.finding { return false }
    return true
  }

  /// Where the first block of an attempt ends; nil for a request for all the rest.
  func lastByteOfFirstBlock() -> Int64? {
    guard asksInBlocks else { return nil }
    let kept = sink?.length ?? 0
    let limits = RangeLimits(options, size: 0)
    let (end, overflow) = kept.addingReportingOverflow(limits.blockLength ?? RangeLimits.firstBlock)
    guard !overflow else { return nil }
    let last = min(end, representation?.fields.completeLength ?? end) - 1
    return last >= kept ? last : nil
  }

  /// After a head that landed: goes on with several lanes if the answer is a part, and says what it is a part of.
  mutating func beginTransfer(_ landing: Landing, _ now: Instant) {
    guard asksInBlocks, let attempt else { return }
    guard case .append(let position, let count?, let total?) = landing, attempt.head?.status == 206,
      case .closed(_, let last)? = attempt.asked?.range, position + count <= last + 1
    else { return isSingle = true }  // this server has no ranges, or its own idea of them
    guard let known = candidate ?? representation, known.validator != nil else {
      // Without a validator nothing says that two answers belong together: one answer has to bring all.
      isSingle = true
      if (sink?.length ?? 0) == 0 { beginAttempt() }
      return
    }
    guard position + count < total, let (connection, exchange) = attempt.handOver() else { return }
    transfer = RangeTransfer(
      places(attempt, known, now), completeLength: total, block: position..<(position + count), on: connection,
      exchange, head: attempt.requestHead, newFrom: sink?.length ?? 0, laneCount,
      RangeLimits(options, size: total - position), now: now)
  }

  /// A step of a transfer; nil when there is more to do at once.
  mutating func advance(
    _ transfer: RangeTransfer, _ now: Instant, _ buffer: inout ReceiveBuffer, _ services: inout Services, limit: Int
  ) throws(DownloadError) -> Instant? {
    let asker = LaneAsker(order: order, digests: digests)
    let action = try transfer.advance(asker, &services, buffer: &buffer, limit: limit, now: now)
    tell(transfer.takeNews())
    switch action {
    case .wait: return transfer.deadline(options.timeouts)
    case .head(let head, let requestHead, let count, let place):
      events.append(.requested(head: requestHead))
      events.append(.responded(head: head.text))
      response = ResponseProgress()
      response.expected = count
      if transfer.isElsewhere(place) { try expectMix(head, of: place) } else { digests.expect(head.fields) }
    case .sample(let place): try transfer.didCompare(place, isSame: try isHere(place.sample, at: place.sampleRange))
    case .content(let range): try didReceive(range, in: buffer, now)
    case .messageEnd:
      if !digests.verifyMessage() { try failVerification() }
      return now  // as much as one answer brings is a turn: other downloads of the loop have theirs in between
    case .complete:
      transfer.release(to: &services, now: now)
      try didCompleteTransfer(now)
    case .restart(let isForGood): restart(isForGood: isForGood)
    }
    return nil
  }

  /// What a failure of the attempt under way says about ranges: something only while its own request was for the first
  /// bytes alone. Once lanes have its answer it is theirs.
  func rangeRefusal(_ error: DownloadError) -> RangeRefusal? {
    guard transfer == nil, selection == nil, let attempt, case .closed(0, _)? = attempt.asked?.range else { return nil }
    return RangeRefusal(error, isAnswered: attempt.head != nil, fruitless: retry.fruitless)
  }

  /// True when the request is to be made again at once.
  mutating func heed(_ refusal: RangeRefusal?) -> Bool {
    if refusal != nil { isSingle = true }
    return refusal == .said
  }

  private mutating func didCompleteTransfer(_ now: Instant) throws(DownloadError) {
    endTransfer()
    try settleCandidate()
    try finishComplete(now)
  }

  /// The lanes did not agree about what they bring. All that is kept was proven; the next attempt goes on by the rules
  /// for one connection, and stays with that if this one brought nothing.
  private mutating func restart(isForGood: Bool) {
    endTransfer()
    let madeProgress = sink?.length ?? 0 > keptBefore
    if isForGood || !madeProgress { isSingle = true }
    if madeProgress { retry.didProgress() }
    beginAttempt()
  }

  mutating func endTransfer() {
    if let transfer {
      tell(transfer.takeNews())
      laneCount = transfer.count
    }
    transfer = nil
  }
}
