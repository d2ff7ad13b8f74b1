import LoopbackServer
import Testing

/// Redirects (RFC 9110 §15.4): which are followed, where to, and how many.
struct RedirectTests {
  @Test(
    arguments: [
      "301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect",
    ])
  func isFollowed(_ status: String) throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/start" {
        exchange.redirect(to: "/end.bin", status)
      } else {
        exchange.reply("200 OK", text: "hello")
      }
    }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/start")])
    try run.expect(.ok, leaving: ["end.bin": Summary("hello")], "S1-2 named by where it ended")
  }

  /// From `/a/b/start?q`, this Location leads to this request target.
  static let locations = [
    ("end", "/a/b/end", "relative to the folder"),
    ("./end", "/a/b/end", "a dot segment (RFC 3986 §5.2.4)"),
    ("../end", "/a/end", "one up"),
    ("../../../../end", "/end", "never above the root"),
    ("/end", "/end", "from the root"),
    ("?end", "/a/b/start?end", "only a query"),
    ("/end#part", "/end", "a fragment stays here"),
    ("/end?a=1&b=/../c", "/end?a=1&b=/../c", "a query is not a path"),
    ("/the end", "/the%20end", "a blank is encoded"),
    ("/the%20end", "/the%20end", "T23 encoded once"),
    ("/größe", "/gr%C3%B6%C3%9Fe", "UTF-8 is encoded"),
    ("ORIGIN/end", "/end", "absolute"),
    ("AUTHORITY/end", "/end", "another authority, the same scheme"),
    ("ORIGIN", "/", "absolute without a path"),
    ("ORIGIN?end", "/?end", "absolute without a path, with a query"),
  ]

  @Test(arguments: locations)
  func leadsTo(_ row: (location: String, target: String, because: String)) throws {
    let server = try LoopbackServer { exchange in
      guard exchange.request.target == "/a/b/start?q" else { return exchange.reply("200 OK", text: "hello") }
      let authority = "//" + (exchange.request.field("Host") ?? "")
      let location = row.location.replacing("ORIGIN", with: "http:" + authority)
        .replacing("AUTHORITY", with: authority)
      exchange.redirect(to: location)
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "-o", "file", server.uri("/a/b/start?q")])
    try run.expect(.ok, leaving: ["file": Summary("hello")], row.because)
    #expect(server.requests.map(\.target) == ["/a/b/start?q", row.target], "\(row.because)")
  }

  static let refused: [(String, ExitCode, String)] = [
    ("", .protocolBroken, "an empty Location"),
    ("http://", .protocolBroken, "no host"),
    ("http://127.0.0.1:99999/", .protocolBroken, "an impossible port"),
    ("http://[::1/", .protocolBroken, "an open bracket"),
    ("ftp://127.0.0.1/end", .unsupported, "another scheme"),
    ("file:///etc/hostname", .unsupported, "a local file"),
    ("javascript:alert(1)", .unsupported, "no address at all"),
  ]

  @Test(arguments: refused)
  func refuses(_ row: (location: String, exit: ExitCode, because: String)) throws {
    let server = try LoopbackServer { $0.redirect(to: row.location) }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "0", "-o", "file", server.uri("/start")])
    let codes: [Ending] = [.exited(row.exit.rawValue), .exited(ExitCode.protocolBroken.rawValue)]
    #expect(codes.contains(run.ending), "\(row.because): \(run.ending) \(run.standardError)")
    #expect(try run.folder.files.isEmpty)
    run.expectOneLine(row.because)
  }

  @Test(arguments: [(20, ExitCode.ok), (21, .limit)])
  func atMostTwenty(_ count: Int, _ exit: ExitCode) throws {
    let server = try LoopbackServer { exchange in
      let done = Int(exchange.request.target.dropFirst()) ?? 0
      if done < count { exchange.redirect(to: "/\(done + 1)") } else { exchange.reply("200 OK", text: "hello") }
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "0", "-o", "file", server.uri("/0")])
    try run.expect(exit, leaving: exit == .ok ? ["file": Summary("hello")] : [:])
    #expect(server.requests.count == 21, "the first request and twenty redirects")
  }

  @Test func aLoopEnds() throws {
    let server = try LoopbackServer { $0.redirect(to: $0.request.target == "/a" ? "/b" : "/a") }
    defer { server.stop() }
    try Command.run(["-q", "--retry", "0", server.uri("/a")]).expect(.limit)
  }

  @Test func reconnectingBeginsAtTheOriginalURI() throws {
    let resource = Resource(length: 600_000)
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/start" {
        exchange.redirect(to: "/signed/\(exchange.requestNumber)")
      } else {
        resource.respond(to: exchange, exchange.requestNumber == 2 ? .dropping(after: 400_000) : .correct)
      }
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "-o", "file", server.uri("/start")])
    try run.expect(.ok, leaving: ["file": Summary(resource.bytes)], "a signed target expires")
    #expect(server.requests.map(\.target) == ["/start", "/signed/1", "/start", "/signed/3"])
  }
}
