internal import Posix

/// Ends a download from outside: from any thread, at any time, before it begins and after it has ended too.
///
/// What was asked first counts, and it stays: a download that is begun with a control that was used ends at once.
/// One control may be given to several downloads, which then end together. It keeps one descriptor open as long as it
/// lives; whether that is longer or shorter than its downloads does not matter.
public final class DownloadControl: Sendable {
  private static let pausing: UInt8 = 1
  private static let cancelling: UInt8 = 2

  private let asked = AtomicByte()
  /// Why the download can't be woken, which it is the one to say.
  private let waking: Result<SharedWakeDescriptor, SystemError>

  /// One that nobody has used. Where the system has no descriptor for it, what is run with it ends with
  /// `DownloadError.system`.
  public init() {
    do throws(SystemError) { waking = .success(try SharedWakeDescriptor()) } catch { waking = .failure(error) }
  }

  /// Ends the download with `DownloadError.cancelled`. What it has kept stays, and can be resumed.
  public func cancel() { ask(DownloadControl.cancelling) }

  /// Ends the download with `DownloadError.paused`, to be gone on with by another one for the same request: the same as
  /// `cancel`, but for what the outcome says.
  public func pause() { ask(DownloadControl.pausing) }

  private func ask(_ end: UInt8) {
    asked.setFirst(end)
    wake()
  }

  /// What was asked for; nil: to go on.
  var end: DownloadError? {
    switch asked.value {
    case DownloadControl.pausing: .paused
    case DownloadControl.cancelling: .cancelled
    default: nil
    }
  }

  func waker() throws(DownloadError) -> SharedWakeDescriptor {
    switch waking {
    case .success(let waker): return waker
    case .failure(let error): throw .system(error)
    }
  }

  func wake() {
    if case .success(let waker) = waking { waker.wake() }
  }
}
