internal import RawGet

/// A download under way, as it is watched. Times count from the start of the run.
struct ProgressTrack {
  let job: DownloadJob
  let begun: Duration
  /// Bytes that an earlier run left.
  var keptAtStart: Int64 = 0
  private var meter: SpeedMeter
  private var pace: PlainPace
  private var turn = 0
  /// The response under way was told of.
  private var hasBegun = false

  init(_ job: DownloadJob, at time: Duration) {
    self.job = job
    begun = time
    meter = SpeedMeter(at: time, count: 0)
    pace = PlainPace(at: time, job.download.progress)
  }

  /// Bytes of this run.
  var received: Int64 { max(job.download.progress.kept - keptAtStart, 0) }

  /// An earlier run left so many bytes: they took no time.
  mutating func found(_ kept: Int64, at time: Duration) {
    keptAtStart = kept
    meter = SpeedMeter(at: time, count: kept)
    pace = PlainPace(at: time, job.download.progress)
  }

  mutating func replaced() { keptAtStart = 0 }

  /// A response was accepted. True for the first one.
  mutating func begin(at time: Duration) -> Bool {
    let kept = job.download.progress.kept
    keptAtStart = min(keptAtStart, kept)
    meter = SpeedMeter(at: time, count: kept)
    if hasBegun { return false }
    hasBegun = true
    pace = PlainPace(at: time, job.download.progress)
    return true
  }

  mutating func note(at time: Duration) {
    meter.note(job.download.progress.kept, at: time)
    if !meter.isStalled { turn += 1 }
  }

  /// Whether a log gets a line now.
  mutating func isDue(at time: Duration) -> Bool { hasBegun && pace.isDue(at: time, job.download.progress) }

  /// Its path, once that is known, else where it comes from.
  var name: Text {
    var text = Text()
    if let path = job.download.path {
      text.add(foreign: path)
    } else if case .standardOutput = job.download.request.destination {
      text.add("standard output")
    } else {
      text.add(foreign: job.download.request.target.shown)
    }
    return text
  }

  var line: ProgressLine {
    let progress = job.download.progress
    var line = ProgressLine()
    line.name = name.bytes
    line.kept = progress.kept
    line.completeLength = progress.completeLength
    line.speed = meter.isStalled ? nil : meter.bytesPerSecond
    line.timeLeft = progress.completeLength.flatMap { meter.timeLeft(for: $0 - progress.kept) }
    line.connections = job.download.connectionCount
    line.turn = turn
    switch job.download.phase {
    case .connecting: line.state = progress.kept > 0 ? .resuming : .connecting
    case .comparing: line.state = .comparing
    case .receiving: line.state = .receiving
    case .verifying: line.state = .verifying
    case .waiting(let duration): line.state = .waiting(duration)
    }
    return line
  }
}
