import Posix
import Testing

struct InstantTests {
  struct Row: Sendable { let start: Int64, duration: Duration, sum: Int64, because: String }

  static let rows = [
    Row(start: 5, duration: .zero, sum: 5, because: "nothing"),
    Row(start: 5, duration: .seconds(1), sum: 1_000_000_005, because: "a second"),
    Row(start: 5, duration: .nanoseconds(-6), sum: -1, because: "back"),
    Row(start: 0, duration: .milliseconds(1500), sum: 1_500_000_000, because: "seconds and their parts"),
    Row(start: 0, duration: .milliseconds(-1500), sum: -1_500_000_000, because: "both parts are negative"),
    Row(start: .max, duration: .nanoseconds(1), sum: .max, because: "one too many stays"),
    Row(start: .min, duration: .nanoseconds(-1), sum: .min, because: "one too few stays"),
    Row(start: 1, duration: .seconds(Int64.max), sum: .max, because: "more seconds than nanoseconds can count"),
    Row(start: -1, duration: .seconds(Int64.min), sum: .min, because: "the same, back"),
    Row(start: 0, duration: .seconds(9_223_372_036), sum: 9_223_372_036_000_000_000, because: "the last second"),
    Row(
      start: 0, duration: .seconds(9_223_372_036) + .nanoseconds(854_775_808), sum: .max,
      because: "one nanosecond over"),
  ]

  @Test(arguments: rows) func adds(_ row: Row) {
    #expect((Instant(nanoseconds: row.start) + row.duration).nanoseconds == row.sum, "\(row.because)")
  }

  @Test(arguments: [
    (Int64(10), Int64(4), Duration.nanoseconds(6)), (4, 10, .nanoseconds(-6)),
    (.max, -1, .nanoseconds(Int64.max)), (.min, 1, .nanoseconds(Int64.min)), (.max, .max, .zero),
  ])
  func subtracts(_ later: Int64, _ earlier: Int64, _ difference: Duration) {
    #expect(Instant(nanoseconds: later) - Instant(nanoseconds: earlier) == difference)
  }

  @Test func goesForward() {
    let first = Instant.now()
    let second = Instant.now()
    #expect(first <= second)
    #expect(first < .distantFuture)
    #expect(first + .nanoseconds(1) > first)
  }

  @Test func theWallClockIsLaterThanThisTest() {
    #expect(WallClock.secondsSince1970() > 1_700_000_000)
  }
}
