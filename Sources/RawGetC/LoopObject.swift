internal import CRawGet
internal import RawGet

/// What a `rawget_loop` is: an `EventLoop`, and what C knows its jobs by.
final class LoopObject {
  private var loop: EventLoop
  /// For any thread; all else is for the thread of the loop.
  let waker: LoopWaker
  /// By the numbers of their jobs, while they are under way.
  private var downloads: [DownloadObject?] = []
  private var freeNumbers: [Int] = []
  /// Ended as they were added; nobody was told yet.
  private var refused: [DownloadObject] = []
  /// Its texts are borrowed by the caller until the next one.
  private var last = LoopEvent.none

  init() throws(DownloadError) {
    loop = try EventLoop(jobs: 64, .exactly(1), tellsHeads: false)
    waker = loop.waker
  }

  var descriptor: Int32 { loop.descriptor ?? -1 }

  /// In milliseconds, rounded up: who waits too short finds nothing to do.
  var timeout: Int64 {
    if !refused.isEmpty { return 0 }
    guard let time = loop.timeUntilDue else { return -1 }
    let (seconds, attoseconds) = time.components
    let milliseconds = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return min(seconds, Int64.max / 2_000) * 1_000 + milliseconds
  }

  /// False when it was begun before.
  func add(_ download: DownloadObject) -> Bool {
    let number = freeNumbers.last ?? downloads.count
    switch download.begin(number: number) {
    case .impossible: return false
    case .ended: refused.append(download)
    case .job(let job):
      if freeNumbers.popLast() == nil { downloads.append(download) } else { downloads[number] = download }
      loop.add(job)
    }
    return true
  }

  /// Runs until there is something to tell, or so long; nil: without end.
  func run(for duration: Duration?) throws(DownloadError) -> LoopEvent {
    let begun = Stopwatch()
    while true {
      if let event = nextRefused() { return told(event) }
      let left = duration.map { max($0 - begun.elapsed, .zero) } ?? LoopObject.longest
      guard let event = event(of: try loop.run(for: left)) else { continue }
      if !event.isNone || duration != nil { return told(event) }
    }
  }

  private static let longest = Duration.seconds(86_400)

  /// One turn that never waits.
  func advance() throws(DownloadError) -> LoopEvent {
    while true {
      if let event = nextRefused() { return told(event) }
      if let event = event(of: try loop.advance()) { return told(event) }
    }
  }

  private func told(_ event: LoopEvent) -> LoopEvent {
    last = event
    return event
  }

  private func nextRefused() -> LoopEvent? {
    while !refused.isEmpty {
      let download = refused.removeFirst()
      if !download.isForgotten { return .finished(download) }
    }
    return nil
  }

  /// nil for what a caller does not hear of.
  private func event(of outcome: EventLoop.Outcome) -> LoopEvent? {
    switch outcome {
    case .idle: return LoopEvent.none
    case .woken: return .woken
    case .event(let job, let event):
      guard let download = downloads[job.number], !download.isForgotten else { return nil }
      return LoopEvent(event, of: download)
    case .finished(let job, let result):
      guard let download = downloads[job.number] else { return nil }
      downloads[job.number] = nil
      freeNumbers.append(job.number)
      download.end(result)
      return download.isForgotten ? nil : .finished(download)
    }
  }

  /// Ends all that is under way. Where the system fails, they end by that.
  func close() {
    for download in downloads { download?.cancel() }
    do throws(DownloadError) {
      while freeNumbers.count < downloads.count {
        guard let event = event(of: try loop.advance()), event.isNone else { continue }
        break  // none of them is due, which can't be
      }
    } catch {
      for download in downloads { download?.end(.failed(DownloadFailure(error: error, kept: 0, partPath: nil))) }
    }
  }
}
