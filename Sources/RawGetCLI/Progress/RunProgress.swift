internal import RawGet

/// What a run has come to: the downloads under way, and the sums of those that have ended.
struct RunProgress {
  /// In the order in which they began, which is that of their numbers.
  private(set) var tracks: [ProgressTrack] = []
  private var downloaded: Int64 = 0
  private var already: Int64 = 0
  private var skipped: Int64 = 0
  private var failed: Int64 = 0
  /// By the caller: nothing went wrong with them.
  private var interrupted: Int64 = 0
  /// Of downloads that have ended, in bytes: all that is here, and what this run brought.
  private var endedLength: Int64 = 0
  private var endedReceived: Int64 = 0
  private var meter = SpeedMeter(at: .zero, count: 0)
  private var pace = PlainPace(at: .zero, DownloadProgress())
  private var turn = 0

  mutating func start(_ job: DownloadJob, at time: Duration) { tracks.append(ProgressTrack(job, at: time)) }

  func track(_ job: DownloadJob) -> ProgressTrack? { index(of: job).map { tracks[$0] } }

  /// By halves: there may be a thousand, and every event asks.
  private func index(of job: DownloadJob) -> Int? {
    var (low, high) = (0, tracks.count)
    while low < high {
      let middle = (low + high) / 2
      if tracks[middle].job.number < job.number { low = middle + 1 } else { high = middle }
    }
    return low < tracks.count && tracks[low].job === job ? low : nil
  }

  mutating func change(_ job: DownloadJob, _ change: (inout ProgressTrack) -> Void) {
    if let index = index(of: job) { change(&tracks[index]) }
  }

  mutating func end(_ job: DownloadJob?, _ result: DownloadResult) {
    if let job, let index = index(of: job) {
      endedReceived += tracks.remove(at: index).received
    }
    switch result {
    case .complete(let summary):
      endedLength += summary.length
      switch summary.note {
      case .downloaded, .explained: downloaded += 1
      case .alreadyComplete, .notModified: already += 1
      case .skipped: skipped += 1
      }
    case .failed(let failure):
      if case .cancelled = failure.error { interrupted += 1 } else { failed += 1 }
    }
  }

  mutating func refuse() { failed += 1 }

  mutating func note(at time: Duration) {
    for index in tracks.indices { tracks[index].note(at: time) }
    meter.note(received, at: time)
    if !meter.isStalled { turn += 1 }
  }

  private var received: Int64 { tracks.reduce(endedReceived) { $0 + $1.received } }

  /// Those of which a log says something now. Several at once say when they begin and end, and their sum is said.
  mutating func takeDue(at time: Duration) -> ProgressTrack? {
    guard tracks.count == 1, tracks[0].isDue(at: time) else { return nil }
    return tracks[0]
  }

  mutating func isTotalDue(at time: Duration) -> Bool {
    tracks.count > 1 && pace.isDue(at: time, DownloadProgress())
  }

  /// - Parameter expectsMore: more downloads will begin, so that the whole is not known.
  func total(expectsMore: Bool) -> ProgressLine {
    var line = ProgressLine()
    line.name = Text("total, \(downloaded + already + skipped + failed + interrupted) done").bytes
    line.turn = turn
    line.kept = endedLength
    var length: Int64? = expectsMore ? nil : endedLength
    var isWaiting = true
    for track in tracks {
      let progress = track.job.download.progress
      line.kept += progress.kept
      length = length.flatMap { sum in progress.completeLength.map { sum + $0 } }
      line.connections += track.job.download.connectionCount
      if case .waiting = track.job.download.phase {} else { isWaiting = false }
    }
    line.completeLength = length
    if isWaiting, let first = tracks.first { line.state = first.line.state }
    line.speed = meter.isStalled ? nil : meter.bytesPerSecond
    line.timeLeft = length.flatMap { meter.timeLeft(for: $0 - line.kept) }
    return line
  }

  /// `12 downloaded, 1 already complete, 2 failed; 120 MB in 3.2 s, 37 MB/s`
  func summary(_ elapsed: Duration) -> Text {
    var text = Text("\(downloaded) downloaded")
    if already > 0 { text.append(", \(already) already complete") }
    if skipped > 0 { text.append(", \(skipped) skipped") }
    if failed > 0 { text.append(", \(failed) failed") }
    if interrupted > 0 { text.append(", \(interrupted) interrupted") }
    text.add("; ")
    text.add(size: received)
    text.add(" in ")
    text.add(seconds: elapsed)
    text.add(", ")
    text.add(rate: received, over: elapsed)
    return text
  }
}

extension Text {
  /// The mean of so many bytes in that time.
  mutating func add(rate count: Int64, over duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let milliseconds = max(seconds * 1_000 + attoseconds / 1_000_000_000_000_000, 1)
    let (thousandfold, overflowed) = count.multipliedReportingOverflow(by: 1_000)
    add(size: overflowed ? count / milliseconds * 1_000 : thousandfold / milliseconds)
    add("/s")
  }
}
