/// Bytes a second as a person wants to read it: smoothed over about three seconds, the mean while it is younger.
///
/// Times count from any one start.
package struct SpeedMeter {
  private static let window = 3.0  // seconds
  /// Without a byte for so long it stalls.
  private static let patience: Duration = .seconds(2)

  /// Before that a time left would be guesswork.
  private static let youth: Duration = .seconds(1)

  private let begun: Duration
  private var last: (time: Duration, count: Int64)
  private var lastGrowth: Duration
  private var speed = 0.0  // bytes a second

  /// - Parameter count: bytes that are here already; they took no time.
  package init(at time: Duration, count: Int64) {
    begun = time
    last = (time, count)
    lastGrowth = time
  }

  package mutating func note(_ count: Int64, at time: Duration) {
    let passed = SpeedMeter.seconds(time - last.time)
    guard passed > 0 else { return }
    if count > last.count { lastGrowth = time }
    let now = Double(max(count - last.count, 0)) / passed
    let weight = max(passed / (passed + SpeedMeter.window), passed / SpeedMeter.seconds(time - begun))
    speed += (now - speed) * weight
    last = (time, count)
  }

  /// No byte has come for a while: what was measured says nothing about what follows.
  package var isStalled: Bool { last.time - lastGrowth >= SpeedMeter.patience }

  package var bytesPerSecond: Int64 { speed < 1e18 ? Int64(speed) : .max }

  /// Until `count` more bytes are here; nil while that can't be told.
  package func timeLeft(for count: Int64) -> Duration? {
    guard !isStalled, last.time - begun >= SpeedMeter.youth, speed >= 1 else { return nil }
    let seconds = Double(count) / speed
    return seconds < 1e9 ? .seconds(Int64(seconds) + (count > 0 ? 1 : 0)) : nil
  }

  private static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
