import Posix
import Testing

@testable import RawGet

/// Block, depth and marks by rate and round trip. The first rows of each table are what a prototype was fastest with.
struct LanePaceTests {
  static let kibibyte: Int64 = 1 << 10
  static let mebibyte: Int64 = 1 << 20

  /// One that has seen this rate (bytes a second) and round trip (milliseconds).
  static func pace(_ rate: Int64?, _ roundTrip: Int? = nil) -> LanePace {
    var pace = LanePace()
    if let rate { pace.didFinishBlock(bytes: rate, in: .seconds(1)) }
    if let roundTrip { pace.didAnswer(after: .milliseconds(roundTrip)) }
    return pace
  }

  struct Block: Sendable {
    var rate: Int64?, roundTrip: Int? = 50, size: Int64 = 1 << 40, connections = 16, limit: Int64?
    let length: Int64, because: String
  }

  static let blocks = [
    Block(rate: nil, length: 512 * kibibyte, because: "nothing known"),
    Block(rate: 2_000_000, length: 512 * kibibyte, because: "2 MB/s x 0.1 s is less than that"),
    Block(rate: 10_000_000, length: mebibyte, because: "10 MB/s x 0.1 s, a power of two"),
    Block(rate: 7_864_319, length: 512 * kibibyte, because: "nearer to the lower"),
    Block(rate: 7_864_330, length: mebibyte, because: "nearer to the higher"),
    Block(rate: 15_000_000, length: mebibyte, because: "nearer to the lower"),
    Block(rate: 20_000_000, length: 2 * mebibyte, because: "the longest"),
    Block(rate: 100_000_000, length: 2 * mebibyte, because: "the longest"),
    Block(rate: 100_000_000, roundTrip: 200, length: 4 * mebibyte, because: "eight would not cover the round trip"),
    Block(rate: 5_000_000, roundTrip: 600, length: mebibyte, because: "eight would not cover it, twice as long do"),
    Block(rate: 1_000_000_000, roundTrip: 9_999, length: 4 * mebibyte, because: "no end of doubling"),
    Block(rate: .max, roundTrip: .max, length: 4 * mebibyte, because: "no overflow"),
    Block(rate: 130_000, length: 256 * kibibyte, because: "nobody waits for more than 4 s"),
    Block(rate: 132_000, length: 512 * kibibyte, because: "not quite 4 s"),
    Block(rate: 20_000, length: 256 * kibibyte, because: "but the fields would be too much of it"),
    Block(rate: 10_000_000, size: 64 * mebibyte, length: mebibyte, because: "four for each"),
    Block(rate: 10_000_000, size: 64 * mebibyte - 1, length: 512 * kibibyte, because: "not four for each"),
    Block(rate: 10_000_000, size: mebibyte, length: 256 * kibibyte, because: "no less"),
    Block(rate: 10_000_000, size: mebibyte, connections: 1, length: 256 * kibibyte, because: "four for one"),
    Block(rate: 10_000_000, size: .max, connections: 0, length: mebibyte, because: "none is as one"),
    Block(rate: 10_000_000, size: .min, connections: .min, length: 256 * kibibyte, because: "nothing left"),
    Block(rate: 10_000_000, size: .max, connections: .max, length: 256 * kibibyte, because: "too many to share"),
    Block(rate: 10_000_000, limit: 6 * mebibyte, length: mebibyte, because: "it fits"),
    Block(rate: 20_000_000, limit: 4 * mebibyte, length: mebibyte, because: "2 MiB and a head do not fit half of it"),
    Block(rate: 20_000_000, limit: mebibyte, length: 256 * kibibyte, because: "half of it and a head"),
    Block(rate: 20_000_000, limit: 256 * kibibyte, length: 64 * kibibyte, because: "the last that fits"),
    Block(rate: 20_000_000, limit: 4_096, length: 64 * kibibyte, because: "no block fits"),
    Block(rate: nil, limit: .min, length: 64 * kibibyte, because: "no block fits"),
    Block(rate: nil, limit: .max, length: 512 * kibibyte, because: "all fit"),
  ]

  @Test(arguments: blocks) func aBlockIsATenthOfASecond(_ row: Block) {
    let pace = Self.pace(row.rate, row.roundTrip)
    #expect(
      pace.blockLength(size: row.size, connections: row.connections, kernelLimit: row.limit) == row.length,
      "\(row.because)")
  }

  struct Last: Sendable {
    let rate: Int64?, roundTrip: Int?, free: Int64, connections: Int, length: Int64, because: String
    init(
      _ rate: Int64?, _ roundTrip: Int?, _ free: Int64, _ connections: Int, _ length: Int64, _ because: String
    ) {
      (self.rate, self.roundTrip, self.free) = (rate, roundTrip, free)
      (self.connections, self.length, self.because) = (connections, length, because)
    }
  }

  static let lasts = [
    Last(2_000_000, 50, 64 * mebibyte, 16, 2 * mebibyte, "far from the end"),
    Last(2_000_000, 50, 16 * mebibyte, 16, 512 * kibibyte, "half of a mebibyte"),
    Last(2_000_000, 50, 16 * mebibyte - 1, 16, 256 * kibibyte, "not quite"),
    Last(2_000_000, 50, 1, 16, 128 * kibibyte, "no less"),
    Last(2_000_000, 200, mebibyte, 16, 128 * kibibyte, "six cover 600 KB"),
    Last(10_000_000, 200, mebibyte, 16, 500_000, "six cover 3 MB, and shorter ones would not"),
    Last(nil, nil, 0, 0, 128 * kibibyte, "nothing is known"), Last(.max, .max, .max, 1, 1 << 61, "no overflow"),
    Last(nil, nil, .min, .min, 128 * kibibyte, "less than nothing"),
  ]

  @Test(arguments: lasts) func theLastBlocksAreShort(_ row: Last) {
    let pace = Self.pace(row.rate, row.roundTrip)
    #expect(pace.lastBlock(free: row.free, connections: row.connections) == row.length, "\(row.because)")
  }

  static let depths: [(rate: Int64?, roundTrip: Int?, block: Int64, depth: Int, because: String)] = [
    (2_000_000, 50, 512 * kibibyte, 2, "d2 at 2 MB/s x 50 ms"),
    (2_000_000, 200, 512 * kibibyte, 3, "d3 at 200 ms"),
    (2_000_000, 200, 256 * kibibyte, 4, "d4 at 200 ms"),
    (10_000_000, 200, mebibyte, 4, "d4 at 10 MB/s x 200 ms"),
    (10_000_000, 200, 2 * mebibyte, 3, "d3 at 10 MB/s x 200 ms"),
    (2_000_000, 0, 512 * kibibyte, 2, "always one ahead"),
    (nil, 200, 512 * kibibyte, 2, "no rate known"),
    (2_000_000, nil, 512 * kibibyte, 2, "no round trip known"),
    (10_000_000, 200, 512 * kibibyte, 7, "5.7 blocks in 1.5 round trips"),
    (20_000_000, 200, 512 * kibibyte, 8, "no more than that"),
    (.max, .max, 1, 8, "no overflow"), (.max, .max, 0, 8, "a block of nothing"), (.max, .max, .min, 8, "or less"),
    (.max, 1, .max, 2, "a block of everything"),
  ]

  @Test(arguments: depths)
  func requestsCoverTheRoundTrip(_ row: (rate: Int64?, roundTrip: Int?, block: Int64, depth: Int, because: String)) {
    let pace = Self.pace(row.rate, row.roundTrip)
    #expect(pace.depth(blockLength: row.block, isHedging: false) == row.depth, "\(row.because)")
    #expect(pace.depth(blockLength: row.block, isHedging: true) == 8, "nobody waits for a block that is cut")
  }

  @Test func theNextRequestIsEarlyEnough() {
    #expect(Self.pace(2_000_000, 50).requestAhead(tick: .zero) == 150_000)
    #expect(Self.pace(2_000_000, 50).requestAhead(tick: .milliseconds(5)) == 160_000, "what comes before we look again")
    #expect(Self.pace(2_000_000, 0).requestAhead(tick: .milliseconds(5)) == 10_000)
    #expect(Self.pace(2_000_000).requestAhead(tick: .zero) == .max, "at once, while no round trip is known")
    #expect(Self.pace(nil, 50).requestAhead(tick: .zero) == .max, "or no rate")
    #expect(Self.pace(2_000_000, 50).requestAhead(tick: .seconds(-1)) == 150_000)
    #expect(Self.pace(.max, .max).requestAhead(tick: .seconds(Int64.max)) == .max)
  }

  static let marks: [(rate: Int64?, roundTrip: Int?, block: Int64, limit: Int64?, mark: Int, because: String)] = [
    (nil, nil, 512 * kibibyte, nil, 4 << 20, "nothing known: eight blocks of the shortest"),
    (2_000_000, 50, 512 * kibibyte, nil, 4 << 20, "no less, however little comes in a round trip"),
    (nil, 50, 2 * mebibyte, nil, 4 << 20, "nor for longer blocks that fit"),
    (nil, nil, 4 * mebibyte, nil, (4 << 20) + 4_096, "never less than a block and its fields"),
    (10_000_000, 200, 2 * mebibyte, nil, (2 << 20) + 3_000_000 + 4_096, "a block, 1.5 round trips, fields"),
    (nil, 50, 512 * kibibyte, 8 * mebibyte, 4 << 20, "half of what the kernel gives is just enough"),
    (nil, 50, 512 * kibibyte, 8 * mebibyte - 2, (4 << 20) - 1, "it is not"),
    (10_000_000, 200, mebibyte, 6 * mebibyte, 3 << 20, "half of what the kernel gives"),
    (nil, nil, 512 * kibibyte, 1_200_000, 600_000, "half of what the kernel gives"),
    (nil, nil, 512 * kibibyte, mebibyte, 512 << 10, "which is the block without its fields"),
    (2_000_000, 0, 512 * kibibyte, 4_096, 512 << 10, "never less than the block"),
    (.max, .max, .max, nil, Int(Int32.max), "what an int can say"),
    (.max, .max, .max, .max, Int(Int32.max), "what an int can say"),
    (2_000_000, 0, .min, .min, 1, "never nothing"),
  ]

  @Test(arguments: marks)
  func aWaitingConnectionHasRoomForItsBlock(
    _ row: (rate: Int64?, roundTrip: Int?, block: Int64, limit: Int64?, mark: Int, because: String)
  ) {
    let pace = Self.pace(row.rate, row.roundTrip)
    #expect(pace.lowWater(blockLength: row.block, kernelLimit: row.limit) == row.mark, "\(row.because)")
  }

  static let headMarks: [(rate: Int64?, left: Int64, mark: Int, because: String)] = [
    (2_000_000, .max, 40_000, "20 ms"),
    (10_000_000, .max, 65_536, "no more than that"),
    (10_000_000, 65_535, 65_535, "what is left wakes"),
    (10_000_000, 1, 1, "the last byte"), (10_000_000, 0, 1, "the end"), (10_000_000, .min, 1, "no such thing"),
    (nil, .max, 1, "it may be slow"), (20_000, .max, 400, "it is slow"), (.max, .max, 65_536, "no overflow"),
  ]

  @Test(arguments: headMarks)
  func theHeadWakesFiftyTimesASecond(_ row: (rate: Int64?, left: Int64, mark: Int, because: String)) {
    #expect(Self.pace(row.rate).headLowWater(left: row.left) == row.mark, "\(row.because)")
  }

  private static func finish(_ count: Int, at rate: Int64, _ pace: inout LanePace) {
    for _ in 0..<count { pace.didFinishBlock(bytes: rate, in: .seconds(1)) }
  }

  @Test func aThirdOfTheLastBlocksWasFaster() {
    var pace = LanePace()
    #expect(pace.rate == nil)
    Self.finish(1, at: 16_383, &pace)
    #expect(pace.rate == nil, "too short to say anything")
    let rows: [(rate: Int64, seen: Int64)] = [
      (50_000, 50_000), (90_000, 90_000), (80_000, 90_000), (1 << 40, 90_000), (20_000, 90_000), (20_000, 90_000),
      (20_000, 80_000),
    ]
    for (rate, seen) in rows {
      Self.finish(1, at: rate, &pace)
      #expect(pace.rate == seen, "after \(rate)")
    }
  }

  @Test func onlyTheLastBlocksSayTheRate() {
    var pace = LanePace()
    Self.finish(22, at: 20_000, &pace)
    Self.finish(10, at: 70_000, &pace)
    #expect(pace.rate == 20_000, "less than a third of 32")
    Self.finish(1, at: 70_000, &pace)
    #expect(pace.rate == 70_000, "the oldest is forgotten, so 11 of them are faster")
    Self.finish(20, at: 30_000, &pace)
    #expect(pace.rate == 70_000, "a slow lane does not move it: 11 are fast, and one of the oldest is left")
    Self.finish(2, at: 30_000, &pace)
    #expect(pace.rate == 30_000, "only then one of the fast ones is gone")
    Self.finish(32, at: 20_000, &pace)
    #expect(pace.rate == 20_000, "nothing lasts")
  }

  @Test func timesThatNobodySawDoNotCount() {
    var pace = LanePace()
    pace.didFinishBlock(bytes: 1 << 20, in: .zero)
    #expect(pace.rate == 1_000 << 20, "all there at the first look: a millisecond")
    pace = LanePace()
    pace.didFinishBlock(bytes: .max, in: .seconds(-1))
    #expect(pace.rate == .max)
    pace = LanePace()
    pace.didFinishBlock(bytes: 1 << 20, in: .seconds(Int64.max))
    #expect(pace.rate == 1, "never nothing")
  }

  @Test func theRoundTripIsTheSmallest() {
    var pace = LanePace()
    #expect(pace.roundTrip == nil)
    for (seen, smallest) in [(Int64.max, 9_223_372_036), (9, 9), (50, 9), (3, 3), (-1, 0), (7, 0)] as [(Int64, Int64)] {
      pace.didAnswer(after: .seconds(seen))
      #expect(pace.roundTrip.map { $0.components.seconds } == smallest)
    }
  }

  @Test(arguments: [(nil, 5), (-1, 5), (0, 5), (40, 5), (80, 10), (200, 25), (9_999, 25)] as [(Int?, Int)])
  func aTickIsAnEighthOfTheRoundTrip(_ row: (roundTrip: Int?, tick: Int)) {
    #expect(LanePace.tick(roundTrip: row.roundTrip.map { .milliseconds($0) }) == .milliseconds(row.tick))
  }
}
