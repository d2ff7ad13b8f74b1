import LoopbackServer
import Testing

/// `--range` and `--multipart`.
struct RangeOptionTests {
  static let resource = Resource(length: 300_000)

  /// What is refused in one line before anything is sent, and a word of that line.
  static let refused: [([String], String)] = [
    (["--range", "", "URI"], "--range"),
    (["--range", "bytes=0-1", "URI"], "without 'bytes='"),
    (["--range", "9-5", "URI"], "9-5"),
    (["--range", "-0", "URI"], "-0"),
    (["--range", "5", "URI"], "'5'"),
    (["--range", "0-1, 2-3", "URI"], "byte ranges such as"),
    (["--range", "0-1,", "URI"], "byte ranges such as"),
    (["--range", "0-99999999999999999999", "URI"], "byte ranges such as"),
    (["--range=0-1", "--multipart=yes", "URI"], "takes no argument"),
    (["--multipart", "URI"], "--multipart needs --range"),
    (["--range", "0-1", "-X", "POST", "URI"], "--method or --body"),
    (["--range", "0-1", "--body", "x", "URI"], "--method or --body"),
    (["--range", "0-1", "--block-size", "1M", "URI"], "--block-size"),
    (["--range", "0-1", "-x", "2", "URI"], "with -x"),
    (["--range", "0-1", "-x", "auto", "URI"], "with -x"),
    (["--range", "0-1", "--explain", "URI"], "--explain"),
    (["--range", "0-1", "--if-modified", "URI"], "--if-modified"),
    (["--range", "0-1", "-c", "URI"], "--continue"),
    (["--range", "0-1", "--existing=resume", "URI"], "--continue"),
    (["--range", "0-1", "--head", "URI"], "--head"),
    (["--range", "0-1", "--probe", "URI"], "--probe"),
    (["--range", "0-1", "doctor", "URI"], "doctor"),
  ]

  @Test func isRefusedInOneLine() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    for (arguments, word) in Self.refused {
      let run = try Command.run(arguments.map { $0 == "URI" ? server.uri("/file.bin") : $0 })
      try run.expect(.usage, "\(arguments)")
      #expect(run.standardError.contains(word), "\(arguments): \(run.standardError)")
    }
    #expect(server.requests.isEmpty)
  }

  @Test func writesRangesInTheirOrder() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let bytes =
      Self.resource.bytes(in: 200_000..<300_000) + Self.resource.bytes(in: 5..<10)
      + Self.resource.bytes(in: 299_993..<300_000)
    let arguments = ["-q", "--range", "0-1", "--range=200000-,5-9,-7", server.uri("/file.bin")]
    try Command.run(arguments).expect(.ok, leaving: ["file.bin": Summary(bytes)], "the last --range counts")
    let checksum = Command.hasTLS ? ["--checksum", "sha-256=\(SHA256.hexadecimal(bytes))"] : []
    let stream = try Command.run(["-o", "-"] + checksum + arguments)
    try stream.expect(.ok)
    #expect(Summary(stream.standardOutput) == Summary(bytes), "the checksum is that of what is written")
    #expect(server.requests.count == 6 && server.connectionCount == 2)
  }

  @Test func aBrokenStreamGoesOn() throws {
    let server = try LoopbackServer { exchange in
      Self.resource.respond(to: exchange, exchange.requestNumber < 4 ? .dropping(after: 1_234) : .correct)
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "-o", "-", "--range", "1000-99999,0-999", server.uri("/file.bin")])
    try run.expect(.ok)
    #expect(
      Summary(run.standardOutput)
        == Summary(Self.resource.bytes(in: 1_000..<100_000) + Self.resource.bytes(in: 0..<1_000)))
  }

  @Test func digestsOfTheWholeAreNotHeldAgainstIt() throws {
    let wrong = String(repeating: "A", count: 43) + "="
    guard Command.hasTLS else { return }  // digests come with OpenSSL
    for (field, code) in [("Repr-Digest", ExitCode.ok), ("Content-Digest", .integrity)] {
      var conduct = Conduct()
      conduct.fields = ["\(field): sha-256=:\(wrong):"]
      let server = try LoopbackServer { [conduct] in Self.resource.respond(to: $0, conduct) }
      defer { server.stop() }
      let run = try Command.run(["-q", "--range", "5-9", server.uri("/file.bin")])
      #expect(run.ending == .exited(code.rawValue), "\(field): \(run.standardError)")
    }
  }

  /// What a person reads, and what a script does.
  @Test func failuresSayWhatToDo() throws {
    var ignoring = Conduct()
    ignoring.ignoresRange = true
    let rows: [(Resource, Conduct, [String], ExitCode, String)] = [
      (Self.resource, ignoring, ["--range", "5-9"], .unsupported, "no ranges of it; without --range"),
      (Self.resource, ignoring, ["--range", "5-9,1-2", "--multipart"], .unsupported, "no ranges of it"),
      (Self.resource.withoutValidator(), .correct, ["--range", "5-9,1-2"], .unsupported, "--multipart"),
      (Self.resource, .correct, ["--range", "300000-"], .server, "no bytes 300000-; it has 300000 in all"),
      (Self.resource, .correct, ["--range", "0-1,300000-300009"], .server, "no bytes 300000-300009; it has"),
    ]
    for (resource, conduct, options, code, words) in rows {
      let server = try LoopbackServer { resource.respond(to: $0, conduct) }
      defer { server.stop() }
      let run = try Command.run(["-q"] + options + [server.uri("/file.bin")])
      try run.expect(code, "\(options)")
      #expect(run.standardError.contains(words), "\(options): \(run.standardError)")
    }
  }

  @Test func eventsNameTheReason() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Command.run(["--json", "--range", "300000-", server.uri("/file.bin")])
    let events = try run.events(of: run.standardOutput)
    #expect(events.names == ["start", "failed", "summary"])
    #expect(events.contains { $0["reason"] as? String == "no-such-range" })
  }
}
