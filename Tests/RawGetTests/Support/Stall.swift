import Foundation
import LoopbackServer

/// How a script tells a `Driver` that nothing more will come until time passes: readable once for each `raise`.
final class Stall: Sendable {
  let descriptor: Int32
  private let writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    let outcome = pipe(&ends)
    precondition(outcome == 0, "no pipe")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(writing)
  }

  func raise(times count: Int = 1) {
    let bytes = [UInt8](repeating: 0, count: count)
    precondition(write(writing, bytes, count) == count)
  }

  /// Takes one `raise` back; false if there is none.
  func lower() -> Bool {
    guard Stall.isReadable(descriptor) else { return false }
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) == 1
  }

  static func isReadable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
  }
}

extension ServerExchange {
  /// Falls silent for good, once all that was sent is in the client's system.
  func stall(_ stall: Stall) {
    awaitDelivery()
    stall.raise()
    self.stall()
  }
}
