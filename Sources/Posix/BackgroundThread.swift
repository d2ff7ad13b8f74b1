internal import CPosix

/// A thread that runs one closure and ends. Signals belong to the program's own threads: all are blocked here.
public enum BackgroundThread {
  private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Throws when there is no thread to be had; `body` is not called then.
  public static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let work = unsafe Unmanaged.passRetained(Work(body))
    let outcome = unsafe px_thread_start(
      { context in
        if let context = unsafe context {
          let work = unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
          work.body()
        }
        return nil
      }, work.toOpaque())
    if outcome < 0 { unsafe work.release() }
    try SystemError.check(outcome, .spawn)
  }
}
