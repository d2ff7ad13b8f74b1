internal import Posix

/// A download in the hands of a loop, which advances it when a descriptor of its own is ready or its time has come.
public final class DownloadJob {
  public var download: Download
  /// What its owner knows it by.
  public let number: Int

  private(set) var isCancelled = false
  /// There is something to do, as far as the loop knows.
  var isDue = true
  /// When there will be, though nothing becomes ready.
  var deadline = Instant.distantFuture
  /// What the poller watches for it.
  var watched: [Interest] = []

  public init(_ download: consuming Download, number: Int = 0) {
    self.download = download
    self.number = number
  }

  /// Ends the download at its next turn, keeping what is here.
  public func cancel() {
    isCancelled = true
    isDue = true
  }
}
