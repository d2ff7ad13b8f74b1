internal import HTTP1
internal import Posix

// How many lanes there are, what each is asked for, and what becomes of one that ends.
extension RangeTransfer {
  /// What a waiting lane's receive buffer is to hold.
  var lowWater: Int { pace.lowWater(blockLength: blockLength, kernelLimit: limits.systemLimit) }

  var blockLength: Int64 {
    if let length = limits.blockLength { return length }
    // Where the window is ours, each lane has its share of it.
    let limit = limits.systemHolds ? limits.systemLimit : limits.window / Int64(count.wanted)
    return pace.blockLength(size: limits.size, connections: count.wanted, kernelLimit: limit)
  }

  /// What nobody was asked for yet.
  private var free: Int64 { completeLength - scheduler.position - scheduler.outstanding }

  private var nextBlock: Int64 {
    if limits.blockLength != nil { return blockLength }
    return min(blockLength, pace.lastBlock(free: free, connections: count.wanted))
  }

  private var tick: Duration { LanePace.tick(roundTrip: pace.roundTrip) }
  private var isHedging: Bool { lanes.contains { $0.isRetiring } }

  /// Now and then, and whenever something has changed.
  func look(_ services: inout Services, now: Instant) throws(DownloadError) {
    // What was not looked at can't be judged, and what nobody took for most of the time was kept from coming.
    let isLate = now - nextLook > tick * 4 || heldUpTime * 2 > tick
    heldUpTime = .zero
    // One lane that is asked for one block at a time has nothing to be looked after between two events.
    nextLook = limits.pipelines || lanes.count > 1 ? now + tick : .distantFuture
    for lane in lanes { lane.look(&pace, now: now) }
    let arrived = lanes.reduce(arrivedBefore) { $0 + $1.arrival.arrived }
    let receiving = lanes.reduce(0) { $0 + ($1.arrival.arrived > 0 ? 1 : 0) }
    count.didReceive(total: arrived, open: receiving, roundTrip: pace.roundTrip, now: now)
    if limits.systemHolds { noticeEnds(now: now) }
    if !isLate { cutSlow(now: now) }
    retireSurplus(now: now)
    try openLanes(&services, now: now)
    try ask(now: now)
  }

  // MARK: Opening

  var active: Int { lanes.reduce(0) { $0 + ($1.isRetiring ? 0 : 1) } }

  /// Connections beside those: they end with what they have.
  private var leaving: Int { lanes.reduce(0) { $0 + ($1.isRetiring && !$1.hasEnded ? 1 : 0) } }

  /// There are lanes to be asked, or bytes that are read from one that is to end.
  var hasHope: Bool { active > 0 || scheduler.head != nil }

  private func nextPlace(now: Instant) -> LanePlace? {
    if isTurnedAway && scheduler.head != nil { return nil }
    return LaneSpread.next(spread(now: now), wanted: count.wanted).map { places[$0] }
  }

  private func openLanes(_ services: inout Services, now: Instant) throws(DownloadError) {
    makeRoom(now: now)
    let blocks = Int(min(free / max(blockLength, 1) + 1, Int64(count.wanted)))
    var idle = lanes.reduce(0) { $0 + ($1.inquiries.isEmpty && !$1.isRetiring ? 1 : 0) }
    while idle < blocks, scheduler.hasWork(for: nil, length: blockLength), let place = nextPlace(now: now),
      let attempt = place.attempt
    {
      idle += 1
      isTurnedAway = false
      do throws(DownloadError) {
        if let resting = attempt.takeResting(&services, now: now) {
          add { RangeLane($0, at: place, on: resting, now: now) }
        } else {
          let opening = try attempt.newOpening(&services, room: lowWater, now: now)
          add { RangeLane($0, at: place, opening: opening, now: now) }
        }
      } catch {
        guard isElsewhere(place) else { throw error }
        try putOut(place, error)
      }
    }
  }

  /// Nobody has the next byte, and every lane has later ones before it: the one with the last of them gives way. It
  /// brings what it was asked for all the same, beside one connection more than are wanted, unless there may be none.
  private func makeRoom(now: Instant) {
    guard scheduler.isStuck, nextPlace(now: now) == nil,
      !lanes.contains(where: { $0.inquiries.isEmpty && !$0.isRetiring })
    else { return }
    var last: (lane: RangeLane, start: Int64)?
    for lane in lanes where !lane.hasEnded {
      guard let start = scheduler.blocks(of: lane.number).first?.lowerBound else { continue }
      if start >= last?.start ?? 0 { last = (lane, start) }
    }
    guard let lane = last?.lane else { return }
    if leaving == 0, LaneSpread.next(spread(now: now), wanted: count.wanted + 1) != nil {
      lane.retire(at: .max)
    } else {
      laneDidEnd(lane)
    }
  }

  // MARK: Asking

  /// Hands out blocks, first to the lane that has least to come.
  private func ask(now: Instant) throws(DownloadError) {
    var full: [Int] = []
    while let lane = emptiest(without: full) {
      guard let block = scheduler.assign(to: lane.number, length: nextBlock) else {
        full.append(lane.number)
        continue
      }
      lane.ask(for: block, head: try lane.place.head(for: block), method: .get, now: now)
      if lane !== reading?.lane { lane.rest(lowWater: lowWater) }
    }
  }

  private func emptiest(without full: [Int]) -> RangeLane? {
    let depth = limits.pipelines ? pace.depth(blockLength: nextBlock, isHedging: isHedging) : 1
    let ahead = pace.requestAhead(tick: tick)
    var best: RangeLane?
    for lane in lanes where lane.isOpen && !lane.isRetiring {
      guard lane.inquiries.count < (lane.place.pipelines ? depth : 1) else { continue }
      guard lane.inquiries.isEmpty || lane.arrival.missing < ahead, !full.contains(lane.number) else { continue }
      if lane.arrival.missing < best?.arrival.missing ?? .max { best = lane }
    }
    return best
  }

  // MARK: Those whose peer has gone, slow ones, and those that are too many

  /// A lane whose peer has gone while it waited brings what it has; the rest is asked for elsewhere, before it is
  /// missed. One that came to nothing may have been refused: it is read in its turn.
  private func noticeEnds(now: Instant) {
    for lane in lanes where lane !== reading?.lane && !lane.seemsRefused {
      guard let (index, received) = lane.noticeEnd(&pace, now: now) else { continue }
      if lane.answeredCount + index == 1, lane.askedCount > 1, received == 0 { lane.place.pipelines = false }
      cut(lane, at: index < lane.inquiries.count ? lane.inquiries[index].block.lowerBound + received : .max)
    }
  }

  /// Cuts what a lane much slower than the others has been asked for: it keeps what it is about to bring, and the rest
  /// is asked for elsewhere. Without this the slowest connection would set the pace of all.
  private func cutSlow(now: Instant) {
    var room = LanePace.hedgeLimit(connections: count.wanted) - leaving
    guard lanes.count > 1 else { return }
    var sights: [(lane: RangeLane, index: Int, sight: LanePace.Sight)] = []
    for lane in lanes where lane.isOpen && !lane.hasEnded {
      if let (index, sight) = lane.sight(now: now) { sights.append((lane, index, sight)) }
    }
    // Of two that share a line one may starve: which of them is the odd one takes a third to say.
    if sights.count < LanePace.leastLanes { room = 0 }
    sights.sort { $0.lane.inquiries[$0.index].block.lowerBound < $1.lane.inquiries[$1.index].block.lowerBound }
    let rate = pace.common(sights.map { $0.sight.rate })
    for (lane, index, sight) in sights {
      let seemsSlow = pace.isSlow(sight, isFirst: lane.answeredCount == 0, against: rate, now: now)
      let isSlow = lane.isFoundSlow(seemsSlow) && !lane.isRetiring && room > 0
      guard isSlow || isStalled(lane, sight, now: now) else { continue }
      if lane.seemsRefused {
        laneSeemsRefused(lane)
        continue
      }
      if !lane.isRetiring {
        room -= 1
        lane.place.slowCount += 1
      }
      cut(lane, at: lane.inquiries[index].block.lowerBound + pace.cutOffset(sight, against: rate, now: now))
    }
  }

  /// It is silent, and not too many were given up for that of late.
  private func isStalled(_ lane: RangeLane, _ sight: LanePace.Sight, now: Instant) -> Bool {
    guard lane.isStalled(sight, pace, among: lanes, now: now) else { return false }
    let limit = LanePace.hedgeLimit(connections: count.wanted)
    return lane.isRetiring || silences.take(limit: limit, silence: pace.silence, now: now)
  }

  /// It ends with what lies before `place`.
  private func cut(_ lane: RangeLane, at place: Int64) {
    let end = max(place, scheduler.head == lane.number ? scheduler.position : 0)
    scheduler.cut(lane.number, to: end)
    lane.retire(at: end)
    if let reading, reading.lane === lane { self.reading = (lane, min(end, reading.end)) }
    if scheduler.blocks(of: lane.number).isEmpty { laneDidEnd(lane) }
  }

  /// More connections did not help: the one that would be needed last ends with what it has.
  private func retireSurplus(now: Instant) {
    let newcomer =
      places.count > 1 ? LaneSpread.surplus(spread(now: now), wanted: count.wanted).map { places[$0] } : nil
    guard active > count.wanted || newcomer != nil,
      let lane = lanes.last(where: { !$0.isRetiring && (newcomer == nil || $0.place === newcomer) })
    else { return }
    lane.retire(at: .max)
    if lane.inquiries.isEmpty { laneDidEnd(lane) }
  }

  // MARK: Ends

  /// A lane is over: whatever it still had is asked for elsewhere. No fault of anybody's, and no attempt is counted.
  func laneDidEnd(_ lane: RangeLane) {
    if !lane.isRetiring, lane.answeredCount == 1, lane.askedCount > 1, !lane.inquiries.isEmpty {
      lane.place.pipelines = false
    }
    arrivedBefore += lane.arrival.arrived
    scheduler.release(lane.number)
    lanes.removeAll { $0 === lane }
    if reading?.lane === lane { reading = nil }
    nextLook = .now()
  }

  /// 429, 503 and the like: with fewer connections from here on.
  func laneWasRefused(_ lane: RangeLane) {
    laneDidEnd(lane)
    count.wasRefused(open: openCount + 1)
    lane.place.limit = max(openCount, 1)  // those that are to end count as well
    isTurnedAway = active == 0
  }

  /// What happened on one lane is no matter as long as there are others, and content comes: else it is the transfer's
  /// failure.
  func laneDidFail(_ lane: RangeLane, _ error: DownloadError, _ options: DownloadOptions) throws(DownloadError) {
    guard has(lane) else { throw error }  // it is over already: what was thrown is the transfer's failure
    let hasBegun = lane.answeredCount > 0 || lane.inquiries.first?.exchange.hasBegun == true
    let wasAskedAhead = lane.inquiries.first?.isFirst == false && lane.answeredCount > 0
    let isBetweenAnswers = lane.answeredCount > 0 && lane.inquiries.first?.exchange.hasBegun != true
    laneDidEnd(lane)
    if isBetweenAnswers, error.isClose { return }  // as servers do after so many requests or seconds
    if case .protocolViolation(let violation) = error, !violation.isTruncation, wasAskedAhead {
      // It may be the second request that it could not have: asked alone, it has another chance.
      lane.place.pipelines = false
      return
    }
    if hasOthers(than: lane.place) || isElsewhere(lane.place) {
      return try placeDidFail(lane.place, error, hasBegun: hasBegun, options)
    }
    guard error.isTransient, hasHope else { throw error }
    // It never came to an answer: that is how servers without a word for it limit connections.
    if !hasBegun {
      isTurnedAway = active == 0
      count.wasRefused(open: openCount + 1)
      lane.place.limit = max(openCount, 1)
      refusals = scheduler.position > positionAtRefusal ? 0 : refusals + 1
      positionAtRefusal = scheduler.position
      if refusals > ConnectionChoice.limit { throw error }  // others may be dead as well: their turn has not come
      return
    }
    fruitless = scheduler.position > positionAtFailure ? 0 : fruitless + 1
    positionAtFailure = scheduler.position
    if fruitless > min(RangeTransfer.fruitlessLimit, options.retryLimit) { throw error }
  }

  /// Failures of lanes in a row without a byte of content, before all lanes are given up.
  static let fruitlessLimit = 3
}

extension DownloadError {
  /// The connection is gone, and nothing else is wrong.
  fileprivate var isClose: Bool {
    switch self {
    case .connectionLost, .tls(.connection), .tls(.truncatedInHandshake), .protocolViolation(.noResponse): true
    default: false
    }
  }
}
