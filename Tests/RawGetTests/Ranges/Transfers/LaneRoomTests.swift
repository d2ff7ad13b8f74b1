import LoopbackServer
import Testing

@testable import RawGet

/// The next byte is nobody's, and every lane waits with later ones: somebody brings it, and what waits is not lost.
struct LaneRoomTests {
  private static let block: Int64 = 100_000  // bytes
  private static let resource = Resource(length: 12 * block, seed: 107)
  private static let brought: Int64 = 50_000  // bytes of an answer that breaks off

  /// The second connection ends in its second answer, while the first is still read. The head of that answer is longer
  /// than those before it, so that less has come than was to be seen: the rest is asked for elsewhere, but for a few
  /// bytes, which are missed when they are the next.
  @Test func aFewBytesAreMissing() throws {
    let folder = try Folder()
    let third = Gate()
    let server = try LoopbackServer { exchange in
      var conduct = Conduct.correct
      switch (exchange.connectionNumber, exchange.numberOnConnection) {
      case (1, 2): exchange.wait(at: third)
      case (2, 2):
        conduct = .dropping(after: Self.brought, .close)
        conduct.fields = ["X-Long: " + String(repeating: "x", count: 300)]
      case (3, _): third.open()
      default: break
      }
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: .exactly(2), in: folder) { $0.blockLength = Self.block }
    #expect(run.name == "complete" && run.interruptions == [])
    #expect(folder.content(of: "x") == Self.resource.content)

    let requests = server.requests
    let second = requests.filter { $0.connection == 2 }.compactMap(\.closedRange)
    let cut = try #require(second.count > 1 ? second[1] : nil)
    var times = [Int](repeating: 0, count: Int(Self.resource.length))
    for range in requests.compactMap(\.closedRange) where range != cut {
      for place in range where place < times.count { times[Int(place)] += 1 }
    }
    let kept = Int(cut.lowerBound)..<Int(cut.lowerBound + Self.brought - 100)
    #expect(times[kept].allSatisfy { $0 == 0 }, "what had come was not asked for again")
    #expect(times.allSatisfy { $0 <= 1 }, "nor was anything else")
    #expect(server.connectionCount <= 4)
  }
}
