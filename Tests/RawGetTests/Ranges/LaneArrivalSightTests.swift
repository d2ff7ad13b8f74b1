import Posix
import Testing

@testable import RawGet

/// How the answer that arrives at present looks to those who decide whether it is slow.
struct LaneArrivalSightTests {
  private static let spell = Duration.milliseconds(100)

  private static func instant(_ milliseconds: Int) -> Instant { LaneArrivalTests.instant(milliseconds) }

  /// `count` bytes were asked for at 0, and at each of these times so many bytes of the first answer were there.
  private static func lane(_ count: Int64, _ arrived: [(at: Int, bytes: Int64)]) -> LaneArrival {
    var arrival = LaneArrival(now: instant(0))
    arrival.didAsk(for: count, now: instant(0))
    for (time, bytes) in arrived { _ = arrival.look(read: 0, unread: bytes, spell: spell, now: instant(time)) }
    return arrival
  }

  struct Row: Sendable {
    let arrived: [(at: Int, bytes: Int64)]
    let now: Int
    let since: Int, lastByte: Int, received: Int64, rate: Int64
    let because: String

    init(
      _ arrived: [(at: Int, bytes: Int64)], now: Int, since: Int, lastByte: Int, received: Int64, rate: Int64,
      _ because: String
    ) {
      (self.arrived, self.now, self.because) = (arrived, now, because)
      (self.since, self.lastByte, self.received, self.rate) = (since, lastByte, received, rate)
    }
  }

  static let rows = [
    Row([], now: 50, since: 0, lastByte: 0, received: 0, rate: 0, "asked for: since then"),
    Row([(40, 0)], now: 50, since: 0, lastByte: 0, received: 0, rate: 0, "a look that finds nothing"),
    Row([(40, 400)], now: 50, since: 40, lastByte: 40, received: 0, rate: 8_000, "its head, and no content"),
    Row([(1, 9_000)], now: 49, since: 1, lastByte: 1, received: 8_600, rate: 0, "of 50 ms nothing can be said"),
    Row([(40, 401)], now: 90, since: 40, lastByte: 40, received: 1, rate: 4_455, "the first byte of content"),
    Row([(40, 10_400)], now: 90, since: 40, lastByte: 40, received: 10_000, rate: 200_000, "from its first byte on"),
    Row(
      [(40, 10_400), (60, 10_400)], now: 90, since: 40, lastByte: 40, received: 10_000, rate: 200_000,
      "a look that finds no more"),
    Row(
      [(40, 10_400), (60, 30_400)], now: 90, since: 40, lastByte: 60, received: 30_000, rate: 600_000,
      "a look that finds more"),
    Row(
      [(40, 10_400), (60, 9_000)], now: 90, since: 40, lastByte: 40, received: 10_000, rate: 200_000,
      "what has come cannot have gone"),
    Row(
      [(40, 996_303)], now: 1_040, since: 40, lastByte: 40, received: 995_903, rate: 995_903,
      "not yet within 4,096 bytes of its end"),
    // Marks at 100, 200, …: the older of two lies 100 to 200 ms back.
    Row(
      [(100, 1_400), (200, 3_400), (300, 7_400), (400, 207_400)], now: 400, since: 300, lastByte: 400,
      received: 207_000, rate: 2_070_000, "TCP began slowly, before 4,096 bytes were there"),
    Row(
      [(100, 5_400), (200, 10_400), (300, 20_400), (400, 220_400)], now: 400, since: 100, lastByte: 400,
      received: 220_000, rate: 2_000_000, "TCP began slowly: the rate of now is more"),
    Row(
      [(100, 200_400), (200, 400_400), (300, 410_400), (400, 420_400)], now: 400, since: 100, lastByte: 400,
      received: 420_000, rate: 1_400_000, "slower for a while: the rate of all is more"),
  ]

  @Test(arguments: rows) func isOfTheFirstThatIsNotWhole(_ row: Row) throws {
    let arrival = Self.lane(1_000_000, row.arrived)
    let (index, sight) = try #require(arrival.sight(isFull: false, taken: nil, now: Self.instant(row.now)))
    #expect(index == 0)
    #expect(sight.since == Self.instant(row.since), "\(row.because)")
    #expect(sight.lastByte == Self.instant(row.lastByte), "\(row.because)")
    #expect(sight.received == row.received, "\(row.because)")
    #expect(sight.left == 1_000_000 - row.received, "\(row.because)")
    #expect(sight.rate == row.rate, "\(row.because)")
  }

  @Test(arguments: [false, true]) func whetherThereIsRoomIsTheCallersToSay(_ isFull: Bool) {
    #expect(Self.lane(1_000, []).sight(isFull: isFull, taken: nil, now: Self.instant(9))?.sight.isFull == isFull)
  }

  @Test func theSecondBeginsBehindTheFirst() throws {
    var arrival = Self.lane(50_000, [])
    arrival.didAsk(for: 80_000, now: Self.instant(0))
    _ = arrival.look(read: 0, unread: 10_000, spell: Self.spell, now: Self.instant(50))
    _ = arrival.look(read: 0, unread: 60_800, spell: Self.spell, now: Self.instant(90))
    let (index, sight) = try #require(arrival.sight(isFull: false, taken: nil, now: Self.instant(100)))
    #expect(index == 1)
    #expect(sight.received == 10_000 && sight.left == 70_000)
    #expect(sight.since == Self.instant(90))
    _ = arrival.didRead(all: 50_400, now: Self.instant(110))
    let read = try #require(arrival.sight(isFull: false, taken: nil, now: Self.instant(120)))
    #expect(read.index == 0, "the first is gone")
    #expect(read.sight.received == 10_000 && read.sight.left == 70_000)
  }

  struct Taken: Sendable {
    let arrived: [(at: Int, bytes: Int64)], taken: Int64?
    let index: Int?, received: Int64, because: String
  }

  /// Two answers of 50,000 bytes were asked for.
  static let taken = [
    Taken(
      arrived: [(50, 10_000), (100, 49_400)], taken: nil, index: 1, received: 0,
      because: "the end of the first may be here"),
    Taken(
      arrived: [(50, 10_000), (100, 49_400)], taken: 49_000, index: 0, received: 49_000,
      because: "all that came was read: it is not"),
    Taken(
      arrived: [(50, 10_000), (100, 50_399)], taken: 49_999, index: 0, received: 49_999,
      because: "not even the last byte"),
    Taken(
      arrived: [(50, 10_000)], taken: 9_700, index: 0, received: 9_700, because: "what was read is more certain"),
    Taken(arrived: [(50, 300)], taken: 0, index: 0, received: 0, because: "a part of a head"),
    Taken(arrived: [], taken: 0, index: 0, received: 0, because: "nothing"),
    Taken(arrived: [], taken: .min, index: 0, received: 0, because: "less than nothing"),
    Taken(arrived: [(50, 60_000)], taken: .max, index: 0, received: 50_000, because: "more than all"),
  ]

  @Test(arguments: taken) func whatIsReadIsWaitedFor(_ row: Taken) {
    var arrival = Self.lane(50_000, [])
    arrival.didAsk(for: 50_000, now: Self.instant(0))
    for (time, bytes) in row.arrived {
      _ = arrival.look(read: bytes, unread: 0, spell: Self.spell, now: Self.instant(time))
    }
    let seen = arrival.sight(isFull: false, taken: row.taken, now: Self.instant(1_000))
    #expect(seen?.index == row.index, "\(row.because)")
    #expect(seen?.sight.received == row.received, "\(row.because)")
    #expect(seen?.sight.left == 50_000 - row.received, "\(row.because)")
  }

  /// The end of a representation may be a block so short that no byte of it is needed to be near its end.
  @Test func aShortBlockIsWaitedForAsWell() {
    let arrival = Self.lane(1_000, [(100, 0)])
    let unread = arrival.sight(isFull: false, taken: nil, now: Self.instant(2_000))
    #expect(unread == nil, "who knows what waits")
    let (_, sight) = arrival.sight(isFull: false, taken: 0, now: Self.instant(2_000)) ?? (0, Self.none)
    #expect(sight.left == 1_000)
    #expect(LanePace().isStalled(sight, now: Self.instant(2_000)))
  }

  private static let none = LanePace.Sight(
    since: instant(0), lastByte: instant(0), received: 0, left: 0, rate: 0, isFull: true)

  /// A lane that had nothing to do was not slow meanwhile.
  @Test func idleTimeIsNoSilence() throws {
    var arrival = Self.lane(50_000, [(50, 10_000), (100, 50_400)])
    _ = arrival.didRead(all: 50_400, now: Self.instant(150))
    arrival.didAsk(for: 1_000_000, now: Self.instant(10_000))
    let asked = try #require(arrival.sight(isFull: false, taken: nil, now: Self.instant(10_020)))
    #expect(asked.sight.since == Self.instant(10_000) && asked.sight.lastByte == Self.instant(10_000))
    _ = arrival.look(read: 0, unread: 10_400, spell: Self.spell, now: Self.instant(10_050))
    _ = arrival.look(read: 0, unread: 210_400, spell: Self.spell, now: Self.instant(10_250))
    let (_, sight) = try #require(arrival.sight(isFull: false, taken: nil, now: Self.instant(10_250)))
    #expect(sight.since == Self.instant(10_050))
    #expect(sight.received == 210_000)
    #expect(sight.rate == 1_050_000, "though little came in the last ten seconds")
  }

  /// Bytes that are still to come for a request keep their time when another is made behind it.
  @Test(arguments: [(4_097, 0), (4_096, 500), (0, 500)] as [(Int64, Int)])
  func aRequestStartsTheClockOfAnIdleLane(_ row: (missing: Int64, lastByte: Int)) {
    var arrival = Self.lane(100_000, [])
    _ = arrival.look(read: 0, unread: 100_400 - row.missing, spell: Self.spell, now: Self.instant(0))
    #expect(arrival.missing == row.missing)
    arrival.didAsk(for: 100_000, now: Self.instant(500))
    #expect(arrival.lastByte == Self.instant(row.lastByte))
  }

  /// Whatever is asked for, comes, is cut and is read: nothing is told twice, and what is told adds up.
  @Test func whatIsToldAddsUp() {
    var told = 0
    for seed in 0..<400 as Range<UInt64> {
      var lane = SimulatedArrival(seed: seed)
      for _ in 0..<200 where lane.faults.isEmpty { lane.advance() }
      if !lane.faults.isEmpty { Issue.record("seed \(seed): \(lane.faults)") }
      told += lane.toldCount
    }
    #expect(told > 1_000, "\(told)")
  }
}
