internal import Posix

/// Which lane holds up the others, and where its block is cut.
///
/// In file order everything waits for the slowest lane: with one of sixteen ten times slower, all run at its rate. So
/// its block is not asked for twice but cut: what is about to arrive stays, the rest is asked for on a new connection.
/// The rules compare with the rate of this download's other blocks; if everything is slow, nothing is.
extension LanePace {
  /// What the present block of a lane looks like.
  struct Sight {
    var since: Instant  // its first byte, or its request before that
    var lastByte: Instant  // likewise
    var received: Int64  // bytes
    var left: Int64  // bytes
    var rate: Int64  // bytes a second, of now
    /// Its receive buffer may be full: then it is we who hold it up.
    var isFull: Bool
  }

  /// Slower than a third of the others is another kind of connection, not an unlucky one.
  private static let ratio: Int64 = 3
  /// 2 round trips and this, or 3 where those are longer, are no time to be judged by: TCP begins slowly.
  private static let patience = Duration.milliseconds(100)
  /// And on a new connection, where nothing would be won by a cut, so many round trips.
  private static let patienceWithNew = 5
  private static let longestSilence = Duration.seconds(1)  // or 2 round trips

  /// The block comes so slowly that its connection is not to be asked again.
  ///
  /// - Parameters:
  ///   - isFirst: it is the first answer on its connection.
  ///   - rate: what a connection brings, in bytes a second.
  func isSlow(_ sight: Sight, isFirst: Bool, against rate: Int64, now: Instant) -> Bool {
    guard let roundTrip, !sight.isFull, sight.left > 0, sight.received > 0 else { return false }
    let elapsed = now - sight.since
    guard elapsed > max(roundTrip * 2 + LanePace.patience, roundTrip * 3) else { return false }
    guard Pace.scaled(sight.rate, by: LanePace.ratio, over: 1) < rate else { return false }
    return !isFirst || isWorthACut(sight, against: rate) || elapsed > roundTrip * LanePace.patienceWithNew
  }

  /// A new connection would be done with the rest in four fifths of the time: after a round trip to connect, one to ask,
  /// and at the rate of the others.
  private func isWorthACut(_ sight: Sight, against rate: Int64) -> Bool {
    guard let roundTrip else { return false }
    let elsewhere = roundTrip * 2 + Pace.time(of: sight.left, at: rate)
    return Pace.time(of: sight.left, at: sight.rate) > elsewhere * 5 / 4
  }

  /// Nothing has to come for so long, before a lane is called silent.
  var silence: Duration { max((roundTrip ?? .zero) * 2, LanePace.longestSilence) }

  /// Nothing comes any more. Whether others still move, only the caller sees: if they do not, the path is broken and
  /// a new connection would not help.
  func isStalled(_ sight: Sight, now: Instant) -> Bool {
    guard !sight.isFull, sight.left > 0 else { return false }
    return now - sight.lastByte >= silence
  }

  /// Another lane got a byte when this one had been silent for half the time, or then got the last that it was asked for:
  /// lanes that wait for this one soon have all that they may ask for. So it is not the path that is broken.
  static func isLeftBehind(_ sight: Sight, by lastByte: Instant, isDone: Bool, now: Instant) -> Bool {
    lastByte > sight.lastByte + (isDone ? .zero : (now - sight.lastByte) / 2)
  }

  /// How many bytes of the block stay on its connection: those received, and what comes at its own rate in 2.5 round
  /// trips, for that is before the new connection could bring any. All of them where a new one would hardly be sooner,
  /// none of what is missing where nothing comes.
  func cutOffset(_ sight: Sight, against rate: Int64, now: Instant) -> Int64 {
    let received = max(sight.received, 0)
    if isStalled(sight, now: now) { return received }
    guard isWorthACut(sight, against: rate) else { return Pace.sum(received, sight.left) }
    let arriving = Pace.bytes(in: (roundTrip ?? .zero) * 5 / 2, at: sight.rate)
    return Pace.sum(received, min(arriving, max(sight.left, 0)))
  }

  /// What a connection brings: by the blocks that are finished, or by what all bring now if that is more, as at the
  /// beginning. Two thirds of `rates` may be less.
  func common(_ rates: [Int64]) -> Int64 {
    let present = rates.count < LanePace.leastLanes ? 0 : rates.sorted()[rates.count * 2 / 3]
    return max(rate ?? 0, present)
  }

  /// Fewer can't say which of them is the odd one.
  static let leastLanes = 3

  /// How many blocks may be cut at a time: a server that is slow on many lanes is only made slower by more.
  static func hedgeLimit(connections: Int) -> Int { connections > 1 ? max(connections / 4, 1) : 0 }
}
