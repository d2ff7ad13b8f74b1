internal import HTTP1
internal import Posix

// Which places there are, and what becomes of one that fails (docs/MIRRORS.md). Where there is only the download's own,
// nothing of this has an effect.
extension RangeTransfer {
  /// What happened with a place, for those who watch.
  enum News {
    case joined(LanePlace)
    case left(LanePlace, DownloadError)
    case heads(request: [UInt8], response: ResponseHead)
  }

  func isElsewhere(_ place: LanePlace) -> Bool { place !== places[0] }

  /// Another place brings content as well: then one of them is no reason to end.
  func hasOthers(than place: LanePlace) -> Bool { places.contains { $0 !== place && $0.isOpen } }

  func takeNews() -> [News] {
    defer { news = [] }
    return news
  }

  // MARK: Asking them

  /// As `LaneSpread` sees them, in the order of `places`.
  func spread(now: Instant) -> [LaneSpread.Place] {
    var room = count.wanted
    return places.map { place in
      var seen = LaneSpread.Place(limit: place.limit, slow: place.slowCount)
      for lane in lanes where lane.place === place && !lane.hasEnded {
        if lane.isRetiring { seen.retiring += 1 } else { seen.lanes += 1 }
      }
      seen.state = place.isOpen ? .open : room > 0 && place.isExpected(now: now) ? .expected : .closed
      if seen.state != .closed { room -= 1 }
      return seen
    }
  }

  /// Asks others for a sample, as many as there are lanes for. Returned is one whose sample is there.
  func askPlaces(
    _ asker: LaneAsker, _ services: inout Services, _ buffer: inout ReceiveBuffer, now: Instant
  ) throws(DownloadError) -> LanePlace? {
    guard places.count > 1, reading?.lane.inquiries.first?.exchange.isInBuffer != true else { return nil }
    beginAsking(asker, now: now)
    for place in places where place.state == .asked {
      do throws(DownloadError) {
        while true {
          switch try place.ask(&services, &buffer, now: now) {
          case .wait: break
          case .sample: return place
          case .head(let head):
            if let request = place.attempt?.requestHead { news.append(.heads(request: request, response: head)) }
            if let own = places[0].known { try place.judge(head, own, completeLength, asker, now: now) }
            continue
          }
          break
        }
      } catch {
        try putOut(place, error)
      }
    }
    return nil
  }

  /// Not before something is here to compare with.
  private func beginAsking(_ asker: LaneAsker, now: Instant) {
    guard scheduler.position >= max(newFrom, 1) else { return }
    var room = count.wanted - places.reduce(0) { $0 + ($1.isOpen || $1.state == .asked ? 1 : 0) }
    for place in places where place.state == .waiting && room > 0 {
      let end = scheduler.position
      let range = max(end - LanePlace.sampleLength, 0)..<end
      place.beginAsking(for: range, asker.order, room: lowWater, now: now)
      room -= 1
    }
  }

  /// What a place sent for its sample is what is here, or it is not.
  func didCompare(_ place: LanePlace, isSame: Bool) throws(DownloadError) {
    guard place.state == .asked else { return }
    guard isSame else { return try putOut(place, .otherVersion) }
    place.open()
    news.append(.joined(place))
    nextLook = .now()
  }

  // MARK: Giving one up

  /// It is not asked again, and nothing of what is under way from there is kept. Throws when no place is left.
  func putOut(_ place: LanePlace, _ error: DownloadError) throws(DownloadError) {
    guard place.state != .out else { return }
    place.putOut()
    for lane in lanes where lane.place === place { laneDidEnd(lane) }
    if isElsewhere(place) { news.append(.left(place, error)) } else { ownFailure = error }
    nextLook = .now()
    if places.allSatisfy({ $0.state == .out }) { throw ownFailure ?? error }
  }

  /// One connection more than it wants, or than there may be; without any other it is of no use.
  func placeDidRefuse(_ place: LanePlace, _ error: DownloadError) throws(DownloadError) {
    let others = lanes.reduce(0) { $0 + ($1.place === place ? 1 : 0) }
    if others == 0 { return try putOut(place, error) }
    place.limit = others
  }

  /// Of a place that is not the only one.
  func placeDidFail(
    _ place: LanePlace, _ error: DownloadError, hasBegun: Bool, _ options: DownloadOptions
  ) throws(DownloadError) {
    guard error.isTransient else { return try putOut(place, error) }
    // It never came to an answer: that is how servers without a word for it limit connections.
    if !hasBegun { return try placeDidRefuse(place, error) }
    place.fruitless = place.delivered > place.deliveredAtFailure ? 0 : place.fruitless + 1
    place.deliveredAtFailure = place.delivered
    if place.fruitless > min(RangeTransfer.fruitlessLimit, options.retryLimit) { try putOut(place, error) }
  }

  /// All that came on the lane is no more than a refusal would be.
  func laneSeemsRefused(_ lane: RangeLane) {
    guard hasOthers(than: lane.place) else { return laneWasRefused(lane) }
    laneDidEnd(lane)
    lane.place.slowCount += 1
    lane.place.limit = max(lanes.reduce(0) { $0 + ($1.place === lane.place ? 1 : 0) }, 1)
  }
}
