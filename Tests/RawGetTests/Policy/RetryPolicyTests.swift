import Testing

@testable import RawGet

/// The retry budget (docs/RESUME.md): it counts attempts in a row that brought nothing.
struct RetryPolicyTests {
  /// Delays of attempts in a row without progress; the last one is refused.
  private func delays(_ policy: inout RetryPolicy, jitter: Double = 1) -> [Duration] {
    var delays: [Duration] = []
    while let delay = policy.didFail(madeProgress: false, retryAfter: nil, jitter: jitter) { delays.append(delay) }
    return delays
  }

  @Test(arguments: [0, -1, .min]) func withoutABudgetNothingIsTriedAgain(_ limit: Int) {
    for madeProgress in [false, true] {
      var policy = RetryPolicy(limit: limit)
      #expect(policy.didFail(madeProgress: madeProgress, retryAfter: nil, jitter: 0) == nil)
      #expect(policy.didFail(madeProgress: madeProgress, retryAfter: 0, jitter: 0) == nil, "nor if the server asks")
    }
  }

  @Test(arguments: [1, 2, 10]) func theBudgetIsUsedUp(_ limit: Int) {
    var policy = RetryPolicy(limit: limit)
    #expect(delays(&policy).count == limit)
    #expect(policy.didFail(madeProgress: false, retryAfter: 1, jitter: 0) == nil, "and stays so")
  }

  @Test func progressRefillsIt() {
    var policy = RetryPolicy(limit: 2)
    #expect(delays(&policy).count == 2)
    #expect(policy.didFail(madeProgress: true, retryAfter: nil, jitter: 1) == .zero, "after progress at once")
    #expect(policy.fruitless == 1, "the attempt that now begins is counted until it brings something")
    policy.didProgress()
    #expect(delays(&policy).count == 2)
  }

  @Test func thousandsOfDropsWithProgressNeverEndIt() {
    var policy = RetryPolicy(limit: 1)
    for _ in 0..<10_000 { #expect(policy.didFail(madeProgress: true, retryAfter: nil, jitter: 1) == .zero) }
  }

  @Test func backoffDoublesUpToItsBound() {
    var policy = RetryPolicy(limit: 40)
    let seconds: [Double] = [0.5, 1, 2, 4, 8, 16]
    let expected = seconds.map { Duration.seconds($0) } + [Duration](repeating: .seconds(30), count: 34)
    #expect(delays(&policy) == expected)
  }

  struct Jitter: Sendable { let jitter: Double, first: Duration, because: String }

  static let jitters = [
    Jitter(jitter: 0, first: .milliseconds(250), because: "half of it at least"),
    Jitter(jitter: 1, first: .milliseconds(500), because: "all of it at most"),
    Jitter(jitter: 0.5, first: .milliseconds(375), because: "and evenly between"),
    Jitter(jitter: -3, first: .milliseconds(250), because: "no less than half, whatever comes"),
    Jitter(jitter: 7, first: .milliseconds(500), because: "no more than all"),
  ]

  @Test(arguments: jitters) func jitterStaysWithinHalf(_ row: Jitter) {
    var policy = RetryPolicy(limit: 1)
    #expect(policy.didFail(madeProgress: false, retryAfter: nil, jitter: row.jitter) == row.first, "\(row.because)")
  }

  struct Asked: Sendable { let seconds: Int64, delay: Duration, because: String }

  static let asked = [
    Asked(seconds: .max, delay: .seconds(300), because: "no server makes us wait for ever"),
    Asked(seconds: 301, delay: .seconds(300), because: "just above the bound"),
    Asked(seconds: -5, delay: .zero, because: "the past is now"),
    Asked(seconds: 0, delay: .zero, because: "at once, if it says so"),
    Asked(seconds: 7, delay: .seconds(7), because: "exactly, without jitter"),
    Asked(seconds: 300, delay: .seconds(300), because: "the bound"),
  ]

  @Test(arguments: asked) func whatTheServerAsksForIsDone(_ row: Asked) {
    for madeProgress in [false, true] {
      var policy = RetryPolicy(limit: 1)
      let delay = policy.didFail(madeProgress: madeProgress, retryAfter: row.seconds, jitter: 0.3)
      #expect(delay == row.delay, "\(row.because)")
    }
  }
}
