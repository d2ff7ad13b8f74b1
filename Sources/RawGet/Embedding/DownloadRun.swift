// The blocking form: a download with a loop of its own, on the thread that asks for it.
extension Download {
  /// Downloads, and returns when it has ended.
  ///
  /// Everything happens on the calling thread, but for the resolution of names. Nothing is printed, no signal's
  /// disposition is touched, and nothing is left behind but the files that the result names.
  ///
  /// - Parameter control: to end it from another thread.
  /// - Returns: How it ended, an end by `control` included: the one outcome.
  public consuming func run(_ control: DownloadControl = DownloadControl()) -> DownloadResult {
    DownloadRun(self, control).toTheEnd(.seconds(3_600), tellsHeads: false) { event in _ = event }
  }

  /// Downloads, tells what happens meanwhile, and returns when it has ended.
  ///
  /// - Parameters:
  ///   - control: to end it from another thread, or from `onEvent`.
  ///   - interval: how often `DownloadEvent.progressed` comes at most, and only when there is progress.
  ///   - tellsHeads: `DownloadEvent.requested` and `DownloadEvent.responded` are wanted too. A request's head holds
  ///     credentials.
  ///   - onEvent: called on the calling thread, never after this returns. Meanwhile nothing is received.
  /// - Returns: How it ended, an end by `control` included: the one outcome.
  public consuming func run(
    _ control: DownloadControl = DownloadControl(), progressEvery interval: Duration = .milliseconds(200),
    tellsHeads: Bool = false, onEvent: (DownloadEvent) -> Void
  ) -> DownloadResult {
    DownloadRun(self, control).toTheEnd(interval, tellsHeads: tellsHeads, onEvent: onEvent)
  }
}

/// One download on a loop of its own.
private struct DownloadRun {
  private let job: DownloadJob
  private let control: DownloadControl
  private var told: Int64 = 0  // bytes kept, when they were last told

  init(_ download: consuming Download, _ control: DownloadControl) {
    job = DownloadJob(download)
    self.control = control
  }

  consuming func toTheEnd(
    _ interval: Duration, tellsHeads: Bool, onEvent: (DownloadEvent) -> Void
  ) -> DownloadResult {
    // Another download may wait for the same: what woke this one is taken out of the descriptor.
    defer { if control.end != nil { control.wake() } }
    do throws(DownloadError) {
      var loop = try EventLoop(waker: control.waker(), tellsHeads: tellsHeads)
      loop.add(job)
      while true {
        if control.end != nil { job.cancel() }
        switch try loop.run(for: interval) {
        case .event(_, let event): onEvent(event)
        case .finished(_, let result): return told(result)
        case .woken: continue
        case .idle: tellProgress(onEvent)
        }
      }
    } catch {
      return job.download.end(failing: error)
    }
  }

  private mutating func tellProgress(_ onEvent: (DownloadEvent) -> Void) {
    let progress = job.download.progress
    if progress.kept == told { return }
    told = progress.kept
    onEvent(.progressed(progress))
  }

  /// The loop knows one way to end a download.
  private func told(_ result: DownloadResult) -> DownloadResult {
    guard case .failed(let failure) = result, case .cancelled = failure.error, let end = control.end else {
      return result
    }
    return .failed(failure.replacing(end))
  }
}
