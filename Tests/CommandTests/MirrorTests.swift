import LoopbackServer
import Testing

/// `--mirror`: other places for the one file of a run.
struct MirrorTests {
  static let resource = Resource(length: 300_000)
  static let whole = ["file.bin": Summary(resource.bytes)]

  private static func places(
    _ first: @escaping LoopbackServer.Script = { $0.reply("404 Not Found") },
    _ mirror: @escaping LoopbackServer.Script = { MirrorTests.resource.respond(to: $0) },
    _ body: (LoopbackServer, LoopbackServer) throws -> Void
  ) throws {
    let servers = (try LoopbackServer(script: first), try LoopbackServer(script: mirror))
    defer {
      servers.0.stop()
      servers.1.stop()
    }
    try body(servers.0, servers.1)
  }

  @Test func isAskedWhenTheURLFails() throws {
    try Self.places { first, mirror in
      let url = mirror.uri("/pub/x?sig=s3cret")
      let run = try Command.run(["--mirror", mirror.uri("/pub/copy"), "--mirror=" + url, first.uri("/file.bin")])
      try run.expectWhole(Self.resource, saying: ["404", "going on at the mirror " + mirror.uri("/pub/copy")])
      #expect(mirror.requests.map(\.target) == ["/pub/copy"])
      try Command.run(["-q", "--mirror", url, first.uri("/file.bin")]).expect(.ok, leaving: Self.whole, "quietly")
      let events = try Command.run(["--json", "--mirror", url, first.uri("/file.bin")])
      let told = try events.events(of: events.standardOutput)
      #expect(told.names == ["start", "mirror", "begin", "complete", "summary"])
      let event = try #require(told.first { $0["event"] as? String == "mirror" })
      #expect(event["to"] as? String == mirror.uri("/pub/x?***"))
      #expect(event["reason"] as? String == "status" && event["http_status"] as? Int == 404)
      #expect(event["kept"] as? Int == 0)
    }
  }

  @Test(.enabled(if: Command.hasTLS, "digests come from OpenSSL")) func aWrongMirrorIsNamed() throws {
    try Self.places({ $0.reply("404 Not Found") }, { Self.resource.changed().respond(to: $0) }) { first, mirror in
      let checksum = "sha-256=" + Self.resource.digest
      let run = try Command.run(
        ["-q", "--checksum", checksum, "--mirror", mirror.uri("/pub/copy"), first.uri("/file.bin")])
      try run.expect(.integrity, leaving: ["file.bin.bad": Summary(Self.resource.changed().bytes)])
      #expect(run.standardError.contains("from " + mirror.uri("/pub/copy")), "\(run.standardError)")
    }
  }

  /// Four connections to two places, as the digest speaks for both.
  @Test(.enabled(if: Command.hasTLS, "digests come from OpenSSL")) func blocksOfBoth() throws {
    let (large, asked) = (Resource(length: 4_000_000), Gate())
    func script(_ isMirror: Bool) -> LoopbackServer.Script {
      { exchange in
        let range = exchange.request.closedRange ?? 0..<0
        if isMirror, range.count > 4_096 { asked.open() }
        // Without a whole answer no rate is known, and little is asked for ahead.
        var conduct = Conduct.correct
        conduct.gate = isMirror || range.lowerBound > 0 ? nil : asked
        if !isMirror, range.lowerBound > 0 { exchange.wait(at: asked) }
        large.respond(to: exchange, conduct)
      }
    }
    try Self.places(script(false), script(true)) { first, mirror in
      let arguments = [
        "--json", "-x", "4", "--checksum", "sha-256=" + large.digest, "--mirror", mirror.uri("/pub/y?s=1"),
      ]
      let run = try Command.run(arguments + [first.uri("/file.bin")])
      try run.expect(.ok, leaving: ["file.bin": Summary(large.bytes)])
      let told = try run.events(of: run.standardOutput)
      let event = try #require(told.first { $0["event"] as? String == "join" })
      #expect(event["to"] as? String == mirror.uri("/pub/y?***"))
      #expect(!told.names.contains("leave") && !told.names.contains("mirror"))
    }
  }

  @Test(.enabled(if: Command.hasTLS, "digests come from OpenSSL")) func oneOfTwoIsWrong() throws {
    let (large, asked) = (Resource(length: 4_000_000), Gate())
    let first: LoopbackServer.Script = { exchange in
      if exchange.request.closedRange?.lowerBound ?? 0 >= 1_000_000 { exchange.wait(at: asked) }
      large.respond(to: exchange)
    }
    let mirror: LoopbackServer.Script = { exchange in
      large.changed().respond(to: exchange)
      asked.open()
    }
    try Self.places(first, mirror) { first, mirror in
      let uri = mirror.uri("/pub/copy")
      let run = try Command.run(
        ["--json", "-x", "4", "--checksum", "sha-256=" + large.digest, "--mirror", uri, first.uri("/file.bin")])
      try run.expect(.ok, leaving: ["file.bin": Summary(large.bytes)])
      let event = try #require(try run.events(of: run.standardOutput).first { $0["event"] as? String == "leave" })
      #expect(event["to"] as? String == uri && event["reason"] as? String == "other-version")
    }
  }

  /// What went out can't be compared: only a digest says that another place has the same.
  @Test(arguments: Command.hasTLS ? [true, false] : [false]) func intoAStream(_ hasDigest: Bool) throws {
    let dying: LoopbackServer.Script = { exchange in
      if exchange.requestNumber > 1 { return exchange.reset() }
      Self.resource.respond(to: exchange, .dropping(after: 120_000))
    }
    try Self.places(dying) { first, mirror in
      let checksum = hasDigest ? ["--checksum", "sha-256=" + Self.resource.digest] : []
      let run = try Command.run(
        ["-q", "--retry", "1", "-o", "-", "--mirror", mirror.uri("/pub/copy")] + checksum + [first.uri("/file.bin")])
      #expect(run.ending == .exited(hasDigest ? 0 : ExitCode.incomplete.rawValue), "\(run.standardError)")
      let kept = hasDigest ? Self.resource.length : 120_000
      #expect(Summary(run.standardOutput) == Summary(Self.resource.bytes(in: 0..<kept)))
      #expect(mirror.requests.map { $0.field("Range") } == (hasDigest ? ["bytes=120000-"] : []))
    }
  }

  static let refused: [([String], String)] = [
    (["--mirror", "ftp://127.0.0.1/f", "URL"], "another scheme"),
    (["--mirror", "http://user:s3cret@127.0.0.1/f", "URL"], "credentials"),
    (["--mirror", "http://127.0.0.1/f", "URL", "URL"], "two downloads"),
    (["--mirror", "http://127.0.0.1/f", "-i", "list"], "a list"),
    (["--mirror", "http://127.0.0.1/f", "--body", "x", "URL"], "no plain request"),
    ((0...32).flatMap { ["--mirror", "http://127.0.0.1/\($0)"] } + ["URL"], "one more than may be"),
  ]

  @Test(arguments: refused.indices) func isRefused(_ index: Int) throws {
    let (arguments, because) = Self.refused[index]
    try Self.places { first, mirror in
      let run = try Command.run(arguments.map { $0 == "URL" ? first.uri("/file.bin") : $0 }) { folder in
        try folder.write("", to: "list")
      }
      #expect(run.ending == .exited(ExitCode.usage.rawValue) || run.ending == .exited(16), "\(because)")
      run.expectOneLine(because)
      #expect(!run.standardError.contains("s3cret"))
      #expect(first.connectionCount == 0 && mirror.connectionCount == 0, "\(because)")
    }
  }

  @Test func aConfigurationHasNone() throws {
    let run = try Command.run(["--config", "config", "http://127.0.0.1:9/file.bin"]) { folder in
      try folder.write("mirror http://127.0.0.1/f\n", to: "config")
    }
    try run.expect(.usage, leaving: ["config": Summary("mirror http://127.0.0.1/f\n")])
  }
}
