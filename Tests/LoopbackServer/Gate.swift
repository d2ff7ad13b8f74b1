import Foundation

/// Closed until opened, for good: lets a test decide when a script goes on, or a script when a
/// test does.
public final class Gate: @unchecked Sendable {  // isOpen is only touched under the condition's lock
  private let condition = NSCondition()
  private var isOpen = false

  public init() {}

  public func open() {
    condition.withLock {
      isOpen = true
      condition.broadcast()
    }
  }

  /// Returns once the gate is open; false if it stayed closed for `limit` seconds.
  @discardableResult public func wait(limit: TimeInterval = 30) -> Bool {
    let end = Date(timeIntervalSinceNow: limit)
    return condition.withLock {
      while !isOpen {
        if !condition.wait(until: end) { return isOpen }
      }
      return true
    }
  }
}
