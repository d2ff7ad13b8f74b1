import Foundation
import LoopbackServer
import Testing

@testable import RawGet

/// A server that has enough of connections says so in many ways: it is left at that, and not asked again.
struct LaneRefusalTests {
  private static let resource = Resource(length: 4_000_000, seed: 41)
  private let folder: Folder

  init() throws { folder = try Folder() }

  struct Row: Sendable, CustomTestStringConvertible {
    let because: String
    var cut: LoopbackServer.Cut?
    var refuse: @Sendable (ServerExchange) -> Void = { _ in }
    var testDescription: String { because }
  }

  static let rows = [
    Row(because: "503") { $0.reply("503 Service Unavailable", text: "no") },
    Row(because: "429, for a minute") { $0.reply("429 Too Many Requests", ["Retry-After: 60"], text: "no") },
    Row(because: "403") { $0.reply("403 Forbidden", ["Content-Type: text/html"], text: "<p>no") },
    Row(because: "509, which nobody knows") { $0.reply("509 Bandwidth Limit Exceeded", text: "no") },
    Row(because: "503 and a close") {
      $0.reply("503 Service Unavailable", ["Connection: close"], text: "no")
      $0.close()
    },
    Row(because: "a reset as soon as it is there", cut: LoopbackServer.Cut(after: 0)),
    Row(because: "a close as soon as it is there", cut: LoopbackServer.Cut(after: 0, isReset: false)),
    Row(because: "a reset for the request") { $0.reset() },
    Row(because: "a close for the request") { $0.close() },
  ]

  /// Lets in so many connections at a time.
  private final class Door: Sendable {
    private let limit: Int
    private let inside = Guarded(Set<Int>())
    private let server = Guarded<LoopbackServer?>(nil)

    init(limit: Int) { self.limit = limit }

    func belongs(to server: LoopbackServer) { self.server.withLock { $0 = server } }

    /// Asked once for each connection. One that is over waits a little, for one that has gone to be noticed.
    func admits(_ connection: Int) -> Bool {
      for _ in 0..<20 {
        let open = server.withLock { $0?.openConnections ?? [] }
        let isIn = inside.withLock { inside in
          inside.formIntersection(open)
          guard inside.count < limit else { return false }
          inside.insert(connection)
          return true
        }
        if isIn { return true }
        usleep(2_000)
      }
      return false
    }

    func holds(_ connection: Int) -> Bool { inside.withLock { $0.contains(connection) } }
  }

  @Test(arguments: rows, [1, 2]) func noMoreThanItWants(_ row: Row, _ limit: Int) throws {
    for count in [4, 8] {
      let (folder, door) = (try Folder(), Door(limit: limit))
      let server = try LoopbackServer(cut: { door.admits($0) ? nil : row.cut }) { exchange in
        door.holds(exchange.connectionNumber) ? Self.resource.respond(to: exchange) : row.refuse(exchange)
      }
      door.belongs(to: server)
      defer { server.stop() }
      let run = try Run(server.uri("/x"), over: .exactly(count), in: folder) { $0.retryLimit = 2 }
      #expect(run.name == "complete", "\(run.interruptions)")
      #expect(folder.content(of: "x") == Self.resource.content)
      #expect(run.interruptions == [], "what is refused goes through one connection less")
      // Each refusal leaves a gap, and the lane that makes room for it is replaced.
      #expect(server.connectionCount <= 2 * count, "\(server.connectionCount): refused, and not asked again")
    }
  }

  /// The refusals lie unread while the one that is served goes on slowly: such lanes are silent, and not slow.
  @Test(arguments: [429, 403]) func refusedWhileOneIsServedSlowly(_ status: Int) throws {
    let (count, pieces) = (4, Guarded(0))
    let door = Door(limit: 1)
    let server = try LoopbackServer { exchange in
      guard door.holds(exchange.connectionNumber) || door.admits(exchange.connectionNumber) else {
        return exchange.reply("\(status) No More", text: "no")
      }
      guard let asked = exchange.request.closedRange?.clamped(to: 0..<Self.resource.length) else { return }
      exchange.send("HTTP/1.1 206 Partial Content\r\nContent-Length: \(asked.count)\r\nETag: \"first\"\r\n")
      let last = asked.upperBound - 1
      exchange.send("Content-Range: bytes \(asked.lowerBound)-\(last)/\(Self.resource.length)\r\n\r\n")
      for start in stride(from: asked.lowerBound, to: asked.upperBound, by: 4_000) {
        exchange.send(Self.resource.bytes(in: start..<min(start + 4_000, asked.upperBound)))
        let sent = pieces.withLock { pieces in
          pieces += 1
          return pieces
        }
        if sent <= 125 { usleep(20_000) }  // 2.5 s: longer than any silence is taken for patience
      }
      exchange.keepOpen()
    }
    door.belongs(to: server)
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: .exactly(count), in: folder)
    #expect(run.name == "complete" && run.interruptions == [])
    #expect(folder.content(of: "x") == Self.resource.content)
    #expect(server.connectionCount <= 2 * count, "\(server.connectionCount): refused, and not asked again")
  }

  @Test("after the first answer nobody is served for a while", arguments: [429, 503])
  func everybodyIsRefused(_ status: Int) throws {
    let server = try LoopbackServer { exchange in
      // More than all lanes have asked by the time that only one is left.
      guard (2...40).contains(exchange.requestNumber) else { return Self.resource.respond(to: exchange) }
      exchange.reply("\(status) Not Now", ["Retry-After: 7"], text: "no")
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: .exactly(4), in: folder) { $0.retryLimit = 50 }
    #expect(run.name == "complete")
    #expect(folder.content(of: "x") == Self.resource.content)
    #expect(run.delays.allSatisfy { $0 == .seconds(7) } && !run.delays.isEmpty, "it said when")
  }

  /// Ranges were answered before: what fails then does not fail for them.
  @Test(arguments: [500, 503]) func aFailureLaterIsNoRefusalOfRanges(_ status: Int) throws {
    let server = try LoopbackServer { exchange in
      guard (2...40).contains(exchange.requestNumber) else { return Self.resource.respond(to: exchange) }
      exchange.reply("\(status) Trouble", text: "no")
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: .exactly(4), in: folder) { $0.retryLimit = 50 }
    #expect(run.name == "complete")
    #expect(folder.content(of: "x") == Self.resource.content)
    #expect(server.requests.allSatisfy { $0.closedRange != nil }, "all of them blocks, to the end")
  }

  @Test("a signed target that is good for a few requests", arguments: [401, 403, 404, 410])
  func signedTargetExpires(_ status: Int) throws {
    let used = Guarded([String: Int]())
    let server = try LoopbackServer { exchange in
      let target = exchange.request.target
      if target == "/x" { return exchange.redirect(to: "/signed?\(exchange.requestNumber)") }
      let uses = used.withLock { used in
        used[target, default: 0] += 1
        return used[target] ?? 0
      }
      if uses > 3 { return exchange.reply("\(status) No More", text: "expired") }
      Self.resource.respond(to: exchange)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), to: .file(folder.path(of: "x")), in: folder) {
      $1.connections = .exactly(4)
    }
    #expect(run.name == "complete", "every attempt begins where the caller said")
    #expect(folder.content(of: "x") == Self.resource.content)
  }
}
