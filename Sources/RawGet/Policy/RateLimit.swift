internal import Posix

/// Keeps content below a rate by spacing the receives (a token bucket that holds one receive). Pure: it has no clock.
struct RateLimit {
  /// Receives are so small that the rate holds over this time, and no pause is much longer.
  static let receivesInASecond: Int64 = 20

  private let rate: Int64  // bytes in a second
  private var nextReceive: Instant

  init(rate: Int64, now: Instant) {
    self.rate = max(rate, 1)
    nextReceive = now
  }

  /// The most that one receive may take, in bytes.
  var receiveLimit: Int { Int(min(max(rate / RateLimit.receivesInASecond, 1), Int64(EventLoop.bufferCapacity))) }

  /// When the next receive is due; nil when it is.
  func pause(now: Instant) -> Instant? { nextReceive > now ? nextReceive : nil }

  mutating func didReceive(_ count: Int, now: Instant) {
    let nanoseconds = Int64(count).multipliedReportingOverflow(by: 1_000_000_000)
    let duration = nanoseconds.overflow ? Int64.max : nanoseconds.partialValue / rate
    nextReceive = max(nextReceive, now) + .nanoseconds(duration)
  }
}
