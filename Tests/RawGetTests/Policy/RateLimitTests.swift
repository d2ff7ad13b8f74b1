import Posix
import Testing

@testable import RawGet

/// A rate kept over simulated time.
struct RateLimitTests {
  static let rates: [Int64] = [
    1, 2, 19, 20, 21, 999, 1_000, 4_096, 65_536, 1_000_003, 10_240_000, 10_240_001, 1 << 32, 1 << 40, .max,
  ]

  @Test(arguments: rates) func theRateIsKept(_ rate: Int64) {
    var now = Instant(nanoseconds: 7)
    let begun = now
    var limit = RateLimit(rate: rate, now: now)
    var received: Double = 0
    var receives: Double = 0
    while receives < 1_000 {
      if let pause = limit.pause(now: now) { now = pause }
      limit.didReceive(limit.receiveLimit, now: now)
      received += Double(limit.receiveLimit)
      receives += 1
    }
    // Each receive pays for itself afterwards, in whole nanoseconds.
    let elapsed = Double((limit.pause(now: now) ?? now).nanoseconds - begun.nanoseconds)
    #expect(received >= Double(rate) * elapsed / 1e9 * 0.999_999, "no slower than asked")
    #expect(received <= Double(rate) * (elapsed + receives) / 1e9 * 1.000_001, "no faster")
  }

  @Test(arguments: [0, -1, .min] as [Int64]) func noRateIsTheLowest(_ rate: Int64) {
    let now = Instant(nanoseconds: 0)
    var limit = RateLimit(rate: rate, now: now)
    #expect(limit.receiveLimit == 1)
    limit.didReceive(1, now: now)
    #expect(limit.pause(now: now) == now + .seconds(1))
  }

  struct Size: Sendable { let rate: Int64, limit: Int, because: String }

  static let sizes = [
    Size(rate: 1, limit: 1, because: "a receive of nothing would look like the end"),
    Size(rate: 39, limit: 1, because: "less than two"),
    Size(rate: 40, limit: 2, because: "a twentieth of a second"),
    Size(rate: 10_240_000, limit: 512_000, because: "S3-6: the buffer"),
    Size(rate: 10_260_000, limit: 512_000, because: "S3-6: and no more than that"),
    Size(rate: .max, limit: 512_000, because: "S3-6: whatever the rate"),
  ]

  @Test(arguments: sizes) func aReceiveIsSmall(_ row: Size) {
    #expect(RateLimit(rate: row.rate, now: .now()).receiveLimit == row.limit, "\(row.because)")
  }

  @Test func timeWithoutContentIsNotSavedUp() {
    let begun = Instant(nanoseconds: 0)
    var limit = RateLimit(rate: 1_000, now: begun)
    let later = begun + .seconds(3_600)
    #expect(limit.pause(now: later) == nil)
    limit.didReceive(50, now: later)
    #expect(limit.pause(now: later) == later + .milliseconds(50), "an hour of silence buys no burst")
    #expect(limit.pause(now: later + .milliseconds(50)) == nil, "due exactly then")
  }

  @Test(arguments: [1, 1_000, .max] as [Int64]) func nothingOverflows(_ rate: Int64) {
    var limit = RateLimit(rate: rate, now: .distantFuture)
    for _ in 0..<3 { limit.didReceive(.max, now: .distantFuture) }
    #expect(limit.pause(now: .distantFuture) == nil, "later than this there is nothing")
  }
}
