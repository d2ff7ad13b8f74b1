internal import Posix

/// The slowest that content may come: below it a new connection may be a better one.
public struct SpeedFloor: Equatable, Sendable {
  /// Bytes in a second.
  public let rate: Int64
  /// The mean over this time counts.
  public let time: Duration

  /// - Parameters:
  ///   - rate: bytes in a second.
  ///   - time: what the mean is over.
  public init(rate: Int64, time: Duration = .seconds(30)) {
    self.rate = rate
    self.time = time
  }
}

/// Holds content against a floor, in spells of its time that follow each other. Pure: it has no clock.
struct SpeedWatch {
  private let time: Duration
  private let least: Int64  // bytes in a spell
  /// Of the spell under way; nil before the first byte of a response.
  private var end: Instant?
  private var count: Int64 = 0  // bytes

  init(_ floor: SpeedFloor) {
    time = floor.time
    let (seconds, attoseconds) = floor.time.components
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    let (product, overflow) = floor.rate.multipliedReportingOverflow(by: milliseconds)
    least = overflow ? .max : product / 1_000
  }

  /// Another connection is not to blame for this one.
  mutating func restart() { end = nil }

  /// Content came. `paused` is how long nobody could take it: that is not the server's fault.
  mutating func didReceive(_ received: Int, paused: Duration, now: Instant) {
    guard let end else {
      end = now + time
      count = 0
      return
    }
    self.end = end + paused
    count += Int64(received)
  }

  /// For so long nobody could take what comes.
  mutating func pause(for time: Duration) {
    if let end { self.end = end + time }
  }

  /// The spell is over and too little came in it. One with enough is followed by the next.
  mutating func isBelow(now: Instant) -> Bool {
    guard let end, now >= end else { return false }
    if count < least { return true }
    self.end = now + time
    count = 0
    return false
  }

  var deadline: Instant { end ?? .distantFuture }
}
