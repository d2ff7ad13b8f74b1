/// When a log gets a line about a download under way: at each tenth, and when nothing was said for 30 s; such a pause is
/// twice as long each time, so that a slow download does not fill a log.
package struct PlainPace {
  /// Tenths that follow fast on one another are one.
  private static let interval: Duration = .milliseconds(500)

  private var saidAt: Duration
  private var tenth: Int64
  private var pause: Duration = .seconds(30)

  package init(at time: Duration, _ progress: DownloadProgress) {
    saidAt = time
    tenth = PlainPace.tenth(progress)
  }

  /// Whether it is time; then it is said.
  package mutating func isDue(at time: Duration, _ progress: DownloadProgress) -> Bool {
    let now = PlainPace.tenth(progress)
    if now < tenth { tenth = now }  // another representation
    let passed = time - saidAt
    if now > tenth && now < 10 && passed >= PlainPace.interval {
      tenth = now
    } else if passed >= pause {
      pause = pause * 2
    } else {
      return false
    }
    saidAt = time
    return true
  }

  private static func tenth(_ progress: DownloadProgress) -> Int64 {
    guard let length = progress.completeLength, length > 0 else { return 0 }
    return length.dividingFullWidth(min(max(progress.kept, 0), length).multipliedFullWidth(by: 10)).quotient
  }
}
