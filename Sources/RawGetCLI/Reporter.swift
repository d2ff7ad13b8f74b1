internal import RawGet

/// Writes to standard error: a progress line that is drawn over itself on a terminal, single lines elsewhere.
struct Reporter {
  static let redrawInterval: Duration = .milliseconds(100)

  private let isQuiet: Bool
  private let isVerbose: Bool
  private let drawsProgress: Bool
  private var isDrawn = false
  private var name: [UInt8] = []
  private let stopwatch = Stopwatch()
  private var keptAtStart: Int64 = 0

  init(_ settings: Settings) {
    isQuiet = settings.isQuiet
    isVerbose = settings.isVerbose
    drawsProgress = !settings.isQuiet && CommandSystem.isTerminal(.error)
  }

  mutating func report(_ event: DownloadEvent, of job: DownloadJob) {
    switch event {
    case .requested(let head):
      if isVerbose { write(WireTrace.lines(of: head, mark: "> ")) }
    case .responded(let head):
      if isVerbose { write(WireTrace.lines(of: head, mark: "< ")) }
    case .redirected: break
    case .found(let progress, let reason): found(progress, reason)
    case .replaced(let offset): replaced(offset)
    case .began(let progress): begin(progress, of: job)
    case .interrupted(let error, let delay):
      if isQuiet { return }
      var text = FailureSentences.cause(error)
      text.add(delay == .zero ? "; going on" : "; trying again in ")
      if delay != .zero { text.add(seconds: delay) }
      line(text)
    }
  }

  /// `found 61.42% (12.3 of 20.0 MB), resuming`, before any network traffic.
  private mutating func found(_ progress: DownloadProgress, _ reason: ResumeReason) {
    keptAtStart = progress.kept
    if isQuiet { return }
    var text = Text("found ")
    if let length = progress.completeLength, length > 0 {
      text.add(percentOf: progress.kept, length)
      text.add(" (")
      text.add(size: progress.kept, of: length)
      text.add(")")
    } else {
      text.add(size: progress.kept)
    }
    text.add(reason == .resume ? ", resuming" : ", resuming after a comparison [\(reason.code)]")
    line(text)
  }

  private mutating func replaced(_ offset: Int64) {
    keptAtStart = 0
    var text = Text("changed (11): the server has another file than the part was begun from; a new part keeps ")
    text.add(size: offset)
    text.add(", the old one waits as .part.old until it is whole")
    line(text)  // a warning: it is not for `-q` to hide
  }

  private mutating func begin(_ progress: DownloadProgress, of job: DownloadJob) {
    name = job.download.path ?? []
    keptAtStart = min(keptAtStart, progress.kept)
    if isQuiet || drawsProgress { return }
    var text = Text()
    text.add(foreign: name.isEmpty ? Array("standard output".utf8) : name)
    if progress.kept > 0 {
      text.add(", from ")
      text.add(size: progress.kept)
    }
    text.add(", ")
    if let length = progress.completeLength { text.add(size: length) } else { text.add("length unknown") }
    line(text)
  }

  /// Draws the progress line anew; does nothing where none is wanted.
  mutating func redraw(_ jobs: [DownloadJob]) {
    guard drawsProgress, let progress = jobs.first?.download.progress, progress.kept > 0 else { return }
    var text = Text("\r\u{1B}[K")
    text.add(foreign: name)
    text.add("  ")
    if let length = progress.completeLength, length > 0 {
      text.add(percentOf: progress.kept, length)
      text.add("  ")
      text.add(size: progress.kept, of: length)
    } else {
      text.add(size: progress.kept)
    }
    text.add("  ")
    addRate(progress.kept - keptAtStart, over: stopwatch.elapsed, to: &text)
    isDrawn = true
    write(text)
  }

  private func addRate(_ count: Int64, over duration: Duration, to text: inout Text) {
    let (seconds, attoseconds) = duration.components
    let milliseconds = max(seconds * 1_000 + attoseconds / 1_000_000_000_000_000, 1)
    let (thousandfold, overflowed) = count.multipliedReportingOverflow(by: 1_000)
    text.add(size: overflowed ? count / milliseconds * 1_000 : thousandfold / milliseconds)
    text.add("/s")
  }

  /// Tells how it ended, and with which exit status; nil: the loop itself failed.
  mutating func finished(_ result: DownloadResult, of job: DownloadJob?) -> Int32 {
    switch result {
    case .complete(let summary):
      finish(summary)
      return 0
    case .failed(let failure):
      if case .outputClosed = failure.error { return failure.exitCode }
      let signal = CommandSystem.receivedSignal
      let name = signal == nil ? ExitStatus.name(failure.exitCode) : "signal"
      let status = signal.map { 128 + $0 } ?? failure.exitCode
      line(FailureLine.labelled(name, status, FailureSentences.sentence(failure)))
      return status
    }
  }

  /// Tells of a line that does not read.
  mutating func refused(_ error: UsageError) -> Int32 {
    let status = UsageSentences.exitStatus(error)
    line(FailureLine.labelled(ExitStatus.name(status), status, UsageSentences.sentence(error)))
    return status
  }

  /// Everything has ended; `count` downloads were begun.
  mutating func end(count: Int) {}

  private mutating func finish(_ summary: DownloadSummary) {
    if summary.note != .downloaded { return noted(summary) }
    if isQuiet { return }
    var text = Text()
    if let path = summary.path {
      text.add(foreign: path)
      text.add(": ")
    }
    text.add(size: summary.length)
    text.add(" in ")
    text.add(seconds: stopwatch.elapsed)
    text.add(", ")
    addRate(summary.length - keptAtStart, over: stopwatch.elapsed, to: &text)
    if !summary.isLengthProven { text.add(" (complete by close, length unproven)") }
    if summary.isPrefixSampled { text.add(" (prefix sampled)") }
    if let digest = summary.digest {
      text.add(", ")
      text.add(foreign: digest)
    }
    line(text)
  }

  private mutating func noted(_ summary: DownloadSummary) {
    if case .explained = summary.note {} else if isQuiet { return }
    var text = Text()
    text.add(foreign: summary.path ?? Array("standard output".utf8))
    switch summary.note {
    case .skipped: text.add(": exists, skipped")
    case .alreadyComplete: text.add(": already complete")
    case .explained(let verdict): return CommandSystem.write(Explaining.text(verdict, summary), to: .output)
    case .downloaded: return
    }
    line(text)
  }

  /// A line of its own, whatever was drawn before.
  mutating func line(_ text: Text) {
    var whole = Text(isDrawn ? "\r\u{1B}[Krawget: " : "rawget: ")
    isDrawn = false
    whole.append(text)
    whole.add("\n")
    write(whole)
  }

  private func write(_ text: Text) { CommandSystem.write(text, to: .error) }
}
