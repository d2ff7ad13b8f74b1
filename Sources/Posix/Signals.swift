internal import CPosix

/// Signals, for the command only: a library does not touch its program's handlers.
public enum Signals {
  /// Notes SIGINT, SIGTERM and SIGHUP and wakes the descriptor. One that was ignored at the start
  /// (nohup, a background job) stays ignored.
  public static func watchTermination(waking writeRaw: Int32) { px_signals_watch(writeRaw) }

  /// Notes SIGUSR1 (SIGINFO too where there is one) and SIGCONT, and wakes the same descriptor.
  public static func watchRequests() { px_signals_watch_requests() }

  /// What was asked for by signals since the last call.
  public static func takeRequests() -> (report: Bool, redraw: Bool) {
    let requests = px_signal_requests()
    return (requests & px_request_report != 0, requests & px_request_redraw != 0)
  }

  /// The first of them that came.
  public static func received() -> Int32? {
    let number = px_signal_received()
    return number == 0 ? nil : number
  }

  /// A closed pipe (SIGPIPE) and a file grown too large (SIGXFSZ) become errors of the write.
  public static func ignoreBrokenPipe() { px_signals_ignore_broken_pipe() }

  /// Ends the process as the signal would have, so that a shell sees the cause.
  public static func dieBy(_ number: Int32) -> Never { px_die_by_signal(number) }
}
