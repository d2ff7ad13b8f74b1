import Foundation

/// A value behind a lock. `Synchronization.Mutex` would do, but the thread sanitizer does not see
/// its futex on Linux and reports races that are none.
///
/// `@unchecked Sendable`: the value is only reached under the lock.
public final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  public init(_ value: sending Value) { self.value = value }

  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}
