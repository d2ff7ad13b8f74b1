/// How much content the response under way has brought, against what its head said. All counts are bytes.
struct ResponseProgress {
  /// What a Content-Range or Content-Length announced; nil when only the end of the message tells.
  var expected: Int64?
  /// The place that it comes from, in the list of the download's; nil for the present one.
  var place: Int?
  private var received: Int64 = 0

  /// Counts content that arrived; returns how much of it was announced.
  mutating func take(_ count: Int) -> Int {
    let allowed = expected.map { min(Int64(count), $0 - received) } ?? Int64(count)
    received += allowed
    return Int(allowed)
  }

  var missing: Int64? {
    guard let expected, received < expected else { return nil }
    return expected - received
  }
}
