import Foundation
import LoopbackServer
import Posix
import Testing

@testable import RawGet

/// Devices and FIFOs: content goes by (docs/PROMISES.md: no space is 14, a reader that has gone is no accident).
struct OutputStreamTests {
  private static let bytes = Resource(length: 300_000, seed: 9).bytes

  private func devices() throws -> any FileStore { try SystemFiles().directory(Array("/dev".utf8)) }

  private func failure(_ body: () throws(DownloadError) -> Void) -> String {
    do throws(DownloadError) {
      try body()
      return "none"
    } catch {
      return name(of: error)
    }
  }

  @Test func aFullDeviceIsSaid() throws {
    let stream = try OutputStream(to: Array("full".utf8), in: devices())
    let failure = failure { () throws(DownloadError) in
      try stream.append(Self.bytes.span, deadline: nil, wake: -1)
    }
    #expect(failure == "noSpace")
    #expect(stream.length == 0, "T17: only what was taken counts")
  }

  @Test func aDeviceTakesEverything() throws {
    let stream = try OutputStream(to: Array("null".utf8), in: devices())
    try stream.append(Self.bytes.span, deadline: nil, wake: -1)
    try stream.append([UInt8]().span, deadline: nil, wake: -1)
    #expect(stream.length == Int64(Self.bytes.count))
  }

  @Test func whatIsNotThereIsAnErrorOfTheFile() throws {
    let directory = try devices()
    #expect(
      failure { () throws(DownloadError) in _ = try OutputStream(to: Array("no such".utf8), in: directory) } == "file")
  }

  @Test func aStreamIsNotComparedWith() throws {
    let sink = ContentSink(.stream(try OutputStream(to: Array("null".utf8), in: devices())))
    try sink.begin(at: 0, .whole)  // nothing was written yet
    _ = try sink.append([1].span, now: .now(), deadline: nil, wake: -1)
    let failure = failure { () throws(DownloadError) in try sink.begin(at: 0, .whole) }
    #expect(failure == "notContinuable", "what has gone by can't be seen again")
    try sink.requireSpace(for: .max)
    #expect(sink.part == nil)
  }

  // MARK: FIFOs

  /// A FIFO with a reader, so that opening it does not wait.
  private final class FIFO {
    let folder: Folder
    let reading: Int32

    init() throws {
      folder = try Folder()
      try #require(mkfifo(folder.path + "/pipe", 0o600) == 0)
      reading = open(folder.path + "/pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    }

    deinit { close(reading) }

    func stream() throws -> RawGet.OutputStream {
      try RawGet.OutputStream(to: Array("pipe".utf8), in: folder.store)
    }

    func read() -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = Glibc.read(reading, &bytes, bytes.count)
      return Array(bytes.prefix(max(count, 0)))
    }
  }

  @Test func aFIFOGetsTheContent() throws {
    let fifo = try FIFO()
    let stream = try fifo.stream()
    let bytes = Array(Self.bytes[..<40_000])  // a pipe holds 65,536
    try stream.append(bytes.span, deadline: nil, wake: -1)
    #expect(fifo.read() == bytes)
    #expect(stream.length == 40_000)
  }

  /// Whoever owns the process ignores SIGPIPE; here that is the test.
  @Test func aReaderThatLeavesEndsIt() throws {
    signal(SIGPIPE, SIG_IGN)
    let fifo = try FIFO()
    let stream = try fifo.stream()
    #expect(failure { () throws(DownloadError) in try stream.append([1].span, deadline: nil, wake: -1) } == "none")
    let other = open("/dev/null", O_RDONLY)
    dup2(other, fifo.reading)
    close(other)
    #expect(
      failure { () throws(DownloadError) in try stream.append([2].span, deadline: nil, wake: -1) } == "outputClosed")
    #expect(stream.length == 1)
  }
}
