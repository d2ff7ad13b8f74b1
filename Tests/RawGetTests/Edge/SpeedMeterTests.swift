import Testing

@testable import RawGet

/// Speed and time left as they are shown, and when a log gets a line.
struct SpeedMeterTests {
  private func meter(_ samples: [(milliseconds: Int, count: Int64)]) -> SpeedMeter {
    var meter = SpeedMeter(at: .zero, count: 0)
    for sample in samples { meter.note(sample.count, at: .milliseconds(sample.milliseconds)) }
    return meter
  }

  @Test func anEvenSpeedIsThatSpeed() {
    let meter = meter((1...100).map { ($0 * 100, Int64($0) * 100_000) })
    #expect((999_000...1_001_000).contains(meter.bytesPerSecond))
    #expect(meter.timeLeft(for: 10_000_000) == .seconds(11) || meter.timeLeft(for: 10_000_000) == .seconds(10))
    #expect(meter.timeLeft(for: 0) == .zero)
  }

  @Test func aYoungOneIsTheMean() {
    let meter = meter([(100, 1_000_000), (200, 1_000_000), (300, 1_000_000), (400, 1_000_000)])
    #expect((2_400_000...2_600_000).contains(meter.bytesPerSecond), "a burst is not the speed: \(meter.bytesPerSecond)")
    #expect(meter.timeLeft(for: 1_000_000) == nil, "too early to tell")
  }

  @Test func aChangeShowsWithinSeconds() {
    let slow = (1...100).map { (milliseconds: $0 * 100, count: Int64($0) * 100_000) }
    let fast = (1...60).map { (milliseconds: 10_000 + $0 * 100, count: 10_000_000 + Int64($0) * 1_000_000) }
    #expect(meter(slow + fast.prefix(5)).bytesPerSecond < 4_000_000, "not in half a second")
    #expect(meter(slow + fast).bytesPerSecond > 8_000_000, "but in six")
  }

  @Test func whatStallsHasNoTimeLeft() {
    let samples = (1...30).map { (milliseconds: $0 * 100, count: Int64($0) * 100_000) }
    #expect(!meter(samples + [(4_900, 3_000_000)]).isStalled)
    let stalled = meter(samples + [(5_000, 3_000_000)])
    #expect(stalled.isStalled)
    #expect(stalled.timeLeft(for: 1) == nil)
    #expect(!meter(samples + [(5_000, 3_000_000), (5_100, 3_000_001)]).isStalled, "one byte ends it")
  }

  @Test func nothingSaysNothing() {
    let meter = meter([])
    #expect(meter.bytesPerSecond == 0)
    #expect(meter.timeLeft(for: 1) == nil)
  }

  @Test func whatWasThereTookNoTime() {
    var meter = SpeedMeter(at: .seconds(1), count: 5_000_000_000)
    meter.note(5_000_100_000, at: .seconds(2))
    #expect((99_000...101_000).contains(meter.bytesPerSecond))
  }

  // MARK: Lines in a log

  /// Lines said about a download of `length` bytes that takes so long at an even pace.
  private func lines(_ length: Int64?, seconds: Int) -> Int {
    var pace = PlainPace(at: .zero, DownloadProgress())
    var count = 0
    for tenth in 1...(seconds * 10) {
      let kept = Int64(tenth) * (length ?? 1_000_000) / Int64(seconds * 10)
      if pace.isDue(at: .milliseconds(tenth * 100), DownloadProgress(kept: kept, completeLength: length)) { count += 1 }
    }
    return count
  }

  static let paces: [(length: Int64?, seconds: Int, lines: ClosedRange<Int>, because: String)] = [
    (60_000_000, 1, 1...2, "a quick one is over at once"), (60_000_000, 10, 9...9, "one each tenth"),
    (60_000_000, 100, 9...9, "a tenth comes before 30 s"), (60_000_000, 3_600, 12...15, "30 s, then pauses that grow"),
    (nil, 3_600, 5...7, "unknown length"), (nil, 29, 0...0, "not before 30 s"), (nil, 31, 1...1, "but then"),
    (0, 29, 0...0, "nothing has no tenths"),
  ]

  @Test(arguments: paces)
  func aLogStaysShort(_ row: (length: Int64?, seconds: Int, lines: ClosedRange<Int>, because: String)) {
    let count = lines(row.length, seconds: row.seconds)
    #expect(row.lines.contains(count), "\(row.because): \(count)")
  }

  @Test func whatIsKeptFromBeforeIsNotSaidAgain() {
    var pace = PlainPace(at: .zero, DownloadProgress(kept: 55, completeLength: 100))
    let due = [(1, 55), (2, 59), (3, 60), (4, 100)].map { (seconds: Int64, kept: Int64) in
      pace.isDue(at: .seconds(seconds), DownloadProgress(kept: kept, completeLength: 100))
    }
    #expect(due == [false, false, true, false], "the end has a line of its own")
  }
}
