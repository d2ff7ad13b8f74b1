internal import HTTP1
internal import Posix

/// The rest of a representation over several connections, or in blocks over one (docs/RANGES.md). Blocks are asked for
/// ahead and on every lane, and their content goes on strictly in order: the lane that has the next byte is read, and
/// what arrives on the others waits in the system.
///
///     every turn:  lanes open and send ─▶ now and then: look at all, cut a slow one, open, ask ─▶ read the one that is next
///
/// It owns the lanes, and the places that they go to: one, or several where a digest decides (docs/MIRRORS.md).
final class RangeTransfer {
  enum Action {
    case wait
    /// The head of the answer that is read next, and what of its content is wanted.
    case head(ResponseHead, request: [UInt8], count: Int64, of: LanePlace)
    /// Content in the loop's buffer, which goes on from where the last ended; to be used before the next call.
    case content(Range<Int>)
    /// Another place has a file of the right length: whether its sample is what is here, `didCompare` is to be told.
    case sample(LanePlace)
    /// The answer was read to its end.
    case messageEnd
    /// All of the representation is there.
    case complete
    /// The lanes did not agree: the rules for one connection decide. With `isForGood` no more are to be tried.
    case restart(isForGood: Bool)
  }

  /// The download's own place first.
  let places: [LanePlace]
  /// What happened with the others, to be told.
  var news: [News] = []
  /// From here on what comes is new: before that, all is compared with what the download's own place has.
  let newFrom: Int64
  let completeLength: Int64
  let limits: RangeLimits
  var scheduler: RangeScheduler
  var lanes: [RangeLane] = []
  var pace = LanePace()
  var count: LaneCount
  var nextLook: Instant
  private var nextNumber = 0
  /// The one whose answer is read now, and where that ends; nil between two answers.
  var reading: (lane: RangeLane, end: Int64)?
  /// Lanes that failed in a row without content between, and where the content was at the last one.
  var fruitless = 0
  var positionAtFailure: Int64 = -1
  var silences = SilenceBudget()
  /// Bytes that arrived on lanes that are gone.
  var arrivedBefore: Int64 = 0
  /// No other lane is opened while those are read that only end with what they have: the last new one was refused.
  var isTurnedAway = false
  /// New ones that were refused in a row, and where the content was at the last.
  var refusals = 0
  var positionAtRefusal: Int64 = -1
  /// Why the download's own place was given up.
  var ownFailure: DownloadError?
  /// Nobody takes content at present: connections are opened and requests sent, and everything that comes waits in the
  /// system.
  private(set) var isHeldUp = false
  /// How long that was so since the last look.
  var heldUpTime = Duration.zero

  /// - Parameters:
  ///   - places: the download's own first.
  ///   - block: what `exchange`, whose head is read, brings on `connection`.
  ///   - newFrom: how much is kept.
  init(
    _ places: [LanePlace], completeLength: Int64, block: Range<Int64>, on connection: Connection,
    _ exchange: Exchange, head: [UInt8], newFrom: Int64, _ count: LaneCount, _ limits: RangeLimits, now: Instant
  ) {
    precondition(places.first?.isOpen == true)
    self.places = places
    self.newFrom = newFrom
    self.completeLength = completeLength
    self.count = count
    self.limits = limits
    scheduler = RangeScheduler([block.lowerBound..<completeLength], window: limits.window)
    nextLook = now
    if let delay = exchange.answerDelay { pace.didAnswer(after: delay) }
    let lane = RangeLane(nextNumber, at: places[0], on: connection, now: now)
    nextNumber += 1
    lane.adopt(exchange, head: head, for: block, now: now)
    lanes = [lane]
    if scheduler.adopt(block, on: lane.number) { reading = (lane, block.upperBound) }
  }

  func has(_ lane: RangeLane) -> Bool { lanes.contains { $0 === lane } }

  var openCount: Int { lanes.reduce(0) { $0 + ($1.isOpen && !$1.hasEnded ? 1 : 0) } }

  func add(_ make: (Int) -> RangeLane) {
    lanes.append(make(nextNumber))
    nextNumber += 1
  }

  // MARK: One turn

  func advance(
    _ asker: LaneAsker, _ services: inout Services, buffer: inout ReceiveBuffer, limit: Int, now: Instant
  ) throws(DownloadError) -> Action {
    try sendAll(asker.order.options, &services, now: now)
    if let place = try askPlaces(asker, &services, &buffer, now: now) { return .sample(place) }
    if isHeldUp { return .wait }
    while true {
      if now >= nextLook {
        try look(&services, now: now)
        try sendAll(asker.order.options, &services, now: now)
      }
      if !limits.systemHolds, let action = try readAhead(asker, &buffer, now: now) { return action }
      if reading == nil {
        if scheduler.isComplete { return .complete }
        guard let lane = lanes.first(where: { $0.number == scheduler.head }), let first = lane.inquiries.first else {
          if now < nextLook { return .wait }
          continue
        }
        first.exchange.restartClock(now: now)
        reading = (lane, scheduler.blocks(of: lane.number).first?.upperBound ?? first.block.upperBound)
      }
      if let action = try read(asker, &buffer, limit: limit, now: now) { return action }
    }
  }

  private func sendAll(_ options: DownloadOptions, _ services: inout Services, now: Instant) throws(DownloadError) {
    for lane in lanes where has(lane) {
      let wasOpen = lane.isOpen
      do throws(DownloadError) {
        try lane.advance(now: now, serials: &services.serials)
        if lane.isOpen && !wasOpen { nextLook = min(nextLook, now) }  // there is something to ask it for
      } catch {
        try laneDidFail(lane, error, options)
      }
    }
  }

  /// One step in the answer that is read; nil when another is to be read.
  private func read(
    _ asker: LaneAsker, _ buffer: inout ReceiveBuffer, limit: Int, now: Instant
  ) throws(DownloadError) -> Action? {
    guard let (lane, end) = reading, let inquiry = lane.inquiries.first else { return nil }
    if inquiry.end != nil, !inquiry.isTold { return tell(of: inquiry, on: lane) }
    let left = end - scheduler.position
    if lane.heldCount > 0 {
      let limit = min(limit, Int(min(left, Int64(buffer.capacity))))
      return didReceive(lane.takeHeld(limit: limit, into: &buffer), on: lane, left: left)
    }
    do throws(DownloadError) {
      switch try lane.read(left: left, limit: limit, into: &buffer, now: now) {
      case .wait:
        try requireInTime(lane, asker.order.options.timeouts, now: now)
        lane.wait(lowWater: lane.isHeadRead ? pace.headLowWater(left: left) : 1)
        return .wait
      case .head: return try judge(inquiry, on: lane, asker)
      case .content(let range): return didReceive(range, on: lane, left: left)
      case .complete:
        if left > 0 { throw .protocolViolation(.incompleteContent(missing: left)) }
        reading = nil
        if lane.didComplete(&pace, now: now) { lane.rest(lowWater: lowWater) } else { laneDidEnd(lane) }
        nextLook = now
        return .messageEnd
      }
    } catch {
      try laneDidFail(lane, error, asker.order.options)
      return nil
    }
  }

  /// Reads what has arrived on lanes whose turn it is not, a block of each at most. Returned is what ends the transfer.
  private func readAhead(
    _ asker: LaneAsker, _ buffer: inout ReceiveBuffer, now: Instant
  ) throws(DownloadError) -> Action? {
    if reading?.lane.inquiries.first?.exchange.isInBuffer == true { return nil }
    for lane in lanes where lane !== reading?.lane && lane.isOpen {
      do throws(DownloadError) {
        while has(lane), let inquiry = lane.inquiries.first, !inquiry.isWhole {
          let end = min(inquiry.end ?? .max, inquiry.block.upperBound)
          let left = end - inquiry.block.lowerBound - Int64(lane.heldCount)
          let action = try lane.read(left: left, limit: buffer.capacity, into: &buffer, now: now)
          if case .wait = action { break }
          if case .content(let range) = action { lane.hold(buffer.filled(range)) }
          if action == .complete, left > 0 { throw .protocolViolation(.incompleteContent(missing: left)) }
          if action == .head, let end = try judge(inquiry, on: lane, asker) { return end }
        }
      } catch {
        try laneDidFail(lane, error, asker.order.options)
      }
    }
    return nil
  }

  private func requireInTime(_ lane: RangeLane, _ timeouts: Timeouts, now: Instant) throws(DownloadError) {
    if let wait = lane.inquiries.first?.exchange.wait(timeouts), now >= wait.deadline { throw .timedOut(wait.reason) }
  }

  /// The head of a lane's first answer is there. What ends the transfer is returned, and what is read at present is told.
  private func judge(
    _ inquiry: RangeLane.Inquiry, on lane: RangeLane, _ asker: LaneAsker
  ) throws(DownloadError) -> Action? {
    guard let head = inquiry.exchange.head, let known = lane.place.known else { return nil }
    let question = LaneAnswer.Question(
      block: inquiry.block, validator: known.validator, known: known, completeLength: completeLength,
      now: WallClock.secondsSince1970(), digestDecides: isElsewhere(lane.place))
    let refusal = lane.place.refusal(head)
    switch LaneAnswer(head, framing: inquiry.exchange.framing, to: question, refusal: refusal) {
    case .accepted where isElsewhere(lane.place) && asker.digests.contradict(head.fields):
      try putOut(lane.place, .otherVersion)
      return nil
    case .accepted(let end):
      inquiry.end = end
      if let block = scheduler.blocks(of: lane.number).first, end < block.upperBound {
        scheduler.shorten(lane.number, to: end)
        lane.didShorten(to: end)
      }
      return reading?.lane === lane ? tell(of: inquiry, on: lane) : nil
    case .refused(let error):
      if hasOthers(than: lane.place) || isElsewhere(lane.place) {
        laneDidEnd(lane)
        try placeDidRefuse(lane.place, error)
        return nil
      }
      laneWasRefused(lane)
      if hasHope { return nil }
      if error.isTransient { throw error }
      return .restart(isForGood: false)  // a signed target that has expired, perhaps: from the beginning of the way
    case .disagrees where isElsewhere(lane.place):
      try putOut(lane.place, StatusClass(head.status) == .refusal ? refusal : .otherVersion)
      return nil
    case .disagrees(let isForGood): return .restart(isForGood: isForGood)
    }
  }

  private func tell(of inquiry: RangeLane.Inquiry, on lane: RangeLane) -> Action? {
    guard let head = inquiry.exchange.head, let reading, let end = inquiry.end else { return nil }
    inquiry.isTold = true
    let wanted = min(end, reading.end)
    self.reading = (lane, wanted)
    return .head(head, request: inquiry.head, count: wanted - scheduler.position, of: lane.place)
  }

  private func didReceive(_ range: Range<Int>, on lane: RangeLane, left: Int64) -> Action {
    let count = Int(min(Int64(range.count), left))
    scheduler.didDeliver(Int64(count))
    lane.place.delivered += Int64(count)
    if Int64(count) == left, lane.isCutShort {
      reading = nil
      laneDidEnd(lane)  // the rest of its answer comes from elsewhere
    }
    return .content(range.lowerBound..<(range.lowerBound + count))
  }

  // MARK: What to wait for

  func holdUp() { isHeldUp = true }

  /// Content is taken again, after so long.
  func resume(after time: Duration, now: Instant) {
    isHeldUp = false
    heldUpTime += time
    reading?.lane.inquiries.first?.exchange.resume(now: now)
  }

  func deadline(_ timeouts: Timeouts) -> Instant {
    var deadline = isHeldUp ? .distantFuture : nextLook
    for lane in lanes {
      deadline = min(deadline, lane.deadline(timeouts, isRead: !isHeldUp && lane === reading?.lane))
    }
    for place in places where place.state == .asked {
      deadline = min(deadline, place.attempt?.deadline ?? .distantFuture)
    }
    return deadline
  }

  func appendInterests(to interests: inout [Interest]) {
    for lane in lanes {
      let isRead = !isHeldUp && (lane === reading?.lane || !limits.systemHolds)
      lane.appendInterests(to: &interests, isRead: isRead)
    }
    for place in places where place.state == .asked { place.attempt?.appendInterests(to: &interests) }
  }

  /// Gives connections that are at rest to whoever asks next.
  func release(to services: inout Services, now: Instant) {
    for lane in lanes {
      guard let connection = lane.takeIdleConnection() else { continue }
      lane.place.attempt?.put(connection, &services, now: now)
    }
    lanes = []
  }
}
