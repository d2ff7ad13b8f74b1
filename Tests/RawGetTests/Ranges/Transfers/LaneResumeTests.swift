import LoopbackServer
import Testing

@testable import RawGet

/// What one number of connections began, another continues: a part is a prefix, however it was made.
struct LaneResumeTests {
  private static let resource = Resource(length: 4_000_000, seed: 81)
  private let folder: Folder

  init() throws { folder = try Folder() }

  struct Pair: Sendable { let first: ConnectionChoice, second: ConnectionChoice }

  static let pairs = [
    Pair(first: .exactly(1), second: .exactly(4)), Pair(first: .exactly(4), second: .exactly(1)),
    Pair(first: .exactly(2), second: .exactly(8)), Pair(first: .exactly(8), second: .automatic),
    Pair(first: .automatic, second: .exactly(4)),
  ]

  /// Ends with a server that does, and keeps more than a million bytes and less than all.
  private func begin(_ choice: ConnectionChoice, _ folder: Folder) throws -> Int64 {
    let server = try LoopbackServer { exchange in
      let limit: Int64 = 1_500_000
      let first = exchange.request.closedRange?.lowerBound ?? 0
      if first >= limit { return exchange.stall() }
      Self.resource.respond(to: exchange, .dropping(after: limit - first, .stall))
    }
    defer { server.stop() }
    let result = try end(choice, server, folder) { _ in server.stop() }
    #expect(result.name != "cancelled")
    return try #require(result.failure?.kept)
  }

  /// Runs until a million bytes are kept, then on from `interruption` to the end, which is no complete one.
  private func end(
    _ choice: ConnectionChoice, _ server: LoopbackServer, _ folder: Folder,
    by interruption: (inout Download) -> Void
  ) throws -> DownloadResult {
    var (request, options) = try Run.prepared(server.uri("/x"), folder.destination)
    options.connections = choice
    options.retryLimit = 0
    var download = Download(request, options)
    var driver = Driver(isLive: true)
    driver.run(&download, untilKept: 1_000_000)
    interruption(&download)
    let result = driver.finish(&download)
    let kept = try #require(result.failure?.kept)
    #expect(kept >= 1_000_000 && kept < Self.resource.length)
    #expect(folder.content(of: "x.part") == Self.resource.content(in: 0..<kept))
    Run.expectTheEnd(of: &download, &driver, result, in: folder)
    #expect(download.connectionCount == 0)
    return result
  }

  @Test("resumed with the overlap, and no more", arguments: pairs, transports)
  func resumed(_ pair: Pair, _ isSecure: Bool) throws {
    let kept = try begin(pair.first, folder)
    let server = try LoopbackServer(isSecure: isSecure) { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: pair.second, in: folder)
    #expect(run.name == "complete" && run.interruptions == [])
    #expect(folder.content(of: "x") == Self.resource.content)
    #expect(try folder.names == ["x"])
    let starts = server.ranges.map { Int64($0?.dropFirst(6).prefix { $0 != "-" } ?? "") ?? 0 }
    // Another port is another target: what is asked for again is the overlap.
    #expect(starts.min() == kept - 65_536)
  }

  @Test("the end of the part is not what it was", arguments: laneChoices)
  func overlapDiffers(_ choice: ConnectionChoice) throws {
    let kept = try begin(.exactly(4), folder)
    var part = try #require(folder.bytes(of: "x.part"))
    part[part.count - 1_000] ^= 1
    try folder.put(part, as: "x.part")
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: choice, in: folder)
    #expect(run.name == "complete")
    #expect(folder.content(of: "x") == Self.resource.content, "\(kept)")
    #expect(try folder.names == ["x"])
  }

  @Test("changed meanwhile", arguments: laneChoices) func changedMeanwhile(_ choice: ConnectionChoice) throws {
    _ = try begin(.exactly(4), folder)
    let changed = Self.resource.changed()
    let server = try LoopbackServer { changed.respond(to: $0) }
    defer { server.stop() }
    #expect(try Run(server.uri("/x"), over: choice, in: folder).name == "complete")
    #expect(folder.content(of: "x") == changed.content)
    #expect(try folder.names == ["x"])
  }

  @Test("S1-10 T19: cancelled in the middle, and taken up", arguments: laneChoices, transports)
  func cancelled(_ choice: ConnectionChoice, _ isSecure: Bool) throws {
    let isCancelled = Guarded(false)
    let server = try LoopbackServer(isSecure: isSecure) { exchange in
      let start = exchange.request.closedRange?.lowerBound ?? 0
      if start > 1_500_000, !isCancelled.withLock({ $0 }) { return exchange.stall() }
      Self.resource.respond(to: exchange)
    }
    defer { server.stop() }
    #expect(try end(choice, server, folder) { $0.cancel() }.name == "cancelled")
    isCancelled.withLock { $0 = true }

    for second in [ConnectionChoice.exactly(1), .exactly(4)] where second != choice {
      let run = try Run(server.uri("/x"), over: second, in: folder)
      #expect(run.name == "complete")
      #expect(folder.content(of: "x") == Self.resource.content)
      break
    }
  }
}
