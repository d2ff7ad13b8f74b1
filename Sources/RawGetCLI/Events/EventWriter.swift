internal import RawGet

/// `--json`: what happens, an object a line (docs/EVENTS.md). To standard output, or to standard error where content
/// goes to the other.
struct EventWriter {
  /// A download under way.
  private struct Track {
    let job: DownloadJob
    let stopwatch = Stopwatch()
    /// Bytes that an earlier run left.
    var found: Int64 = 0
    /// Bytes as last told.
    var told: Int64 = 0
  }

  /// Of one turn of the loop, a tenth of a second: however many downloads there are, a reader keeps up.
  private static let progressLimit = 32  // lines

  let stream: CommandSystem.Stream
  private let stopwatch = Stopwatch()
  private var tracks: [Track] = []
  private var succeeded: Int64 = 0
  private var failed: Int64 = 0
  private var received: Int64 = 0  // bytes

  /// nil when events are not asked for.
  init?(_ settings: Settings) {
    guard settings.writesEvents else { return nil }
    stream = if case .standardOutput? = settings.destination { .error } else { .output }
  }

  mutating func started(_ job: DownloadJob) {
    tracks.append(Track(job: job))
    var object = self.object("start", job)
    object.add("url", job.download.request.target.shown)
    write(object)
  }

  mutating func report(_ event: DownloadEvent, of job: DownloadJob) {
    switch event {
    case .requested, .responded, .routed, .progressed: return
    case .redirected(let target):
      var object = self.object("redirect", job)
      object.add("to", target.shown)
      write(object)
    case .mirrored(let target, let error): mirror("mirror", target, after: error, job)
    case .joined(let target): mirror("join", target, job)
    case .left(let target, let error): mirror("leave", target, after: error, job)
    case .found(let progress, let reason):
      update(job) { $0.found = progress.kept }
      var object = self.object("resume", job)
      add(progress, to: &object)
      object.add("reason", reason.code)
      write(object)
    case .replaced(let keeping):
      update(job) { $0.found = 0 }
      var object = self.object("replaced", job)
      object.add("kept", keeping)
      write(object)
    case .began(let progress):
      var object = self.object("begin", job)
      add(path: job.download.path, to: &object)
      add(progress, to: &object)
      write(object)
    case .interrupted(let error, let delay): interrupted(error, delay, job)
    }
  }

  private mutating func mirror(
    _ name: String, _ target: TargetURI, after error: DownloadError? = nil, _ job: DownloadJob
  ) {
    var object = self.object(name, job)
    object.add("to", target.shown)
    if let error { object.add(error) }
    object.add("kept", job.download.progress.kept)
    write(object)
  }

  private mutating func interrupted(_ error: DownloadError, _ delay: Duration, _ job: DownloadJob) {
    var object = self.object("retry", job)
    object.add(error)
    object.add("delay_ms", milliseconds(delay))
    object.add("kept", job.download.progress.kept)
    write(object)
  }

  /// Tells how far those are that went on; they take turns where there are many.
  mutating func progress() {
    var room = EventWriter.progressLimit
    var told: [Track] = []
    var rest: [Track] = []
    for var track in tracks {
      let progress = track.job.download.progress
      guard room > 0, progress.kept != track.told else {
        rest.append(track)
        continue
      }
      room -= 1
      track.told = progress.kept
      told.append(track)
      var object = self.object("progress", track.job)
      add(progress, to: &object)
      object.add("speed", rate(progress.kept - track.found, track.stopwatch.elapsed))
      write(object)
    }
    tracks = rest + told
  }

  /// `status` is the exit status that the download amounts to.
  mutating func finished(_ result: DownloadResult, of job: DownloadJob?, status: Int32) {
    let track = take(job)
    switch result {
    case .complete(let summary): completed(summary, job, track)
    case .failed(let failure):
      failed += 1
      var object = self.object("failed", job)
      if let job { object.add("url", job.download.request.target.shown) }
      object.add(failure.error)
      object.add("message", FailureSentences.sentence(failure).bytes)
      object.add("kept", failure.kept)
      add(path: failure.partPath, as: "part", to: &object)
      object.add(exit: status)
      write(object)
    }
  }

  private mutating func completed(_ summary: DownloadSummary, _ job: DownloadJob?, _ track: Track?) {
    succeeded += 1
    var object = self.object("complete", job)
    if let job { object.add("url", job.download.request.target.shown) }
    if let target = summary.finalTarget { object.add("uri", target.shown) }
    add(path: summary.path, to: &object)
    object.add("note", summary.note.code)
    if case .explained(let verdict) = summary.note { object.add("verdict", verdict.code) }
    object.add("size", summary.length)
    if summary.note == .downloaded, let track {
      let elapsed = track.stopwatch.elapsed
      let new = max(summary.length - track.found, 0)
      received += new
      object.add("received", new)
      object.add("duration_ms", milliseconds(elapsed))
      object.add("speed", rate(new, elapsed))
    }
    object.add("proven", summary.isLengthProven)
    object.add("sampled", summary.isPrefixSampled)
    object.add("digests", strings: summary.digests)
    object.add(exit: 0)
    write(object)
  }

  /// A line of a list that does not read.
  mutating func refused(_ sentence: Text, status: Int32) {
    failed += 1
    var object = self.object("refused", nil)
    object.add("message", sentence.bytes)
    object.add(exit: status)
    write(object)
  }

  func warning(_ text: Text) {
    var object = self.object("warning", nil)
    object.add("message", text.bytes)
    write(object)
  }

  /// The last line: everything has ended.
  mutating func end(status: Int32) {
    var object = self.object("summary", nil)
    object.add("complete", succeeded)
    object.add("failed", failed)
    object.add("received", received)
    object.add("duration_ms", milliseconds(stopwatch.elapsed))
    object.add("speed", rate(received, stopwatch.elapsed))
    object.add(exit: status)
    write(object)
  }

  // MARK: Pieces

  private func object(_ event: String, _ job: DownloadJob?) -> JSONObject {
    JSONObject(event: event, job: job?.number ?? 0, stopwatch)
  }

  private mutating func update(_ job: DownloadJob, _ change: (inout Track) -> Void) {
    if let index = tracks.firstIndex(where: { $0.job === job }) { change(&tracks[index]) }
  }

  private mutating func take(_ job: DownloadJob?) -> Track? {
    guard let job, let index = tracks.firstIndex(where: { $0.job === job }) else { return nil }
    return tracks.remove(at: index)
  }

  private func add(_ progress: DownloadProgress, to object: inout JSONObject) {
    object.add("kept", progress.kept)
    if let length = progress.completeLength { object.add("length", length) }
  }

  private func add(path: [UInt8]?, as name: String = "path", to object: inout JSONObject) {
    if let path { object.add(name, path) }
  }

  private func write(_ object: JSONObject) { CommandSystem.write(object.line, to: stream) }
}

extension JSONObject {
  /// What every line of events has: the version of their schema, what it is, and which download it is about (0: none).
  init(event: String, job: Int, _ stopwatch: Stopwatch) {
    self.init()
    add("v", 1)
    add("event", event)
    add("job", Int64(job))
    add("ms", milliseconds(stopwatch.elapsed))
  }

  mutating func add(_ error: DownloadError) {
    add("reason", error.code)
    if case .refused(let status, _) = error { add("http_status", Int64(status)) }
  }

  mutating func add(exit status: Int32) {
    add("exit", Int64(status))
    add("name", status > 128 ? "signal" : ExitStatus.name(status))
  }
}

extension DownloadSummary.Note {
  fileprivate var code: String {
    switch self {
    case .downloaded: "downloaded"
    case .alreadyComplete: "already-complete"
    case .notModified: "not-modified"
    case .skipped: "skipped"
    case .explained: "explained"
    }
  }
}

private func milliseconds(_ duration: Duration) -> Int64 {
  let (seconds, attoseconds) = duration.components
  return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
}

/// Bytes a second.
private func rate(_ count: Int64, _ duration: Duration) -> Int64 {
  let (thousandfold, overflowed) = count.multipliedReportingOverflow(by: 1_000)
  let time = max(milliseconds(duration), 1)
  return max(overflowed ? count / time * 1_000 : thousandfold / time, 0)
}
