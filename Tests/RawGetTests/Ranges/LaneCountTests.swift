import Posix
import Testing

@testable import RawGet

/// How many connections are wanted of servers that are simulated on a clock of their own.
struct LaneCountTests {
  struct Row: Sendable {
    let server: SimulatedServer
    var wanted: Int  // in the end
    var most: Int  // at any time
    /// When four are wanted at the latest, in seconds after the first byte.
    var fourWithin: Double?
    let because: String
  }

  private static func server(
    each: Double, all: Double = .infinity, _ milliseconds: Int, initialWindow: Double = 14_480
  ) -> SimulatedServer {
    SimulatedServer(
      ofEach: each, inAll: all, roundTrip: .milliseconds(milliseconds), initialWindow: initialWindow)
  }

  static let rows = [
    Row(server: server(each: 2e6, 1), wanted: 8, most: 8, fourWithin: 1.5, because: "each helps, next door"),
    Row(server: server(each: 2e6, 50), wanted: 8, most: 8, fourWithin: 1.5, because: "each helps"),
    Row(server: server(each: 2e6, 200), wanted: 8, most: 8, fourWithin: 3.5, because: "each helps, after slow start"),
    Row(server: server(each: 1e8, 200), wanted: 8, most: 8, fourWithin: 6, because: "slow start takes 11 round trips"),
    Row(
      server: server(each: 2e6, 50, initialWindow: 46_000), wanted: 8, most: 8, fourWithin: 1.5,
      because: "what the second brings at once is not taken for the first one's"),
    Row(server: server(each: 2e4, 100), wanted: 8, most: 8, fourWithin: 2, because: "each helps a slow download"),
    Row(server: server(each: 2e6, all: 2e6, 1), wanted: 1, most: 2, because: "no second one helps, next door"),
    Row(server: server(each: 2e6, all: 2e6, 50), wanted: 1, most: 2, because: "no second one helps"),
    Row(server: server(each: 2e6, all: 2e6, 200), wanted: 1, most: 2, because: "the first rose while it was alone"),
    Row(server: server(each: 1e9, all: 2e6, 50), wanted: 1, most: 2, because: "a link is full"),
    Row(server: server(each: 1e8, all: 1e8, 200), wanted: 1, most: 2, because: "it still rose when the second came"),
    Row(server: server(each: 2e6, all: 6e6, 50), wanted: 3, most: 4, because: "the fourth does not help"),
    Row(server: server(each: 2e6, all: 6e6, 200), wanted: 3, most: 4, because: "the fourth does not help"),
    Row(server: server(each: 2e6, all: 2.9e6, 50), wanted: 1, most: 2, because: "less than half a connection"),
    Row(server: server(each: 2e6, all: 3.2e6, 50), wanted: 2, most: 3, because: "more than half a connection"),
    Row(
      server: SimulatedServer(ofEach: 2e6, roundTrip: .milliseconds(50), burst: .seconds(1)), wanted: 8, most: 8,
      fourWithin: 4, because: "a rate that comes once a second is one"),
    Row(
      server: SimulatedServer(ofEach: 2e6, roundTrip: .milliseconds(50), lifetime: .milliseconds(260)), wanted: 8,
      most: 8, because: "that each is closed again and again is what a connection is there"),
    Row(
      server: SimulatedServer(ofEach: 2e6, roundTrip: .milliseconds(50), refused: 3), wanted: 2, most: 3,
      because: "the third is refused"),
    Row(
      server: SimulatedServer(ofEach: 2e6, roundTrip: .milliseconds(200), refused: 2), wanted: 1, most: 2,
      because: "the second is refused"),
  ]

  @Test(arguments: rows) func asManyAsHelp(_ row: Row) {
    var count = LaneCount(.automatic)
    #expect(count.wanted == 1, "politely")
    let raises = row.server.raises(of: &count, for: .seconds(30), seed: 0)
    #expect(count.wanted == row.wanted, "\(row.because)")
    #expect(raises.count == row.most, "\(row.because)")
    if let bound = row.fourWithin, raises.count > 3 { #expect(raises[3] <= bound, "\(row.because)") }
  }

  static let noises: [(roundTrip: Int, time: Int)] = [
    (1, 20), (1, 500), (50, 20), (50, 100), (50, 500), (100, 20), (100, 500), (200, 20), (200, 100), (200, 500),
  ]  // milliseconds

  /// 15 % either way, in all rates alike.
  @Test(arguments: noises) func noiseDoesNotDecide(_ row: (roundTrip: Int, time: Int)) {
    var stopped = 0
    for seed in 0..<40 as Range<UInt64> {
      var server = SimulatedServer(ofEach: 2e6, roundTrip: .milliseconds(row.roundTrip))
      server.noise = 0.15
      server.noiseTime = .milliseconds(row.time)
      var count = LaneCount(.automatic)
      if server.raises(of: &count, for: .seconds(9), seed: seed).count < 4 { stopped += 1 }

      server.inAll = 2e6
      count = LaneCount(.automatic)
      let most = server.raises(of: &count, for: .seconds(9), seed: seed).count
      #expect(most <= 2, "seed \(seed): nothing says that the second helps")
      #expect(count.wanted == 1, "seed \(seed)")
    }
    #expect(stopped <= (row.time < 500 ? 0 : 1), "where noise lasts as long as a trial, the third may seem no help")
  }

  /// The sixth of six that share what five could bring adds nothing, which is a small step in the noise of a loop's turns.
  @Test(arguments: [1, 50, 200]) func aSmallStepIsSeenInNoise(_ milliseconds: Int) {
    var passed = 0
    for seed in 0..<40 as Range<UInt64> {
      var server = Self.server(each: 2e6, all: 10e6, milliseconds)
      server.noise = 0.15
      var count = LaneCount(.automatic)
      if server.raises(of: &count, for: .seconds(15), seed: seed).count > 6 { passed += 1 }
    }
    #expect(passed <= 3, "\(passed) of 40")
  }

  @Test func aRefusalIsForGood() {
    var count = LaneCount(.exactly(8))
    for (open, wanted) in [(8, 7), (7, 6), (12, 6), (3, 2), (8, 2), (1, 1), (0, 1), (.min, 1), (.max, 1)] {
      count.wasRefused(open: open)
      #expect(count.wanted == wanted, "\(open) open")
    }
    count = LaneCount(.automatic)
    count.wasRefused(open: 2)
    _ = SimulatedServer(ofEach: 2e6, roundTrip: .milliseconds(50)).raises(of: &count, for: .seconds(9), seed: 0)
    #expect(count.wanted == 1)
  }

  @Test(arguments: [(.min, 1), (0, 1), (1, 1), (2, 2), (32, 32), (33, 32), (.max, 32)] as [(Int, Int)])
  func whatIsAskedForIsWanted(_ row: (asked: Int, wanted: Int)) {
    var count = LaneCount(.exactly(row.asked))
    #expect(count.wanted == row.wanted)
    let server = SimulatedServer(ofEach: 2e6, inAll: 2e6, roundTrip: .milliseconds(50))
    _ = server.raises(of: &count, for: .seconds(5), seed: 0)
    #expect(count.wanted == row.wanted, "whether it helps or not")
  }

  @Test func silenceDecidesNothing() {
    var count = LaneCount(.automatic)
    for second in 0..<100 as Range<Int64> {
      let now = Instant(nanoseconds: second * 1_000_000_000)
      count.didReceive(total: 7, open: 1, roundTrip: nil, now: now)
    }
    #expect(count.wanted == 1)
  }

  @Test func nothingOverflows() {
    var random = SeededGenerator(seed: 6)
    let numbers: [Int64] = [.min, -1, 0, 1, 1 << 20, 1 << 62, .max]
    let times: [Duration?] = [
      nil, .zero, .seconds(-1), .milliseconds(50), .nanoseconds(Int64.max), .seconds(Int64.max),
    ]
    for _ in 0..<200 {
      var count = LaneCount(.automatic)
      for _ in 0..<200 {
        count.didReceive(
          total: numbers.randomElement(using: &random) ?? 0,
          open: Int(numbers.randomElement(using: &random) ?? 0),
          roundTrip: times.randomElement(using: &random) ?? nil,
          now: Instant(nanoseconds: numbers.randomElement(using: &random) ?? 0))
        #expect((1...LaneCount.automaticLimit).contains(count.wanted))
      }
    }
  }
}
