internal import Posix

/// How many lanes may be given up because they are silent. Pure: it has no clock.
///
/// After an outage the first lane that moves again leaves all the others behind, though they are as good as it is: their
/// segments are sent again a little later. So no more go at a time than may for being slow, and the others have as long
/// as it took to call those silent.
struct SilenceBudget {
  /// When the last ones were given up: at most `limit` of `take`.
  private var last: [Instant] = []

  /// Whether one more may go now, which counts it.
  ///
  /// - Parameters:
  ///   - limit: lanes that may go within `silence`; one may in any case.
  ///   - silence: how long nothing has to come before a lane is called silent.
  mutating func take(limit: Int, silence: Duration, now: Instant) -> Bool {
    last.removeAll { now - $0 >= silence }
    guard last.count < max(limit, 1) else { return false }
    last.append(now)
    return true
  }
}
