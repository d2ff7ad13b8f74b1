import Foundation
import Testing

@testable import RawGet

/// A FIFO whose reader is there from the start, and reads when it is told to.
final class SleepyFIFO {
  /// What a FIFO holds on Linux.
  static let capacity = 65_536  // bytes

  let folder: Folder
  let path: [UInt8]
  private var reading: Int32

  init() throws {
    folder = try Folder()
    path = folder.path(of: "pipe")
    try #require(mkfifo(folder.path + "/pipe", 0o600) == 0)
    reading = open(folder.path + "/pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(reading >= 0)
  }

  deinit { leave() }

  /// Bytes that wait for the reader.
  var waiting: Int {
    var count: Int32 = 0
    _ = ioctl(reading, UInt(FIONREAD), &count)
    return Int(count)
  }

  /// What is there, at most so much of it.
  func read(atMost count: Int = capacity) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let count = Glibc.read(reading, &bytes, bytes.count)
    return Array(bytes.prefix(max(count, 0)))
  }

  /// The reader goes, and nobody comes instead.
  func leave() {
    if reading >= 0 { close(reading) }
    reading = -1
  }
}
