import Foundation
import LoopbackServer
import Posix
import Testing

@testable import RawGet

/// What one turn of the loop does for a transfer: other downloads wait for its end.
struct LaneTurnTests {
  private static let block: Int64 = 100_000  // bytes
  private static let resource = Resource(length: 8 * block, seed: 101)

  /// Everything is there before it is read: a turn takes one answer all the same.
  @Test(arguments: transports) func oneAnswerATurn(_ isSecure: Bool) throws {
    let folder = try Folder()
    let (gate, delivered) = (Gate(), Guarded(Set<Int64>()))
    let server = try LoopbackServer(isSecure: isSecure) { exchange in
      guard let asked = exchange.request.closedRange else { return exchange.reply("400 Bad Request") }
      let range = "Content-Range: bytes \(asked.lowerBound)-\(asked.upperBound - 1)/\(Self.resource.length)"
      exchange.send("HTTP/1.1 206 Partial Content\r\nETag: \"a\"\r\n\(range)\r\nContent-Length: \(asked.count)\r\n\r\n")
      if asked.lowerBound == 0 { exchange.wait(at: gate) }
      exchange.send(Self.resource.bytes(in: asked))
      exchange.awaitDelivery()
      _ = delivered.withLock { $0.insert(asked.lowerBound) }
      exchange.keepOpen()
    }
    defer { server.stop() }
    var (request, options) = try Run.prepared(server.uri("/x"), folder.destination)
    request.destination = folder.destination
    (options.connections, options.blockLength) = (.exactly(4), Self.block)
    let turns = Turns(Download(request, options))
    // The first one and what is asked for behind it on its connection come when the gate is open: as good as all is there
    // then. On a machine that is so slow that lanes are replaced meanwhile there is less to see.
    for _ in 0..<4_000 where delivered.withLock({ $0.count }) < 6 { try #require(turns.advance()) }
    gate.open()
    for _ in 0..<2_000 where delivered.withLock({ $0.count }) < 8 { usleep(1_000) }
    while turns.advance() {}
    #expect(turns.most <= Self.block)
    #expect(turns.download.progress.kept == Self.resource.length)
    #expect(folder.content(of: "x") == Self.resource.content)
  }
}

/// A download advanced by hand, a turn at a time.
private final class Turns {
  var download: Download
  private var buffer = ReceiveBuffer(capacity: EventLoop.bufferCapacity)
  private var services = Services()
  /// The most that a turn has kept so far, in bytes.
  private(set) var most: Int64 = 0

  init(_ download: consuming Download) { self.download = download }

  /// A turn, and what is waited for then; false at the end.
  func advance() -> Bool {
    let (before, now) = (download.progress.kept, Instant.now())
    let step = download.advance(now: now, buffer: &buffer, services: &services)
    most = max(most, download.progress.kept - before)
    switch step {
    case .event: return true
    case .finished: return false
    case .concluding:
      PartConclusion.settle(download.conclusion.map { [$0] } ?? [])
      return true
    case .waiting(let until):
      var interests: [Interest] = []
      download.appendInterests(to: &interests)
      var entries = interests.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN | POLLOUT), revents: 0) }
      for index in entries.indices where !interests[index].readiness.contains(.writable) {
        entries[index].events = Int16(POLLIN)
      }
      // Looks again now and then: the time that the download names is not what is tested.
      poll(&entries, nfds_t(entries.count), until <= now ? 0 : 5)
      return true
    }
  }
}
