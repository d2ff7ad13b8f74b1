internal import RawGet

/// Says what happens: to a person on standard error, to programs as events. Lines about one of several downloads name it.
struct Reporter {
  static let redrawInterval: Duration = .milliseconds(100)

  private let isQuiet: Bool
  private let isVerbose: Bool
  /// Tells programs what this tells people.
  private var events: EventWriter?
  private let style: ProgressStyle
  private var display: Display
  /// The run may have more than one download.
  private let isBatch: Bool
  /// How many downloads there will be; nil: lists tell as they are read.
  private let expected: Int?
  private var started = 0
  private var progress = RunProgress()
  private let stopwatch = Stopwatch()
  private var redrawn: Duration = .zero
  /// Something changed that is worth showing before the time has come.
  private var isRedrawDue = false

  init(_ settings: Settings) {
    events = EventWriter(settings)
    isQuiet = settings.isQuiet || settings.writesEvents
    isVerbose = settings.isVerbose
    isBatch = settings.operands.count > 1 || !settings.lists.isEmpty
    expected = settings.lists.isEmpty ? settings.operands.count : nil
    let terminal = TerminalKind { CommandSystem.variable($0) }
    style = events?.stream == .error ? .none : settings.progress.resolved(settings, terminal)
    display = Display(terminal)
  }

  mutating func started(_ job: DownloadJob) {
    events?.started(job)
    started += 1
    progress.start(job, at: stopwatch.elapsed)
  }

  mutating func report(_ event: DownloadEvent, of job: DownloadJob) {
    events?.report(event, of: job)
    switch event {
    case .requested(let head):
      if isVerbose { write(WireTrace.lines(of: head, mark: "> ")) }
    case .responded(let head):
      if isVerbose { write(WireTrace.lines(of: head, mark: "< ")) }
    case .routed(let target, let proxy):
      if isVerbose { write(WireTrace.route(to: target, via: proxy)) }
    case .redirected, .progressed: break
    case .mirrored(let target, let error):
      if !isQuiet { line(Sentences.mirrored(to: target, error), about: job) }
    case .joined(let target):
      if !isQuiet { line(Sentences.joined(target), about: job) }
    case .left(let target, let error):
      if !isQuiet { line(Sentences.left(target, error), about: job) }
    case .found(let found, let reason):
      let now = stopwatch.elapsed
      progress.change(job) { $0.found(found.kept, at: now) }
      if !isQuiet { line(Sentences.found(found, reason), about: job) }
    case .replaced(let offset):
      progress.change(job) { $0.replaced() }
      line(Sentences.replaced(keeping: offset), about: job)  // a warning: it is not for `-q` to hide
    case .began(let began): begin(began, of: job)
    case .interrupted(let error, let delay):
      if !isQuiet { line(Sentences.interrupted(error, delay), about: job) }
    }
  }

  private mutating func begin(_ began: DownloadProgress, of job: DownloadJob) {
    let now = stopwatch.elapsed
    var isFirst = false
    progress.change(job) { isFirst = $0.begin(at: now) }
    if case .verifying = job.download.phase { isRedrawDue = true }  // which takes its time in one go
    guard isFirst, !isQuiet, case .plain = style, let track = progress.track(job) else { return }
    line(Sentences.began(track.name, began))
  }

  /// Tells how far everything is, where that is wanted and due.
  ///
  /// - Parameter expectsMore: not all downloads have begun.
  mutating func redraw(expectsMore: Bool) {
    let now = stopwatch.elapsed
    guard isRedrawDue || now - redrawn >= Reporter.redrawInterval else { return }
    redrawn = now
    isRedrawDue = false
    events?.progress()
    progress.note(at: now)
    switch style {
    case .bar:
      let total = isBatch ? total(expectsMore) : nil
      if !progress.tracks.isEmpty { display.draw(progress.tracks.map { $0.line }, total: total) }
    case .plain:
      if let track = progress.takeDue(at: now) { line(Sentences.underWay(track.line)) }
      if progress.isTotalDue(at: now) { line(Sentences.underWay(total(expectsMore))) }
    case .automatic, .json, .none: break
    }
  }

  /// What signals asked for: a line about now, however quiet; and a new drawing on another screen.
  mutating func answerRequests(expectsMore: Bool) {
    let requests = CommandSystem.takeRequests()
    if requests.redraw { display.forget() }
    guard requests.report else { return }
    progress.note(at: stopwatch.elapsed)
    let one = progress.tracks.count == 1 ? progress.tracks.first : nil
    line(Sentences.underWay(one?.line ?? total(expectsMore)))
  }

  private func total(_ expectsMore: Bool) -> ProgressLine {
    progress.total(expectsMore: expectsMore && started != expected)
  }

  /// Tells how it ended, and with which exit status; nil: the loop itself failed.
  mutating func finished(_ result: DownloadResult, of job: DownloadJob?) -> Int32 {
    let track = job.flatMap { progress.track($0) }
    progress.end(job, result)
    switch result {
    case .complete(let summary):
      events?.finished(result, of: job, status: 0)
      finish(summary, track)
      return 0
    case .failed(let failure):
      let signal = CommandSystem.receivedSignal
      let name = signal == nil ? ExitStatus.name(failure.exitCode) : "signal"
      let status = signal.map { 128 + $0 } ?? failure.exitCode
      events?.finished(result, of: job, status: status)
      if case .outputClosed = failure.error { return status }
      let sentence = named(FailureSentences.sentence(failure), job == nil ? nil : track)
      line(FailureLine.labelled(name, status, sentence))
      return status
    }
  }

  private mutating func finish(_ summary: DownloadSummary, _ track: ProgressTrack?) {
    if case .explained(let verdict) = summary.note {
      if events == nil { CommandSystem.write(Explaining.text(verdict, summary), to: .output) }
      return
    }
    if let failure = summary.attributeFailure {
      var text = Text("warning: the file's attributes do not say where it is from: ")
      text.append(FailureSentences.cause(failure))
      warn(text)
    }
    if isQuiet { return }
    let elapsed = stopwatch.elapsed - (track?.begun ?? .zero)
    line(Sentences.complete(summary, received: summary.length - (track?.keptAtStart ?? 0), elapsed))
  }

  /// Tells of a line that does not read.
  mutating func refused(_ error: UsageError) -> Int32 {
    progress.refuse()
    let status = UsageSentences.exitStatus(error)
    events?.refused(UsageSentences.sentence(error), status: status)
    line(FailureLine.labelled(ExitStatus.name(status), status, UsageSentences.sentence(error)))
    return status
  }

  /// Everything has ended; `count` downloads were begun.
  mutating func end(count: Int, status: Int32) {
    events?.end(status: status)
    if isBatch && !isQuiet && count > 0 { line(progress.summary(stopwatch.elapsed)) }
    display.end()
  }

  mutating func warn(_ text: Text) {
    events?.warning(text)
    line(text)
  }

  // MARK: Lines

  private mutating func line(_ text: Text, about job: DownloadJob) { line(named(text, progress.track(job))) }

  private func named(_ text: Text, _ track: ProgressTrack?) -> Text {
    guard isBatch, let track else { return text }
    var named = track.name
    named.add(": ")
    named.append(text)
    return named
  }

  /// A line of its own, whatever was drawn before.
  mutating func line(_ text: Text) {
    var whole = Text("rawget: ")
    whole.append(text)
    whole.add("\n")
    write(whole)
  }

  /// Where events go, nothing else does.
  private mutating func write(_ text: Text) {
    if events?.stream != .error { display.print(text) }
  }
}
