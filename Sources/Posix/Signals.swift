internal import CPosix

/// Signals, for the command only: a library does not touch its program's handlers.
public enum Signals {
  /// Notes SIGINT, SIGTERM and SIGHUP and wakes the descriptor. One that was ignored at the start
  /// (nohup, a background job) stays ignored.
  public static func watchTermination(waking writeRaw: Int32) { px_signals_watch(writeRaw) }

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
