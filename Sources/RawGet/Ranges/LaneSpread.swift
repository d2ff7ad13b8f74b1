/// Which place the next lane of a download goes to (docs/MIRRORS.md). Pure.
///
/// Lanes are spread evenly, the place that the download began at first; one whose lanes were cut for being slow counts as
/// if it had those still, so the others get more. What a lane then brings follows from its own pace: a block is handed out
/// when one is nearly in.
enum LaneSpread {
  struct Place: Equatable {
    enum State: Equatable {
      case open
      /// It was asked for the first time a moment ago, or is about to be: its share is left for it.
      case expected
      /// It gets no lane: it was given up, or has not answered for too long.
      case closed
    }
    var state = State.open
    /// Those that are asked for blocks.
    var lanes = 0
    /// And those that only end with what they have.
    var retiring = 0
    /// More connections were refused.
    var limit = Int.max
    /// Lanes that were cut for being slow.
    var slow = 0

    fileprivate var load: Int { lanes + slow }
  }

  /// The place of one more lane; nil when there are as many as are wanted, or as may be.
  static func next(_ places: [Place], wanted: Int) -> Int? {
    var places = places
    var room = wanted - places.reduce(0) { $0 + $1.lanes }
    while room > 0, let index = leastLoaded(places) {
      if places[index].state == .open { return index }
      places[index].lanes += 1
      room -= 1
    }
    return nil
  }

  private static func leastLoaded(_ places: [Place]) -> Int? {
    var best: Int?
    for (index, place) in places.enumerated() where place.state != .closed {
      guard place.lanes + place.retiring < place.limit else { continue }
      if let best, place.load >= places[best].load { continue }
      best = index
    }
    return best
  }

  /// A place that came when all lanes were given away: whose last one is to end for it. nil when all is as it should be.
  static func surplus(_ places: [Place], wanted: Int) -> Int? {
    guard places.contains(where: { $0.state == .open && $0.load == 0 && $0.retiring == 0 }),
      places.reduce(0, { $0 + $1.lanes }) >= wanted
    else { return nil }
    var most: Int?
    for (index, place) in places.enumerated() where place.lanes > 1 && place.retiring == 0 {
      if let most, place.lanes <= places[most].lanes { continue }
      most = index
    }
    return most
  }
}
