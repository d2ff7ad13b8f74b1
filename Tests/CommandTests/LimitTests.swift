import LoopbackServer
import Testing

/// Everything ends: each wait has a deadline and each size a bound. The watchdog of `RunningCommand`
/// is the only clock here: nothing asks how long it took.
struct LimitTests {
  @Test func aRefusedConnection() throws {
    let server = try LoopbackServer { $0.close() }
    server.stop()
    try Command.run(["-q", "--retry", "0", server.uri("/file.bin")]).expect(.network)
  }

  @Test func aConnectionThatIsNeverMade() throws {
    let port = try SilentPort()
    let uri = "http://127.0.0.1:\(port.port)/file.bin"
    try Command.run(["-q", "--retry", "0", "--connect-timeout", "1", uri]).expect(.network, leaving: [:], "S0-11")
  }

  @Test(arguments: ["--response-timeout", "--idle-timeout"])
  func aHeadThatNeverComes(_ option: String) throws {
    let server = try LoopbackServer { $0.stall() }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "0", option, "1", server.uri("/file.bin")])
    let codes: [ExitCode] = [.network, .incomplete]
    #expect(codes.map { .exited($0.rawValue) }.contains(run.ending), "S0-11: \(run.ending)")
    #expect(try run.folder.files.isEmpty, "S2-1")
    run.expectOneLine()
  }

  @Test func aHeadThatNeverEnds() throws {
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\n")
      exchange.sendEndlessly(Array("X-Field: value\r\n".utf8))
    }
    defer { server.stop() }
    try Command.run(["-q", "--retry", "0", server.uri("/file.bin")]).expect(.limit)
  }

  @Test func contentThatStopsComing() throws {
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
      exchange.stall()
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "0", "--idle-timeout", "1", server.uri("/file.bin")])
    try run.expect(.incomplete, leaving: ["file.bin.part": Summary("hello")], "S4-6")
  }

  @Test func theWholeRunIsBounded() throws {
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
      while exchange.send("x") { exchange.drip("x") }
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--max-time", "1", server.uri("/file.bin")])
    #expect(run.ending == .exited(ExitCode.limit.rawValue), "\(run.ending): \(run.standardError)")
    run.expectOneLine()
    #expect(try run.files.keys.sorted() == ["file.bin.part"], "what came is kept")
  }

  /// A head of this many bytes in one line, or this many fields, and whether it is within bounds.
  static let heads: [(line: Int, fields: Int, exit: ExitCode)] = [
    (60_000, 1, .ok), (70_000, 1, .limit), (20, 1_900, .ok), (20, 2_001, .limit), (50_000, 6, .limit),
  ]

  @Test(arguments: heads) func aHeadHasBounds(_ row: (line: Int, fields: Int, exit: ExitCode)) throws {
    let field = "X: " + String(repeating: "v", count: row.line) + "\r\n"
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n")
      exchange.send(String(repeating: field, count: row.fields) + "\r\nhello")
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "0", server.uri("/file.bin")])
    try run.expect(row.exit, leaving: row.exit == .ok ? ["file.bin": Summary("hello")] : [:])
  }

  @Test(arguments: [(100, ExitCode.ok), (101, .limit)])
  func interimResponsesHaveABound(_ count: Int, _ exit: ExitCode) throws {
    let server = try LoopbackServer { exchange in
      exchange.send(String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: count))
      exchange.reply("200 OK", text: "hello")
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "0", server.uri("/file.bin")])
    let ends: [Ending] =
      exit == .ok ? [.exited(0)] : [.exited(exit.rawValue), .exited(ExitCode.protocolBroken.rawValue)]
    #expect(ends.contains(run.ending), "\(count): \(run.ending)")
  }
}
