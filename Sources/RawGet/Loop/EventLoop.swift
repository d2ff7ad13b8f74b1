internal import HTTP1
internal import Posix

/// One thread's readiness loop (docs/ARCHITECTURE.md): a poller, a wake descriptor, and the one buffer that every stream
/// uses in turn. Nothing received stays in the buffer from one turn to the next.
///
/// One download and a thousand are the same loop with more entries.
public struct EventLoop: ~Copyable {
  /// The bound for bytes between a socket and a file (docs/PROMISES.md, 4), and the most that one receive takes.
  public static let bufferCapacity = 512_000  // bytes

  /// Those of jobs are their places, counted from 1.
  private static let wakeToken: UInt64 = 0

  private var poller: Poller
  private let wakeDescriptor: WakeDescriptor
  private var buffer = ReceiveBuffer(capacity: EventLoop.bufferCapacity)
  private var services = Services()
  /// A job that ended leaves its place to the next one.
  private var jobs: [DownloadJob?] = []
  /// Where to look first for a job that is due: they take turns.
  private var nextPlace = 0
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

  /// Readable when somebody has woken the loop.
  var wakeDescriptorToRead: Int32 { wakeDescriptor.raw }

  public enum Outcome {
    case event(DownloadJob, DownloadEvent)
    /// The loop has let go of it.
    case finished(DownloadJob, DownloadResult)
    /// The loop was woken; what for is the caller's business.
    case woken
    /// The time is over.
    case idle
  }

  /// Takes the job into the loop's hands until it has finished.
  public mutating func add(_ job: DownloadJob) {
    job.isDue = true
    if let place = jobs.firstIndex(where: { $0 == nil }) { jobs[place] = job } else { jobs.append(job) }
  }

  /// Runs all jobs until something is to be told, or for so long.
  public mutating func run(for duration: Duration) throws(DownloadError) -> Outcome {
    do throws(SystemError) {
      return try run(until: .now() + duration)
    } catch {
      throw .system(error)
    }
  }

  private mutating func run(until: Instant) throws(SystemError) -> Outcome {
    while true {
      while let place = takeDuePlace() {
        if let outcome = try advance(place) { return outcome }
      }
      if try wait(until: until) { return .woken }
      if Instant.now() >= until { return .idle }
    }
  }

  /// The place of a job that has something to do. From where the last one was found on, so that all have their turn.
  private mutating func takeDuePlace() -> Int? {
    for step in jobs.indices {
      let place = (nextPlace + step) % jobs.count
      guard let job = jobs[place], job.isDue else { continue }
      job.isDue = false
      nextPlace = place + 1
      return place
    }
    return nil
  }

  private mutating func advance(_ place: Int) throws(SystemError) -> Outcome? {
    guard let job = jobs[place] else { return nil }
    if job.isCancelled { job.download.cancel() }
    let step = job.download.advance(now: .now(), buffer: &buffer, services: &services)
    // Before any other job has its turn: it could get the number of a descriptor that was closed in this one.
    try watchInterests(of: job, token: UInt64(place + 1))
    switch step {
    case .event(let event):
      job.isDue = true
      return .event(job, event)
    case .finished(let result):
      jobs[place] = nil
      return .finished(job, result)
    case .waiting(let deadline):
      job.deadline = deadline
      return nil
    }
  }

  /// Waits for what any job waits for, and marks those that are due then. True when woken by somebody.
  private mutating func wait(until: Instant) throws(SystemError) -> Bool {
    var deadline = until
    for case let job? in jobs { deadline = min(deadline, job.deadline) }
    let count = try poller.wait(until: deadline)
    var isWoken = false
    for index in 0..<count {
      let token = poller.event(index).token
      if token == EventLoop.wakeToken { isWoken = true } else { jobs[Int(token) - 1]?.isDue = true }
    }
    let now = Instant.now()
    for case let job? in jobs where job.deadline <= now { job.isDue = true }
    if isWoken {
      wakeDescriptor.drain()
      for case let job? in jobs { job.isDue = true }  // whoever woke the loop may have cancelled one
    }
    return isWoken
  }

  /// Tells the poller what changed since the job's last turn; most often that is nothing.
  private mutating func watchInterests(of job: DownloadJob, token: UInt64) throws(SystemError) {
    wanted.removeAll(keepingCapacity: true)
    job.download.appendInterests(to: &wanted)
    if wanted == job.watched { return }
    for interest in job.watched where !wanted.contains(where: { $0.serial == interest.serial }) {
      poller.forget(interest.descriptor)
    }
    for interest in wanted where !job.watched.contains(interest) {
      try poller.watch(interest.descriptor, for: interest.readiness, token: token)
    }
    swap(&wanted, &job.watched)
  }
}
