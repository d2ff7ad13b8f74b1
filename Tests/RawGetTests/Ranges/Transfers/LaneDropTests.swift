import LoopbackServer
import Testing

@testable import RawGet

/// Connections end anywhere, and servers forget requests: what is here stays, what is missing is asked for again.
struct LaneDropTests {
  private static let resource = Resource(length: 3_000_000, seed: 31)
  private let folder: Folder

  init() throws { folder = try Folder() }

  // MARK: Lines

  /// Every connection is cut after a number of bytes of its own, in heads and in content.
  private struct Line: Sendable {
    let resource: Resource
    let conduct: Conduct
    let choice: ConnectionChoice
    private let seed: UInt64

    init(seed: UInt64) {
      self.seed = seed
      var random = SeededGenerator(seed: seed)
      resource = Resource(length: .random(in: 1...3_000_000, using: &random), seed: seed)
      choice = laneChoices[Int(seed % 4)]
      var conduct = Conduct.correct
      conduct.framing = Int.random(in: 0..<4, using: &random) == 0 ? .chunked : .contentLength
      if Int.random(in: 0..<4, using: &random) == 0 {
        conduct.longestPart = .random(in: 100_000...600_000, using: &random)
      }
      self.conduct = conduct
    }

    /// One in eight is cut as soon as it is there, and one in four in a head or right behind it.
    func cut(of connection: Int) -> LoopbackServer.Cut {
      var random = SeededGenerator(seed: seed << 32 | UInt64(connection))
      let most = [0, 400, 400, 700_000, 700_000, 700_000, 2_000_000, 2_000_000].randomElement(using: &random) ?? 0
      return LoopbackServer.Cut(after: .random(in: 0...most, using: &random), isReset: .random(using: &random))
    }
  }

  @Test("T3 T4 T19: cut anywhere, ends exact", arguments: 0..<50 as Range<UInt64>)
  func cutAnywhere(_ seed: UInt64) throws {
    let line = Line(seed: seed)
    let isSecure = RawGetVersion.hasTLS && seed % 5 == 4
    let server = try LoopbackServer(isSecure: isSecure, cut: line.cut) { line.resource.respond(to: $0, line.conduct) }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: line.choice, in: folder) {
      $0.retryLimit = 100
      if seed % 3 == 2 { $0.systemHolds = false }
    }
    #expect(run.name == "complete")
    #expect(folder.content(of: "x") == line.resource.content)
    #expect(try folder.names == ["x"])
  }

  @Test("into a pipe, nothing goes twice", arguments: 100..<120 as Range<UInt64>)
  func cutAnywhereIntoAPipe(_ seed: UInt64) throws {
    let line = Line(seed: seed)
    let server = try LoopbackServer(isSecure: false, cut: line.cut) { line.resource.respond(to: $0, line.conduct) }
    defer { server.stop() }
    let fifo = try ReadFIFO()
    let run = try Run(server.uri("/x"), to: .file(fifo.path), in: folder) {
      $1.connections = line.choice
      $1.retryLimit = 100
    }
    #expect(run.name == "complete")
    #expect(fifo.content() == line.resource.content)
    #expect(run.progress.kept == line.resource.length)
  }

  @Test("S2-4: a part holds what came, and only that", arguments: 200..<220 as Range<UInt64>)
  func givesUp(_ seed: UInt64) throws {
    let line = Line(seed: seed)
    let server = try LoopbackServer(isSecure: false) { exchange in
      var conduct = line.conduct
      if exchange.requestNumber > 3 { conduct.dropsAfter = Int64(exchange.requestNumber) * 1_000 }
      if exchange.requestNumber > 6 { return exchange.reset() }
      line.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: line.choice, in: folder) { $0.retryLimit = 2 }
    if run.name == "complete" {
      #expect(folder.content(of: "x") == line.resource.content)
      return
    }
    let kept = run.result.failure?.kept ?? -1
    #expect(run.result.failure?.exitCode == (kept > 0 ? 9 : 4))
    #expect(folder.content(of: "x.part") == (kept > 0 ? line.resource.content(in: 0..<kept) : nil))
  }

  // MARK: Requests ahead

  /// A server that can't have a second request before its first answer is out.
  struct Row: Sendable, CustomTestStringConvertible {
    let because: String
    let script: @Sendable (ServerExchange, Guarded<Set<Int>>) -> Void
    var testDescription: String { because }
  }

  static let rows = [
    Row(because: "answers the first, forgets the others") { exchange, _ in
      resource.respond(to: exchange)
      exchange.forgetMore()
    },
    Row(because: "answers the first and closes") { exchange, _ in
      var conduct = Conduct.correct
      conduct.closesAfterwards = exchange.hasMoreFromPeer
      resource.respond(to: exchange, conduct)
    },
    Row(because: "answers the first and resets") { exchange, confused in
      let connection = exchange.connectionNumber
      if confused.withLock({ $0.contains(connection) }) { return exchange.reset() }
      if exchange.hasMoreFromPeer { _ = confused.withLock { $0.insert(connection) } }
      resource.respond(to: exchange)
    },
    Row(because: "answers the second with garbage") { exchange, confused in
      let connection = exchange.connectionNumber
      if confused.withLock({ $0.contains(connection) }) {
        exchange.send("this is no answer\r\n\r\n")
        return exchange.keepOpen()
      }
      if exchange.hasMoreFromPeer { _ = confused.withLock { $0.insert(connection) } }
      resource.respond(to: exchange)
    },
    Row(because: "never has a second good answer") { exchange, _ in
      if exchange.numberOnConnection == 1 { return resource.respond(to: exchange) }
      exchange.send("this is no answer\r\n\r\n")
      exchange.keepOpen()
    },
    Row(because: "has surplus bytes behind each answer") { exchange, _ in
      guard let asked = exchange.request.closedRange?.clamped(to: 0..<resource.length), !asked.isEmpty else {
        return resource.respond(to: exchange)
      }
      exchange.send("HTTP/1.1 206 Partial Content\r\nContent-Length: \(asked.count)\r\nETag: \"first\"\r\n")
      exchange.send("Content-Range: bytes \(asked.lowerBound)-\(asked.upperBound - 1)/\(resource.length)\r\n\r\n")
      exchange.send(resource.bytes(in: asked) + Array("surplus".utf8))
      exchange.keepOpen()
    },
    Row(because: "repeats the first answer") { exchange, _ in
      if exchange.numberOnConnection == 1 { return resource.respond(to: exchange) }
      var conduct = Conduct.correct
      conduct.shiftsRange = -524_288
      resource.respond(to: exchange, conduct)
    },
  ]

  @Test(arguments: rows, laneChoices) func requestsAhead(_ row: Row, _ choice: ConnectionChoice) throws {
    let confused = Guarded(Set<Int>())
    let server = try LoopbackServer { row.script($0, confused) }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: choice, in: folder) {
      $0.timeouts.response = .milliseconds(400)
      $0.timeouts.idle = .milliseconds(400)
    }
    #expect(run.name == "complete", "\(run.interruptions)")
    #expect(folder.content(of: "x") == Self.resource.content)
    #expect(try folder.names == ["x"])
    #expect(server.connectionCount <= 24, "\(server.connectionCount) connections")
  }
}
