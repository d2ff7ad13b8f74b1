import Foundation
import LoopbackServer
import Testing

@testable import RawGet

/// A lane that is to end keeps what lies before its cut: the others may not wait for it where the next byte is nobody's.
struct LaneEndTests {
  private static let resource = Resource(length: 3_000_000, seed: 91)
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static func head(_ asked: Range<Int64>) -> String {
    let range = "Content-Range: bytes \(asked.lowerBound)-\(asked.upperBound - 1)/\(resource.length)"
    return "HTTP/1.1 206 Partial Content\r\nContent-Length: \(asked.count)\r\nETag: \"first\"\r\n\(range)\r\n\r\n"
  }

  /// One connection is silent, and cut; the one that is read breaks; and nobody else is let in. That is the failure of
  /// the attempt, and no reason to knock for ever.
  @Test func nobodyIsLetInForTheNextByte() throws {
    let (knocked, silent) = (Gate(), Gate())
    let server = try LoopbackServer(cut: { number in
      if number == 3 { knocked.open() }
      return number > 2 ? LoopbackServer.Cut(after: 0) : nil
    }) { exchange in
      guard let asked = exchange.request.closedRange else { return exchange.reset() }
      if exchange.connectionNumber == 2 {
        exchange.send(Self.head(asked) + String(repeating: "x", count: 20_000))
        silent.open()
        return exchange.stall()
      }
      exchange.send(Self.head(asked))
      if asked.lowerBound == 0 {
        exchange.send(Self.resource.bytes(in: asked))
        return exchange.keepOpen()
      }
      exchange.wait(at: silent)
      // A piece now and then, until another connection is tried in place of the silent one.
      var start = asked.lowerBound
      while start < asked.upperBound - 100, !knocked.wait(limit: 0.02) {
        exchange.send(Self.resource.bytes(in: start..<start + 100))
        start += 100
      }
      exchange.reset()
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: .exactly(2), in: folder) { $0.retryLimit = 0 }
    #expect(run.name != "complete")
    #expect(server.connectionCount <= 40, "\(server.connectionCount): nobody knocks for ever")
    let kept = run.result.failure?.kept ?? 0
    #expect(kept >= 262_144 && folder.content(of: "x.part") == Self.resource.content(in: 0..<kept))
  }
}
