internal import CPosix

/// Standard output and standard error, whose other end may be slow, full or gone.
public enum StandardStream {
  public static let output: Int32 = 1
  public static let error: Int32 = 2

  /// Writes all of it, and waits where the descriptor takes no more. A reader that has gone is EPIPE, once SIGPIPE is
  /// ignored.
  public static func writeAll(_ bytes: Span<UInt8>, to descriptor: Int32) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
      switch try StreamWriter.outcome(StreamWriter.write(bytes.extracting(offset...), to: descriptor)) {
      case .taken(let count): offset += count
      case .full: try SystemError.check(px_wait_writable(descriptor), .poll)
      case .interrupted: continue
      }
    }
  }

  /// Standard output under a descriptor of its own. A pipe is opened anew and non-blocking, so that nobody waits in a
  /// write, and the flag is not forced on others who share it.
  public static func copyOfOutput() throws(SystemError) -> Descriptor {
    Descriptor(adopting: try SystemError.check(px_open_output(), .open))
  }
}
