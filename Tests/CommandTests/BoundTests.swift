import LoopbackServer
import Testing

/// What is too slow, too large or too far.
struct BoundTests {
  static let resource = Resource(length: 300_000)

  // MARK: --min-speed

  @Test func aSlowConnectionIsLeftForAnother() throws {
    let server = try LoopbackServer { exchange in
      if exchange.requestNumber > 1 { return Self.resource.respond(to: exchange) }
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\nETag: \"first\"\r\n\r\n")
      exchange.drip(Self.resource.bytes, pieces: 10, pause: 20_000)  // 500 bytes in a second
    }
    defer { server.stop() }
    let run = try Command.run(["--min-speed", "5K:1", server.uri("/file.bin")])
    try run.expectWhole(Self.resource, saying: ["slower"], "it reconnects, and does not give up")
    #expect(server.requests.count == 2)
    #expect(server.requests.last?.field("Range")?.hasPrefix("bytes=") == true, "and goes on where it was")
  }

  @Test func aFastOneIsKept() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    try Command.run(["-q", "--min-speed", "1K", server.uri("/file.bin")])
      .expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
    #expect(server.connectionCount == 1)
  }

  // MARK: --max-filesize

  static let large: [(String, Conduct.Framing, String)] = [
    ("299999", .contentLength, "said by Content-Length"),
    ("1", .contentLength, "far too large"),
    ("292K", .contentLength, "299,008 bytes"),
    ("299999", .chunked, "found while it streams"),
    ("1K", .chunked, "found while it streams"),
    ("299999", .untilClose, "found while it streams"),
  ]

  @Test(arguments: large)
  func isTooLarge(_ row: (limit: String, framing: Conduct.Framing, because: String)) throws {
    let server = try LoopbackServer { exchange in
      var conduct = Conduct()
      conduct.framing = row.framing
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--max-filesize", row.limit, server.uri("/file.bin")])
    #expect(run.ending == .exited(ExitCode.limit.rawValue), "\(row.because): \(run.standardError)")
    run.expectOneLine()
    #expect(server.requests.count == 1, "\(row.because): not tried again")
    let kept = run.folder.size(of: "file.bin.part")
    #expect(try run.files["file.bin"] == nil)
    #expect(kept < 300_000 && (row.framing != .contentLength || kept == -1), "\(row.because): \(kept) bytes")
  }

  @Test(arguments: ["300000", "293K", "1G"]) func isSmallEnough(_ limit: String) throws {
    for framing: Conduct.Framing in [.contentLength, .chunked] {
      let server = try LoopbackServer { exchange in
        var conduct = Conduct()
        conduct.framing = framing
        Self.resource.respond(to: exchange, conduct)
      }
      defer { server.stop() }
      try Command.run(["-q", "--max-filesize", limit, server.uri("/file.bin")])
        .expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], limit)
    }
  }

  @Test func aPartOfALargerFileIsNotContinued() throws {
    let rerun = try Rerun()
    let run = try rerun.again(["-q", "--max-filesize", "1999999"])
    try run.expect(
      .limit, leaving: ["file.bin.part": Summary(Rerun.resource.bytes(in: 0..<Rerun.kept))], "nothing is lost")
    let raised = try rerun.again(["--max-filesize", "2000000"])
    try raised.expectWhole(Rerun.resource)
  }

  // MARK: --max-redirects

  @Test(arguments: [(0, 0), (0, 1), (1, 1), (1, 2), (20, 20), (nil, 20), (nil, 21), (30, 25)] as [(Int?, Int)])
  func followsSoManyRedirects(_ row: (limit: Int?, count: Int)) throws {
    let server = try LoopbackServer { exchange in
      guard exchange.requestNumber <= row.count else { return exchange.reply("200 OK", text: "hello") }
      exchange.redirect(to: "/next")
    }
    defer { server.stop() }
    let options = row.limit.map { ["--max-redirects", String($0)] } ?? []
    let run = try Command.run(["-q", "-o", "file"] + options + [server.uri("/start")])
    if row.count <= row.limit ?? 20 {
      try run.expect(.ok, leaving: ["file": Summary("hello")])
    } else {
      try run.expect(.limit)
      #expect(server.requests.count == (row.limit ?? 20) + 1)
    }
  }

  static let refused: [([String], String)] = [
    (["--min-speed", "0"], "no byte"), (["--min-speed", ":30"], "no size"), (["--min-speed", "1K:"], "no time"),
    (["--min-speed", "1K:0"], "no time at all"), (["--min-speed", "fast"], "no number"),
    (["--min-speed", "2K", "--limit-rate", "1K"], "can't be met"),
    (["--max-filesize", "0"], "nothing"), (["--max-filesize", "-1"], "negative"),
    (["--max-filesize", "1T"], "no unit"),
    (["--max-redirects", "-1"], "negative"), (["--max-redirects", "101"], "too many"),
    (["--max-redirects", ""], "none"),
  ]

  @Test(arguments: refused) func refuses(_ row: (arguments: [String], because: String)) throws {
    let run = try Command.run(row.arguments + ["http://127.0.0.1:9/"])
    try run.expect(.usage, leaving: [:], row.because)
    let isNamed = run.standardError.contains(row.arguments[0]) && !run.standardError.contains("there is no option")
    #expect(isNamed, "the option is named: \(run.standardError)")
  }
}
