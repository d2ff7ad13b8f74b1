import Foundation
import Posix
import Testing

/// A pair of ends that never wait.
private struct Pipe: ~Copyable {
  let reading: Int32
  let writing: Descriptor

  init() throws {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0 else {
      throw SystemFault(errno)
    }
    reading = ends[0]
    writing = Descriptor(adopting: ends[1])
  }

  deinit { close(reading) }

  /// Takes what is in the pipe; how many bytes that was.
  func drain() -> Int {
    var total = 0
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(reading, &bytes, bytes.count)
      guard count > 0 else { return total }
      total += count
    }
  }
}

struct StandardStreamTests {
  private let large = [UInt8](repeating: 0x2A, count: 1 << 20)  // more than a pipe holds

  @Test func writesWhatFits() throws {
    let pipe = try Pipe()
    for text in ["", "one line"] {
      try StandardStream.writeAll(text.bytes.span, to: pipe.writing.raw)
      #expect(pipe.drain() == text.utf8.count)
    }
  }

  @Test func waitsForAReaderToMakeRoom() throws {
    let pipe = try Pipe()
    let reading = dup(pipe.reading)
    let expected = large.count
    let hasReadAll = DispatchSemaphore(value: 0)
    let reader = Thread {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      var total = 0
      while total < expected {
        waitFor(reading, POLLIN)
        total += max(read(reading, &bytes, bytes.count), 0)
      }
      close(reading)
      hasReadAll.signal()
    }
    reader.start()
    try StandardStream.writeAll(large.span, to: pipe.writing.raw)
    #expect(hasReadAll.wait(timeout: .now() + 60) == .success)
  }

  @Test func aReaderThatLeftIsAnError() async {
    await #expect(processExitsWith: .success) {
      Signals.ignoreBrokenPipe()
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      close(ends[0])
      let failure = code { () throws(SystemError) in
        try StandardStream.writeAll("x".bytes.span, to: ends[1])
      }
      #expect(failure == EPIPE)
    }
  }

  @Test func aFullDeviceIsAnError() {
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    let failure = code { () throws(SystemError) in
      try StandardStream.writeAll("x".bytes.span, to: full)
    }
    #expect(failure == ENOSPC)
  }

  @Test func theCopyOfAPipeDoesNotWaitAndTheOriginalStillDoes() async {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      #expect(dup2(ends[1], StandardStream.output) == StandardStream.output)
      let copy = ((try? StandardStream.copyOfOutput())?.release()) ?? -1
      let copied = try flags(of: copy)
      #expect(copied & O_NONBLOCK != 0)
      #expect(copied & O_CLOEXEC != 0)
      let original = try flags(of: StandardStream.output)
      #expect(original & O_NONBLOCK == 0)
      #expect(write(copy, "x", 1) == 1)
      var byte: UInt8 = 0
      #expect(read(ends[0], &byte, 1) == 1)
    }
  }

  @Test func whatIsNoPipeIsDuplicatedAsItIs() async {
    await #expect(processExitsWith: .success) {
      let device = open("/dev/full", O_WRONLY)
      #expect(dup2(device, StandardStream.output) == StandardStream.output)
      let copy = try StandardStream.copyOfOutput()
      let copied = try flags(of: copy.raw)
      #expect(copied & O_NONBLOCK == 0, "the flag would be forced on everyone who shares it")
      #expect(copied & O_CLOEXEC != 0)
      let isAnother = copy.raw > 2
      #expect(isAnother, "closing it must not close the standard streams")
      let failure = code { () throws(SystemError) in
        try StandardStream.writeAll("x".bytes.span, to: copy.raw)
      }
      #expect(failure == ENOSPC)
    }
  }

  @Test func aClosedOutputIsAnError() async {
    await #expect(processExitsWith: .success) {
      close(StandardStream.output)
      let failure = code { () throws(SystemError) in _ = try StandardStream.copyOfOutput() }
      #expect(failure == EBADF)
    }
  }
}
