import Foundation
import Glibc
import LoopbackServer

/// A pipe for the standard input of a command. What else is started meanwhile does not get it.
final class InputPipe: Sendable {
  let reading: Int32
  private let writing: Int32
  private let isClosed = Guarded(false)

  init() throws {
    // Its ends are close-on-exec from the start, as those of `pipe` are not.
    let folder = try Folder()
    let path = folder.path + "/pipe"
    guard mkfifo(path, 0o600) == 0 else { throw SetupError("mkfifo") }
    reading = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    writing = open(path, O_WRONLY | O_CLOEXEC)
    guard writing >= 0, fcntl(reading, F_SETFL, 0) == 0 else { throw SetupError("open") }
  }

  deinit {
    close()
    Glibc.close(reading)
  }

  /// All of it; waits for the reader where the pipe is full.
  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// The reader finds the end.
  func close() {
    isClosed.withLock { isClosed in
      if !isClosed { Glibc.close(writing) }
      isClosed = true
    }
  }
}
