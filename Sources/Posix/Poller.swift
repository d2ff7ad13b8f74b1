internal import CPosix

/// What a descriptor is watched for, or was found ready for.
public struct Readiness: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Bytes wait, or the end of the stream does.
  public static let readable = Readiness(rawValue: px_readable)
  public static let writable = Readiness(rawValue: px_writable)
  /// Reported without being asked for: the next call on the descriptor tells the error.
  public static let failed = Readiness(rawValue: px_failed)
}

/// Waits for many descriptors at once: epoll on Linux, poll elsewhere. Level-triggered: an event
/// comes again as long as its cause is there.
@safe
public struct Poller: ~Copyable {
  /// Events handed over by one call of ``wait(until:)``; the rest come with the next.
  public static let eventCapacity = 64

  private let poller: OpaquePointer
  private let events: UnsafeMutablePointer<px_event>
  private var count = 0

  public init() throws(SystemError) {
    var made: OpaquePointer?
    try SystemError.check(unsafe px_poller_create(&made), .poll)
    guard let poller = unsafe made else { throw SystemError(code: px_ENOMEM, operation: .poll) }
    unsafe self.poller = poller
    unsafe events = .allocate(capacity: Poller.eventCapacity)
  }

  deinit {
    unsafe px_poller_destroy(poller)
    unsafe events.deallocate()
  }

  /// Becomes readable when an event waits, for a loop around this one; -1 where poll is used.
  public var raw: Int32 { unsafe px_poller_descriptor(poller) }

  /// Adds the descriptor, or changes what it is watched for.
  public mutating func watch(
    _ descriptor: Int32, for readiness: Readiness, token: UInt64
  ) throws(SystemError) {
    try SystemError.check(unsafe px_poller_watch(poller, descriptor, readiness.rawValue, token), .poll)
  }

  /// To be called before the descriptor is closed.
  public mutating func forget(_ descriptor: Int32) { unsafe px_poller_forget(poller, descriptor) }

  /// Waits for the first events, at most until the deadline; returns their number, 0 too when a
  /// signal came. A deadline under a millisecond away is waited for, not polled for.
  public mutating func wait(until deadline: Instant?) throws(SystemError) -> Int {
    count = 0
    let milliseconds = deadline?.millisecondsFromNow() ?? -1
    let outcome = unsafe px_poller_wait(poller, milliseconds, events, Int32(Poller.eventCapacity))
    count = Int(try SystemError.check(outcome, .poll))
    return count
  }

  /// One of the events of the last wait.
  public func event(_ index: Int) -> (token: UInt64, readiness: Readiness) {
    precondition(index >= 0 && index < count)
    let event = unsafe events[index]
    return (event.token, Readiness(rawValue: event.readiness))
  }
}
