import LoopbackServer
import Testing

@testable import RawGet

/// Blocks of one length (`--block-size`): over one connection strictly one after the other.
struct BlockTests {
  private static let length: Int64 = 1_050_000
  private static let resource = Resource(length: length, seed: 61)
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func blocks(of length: Int64, from start: Int64 = 0) -> [String?] {
    stride(from: start, to: Self.length, by: Int.Stride(length)).map { start in
      "bytes=\(start)-\(min(start + length, Self.length) - 1)"
    }
  }

  @Test("T2: closed ranges in order, on one connection", arguments: [65_536, 100_000, 1_050_000, 9_000_000] as [Int64])
  func oneAfterTheOther(_ block: Int64) throws {
    for isSecure in transports {
      let folder = try Folder()
      let server = try LoopbackServer(isSecure: isSecure) { Self.resource.respond(to: $0) }
      defer { server.stop() }
      let run = try Run(server.uri("/x"), in: folder) { $0.blockLength = block }
      #expect(run.name == "complete" && run.interruptions == [])
      #expect(folder.content(of: "x") == Self.resource.content)
      var expected = blocks(of: block)
      if block > Self.length { expected = ["bytes=0-\(block - 1)"] }  // the length is not known yet
      #expect(server.ranges == expected)
      #expect(server.connectionCount == 1)
    }
  }

  @Test("the next request waits for the whole answer") func neverTwoUnderWay() throws {
    let early = Guarded(0)
    let server = try LoopbackServer { exchange in
      guard let asked = exchange.request.closedRange?.clamped(to: 0..<Self.length) else { return }
      let last = asked.upperBound - 1
      exchange.send("HTTP/1.1 206 Partial Content\r\nContent-Length: \(asked.count)\r\nETag: \"first\"\r\n")
      exchange.send("Content-Range: bytes \(asked.lowerBound)-\(last)/\(Self.length)\r\n\r\n")
      exchange.drip(Self.resource.bytes(in: asked.lowerBound..<last), pieces: 40_000, pause: 2_000)
      if exchange.hasMoreFromPeer { early.withLock { $0 += 1 } }
      exchange.send(Self.resource.bytes(in: last..<asked.upperBound))
      exchange.keepOpen()
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder) { $0.blockLength = 200_000 }
    #expect(run.name == "complete")
    #expect(folder.content(of: "x") == Self.resource.content)
    #expect(early.withLock { $0 } == 0)
    #expect(server.ranges == blocks(of: 200_000))
  }

  @Test("T3: an interrupted block is asked for from the byte that was kept", arguments: [true, false])
  func interrupted(_ isReset: Bool) throws {
    let server = try LoopbackServer { exchange in
      let isThird = exchange.requestNumber == 3
      Self.resource.respond(to: exchange, isThird ? .dropping(after: 41_234, isReset ? .reset : .close) : .correct)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder) { $0.blockLength = 100_000 }
    #expect(run.name == "complete")
    #expect(folder.content(of: "x") == Self.resource.content)
    #expect(run.interruptions.count == 1 && run.delays == [.zero], "at once after progress")
    #expect(server.ranges == Array(blocks(of: 100_000).prefix(3)) + blocks(of: 100_000, from: 241_234))
    #expect(server.connectionCount == 2)
  }

  @Test("a server that closes between blocks costs no attempt", arguments: [0, 1])
  func closedBetween(_ retryLimit: Int) throws {
    let server = try LoopbackServer { exchange in
      var conduct = Conduct.correct
      conduct.closesAfterwards = exchange.numberOnConnection == 2
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder) {
      $0.blockLength = 100_000
      $0.retryLimit = retryLimit
    }
    #expect(run.name == "complete" && run.interruptions == [])
    #expect(folder.content(of: "x") == Self.resource.content)
    #expect(Set(server.ranges) == Set(blocks(of: 100_000)), "a block may have met the close")
  }

  /// Answers whose heads are longer than their content: nothing of the next one may be taken with one of them.
  @Test(arguments: [1, 64, 100, 1_000] as [Int64]) func tinyBlocks(_ block: Int64) throws {
    let resource = Resource(length: block * 41, seed: 62)
    for choice in [ConnectionChoice.exactly(1), .exactly(4)] {
      let folder = try Folder()
      let server = try LoopbackServer { resource.respond(to: $0) }
      defer { server.stop() }
      let run = try Run(server.uri("/x"), over: choice, in: folder) { $0.blockLength = block }
      #expect(run.name == "complete" && run.interruptions == [])
      #expect(folder.content(of: "x") == resource.content)
      #expect(server.requests.count == 41 && server.connectionCount <= (choice == .exactly(1) ? 1 : 4))
    }
  }

  @Test("over several connections, no request is for more", arguments: laneChoices)
  func overSeveral(_ choice: ConnectionChoice) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: choice, in: folder) { $0.blockLength = 70_000 }
    #expect(run.name == "complete")
    #expect(folder.content(of: "x") == Self.resource.content)
    let ranges = server.requests.map { $0.closedRange ?? 0..<Int64.max }
    #expect(ranges.allSatisfy { $0.count <= 70_000 && $0.upperBound <= Self.length })
  }
}
