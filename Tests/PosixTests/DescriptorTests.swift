import Foundation
import Posix
import Testing

/// How many descriptors this process has open, the one that counts them included.
func openDescriptors() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
}

/// Whether each of many `rounds` left a descriptor open. The threads of lookups get time to close theirs, and the
/// runtime opens a few of its own when it likes.
func leaks(since before: Int, rounds: Int) -> Bool {
  for _ in 0..<10_000 {
    if openDescriptors() < before + rounds { return false }
    sched_yield()
  }
  return true
}

struct DescriptorTests {
  @Test func closesWhatItOwnsAndNothingElse() throws {
    var both: [Int32] = [0, 0]
    #expect(pipe(&both) == 0)
    defer { close(both[0]) }
    do {
      let writing = Descriptor(adopting: both[1])
      #expect(writing.raw == both[1])
    }
    #expect(ends(both[0]), "the writing end is gone")
  }

  @Test func releasedIsNotClosed() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let raw = Descriptor(adopting: ends[1]).release()
    #expect(raw == ends[1])
    #expect(write(raw, "x", 1) == 1)
    close(ends[0])
    close(raw)
  }

  /// In a process of its own, where nobody else opens any (S2-11, T21).
  @Test func everyOwnerClosesOnEveryWayOut() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try folder.put("file", "x")
      func useAll() throws {
        let directory = try folder.directory()
        _ = try directory.openFile("file".bytes)
        _ = try directory.createFile("new".bytes)
        try directory.remove("new".bytes)
        _ = try Poller()
        _ = try WakeDescriptor()
        let pair = try ConnectedPair()
        _ = pair.client.isQuiet()
        let lookup = try AddressLookup.start(host: "127.0.0.1".bytes, port: 1)
        waitFor(lookup.raw, POLLIN)
        _ = code { () throws(SystemError) in _ = try directory.openFile("fifo".bytes) }
        _ = code { () throws(SystemError) in _ = try directory.createFile("file".bytes) }
        _ = code { () throws(SystemError) in _ = try StreamSocket.connecting(to: try refusing()) }
      }
      folder.makeFIFO("fifo")
      try useAll()
      let before = openDescriptors()
      for _ in 0..<50 { try useAll() }
      #expect(!leaks(since: before, rounds: 50))
    }
  }

  /// A program started by ours must inherit none of them.
  @Test func allAreCloseOnExec() throws {
    let folder = try TemporaryFolder()
    try folder.put("file", "x")
    let directory = try folder.directory()
    let created = try directory.createFile("new".bytes)
    let opened = try directory.openFile("file".bytes)
    let written = try directory.openForWriting("file".bytes)
    let poller = try Poller()
    let wake = try WakeDescriptor()
    let lookup = try AddressLookup.start(host: "127.0.0.1".bytes, port: 1)
    let pair = try ConnectedPair()
    let raws = [
      created.raw, opened.raw, written.raw, poller.raw, wake.raw, wake.writeRaw, lookup.raw, pair.client.raw,
    ]
    for raw in raws where raw >= 0 {
      let flags = try flags(of: raw)
      #expect(flags & O_CLOEXEC != 0, "\(raw)")
    }
  }
}

/// An address that IPv4 sockets cannot connect to at all.
private func refusing() throws(SystemError) -> SocketAddress {
  guard let address = SocketAddress(literal: "255.255.255.255".bytes, port: 1) else {
    throw SystemError(code: EINVAL, operation: .connect)
  }
  return address
}
