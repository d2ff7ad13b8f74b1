internal import Posix

/// A download in the hands of a loop, which advances it when a descriptor of its own is ready or its time has come.
public final class DownloadJob {
  /// The download itself, to be asked how far it is.
  public var download: Download
  /// What its owner knows it by.
  public let number: Int

  /// Does what `cancel` does, for any thread.
  public let canceller: JobCanceller
  /// There is something to do, and the job is in line for it.
  private var isDue = false
  /// Its loop knows that its content is whole.
  private var isConcluding = false
  /// Where those of its loop wait for their turn, and what it is known by there; nil while no loop has it.
  private var line: (queue: DueQueue, place: Int)?
  /// What the poller watches for it.
  var watched: [Interest] = []

  /// Begins when a loop is given it (`EventLoop.add`).
  ///
  /// - Parameters:
  ///   - number: what its owner knows it by.
  ///   - canceller: for this job alone; one that was used ends it at its first turn.
  public init(_ download: consuming Download, number: Int = 0, canceller: JobCanceller = JobCanceller()) {
    self.download = download
    self.number = number
    self.canceller = canceller
  }

  /// Ends the download at its next turn, keeping what is here. For the thread of its loop; `canceller` is for others.
  public func cancel() {
    canceller.cancellation.note()
    becomeDue()
  }

  var isCancelled: Bool { canceller.cancellation.isRequested }

  func begin(in queue: DueQueue, at place: Int, waking wake: SharedWakeDescriptor) {
    line = (queue, place)
    canceller.cancellation.setWake(wake)
    becomeDue()
  }

  /// The loop lets go of it.
  func end() {
    line = nil
    canceller.cancellation.setWake(nil)
  }

  func becomeDue() {
    guard let line, !isDue else { return }
    isDue = true
    line.queue.append(line.place)
  }

  /// False when it has begun to: it may have a turn meanwhile.
  func beginConcluding() -> Bool {
    defer { isConcluding = true }
    return !isConcluding
  }

  func didConclude() {
    isConcluding = false
    becomeDue()
  }

  /// Its turn begins.
  func beginTurn() { isDue = false }
}
