internal import RawGet

/// All downloads of one run, so many at once, on one loop. Its exit status is that of the worst.
struct Run: ~Copyable {
  private let settings: Settings
  private var loop: EventLoop
  private var reporter: Reporter
  private var items: ItemSource
  /// Under way.
  private var jobs: [DownloadJob] = []
  private var followers = Followers()
  private var begun = 0
  private var worst: Int32 = 0
  private var hasAllItems = false

  static func all(_ settings: Settings) -> Int32 {
    var reporter = Reporter(settings)
    if !settings.options.tls.verifiesPeer {
      reporter.warn(FailureLine.insecure)
    }
    do throws(DownloadError) {
      makeRoom(settings, &reporter)
      let loop = try EventLoop(jobs: settings.jobs, settings.options.connections, tellsHeads: settings.isVerbose)
      CommandSystem.watchTermination(waking: loop)
      CommandSystem.watchRequests()
      var run = Run(settings, loop, reporter)
      try run.toTheEnd()
      return run.end()
    } catch {
      return reporter.finished(.failed(DownloadFailure(error: error, kept: 0, partPath: nil)), of: nil)
    }
  }

  /// As many at once as there are, and as the system has descriptors for.
  private static func makeRoom(_ settings: Settings, _ reporter: inout Reporter) {
    let wanted = settings.lists.isEmpty ? min(settings.jobs, settings.operands.count) : settings.jobs
    settings.jobs = CommandSystem.makeRoom(for: wanted, settings.options.connections)
    if settings.jobs < wanted { reporter.warn(Sentences.noRoom(for: wanted, only: settings.jobs)) }
  }

  private init(_ settings: Settings, _ loop: consuming EventLoop, _ reporter: Reporter) {
    self.settings = settings
    self.loop = loop
    self.reporter = reporter
    items = ItemSource(settings)
  }

  private mutating func toTheEnd() throws(DownloadError) {
    while true {
      if CommandSystem.receivedSignal == nil { begin() }
      let isFollowed = followers.count > 0
      if jobs.isEmpty && (hasAllItems && !isFollowed || CommandSystem.receivedSignal != nil) { return }
      if jobs.isEmpty && !isFollowed { items.wait(orWoken: loop) }
      let interval = jobs.isEmpty ? .zero : Reporter.redrawInterval
      switch try loop.run(for: isFollowed ? Followers.interval : interval) {
      case .event(let job, let event): reporter.report(event, of: job)
      case .finished(let job, let result):
        note(reporter.finished(result, of: job))
        if let index = jobs.firstIndex(where: { $0 === job }) { jobs.remove(at: index) }
        if let failure = followers.follow(result, of: job, settings) { didFail(failure) }
      case .woken:
        if CommandSystem.receivedSignal != nil { for job in jobs { job.cancel() } }
        reporter.answerRequests(expectsMore: !hasAllItems)
      case .idle: break
      }
      while let failure = followers.takeFailure() { didFail(failure) }
      reporter.redraw(expectsMore: !hasAllItems)
    }
  }

  /// What was to follow on a download failed.
  private mutating func didFail(_ failure: Text) {
    reporter.warn(failure)
    note(Followers.exitStatus)
  }

  /// Fills the places that are free.
  private mutating func begin() {
    while !hasAllItems && jobs.count + followers.count < settings.jobs {
      do throws(UsageError) {
        switch try items.next() {
        case .item(let item): begin(item)
        case .refused(let error): note(reporter.refused(error))
        case .later: return
        case .end: hasAllItems = true
        }
      } catch {
        note(reporter.refused(error))
        hasAllItems = true
      }
    }
  }

  private mutating func begin(_ item: Item) {
    begun += 1
    let job = DownloadJob(Download(item.request, settings.options(for: item)), number: begun)
    jobs.append(job)
    reporter.started(job)
    loop.add(job)
  }

  private mutating func note(_ status: Int32) { worst = ExitStatus.worse(worst, status) }

  /// A signal that ended it is let through now that everything is safe.
  private mutating func end() -> Int32 {
    reporter.end(count: begun, status: worst)
    guard let signal = CommandSystem.receivedSignal else { return worst }
    CommandSystem.die(by: signal)
  }
}
