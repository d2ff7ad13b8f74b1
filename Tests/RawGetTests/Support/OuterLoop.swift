import Foundation
import Testing

@testable import RawGet

/// A loop of somebody else around the engine's, here one of poll(2).
enum OuterLoop {
  /// Nothing may take longer than this between two turns; a bound for a broken test, no part of any assertion.
  private static let watchdog: Int32 = 30_000  // ms
  struct NothingHappened: Error {}

  /// Waits for the one descriptor and the one time. What poll said.
  @discardableResult static func wait(for loop: borrowing EventLoop) throws -> Int32 {
    let descriptor = loop.descriptor
    var entry = pollfd(fd: try #require(descriptor), events: Int16(POLLIN), revents: 0)
    var timeout = watchdog
    if let time = loop.timeUntilDue?.components {
      timeout = Int32(min(time.seconds * 1_000 + time.attoseconds / 1_000_000_000_000_000 + 1, Int64(watchdog)))
      if time == (0, 0) { timeout = 0 }
    }
    let count = poll(&entry, 1, timeout)
    if count == 0, timeout == watchdog { throw NothingHappened() }
    return count
  }

  /// Whether there is anything that the loop would look at.
  static func isReady(_ loop: borrowing EventLoop) throws -> Bool {
    let descriptor = loop.descriptor
    var entry = pollfd(fd: try #require(descriptor), events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) != 0
  }
}
