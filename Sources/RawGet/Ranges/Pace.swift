internal import Posix

/// Bytes, time and the rate between them. What peers and clocks say may be any number: everything below 0 counts as 0,
/// what Int64 cannot count as its maximum, and nothing here overflows.
enum Pace {
  private static let nanosecondsInASecond: Int64 = 1_000_000_000

  /// Bytes a second. No time at all counts as a nanosecond.
  static func rate(of bytes: Int64, in time: Duration) -> Int64 {
    scaled(bytes, by: nanosecondsInASecond, over: nanoseconds(time))
  }

  static func bytes(in time: Duration, at rate: Int64) -> Int64 {
    scaled(rate, by: nanoseconds(time), over: nanosecondsInASecond)
  }

  /// At most the 292 years that Int64 can count in nanoseconds, which is also what a rate of 0 takes.
  static func time(of bytes: Int64, at rate: Int64) -> Duration {
    .nanoseconds(rate > 0 ? scaled(bytes, by: nanosecondsInASecond, over: rate) : .max)
  }

  static func sum(_ first: Int64, _ second: Int64) -> Int64 {
    let (sum, overflowed) = max(first, 0).addingReportingOverflow(max(second, 0))
    return overflowed ? .max : sum
  }

  /// `value` x `numerator` / `denominator`, rounded down; a denominator below 1 counts as 1.
  static func scaled(_ value: Int64, by numerator: Int64, over denominator: Int64) -> Int64 {
    let divisor = UInt64(max(denominator, 1))
    let product = UInt64(max(value, 0)).multipliedFullWidth(by: UInt64(max(numerator, 0)))
    guard product.high < divisor else { return .max }
    return Int64(clamping: divisor.dividingFullWidth(product).quotient)
  }

  static func nanoseconds(_ time: Duration) -> Int64 { max((Instant(nanoseconds: 0) + time).nanoseconds, 0) }
}
