internal import CRawGet
internal import RawGet

/// What a `rawget_download` is.
///
///     created ──run, added──▶ under way ──▶ ended
///        └── its options did not read ───────▲
@safe
final class DownloadObject {
  private enum State {
    case created(Wish)
    /// Ends so once it is run or added.
    case refused(OptionError)
    case underWay(DownloadJob)
    case ended(Ending)
  }
  private var state: State
  let userData: UnsafeMutableRawPointer?
  /// For any thread; all else is for the thread of the loop.
  let canceller = JobCanceller()
  /// The caller has freed it: nobody is told of it any more.
  private(set) var isForgotten = false

  init(_ options: UnsafePointer<rawget_options>?) {
    do throws(OptionError) {
      let raw = try unsafe rawget_options.read(options)
      unsafe userData = raw.user_data
      do throws(OptionError) { state = .created(try Wish(unsafe CallerOptions(raw))) } catch { state = .refused(error) }
    } catch {
      unsafe userData = nil
      state = .refused(error)
    }
  }

  // MARK: Its way

  enum Beginning {
    /// A job to add to a loop.
    case job(DownloadJob)
    /// It has ended at once.
    case ended
    /// It was begun before.
    case impossible
  }

  func begin(number: Int) -> Beginning {
    switch state {
    case .created(let wish):
      let job = DownloadJob(Download(wish.request, wish.options), number: number, canceller: canceller)
      state = .underWay(job)
      return .job(job)
    case .refused(let error):
      state = .ended(Ending(error))
      return .ended
    case .underWay, .ended: return .impossible
    }
  }

  func end(_ result: DownloadResult) {
    guard case .underWay(let job) = state else { return }
    state = .ended(Ending(result, job.download.progress))
  }

  /// What is under way ends at its next turn.
  func forget() {
    isForgotten = true
    if case .underWay(let job) = state { job.cancel() }
  }

  /// Of the loop's own thread.
  func cancel() { if case .underWay(let job) = state { job.cancel() } }

  // MARK: What is told

  var ending: Ending? {
    guard case .ended(let ending) = state else { return nil }
    return ending
  }

  var progress: DownloadProgress {
    switch state {
    case .created, .refused: DownloadProgress()
    case .underWay(let job): job.download.progress
    case .ended(let ending): ending.progress
    }
  }

  var rawProgress: rawget_progress {
    var raw = rawget_progress()
    (raw.kept, raw.complete_length) = (progress.kept, progress.completeLength ?? -1)
    switch state {
    case .created, .refused: raw.phase = Int32(RAWGET_PHASE_CREATED.rawValue)
    case .underWay(let job):
      raw.phase = job.download.phase.raw
      raw.connections = Int32(truncatingIfNeeded: job.download.connectionCount)
    case .ended: raw.phase = Int32(RAWGET_PHASE_ENDED.rawValue)
    }
    return raw
  }
}

extension DownloadPhase {
  fileprivate var raw: Int32 {
    let phase =
      switch self {
      case .connecting: RAWGET_PHASE_CONNECTING
      case .comparing: RAWGET_PHASE_COMPARING
      case .receiving: RAWGET_PHASE_RECEIVING
      case .verifying: RAWGET_PHASE_VERIFYING
      case .waiting: RAWGET_PHASE_WAITING
      }
    return Int32(phase.rawValue)
  }
}
