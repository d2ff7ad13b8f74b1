/// When to try again, and for how long to wait first (docs/RESUME.md). Pure: it has no clock and draws no lots.
///
/// The budget counts attempts in a row that brought nothing; progress refills it, and then the next
/// attempt follows at once.
struct RetryPolicy {
  static let firstDelay: Duration = .milliseconds(500)
  static let longestDelay: Duration = .seconds(30)
  /// A server that asks for more than this is asked again after it all the same.
  static let longestRetryAfter: Int64 = 300  // seconds

  let limit: Int  // attempts without progress after the first
  private(set) var fruitless = 0

  init(limit: Int) { self.limit = limit }

  mutating func didProgress() { fruitless = 0 }

  /// An attempt failed for a reason that may pass. Returns the delay before the next one; nil when the budget is used up.
  ///
  /// - Parameters:
  ///   - madeProgress: the attempt added bytes.
  ///   - retryAfter: what the server asked for, in seconds.
  ///   - jitter: 0 to 1; the delay is between half of what backoff says and all of it.
  mutating func didFail(madeProgress: Bool, retryAfter: Int64?, jitter: Double) -> Duration? {
    if madeProgress { fruitless = 0 }
    guard fruitless < limit else { return nil }
    fruitless += 1
    if let retryAfter {
      return .seconds(min(max(retryAfter, 0), RetryPolicy.longestRetryAfter))
    }
    if madeProgress { return .zero }
    let doublings = min(fruitless - 1, 16)
    let backoff = min(RetryPolicy.firstDelay * (1 << doublings), RetryPolicy.longestDelay)
    let tenths = Int(jitter * 1_024)
    return (backoff / 2) + (backoff / 2) * min(max(tenths, 0), 1_024) / 1_024
  }
}
