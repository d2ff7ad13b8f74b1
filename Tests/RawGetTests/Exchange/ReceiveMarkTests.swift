import Posix
import Testing

@testable import RawGet

/// What a wake-up is worth, and that every mark is reached or given up.
struct ReceiveMarkTests {
  private static let start = Instant(nanoseconds: 1_000_000_000_000)

  /// After so many milliseconds so many bytes in all had come, and so many were left.
  struct Row: Sendable {
    let waits: [(milliseconds: Int, total: Int64, left: Int64?)], bytes: Int, because: String
    init(_ waits: [(Int, Int64, Int64?)], _ bytes: Int, _ because: String) {
      (self.waits, self.bytes, self.because) = (waits.map { ($0.0, $0.1, $0.2) }, bytes, because)
    }
  }

  static let rows = [
    Row([], 1, "nothing is known"), Row([(9, 500_000, .max)], 1, "too soon to say"),
    Row([(10, 10_000, .max)], 20_000, "a first guess"),
    Row([(10, 10_000, .max), (59, 100_000, .max)], 20_000, "which stands for a spell"),
    Row([(10, 0, .max), (20, 10_000, .max)], 20_000, "of something"),
    Row([(50, 50_000, .max)], 20_000, "20 ms of 1 MB/s"), Row([(50, 50_000, nil)], 20_000, "an end wakes as well"),
    Row([(50, 5_000_000, .max)], 262_144, "the most"), Row([(50, 10_000, .max)], 1, "4,000 spare nothing"),
    Row([(50, 5_000_000, 50_000)], 50_000, "all that is left"), Row([(50, 5_000_000, 4_095)], 1, "little is left"),
    Row([(50, 5_000_000, 0)], 1, "nobody knows what is left"), Row([(50, 5_000_000, -16_645)], 1, "less than nothing"),
    Row([(50, 5_000_000, .max), (60, 5_100_000, 262_143)], 262_143, "it falls with what is left"),
    Row([(50, 50_000, .max), (100, 130_000, .max)], 20_000, "32,000 are near enough"),
    Row([(50, 50_000, .max), (100, 150_001, .max)], 20_000, "so is twice as much"),
    Row([(50, 50_000, .max), (100, 153_000, .max)], 41_200, "that is more"),
    Row([(50, 5_000_000, .max), (150, 5_000_000, .max)], 1, "nothing came: any byte wakes"),
    Row([(50, 5_000_000, .max), (150, 5_100_000, .max)], 20_000, "not reached: it falls to what that was worth"),
    Row([(50, .max, .max)], 262_144, "no overflow"), Row([(50, -1, .max)], 1, "nor below"),
  ]

  @Test(arguments: rows) func isWorthAWakeUp(_ row: Row) {
    var mark = ReceiveMark(total: 0, now: Self.start)
    for wait in row.waits {
      mark.wait(total: wait.total, left: wait.left, now: Self.start + .milliseconds(wait.milliseconds))
    }
    #expect(mark.bytes == row.bytes, "\(row.because)")
  }

  @Test func nobodyWaitsLongForOne() {
    var mark = ReceiveMark(total: 0, now: Self.start)
    #expect(mark.deadline(now: Self.start) == .distantFuture, "any byte wakes")
    mark.wait(total: 5_000_000, left: nil, now: Self.start + .seconds(1))
    #expect(mark.bytes > 1 && mark.deadline(now: Self.start) == Self.start + ReceiveMark.patience)
  }

  /// Whatever came and is left: a mark never exceeds what is left.
  @Test func isNeverMoreThanWhatIsLeft() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<200 {
      let length = Int64.random(in: 0...2_000_000, using: &random)
      var (total, now, mark) = (Int64(0), Self.start, ReceiveMark(total: 0, now: Self.start))
      while total < length {
        total += Int64.random(in: 0...min(length - total, 300_000), using: &random)
        now = now + .milliseconds(Int64.random(in: 0...120, using: &random))
        mark.wait(total: total, left: length - total, now: now)
        #expect(Int64(mark.bytes) <= max(length - total, 1))
      }
    }
  }
}
