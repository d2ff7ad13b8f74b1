internal import CPosix

/// A wake descriptor of several owners. Whoever holds it keeps the descriptor open: its number can't have been given to
/// another file meanwhile, which a late wake-up would then be written to.
public final class SharedWakeDescriptor: Sendable {
  private let descriptor: WakeDescriptor

  public init() throws(SystemError) { descriptor = try WakeDescriptor() }

  public var raw: Int32 { descriptor.raw }
  public var writeRaw: Int32 { descriptor.writeRaw }
  public func wake() { descriptor.wake() }
  public func drain() { descriptor.drain() }
}

/// A request to end something, made by any thread at any time, and heeded by one.
@safe
public final class Cancellation: @unchecked Sendable {
  private let state: OpaquePointer
  /// Of whoever heeds it, while there is somebody. Only touched under the lock.
  private var wake: SharedWakeDescriptor?

  public init() { unsafe state = px_cancellation_create() }

  deinit { unsafe px_cancellation_destroy(state) }

  public var isRequested: Bool { unsafe px_cancellation_is_requested(state) }

  /// For the thread that heeds it, which need not be woken.
  public func note() { unsafe px_cancellation_request(state) }

  /// Never waits longer than another thread's call takes. Not for signal handlers.
  public func request() {
    note()
    unsafe px_cancellation_lock(state)
    let wake = wake
    unsafe px_cancellation_unlock(state)
    wake?.wake()
  }

  /// From now on a request wakes this one; nil: nobody heeds it any more.
  public func setWake(_ wake: SharedWakeDescriptor?) {
    unsafe px_cancellation_lock(state)
    let before = self.wake
    self.wake = wake
    unsafe px_cancellation_unlock(state)
    _ = before  // released only now: that may close a descriptor
  }
}
