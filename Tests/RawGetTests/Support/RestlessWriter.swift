import Foundation
import Synchronization

/// Finishes `x.part` as `x`, again and again, always under its lock, as another process would.
final class RestlessWriter: Sendable {
  private let isStopped = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ folder: String) {
    Thread.detachNewThread { [self] in
      while !isStopped.load(ordering: .relaxed) { RestlessWriter.finish(folder + "/x.part", as: folder + "/x") }
      hasEnded.signal()
    }
  }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
    hasEnded.wait()
  }

  private static func finish(_ part: String, as name: String) {
    let descriptor = open(part, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    var (opened, named) = (stat(), stat())
    guard fstat(descriptor, &opened) == 0, stat(part, &named) == 0, opened.st_ino == named.st_ino else { return }
    rename(part, name)
  }
}
