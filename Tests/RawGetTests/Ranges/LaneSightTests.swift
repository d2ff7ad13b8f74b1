import Posix
import Testing

@testable import RawGet

/// Which lane is cut, and where. In all rows a connection brings 2 MB/s and the round trip is 50 ms, unless they say
/// otherwise; a slow one brings 200 kB/s.
struct LaneSightTests {
  private static let start = Instant(nanoseconds: 1_000_000_000_000)

  /// A block seen `age` milliseconds after its first byte and `silence` milliseconds after its last one so far.
  private static func sight(
    _ age: Int, silence: Int = 0, received: Int64, left: Int64, rate: Int64 = 200_000, isFull: Bool = false
  ) -> LanePace.Sight {
    LanePace.Sight(
      since: start + .milliseconds(-age), lastByte: start + .milliseconds(-silence), received: received, left: left,
      rate: rate, isFull: isFull)
  }

  struct Row: Sendable {
    var age = 400, received: Int64 = 80_000, left: Int64 = 444_288, rate: Int64 = 200_000, isFull = false
    var isFirst = false, roundTrip = 50, common: Int64 = 2_000_000
    let isSlow: Bool, because: String
  }

  static let ages = [
    Row(isSlow: true, because: "ten times slower"),
    Row(age: 200, isSlow: false, because: "2 round trips and 100 ms are not over"),
    Row(age: 201, isSlow: true, because: "they are"),
    Row(age: 100, roundTrip: 0, isSlow: false, because: "next door: 100 ms are not over"),
    Row(age: 101, roundTrip: 0, isSlow: true, because: "next door: they are"),
    Row(age: 300, roundTrip: 100, isSlow: false, because: "3 round trips are as long"),
    Row(age: 301, roundTrip: 100, isSlow: true, because: "they are over"),
    Row(age: 600, roundTrip: 200, isSlow: false, because: "3 round trips are longer"),
    Row(age: 601, roundTrip: 200, isSlow: true, because: "they are over"),
    Row(age: -400, isSlow: false, because: "it begins later"),
  ]

  static let rates = [
    Row(rate: 666_666, isSlow: true, because: "less than a third"),
    Row(rate: 666_667, isSlow: false, because: "a third"),
    Row(rate: 0, isSlow: true, because: "nothing comes now"),
    Row(rate: .min, isSlow: true, because: "no such rate"),
    Row(rate: .max, isSlow: false, because: "no overflow"),
    Row(rate: 0, common: 0, isSlow: false, because: "nothing was fast"),
    Row(common: 600_000, isSlow: false, because: "all are slow"),
    Row(common: .max, isSlow: true, because: "no overflow"),
    Row(isFull: true, isSlow: false, because: "we do not read it"),
    Row(left: 0, isSlow: false, because: "nothing left"),
    Row(left: .min, isSlow: false, because: "less than nothing left"),
    Row(received: 0, isSlow: false, because: "nothing came yet: that is stalled, or not"),
    Row(age: 9_999, received: 1, left: .max, isSlow: true, because: "it would never end"),
    Row(age: 201, left: 1, isSlow: true, because: "a cut wins nothing, but it is not asked again"),
  ]

  /// A new connection takes 100 ms, and then 0.5 us for each byte that takes 5 us here.
  static let first = [
    Row(age: 201, left: 28_572, isFirst: true, isSlow: true, because: "a new one would be done in four fifths"),
    Row(age: 250, left: 28_571, isFirst: true, isSlow: false, because: "it would not"),
    Row(age: 251, left: 28_571, isFirst: true, isSlow: true, because: "but 5 round trips are enough to be judged by"),
    Row(age: 250, left: .max, isFirst: true, isSlow: false, because: "nor would that end elsewhere"),
    Row(age: 1_000, left: 100_000, isFirst: true, roundTrip: 200, isSlow: false, because: "it would not, far away"),
    Row(age: 1_001, left: 100_000, isFirst: true, roundTrip: 200, isSlow: true, because: "5 round trips, far away"),
    Row(age: 200, left: 1 << 30, isFirst: true, isSlow: false, because: "no sooner than on any other"),
    Row(rate: 666_667, isFirst: true, isSlow: false, because: "a third"),
  ]

  @Test(arguments: ages + rates + first) func aSlowLaneIsSeen(_ row: Row) {
    let sight = Self.sight(row.age, received: row.received, left: row.left, rate: row.rate, isFull: row.isFull)
    let pace = LanePaceTests.pace(nil, row.roundTrip)
    let isSlow = pace.isSlow(sight, isFirst: row.isFirst, against: row.common, now: Self.start)
    #expect(isSlow == row.isSlow, "\(row.because)")
  }

  @Test(arguments: [false, true]) func nothingIsSlowBeforeTheRoundTripIsKnown(_ isFirst: Bool) {
    let sight = Self.sight(9_999, received: 1, left: 1 << 20)
    let without = LanePaceTests.pace(2_000_000)
    #expect(!without.isSlow(sight, isFirst: isFirst, against: 2_000_000, now: Self.start))
    let with = LanePaceTests.pace(nil, 50)
    #expect(with.isSlow(sight, isFirst: isFirst, against: 2_000_000, now: .distantFuture))
  }

  static let silences: [(silence: Int, roundTrip: Int?, left: Int64, isFull: Bool, isStalled: Bool, because: String)] =
    [
      (999, 50, 1, false, false, "less than a second"), (1_000, 50, 1, false, true, "a second"),
      (1_000, nil, 1, false, true, "a second, no round trip known"),
      (1_999, 1_000, 1, false, false, "less than 2 round trips"), (2_000, 1_000, 1, false, true, "2 round trips"),
      (9_999, 50, 0, false, false, "nothing left"), (9_999, 50, 1, true, false, "it has no room"),
      (-9_999, 50, 1, false, false, "a byte that is still to come"),
    ]

  @Test(arguments: silences)
  func aStalledLaneIsSeen(
    _ row: (silence: Int, roundTrip: Int?, left: Int64, isFull: Bool, isStalled: Bool, because: String)
  ) {
    let sight = Self.sight(row.silence, silence: row.silence, received: 0, left: row.left, isFull: row.isFull)
    #expect(
      LanePaceTests.pace(nil, row.roundTrip).isStalled(sight, now: Self.start) == row.isStalled, "\(row.because)")
  }

  static let neighbours: [(lastByte: Int, isDone: Bool, isLeftBehind: Bool, because: String)] = [
    (-499, false, true, "it moves, in the later half of the silence"),
    (-500, false, false, "only before that: the path may be broken for both"),
    (-999, true, true, "it got all that it was asked for: it could not move any more"),
    (-1_000, true, false, "at the same time"), (-1_001, true, false, "before that"),
    (0, false, true, "it moves"), (9, true, true, "later than now"),
  ]

  @Test(arguments: neighbours) func thePathIsNotBroken(
    _ row: (lastByte: Int, isDone: Bool, isLeftBehind: Bool, because: String)
  ) {
    let sight = Self.sight(2_000, silence: 1_000, received: 80_000, left: 444_288)
    let lastByte = Self.start + .milliseconds(row.lastByte)
    #expect(
      LanePace.isLeftBehind(sight, by: lastByte, isDone: row.isDone, now: Self.start) == row.isLeftBehind,
      "\(row.because)")
  }

  struct Cut: Sendable {
    let sight: LanePace.Sight
    var roundTrip: Int? = 50, common: Int64 = 2_000_000
    let offset: Int64, because: String
  }

  static let cuts = [
    Cut(sight: sight(400, received: 80_000, left: 444_288), offset: 105_000, because: "125 ms are on the way"),
    Cut(
      sight: sight(400, received: 80_000, left: 444_288), roundTrip: 200, offset: 180_000,
      because: "500 ms are on the way"),
    Cut(
      sight: sight(400, received: 80_000, left: 444_288), roundTrip: 0, offset: 80_000,
      because: "next door nothing is on the way"),
    Cut(sight: sight(400, received: 80_000, left: 28_572), offset: 105_000, because: "a new one would be sooner"),
    Cut(sight: sight(400, received: 80_000, left: 28_571), offset: 108_571, because: "hardly: all of it stays"),
    Cut(
      sight: sight(400, received: 80_000, left: 444_288), common: 200_000, offset: 524_288, because: "nobody is faster"),
    Cut(
      sight: sight(400, received: 80_000, left: 444_288), roundTrip: nil, offset: 524_288,
      because: "no round trip known"),
    Cut(
      sight: sight(400, received: 80_000, left: 444_288), common: 0, offset: 524_288, because: "it would come nowhere"),
    Cut(
      sight: sight(2_000, silence: 1_000, received: 80_000, left: 444_288), offset: 80_000,
      because: "stalled: nothing is on the way"),
    Cut(
      sight: sight(2_000, silence: 1_000, received: 80_000, left: 1), offset: 80_000,
      because: "stalled: not even the last byte"),
    Cut(
      sight: sight(2_000, silence: 1_000, received: 80_000, left: 1), roundTrip: nil, offset: 80_000,
      because: "stalled, whatever the round trip"),
    Cut(sight: sight(2_000, silence: 1_000, received: 0, left: 444_288), offset: 0, because: "stalled from the start"),
    Cut(
      sight: sight(2_000, silence: 1_000, received: 80_000, left: 444_288, isFull: true), offset: 105_000,
      because: "it has no room: not stalled"),
    Cut(sight: sight(400, received: 80_000, left: 444_288, rate: 0), offset: 80_000, because: "nothing comes now"),
    Cut(
      sight: sight(400, received: .max, left: .max, rate: 1), roundTrip: .max, common: .max, offset: .max,
      because: "no overflow"),
    Cut(
      sight: sight(2_000, silence: 2_000, received: .min, left: .min), offset: 0, because: "no such thing"),
  ]

  @Test(arguments: cuts) func whatIsOnTheWayStays(_ row: Cut) {
    let pace = LanePaceTests.pace(nil, row.roundTrip)
    #expect(pace.cutOffset(row.sight, against: row.common, now: Self.start) == row.offset, "\(row.because)")
  }

  @Test func aCutLiesWithinTheBlock() {
    var random = SeededGenerator(seed: 6)
    var (inside, whole) = (0, 0)
    for _ in 0..<2_000 {
      let received = Int64.random(in: 0...(1 << 22), using: &random)
      let left = Int64.random(in: 1...(1 << 22), using: &random)
      let age = Int.random(in: 0...5_000, using: &random)
      let sight = Self.sight(
        age, silence: Int.random(in: 0...age, using: &random), received: received, left: left,
        rate: .random(in: 0...2_000_000, using: &random))
      let pace = LanePaceTests.pace(2_000_000, Int.random(in: 0...1_000, using: &random))
      let offset = pace.cutOffset(sight, against: .random(in: 0...4_000_000, using: &random), now: Self.start)
      if !(received...received + left).contains(offset) { Issue.record("\(sight): \(offset)") }
      if offset == received + left { whole += 1 } else { inside += 1 }
    }
    #expect(inside > 500 && whole > 500, "\(inside) \(whole)")
  }

  struct Common: Sendable {
    var finished: Int64?
    let now: [Int64], rate: Int64, because: String
  }

  static let commons = [
    Common(now: [], rate: 0, because: "nothing is known"),
    Common(now: [9, 9], rate: 0, because: "which of two is the odd one?"),
    Common(now: [9, 9, 9], rate: 9, because: "three say it"),
    Common(now: [9, 1, 2], rate: 9, because: "of three, the fastest"),
    Common(now: [4, 1, 3, 2], rate: 3, because: "of four, one is faster, in whatever order"),
    Common(now: [1, 9, 9, 1, 1, 9, 1, 1, 1], rate: 9, because: "a third is fast"),
    Common(now: [1, 9, 9, 1, 1, 1, 1, 1, 1], rate: 1, because: "less than a third is"),
    Common(finished: 20_000, now: [], rate: 20_000, because: "by the blocks that are finished"),
    Common(finished: 20_000, now: [90_000, 90_000], rate: 20_000, because: "two do not say more"),
    Common(finished: 20_000, now: [19_999, 19_999, 19_999], rate: 20_000, because: "less for now"),
    Common(finished: 20_000, now: [20_001, 20_001, 20_001], rate: 20_001, because: "more by now"),
    Common(finished: 20_000, now: [0, 0, .min], rate: 20_000, because: "all wait"),
    Common(now: [.max, .max, .max], rate: .max, because: "no overflow"),
  ]

  @Test(arguments: commons) func whatAConnectionBringsIsTheBetterOfThenAndNow(_ row: Common) {
    #expect(LanePaceTests.pace(row.finished).common(row.now) == row.rate, "\(row.because)")
  }

  @Test(arguments: [(.min, 0), (0, 0), (1, 0), (2, 1), (4, 1), (7, 1), (8, 2), (16, 4), (32, 8)] as [(Int, Int)])
  func aQuarterIsHedged(_ row: (connections: Int, limit: Int)) {
    #expect(LanePace.hedgeLimit(connections: row.connections) == row.limit)
  }
}
