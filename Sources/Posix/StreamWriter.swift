internal import CPosix

/// One write at a time to a descriptor that somebody else owns: a pipe, a socket, a terminal, a device.
public struct StreamWriter: Sendable {
  public enum Outcome: Equatable, Sendable {
    /// So many bytes, at least one; fewer than were given where there was no room for more, or a signal came.
    case taken(Int)
    /// Nothing can be written at present.
    case full
    /// A signal came before anything was written.
    case interrupted
  }

  private let descriptor: Int32
  private let takes: Int32

  public init(_ descriptor: Int32) {
    self.descriptor = descriptor
    takes = px_takes(descriptor)
  }

  /// A write waits in the system until all is written; only a signal ends that. Never so for a socket.
  public var mayWait: Bool { takes == px_takes_waiting }

  /// - Parameter bytes: at least one.
  public func write(_ bytes: Span<UInt8>) throws(SystemError) -> Outcome {
    guard takes == px_takes_sends else {
      return try StreamWriter.outcome(StreamWriter.write(bytes, to: descriptor))
    }
    let count = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe px_send_once(descriptor, buffer.baseAddress, buffer.count)
    }
    return try StreamWriter.outcome(count)
  }

  static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> Int {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe px_write_once(descriptor, buffer.baseAddress, buffer.count)
    }
  }

  /// What a call returned means: a count, or an errno negated.
  static func outcome(_ count: Int) throws(SystemError) -> Outcome {
    if count > 0 { return .taken(count) }
    let error = SystemError(code: Int32(truncatingIfNeeded: -count), operation: .write)
    if error.isWouldBlock { return .full }
    if error.isInterrupted { return .interrupted }
    // Nothing takes nothing without saying why; if something does, this must still end.
    throw count == 0 ? .unexplained : error
  }
}
