internal import Posix

/// The loop inside of another one, which waits for it (docs/C-API.md has it in C): when ``descriptor`` is readable or
/// ``timeUntilDue`` has passed, `advance` is called until it is idle. Nothing here waits, and no thread is begun but for
/// names that have to be resolved.
extension EventLoop {
  /// Readable as long as something waits for `advance`. To watch for reading, never to read, write or close; the same as
  /// long as the loop lives. nil where the system has no such descriptor (it polls): there only `run(for:)` is of use.
  public var descriptor: Int32? {
    let raw = pollerRaw
    return raw < 0 ? nil : raw
  }

  /// How long nothing is to be done unless the descriptor becomes readable; zero when something is to be done now, nil
  /// when it may be for ever. It changes with every call of `advance` and `add`, and when a job is cancelled.
  public var timeUntilDue: Duration? {
    if hasDue { return .zero }
    guard let deadline = firstDeadline else { return nil }
    return max(deadline - .now(), .zero)
  }

  /// Looks at what is ready and gives every job that is due a turn, up to the first thing to tell; never waits.
  ///
  /// - Returns: `idle` when there is nothing to tell at present: then it is time to wait.
  /// - Throws: `DownloadError.system` as `run(for:)` does.
  public mutating func advance() throws(DownloadError) -> Outcome {
    do throws(SystemError) { return try advanceOnce() } catch { throw .system(error) }
  }

  /// Ends a wait of this loop from any thread, also in another loop's: `advance` or `run(for:)` then tells `woken`.
  public var waker: LoopWaker { LoopWaker(wake) }
}

/// Wakes a loop, as long as there is one: from any thread, before and after the loop's end.
public struct LoopWaker: Sendable {
  private let descriptor: SharedWakeDescriptor

  init(_ descriptor: SharedWakeDescriptor) { self.descriptor = descriptor }

  /// The loop tells `EventLoop.Outcome.woken`: once for all calls since it last did.
  public func wake() { descriptor.wake() }
}

/// Cancels one download, from any thread, before it begins and after it ended. Not for signal handlers.
public struct JobCanceller: Sendable {
  let cancellation = Cancellation()

  /// For a job that is to be made with it.
  public init() {}

  /// Ends the download at its next turn, keeping what is here, and wakes its loop for that. One that ended is not changed.
  public func cancel() { cancellation.request() }
}
