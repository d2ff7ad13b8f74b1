internal import Posix

/// Bytes a second over spells that follow each other. Pure: it has no clock.
///
/// A spell ends where bytes arrive, and these belong to the next: a server that holds a rate by sending once a second
/// is measured from burst to burst, while spells cut by the clock would see everything or nothing.
struct Throughput {
  static let spellsKept = 4

  private struct Spell {
    let bytes: Int64
    let time: Duration
  }

  /// The last ones, at most `spellsKept`.
  private var spells: [Spell] = []
  private var start: (total: Int64, time: Instant)?  // of the spell under way
  private var lastTotal: Int64 = 0  // bytes

  /// Something changed: what was measured says nothing about what comes.
  mutating func restart(total: Int64, now: Instant) {
    spells = []
    start = (min(lastTotal, total), now)
    lastTotal = total
  }

  /// `total` bytes have come so far; whether that ended a spell, which takes at least the time `spell`.
  mutating func didReceive(total: Int64, spell: Duration, now: Instant) -> Bool {
    guard total > lastTotal else { return false }
    let counted = lastTotal
    lastTotal = total
    guard let start else {
      self.start = (counted, now)
      return false
    }
    guard now - start.time >= spell else { return false }
    if spells.count == Throughput.spellsKept { spells.removeFirst() }
    let (bytes, overflowed) = counted.subtractingReportingOverflow(start.total)
    spells.append(Spell(bytes: overflowed ? .max : bytes, time: now - start.time))
    self.start = (counted, now)
    return true
  }

  /// Over the last `count` spells, or as many as there are.
  func mean(ofLast count: Int) -> Int64 {
    let last = spells.suffix(count)
    let time = last.reduce(Duration.zero) { $0 + $1.time }
    return last.isEmpty ? 0 : Pace.rate(of: last.reduce(0) { Pace.sum($0, $1.bytes) }, in: time)
  }

  /// The last spell brought more than the one before, as if TCP were still beginning slowly.
  var isRising: Bool {
    guard let last = spells.last, let before = spells.dropLast().last else { return false }
    return Throughput.isRise(
      from: Pace.rate(of: before.bytes, in: before.time), to: Pace.rate(of: last.bytes, in: last.time))
  }

  /// By a quarter: slow start doubles in each round trip.
  static func isRise(from before: Int64, to rate: Int64) -> Bool { rate > Pace.scaled(before, by: 5, over: 4) }
}
