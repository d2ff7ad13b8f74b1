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
      try stream.append(Self.bytes.span)
    }
    #expect(failure == "noSpace")
    #expect(stream.length == 0, "T17: only what was taken counts")
  }

  @Test func aDeviceTakesEverything() throws {
    let stream = try OutputStream(to: Array("null".utf8), in: devices())
    try stream.append(Self.bytes.span)
    try stream.append([UInt8]().span)
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
    _ = try sink.append([1].span, now: .now())
    let failure = failure { () throws(DownloadError) in try sink.begin(at: 0, .whole) }
    #expect(failure == "notContinuable", "what has gone by can't be seen again")
    try sink.requireSpace(for: .max)
    #expect(sink.part == nil)
  }

  // MARK: Readers

  /// A pair of connected sockets that block, as a parent may give for standard output.
  private final class Sockets {
    let reading: Int32
    let stream: RawGet.OutputStream

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      reading = ends[0]
      stream = RawGet.OutputStream(File(adopting: Descriptor(adopting: ends[1])))
    }

    deinit { close(reading) }

    func read() -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 100_000)
      let count = recv(reading, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      return Array(bytes.prefix(max(count, 0)))
    }
  }

  private func stream(to fifo: SleepyFIFO) throws -> RawGet.OutputStream {
    try RawGet.OutputStream(to: Array("pipe".utf8), in: fifo.folder.store)
  }

  /// In pieces as large as a receive may be, each kept until it is written.
  private func write(
    _ bytes: [UInt8], to stream: RawGet.OutputStream, reading read: () -> [UInt8]
  ) throws -> (read: [UInt8], heldUp: Int) {
    var (result, heldUp) = ([UInt8](), 0)
    for start in stride(from: 0, to: bytes.count, by: stream.receiveLimit) {
      try stream.append(Array(bytes[start..<min(start + stream.receiveLimit, bytes.count)]).span)
      while stream.isHeldUp {
        #expect(stream.length - stream.written <= Int64(stream.receiveLimit))
        #expect(stream.interest?.readiness == .writable && stream.delay == nil)
        heldUp += 1
        result += read()
        _ = try stream.flush()
      }
      #expect(stream.interest == nil && stream.written == stream.length)
    }
    while case let last = read(), !last.isEmpty { result += last }
    return (result, heldUp)
  }

  @Test func aFIFOGetsTheContent() throws {
    let fifo = try SleepyFIFO()
    let stream = try stream(to: fifo)
    #expect(stream.receiveLimit == OutputStream.mostKept)
    let (read, heldUp) = try write(Self.bytes, to: stream) { fifo.read(atMost: 10_007) }
    #expect(Content(read) == Content(Self.bytes) && heldUp > 0)
    #expect(stream.length == 300_000)
  }

  @Test func whatFitsIsNotKept() throws {
    let fifo = try SleepyFIFO()
    let stream = try stream(to: fifo)
    let bytes = Array(Self.bytes[..<40_000])
    try stream.append(bytes.span)
    #expect(!stream.isHeldUp && stream.written == 40_000)
    #expect(fifo.read() == bytes)
  }

  /// As the parts of one answer come.
  @Test func piecesAreKeptInOrder() throws {
    let fifo = try SleepyFIFO()
    let stream = try stream(to: fifo)
    for start in stride(from: 0, to: 120_000, by: 5_000) {
      try stream.append(Array(Self.bytes[start..<(start + 5_000)]).span)
    }
    #expect(stream.isHeldUp && stream.length == 120_000 && stream.written == Int64(fifo.waiting))
    var read: [UInt8] = []
    repeat { read += fifo.read() } while try !stream.flush()
    read += fifo.read()
    #expect(Content(read) == Content(Array(Self.bytes[..<120_000])))
  }

  /// Whatever its flags are, which others share.
  @Test func aSocketIsNotWaitedFor() throws {
    let sockets = try Sockets()
    let (read, heldUp) = try write(Self.bytes + Self.bytes, to: sockets.stream) { sockets.read() }
    #expect(Content(read) == Content(Self.bytes + Self.bytes) && heldUp > 0)
  }

  @Test func whatBlocksIsGivenAllThereIs() throws {
    let stream = try OutputStream(to: Array("null".utf8), in: devices())
    #expect(stream.receiveLimit == EventLoop.bufferCapacity)
  }

  /// Whoever owns the process ignores SIGPIPE; here that is the test.
  @Test(arguments: [1, 100_000]) func aReaderThatLeavesEndsIt(_ count: Int) throws {
    signal(SIGPIPE, SIG_IGN)
    let fifo = try SleepyFIFO()
    let stream = try stream(to: fifo)
    let bytes = Array(Self.bytes[..<count])
    #expect(failure { () throws(DownloadError) in try stream.append(bytes.span) } == "none")
    let written = stream.written
    fifo.leave()
    #expect(
      failure { () throws(DownloadError) in
        if try stream.flush() { try stream.append(bytes.span) }
      } == "outputClosed")
    #expect(stream.written == written)
  }
}
