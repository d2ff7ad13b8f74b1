internal import HTTP1
internal import Posix

/// One thread's readiness loop (docs/ARCHITECTURE.md): a poller, a wake descriptor, and the one buffer that every stream
/// uses in turn. Nothing received stays in the buffer from one turn to the next.
///
/// One download and a thousand are the same loop with more entries.
public struct EventLoop: ~Copyable {
  /// The bound for bytes between a socket and a file (docs/PROMISES.md, 4), and the most that one receive takes.
  package static let bufferCapacity = 512_000  // bytes

  private var watchList: WatchList
  let wake: SharedWakeDescriptor
  private var buffer = ReceiveBuffer(capacity: EventLoop.bufferCapacity)
  private var services = Services()
  /// A job that ended leaves its place to the next one.
  private var jobs: [DownloadJob?] = []
  private var freePlaces: [Int] = []
  private let due = DueQueue()
  private var deadlines = DeadlineQueue()
  private var wanted: [Interest] = []
  /// Places of jobs whose content is whole, and who wait for the disk.
  private var concluding: [Int] = []
  /// The disk takes its time: they wait until no job has anything to do, and are served together. Where it does not, no
  /// server is kept waiting for its next request.
  private var concludesTogether = false
  /// So long for one file is its time.
  private static let slowConclusion: Duration = .microseconds(500)

  /// A loop for a few downloads: up to 64 connections of those that ended wait for the next. All events are told.
  ///
  /// - Throws: `DownloadError.system` when there is no descriptor for it.
  public init() throws(DownloadError) {
    do throws(SystemError) { try self.init(wokenBy: SharedWakeDescriptor()) } catch { throw .system(error) }
  }

  /// A loop for so many downloads at once: it keeps as many connections for the next ones as these can have, and holds
  /// the directories that they go to.
  ///
  /// - Parameters:
  ///   - jobs: downloads under way at once, at most.
  ///   - connections: of each of them.
  ///   - tellsHeads: of events, `requested` and `responded` are wanted too.
  /// - Throws: `DownloadError.system` when there is no descriptor for it.
  public init(jobs: Int, _ connections: ConnectionChoice, tellsHeads: Bool = true) throws(DownloadError) {
    try self.init()
    services.connections = ConnectionPool(limit: min(max(jobs, 1), ConnectionPool.most) * connections.most)
    services.files = SystemFiles(holdingDirectories: .milliseconds(100))
    services.tellsHeads = tellsHeads
  }

  /// A loop for one download, which `waker` may have woken already.
  init(waker: SharedWakeDescriptor, tellsHeads: Bool) throws(DownloadError) {
    do throws(SystemError) { try self.init(wokenBy: waker) } catch { throw .system(error) }
    services.tellsHeads = tellsHeads
  }

  private init(wokenBy wake: SharedWakeDescriptor) throws(SystemError) {
    watchList = try WatchList(wake: wake.raw)
    self.wake = wake
  }

  /// A loop whose downloads use another disk: for tests.
  init(files: any FileSystem) throws(DownloadError) {
    try self.init()
    services.files = files
  }

  /// Writing to this descriptor (`WakeDescriptor.wake`) ends a wait: from any thread, and from a signal handler.
  var wakeRaw: Int32 { wake.writeRaw }

  /// Readable when somebody has woken the loop.
  var wakeDescriptorToRead: Int32 { wake.raw }

  /// What a loop tells of.
  public enum Outcome {
    /// Something happened to a job that goes on.
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
    let place = freePlaces.popLast() ?? jobs.count
    if place < jobs.count { jobs[place] = job } else { jobs.append(job) }
    job.begin(in: due, at: place, waking: wake)
  }

  /// Runs all jobs until something is to be told, or for so long.
  ///
  /// - Throws: `DownloadError.system` when the system refuses to be waited on; the jobs have no end then.
  public mutating func run(for duration: Duration) throws(DownloadError) -> Outcome {
    do throws(SystemError) {
      return try run(until: .now() + duration)
    } catch {
      throw .system(error)
    }
  }

  private mutating func run(until: Instant) throws(SystemError) -> Outcome {
    while true {
      while let place = due.takeFirst() {
        if let outcome = try advance(place) { return outcome }
      }
      if conclude() { continue }
      if try wait(until: until) { return .woken }
      if Instant.now() >= until { return .idle }
    }
  }

  /// Looks once and never waits (`advance`).
  mutating func advanceOnce() throws(SystemError) -> Outcome {
    var hasLooked = false
    while true {
      while let place = due.takeFirst() {
        if let outcome = try advance(place) { return outcome }
      }
      if conclude() { continue }
      if hasLooked { return .idle }
      hasLooked = true
      if try wait(until: .now()) { return .woken }
    }
  }

  var pollerRaw: Int32 { watchList.raw }

  /// A job has something to do.
  var hasDue: Bool { !due.isEmpty || !concluding.isEmpty }

  var firstDeadline: Instant? { deadlines.first }

  private mutating func advance(_ place: Int) throws(SystemError) -> Outcome? {
    guard let job = jobs[place] else { return nil }
    job.beginTurn()
    if job.isCancelled { job.download.cancel() }
    let step = job.download.advance(now: .now(), buffer: &buffer, services: &services)
    // Before any other job has its turn: it could get the number of a descriptor that was closed in this one.
    try watchInterests(of: job, at: place)
    switch step {
    case .event(let event):
      job.becomeDue()
      return .event(job, event)
    case .finished(let result):
      job.download.closeOutput()
      remove(job, from: place)
      return .finished(job, result)
    case .concluding:
      if job.beginConcluding() { concluding.append(place) }
      if !concludesTogether { conclude() }
      return nil
    case .waiting(let deadline):
      deadlines.set(place, to: deadline)
      return nil
    }
  }

  /// Gives their names to parts that are whole; false when there are none.
  @discardableResult
  private mutating func conclude() -> Bool {
    if concluding.isEmpty { return false }
    let begun = Instant.now()
    let places = concluding.prefix(PartConclusion.limit)
    PartConclusion.settle(places.compactMap { jobs[$0]?.download.conclusion })
    concludesTogether = Instant.now() - begun >= EventLoop.slowConclusion * places.count
    for place in places { jobs[place]?.didConclude() }
    concluding.removeFirst(places.count)
    return true
  }

  private mutating func remove(_ job: DownloadJob, from place: Int) {
    jobs[place] = nil
    freePlaces.append(place)
    deadlines.remove(place)
    job.end()
  }

  /// Waits for what any job waits for, and puts those in line that are due then. True when woken by somebody.
  private mutating func wait(until: Instant) throws(SystemError) -> Bool {
    let count = try watchList.wait(until: min(until, deadlines.first ?? .distantFuture))
    var isWoken = false
    for number in 0..<count {
      switch watchList.event(number) {
      case .woken: isWoken = true
      case .ready(let place): jobs[place]?.becomeDue()
      case .none: break
      }
    }
    let now = Instant.now()
    while let place = deadlines.takeFirst(dueAt: now) { jobs[place]?.becomeDue() }
    if isWoken {
      wake.drain()
      for case let job? in jobs { job.becomeDue() }  // whoever woke the loop may have cancelled one
    }
    return isWoken
  }

  /// Tells the poller what changed since the job's last turn; most often that is nothing.
  private mutating func watchInterests(of job: DownloadJob, at place: Int) throws(SystemError) {
    wanted.removeAll(keepingCapacity: true)
    job.download.appendInterests(to: &wanted)
    if wanted == job.watched { return }
    for interest in job.watched where !wanted.contains(where: { $0.serial == interest.serial }) {
      watchList.release(interest, isAtRest: services.connections.lastSerial == interest.serial)
    }
    for interest in wanted where !job.watched.contains(interest) {
      do throws(SystemError) { try watchList.watch(interest, for: place) } catch {
        guard error.isUnwatchable, job.download.cannotWatch(interest) else { throw error }
        job.becomeDue()  // it has to go by time
      }
    }
    swap(&wanted, &job.watched)
  }
}
