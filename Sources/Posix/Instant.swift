internal import CPosix

/// A point of time that no clock change moves (CLOCK_MONOTONIC). Sums saturate, so a deadline that
/// is too far away to count is one that never comes.
public struct Instant: Comparable, Sendable {
  /// Since an arbitrary start.
  public let nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static func now() -> Instant { Instant(nanoseconds: px_monotonic_nanoseconds()) }

  public static var distantFuture: Instant { Instant(nanoseconds: .max) }

  public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

  public static func + (instant: Instant, duration: Duration) -> Instant {
    let (sum, overflowed) = instant.nanoseconds.addingReportingOverflow(duration.saturatedNanoseconds)
    guard overflowed else { return Instant(nanoseconds: sum) }
    return Instant(nanoseconds: duration < .zero ? .min : .max)
  }

  public static func - (later: Instant, earlier: Instant) -> Duration {
    let (difference, overflowed) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    guard overflowed else { return .nanoseconds(difference) }
    return .nanoseconds(later < earlier ? Int64.min : Int64.max)
  }

  /// Whole milliseconds from now until this instant, rounded up so that nobody wakes too early to
  /// find nothing to do; at least 0, at most what poll(2) can count.
  func millisecondsFromNow() -> Int32 {
    let (left, overflowed) = nanoseconds.subtractingReportingOverflow(Instant.now().nanoseconds)
    guard !overflowed else { return nanoseconds < 0 ? 0 : .max }
    guard left > 0 else { return 0 }
    return Int32(clamping: (left - 1) / 1_000_000 + 1)
  }
}

extension Duration {
  /// What Int64 can count: 292 years either way.
  var saturatedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowedToo) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard overflowed || overflowedToo else { return sum }
    return seconds < 0 ? .min : .max
  }
}
