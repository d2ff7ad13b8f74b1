internal import CPosix

/// Wakes a waiting poller from another thread or a signal handler: an eventfd, or a pipe.
public struct WakeDescriptor: ~Copyable, Sendable {
  private let reading: Descriptor
  private let writing: Int32  // the same as `reading` for an eventfd

  public init() throws(SystemError) {
    var ends: (reading: Int32, writing: Int32) = (-1, -1)
    try SystemError.check(unsafe px_wake_open(&ends.reading, &ends.writing), .wake)
    reading = Descriptor(adopting: ends.reading)
    writing = ends.writing
  }

  deinit {
    if writing != reading.raw { px_close(writing) }
  }

  /// To watch: readable from a ``wake()`` until the next ``drain()``.
  public var raw: Int32 { reading.raw }

  /// What ``wake(_:)`` takes, for those who cannot hold this value.
  public var writeRaw: Int32 { writing }

  /// Safe in a signal handler and on every thread.
  public func wake() { px_wake(writing) }

  public static func wake(_ writeRaw: Int32) { px_wake(writeRaw) }

  public func drain() { px_wake_drain(reading.raw) }
}
