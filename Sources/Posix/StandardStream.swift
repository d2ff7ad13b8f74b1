internal import CPosix

/// How a write to a stream ended, and how many bytes it took.
public struct WriteOutcome: Equatable, Sendable {
  public enum End: Equatable, Sendable {
    case written  // all of it
    case interrupted  // the wake descriptor is readable
    case timedOut
  }
  public let end: End
  public let count: Int  // bytes
}

/// Standard output and standard error, whose other end may be slow, full or gone.
public enum StandardStream {
  public static let output: Int32 = 1
  public static let error: Int32 = 2

  /// Writes all of it, unless `wake` (-1: none) becomes readable or the deadline passes while the
  /// descriptor cannot take more. On a blocking descriptor the wait is the system's: then only a
  /// signal ends it. A reader that has gone is EPIPE, once SIGPIPE is ignored.
  public static func writeAll(
    _ bytes: Span<UInt8>, to descriptor: Int32, deadline: Instant?, wake: Int32
  ) throws(SystemError) -> WriteOutcome {
    var offset = 0
    while offset < bytes.count {
      let rest = bytes.extracting(offset...)
      let count = unsafe rest.withUnsafeBufferPointer { buffer in
        unsafe px_write_once(descriptor, buffer.baseAddress, buffer.count)
      }
      if count > 0 {
        offset += count
        continue
      }
      // A write that took nothing and names no cause waits like one that would block.
      let error = SystemError(code: Int32(truncatingIfNeeded: -count), operation: .write)
      guard count == 0 || error.isWouldBlock || error.isInterrupted else { throw error }
      switch try waitUntilWritable(descriptor, deadline, wake) {
      case .writable: continue
      case .woken: return WriteOutcome(end: .interrupted, count: offset)
      case .timedOut: return WriteOutcome(end: .timedOut, count: offset)
      }
    }
    return WriteOutcome(end: .written, count: offset)
  }

  private enum Waited { case writable, woken, timedOut }

  private static func waitUntilWritable(
    _ descriptor: Int32, _ deadline: Instant?, _ wake: Int32
  ) throws(SystemError) -> Waited {
    while true {
      let milliseconds = deadline?.millisecondsFromNow() ?? -1
      switch try SystemError.check(px_wait_writable(descriptor, wake, milliseconds), .poll) {
      case 2: return .woken
      case 1: return .writable
      default: if let deadline, deadline <= Instant.now() { return .timedOut }
      }
    }
  }

  /// Standard output under a descriptor of its own. A pipe is opened anew and non-blocking, so that our waits can be
  /// ended and the flag is not forced on others who share it.
  public static func copyOfOutput() throws(SystemError) -> Descriptor {
    Descriptor(adopting: try SystemError.check(px_open_output(), .open))
  }
}
