import Posix
import Testing

@testable import RawGet

/// Of lanes that are silent all at once, as after an outage, a few are given up at a time.
struct SilenceBudgetTests {
  private static let start = Instant(nanoseconds: 1_000_000_000_000)
  private static let silence = Duration.seconds(1)

  /// When each of `count` lanes is given up that are silent from the start on and looked at every 10 ms.
  private static func ends(of count: Int, limit: Int) -> [Duration] {
    var (budget, ends) = (SilenceBudget(), [Duration]())
    for look in 0..<10_000 {
      let time = Duration.milliseconds(10 * look)
      while ends.count < count, budget.take(limit: limit, silence: silence, now: start + time) { ends.append(time) }
    }
    return ends
  }

  static let rows: [(count: Int, limit: Int, ends: [Int])] = [
    (1, 1, [0]), (3, 1, [0, 1, 2]), (7, 2, [0, 0, 1, 1, 2, 2, 3]), (2, 8, [0, 0]),
    (2, 0, [0, 1]),  // where nothing is cut for being slow, silence still ends somewhere
  ]

  @Test(arguments: rows) func aFewAtATime(_ row: (count: Int, limit: Int, ends: [Int])) {
    #expect(Self.ends(of: row.count, limit: row.limit) == row.ends.map { .seconds($0) })
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func neverMoreInAnySpell(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limit = Int.random(in: 1...8, using: &random)
    var (budget, now, taken) = (SilenceBudget(), Self.start, [Instant]())
    for _ in 0..<2_000 {
      now = now + .milliseconds(Int.random(in: 0...200, using: &random))
      let before = taken.filter { now - $0 < Self.silence }.count
      let isTaken = budget.take(limit: limit, silence: Self.silence, now: now)
      #expect(isTaken == (before < limit))
      if isTaken { taken.append(now) }
    }
  }
}
