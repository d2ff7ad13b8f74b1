internal import HTTP1
internal import Posix

/// One thread's readiness loop (docs/ARCHITECTURE.md): a poller, a wake descriptor, and the one buffer that every stream
/// uses in turn. Nothing received stays in the buffer from one turn to the next.
public struct EventLoop: ~Copyable {
  /// The bound for bytes between a socket and a file (docs/PROMISES.md, 4), and the most that one receive takes.
  public static let bufferCapacity = 512_000  // bytes

  private static let wakeToken: UInt64 = 0
  private static let downloadToken: UInt64 = 1

  private var poller: Poller
  private let wakeDescriptor: WakeDescriptor
  private var buffer = ReceiveBuffer(capacity: EventLoop.bufferCapacity)
  private var services = Services()
  private var watched: [Interest] = []
  private var wanted: [Interest] = []

  public init() throws(DownloadError) {
    do throws(SystemError) { try self.init(opening: ()) } catch { throw .system(error) }
  }

  private init(opening: Void) throws(SystemError) {
    let wakeDescriptor = try WakeDescriptor()
    var poller = try Poller()
    try poller.watch(wakeDescriptor.raw, for: .readable, token: EventLoop.wakeToken)
    services.wake = wakeDescriptor.raw
    self.poller = poller
    self.wakeDescriptor = wakeDescriptor
  }

  /// A loop whose downloads use another disk: for tests.
  init(files: any FileSystem) throws(DownloadError) {
    try self.init()
    services.files = files
  }

  /// Writing to this descriptor (`WakeDescriptor.wake`) ends a wait: from any thread, and from a signal handler.
  var wakeRaw: Int32 { wakeDescriptor.writeRaw }

  public enum Outcome: Sendable {
    case event(DownloadEvent)
    case finished(DownloadResult)
    /// The loop was woken; what for is the caller's business.
    case woken
    /// The time is over.
    case idle
  }

  /// Runs the download until something is to be told, or for so long.
  public mutating func run(_ download: inout Download, for duration: Duration) throws(DownloadError) -> Outcome {
    do throws(SystemError) {
      return try run(&download, until: .now() + duration)
    } catch {
      throw .system(error)
    }
  }

  private mutating func run(_ download: inout Download, until: Instant) throws(SystemError) -> Outcome {
    while true {
      switch download.advance(now: .now(), buffer: &buffer, services: &services) {
      case .event(let event): return .event(event)
      case .finished(let result): return .finished(result)
      case .waiting(let deadline):
        try watchInterests(of: download)
        let isWoken = try wait(until: min(deadline, until))
        if isWoken { return .woken }
        if Instant.now() >= until { return .idle }
      }
    }
  }

  private mutating func wait(until deadline: Instant) throws(SystemError) -> Bool {
    let count = try poller.wait(until: deadline)
    var isWoken = false
    for index in 0..<count where poller.event(index).token == EventLoop.wakeToken { isWoken = true }
    if isWoken { wakeDescriptor.drain() }
    return isWoken
  }

  /// Tells the poller what changed since the last wait; most often that is nothing.
  private mutating func watchInterests(of download: borrowing Download) throws(SystemError) {
    wanted.removeAll(keepingCapacity: true)
    download.appendInterests(to: &wanted)
    if wanted == watched { return }
    for interest in watched where !wanted.contains(where: { $0.serial == interest.serial }) {
      poller.forget(interest.descriptor)
    }
    for interest in wanted where !watched.contains(interest) {
      try poller.watch(interest.descriptor, for: interest.readiness, token: EventLoop.downloadToken)
    }
    swap(&wanted, &watched)
  }
}
