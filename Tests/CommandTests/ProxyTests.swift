import LoopbackServer
import Testing

/// HTTP proxies: whole targets for http, tunnels for https (RFC 9112 §3.2.2, RFC 9110 §9.3.6). The LoopbackServer plays
/// the proxy; names that end in `.test` exist nowhere, so that nobody else can have answered.
struct ProxyTests {
  static let resource = Resource(length: 700_000)
  static let basic = "Basic YWxpY2U6c2VjcmV0"  // alice:secret

  // MARK: http

  @Test(arguments: ["--proxy", "http_proxy", "all_proxy", "ALL_PROXY"]) func forwardsHTTP(_ how: String) throws {
    let proxy = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { proxy.stop() }
    let isOption = how.hasPrefix("--")
    let run = try Command.run(
      ["-q"] + (isOption ? [how, proxy.origin] : []) + ["http://files.test/dir/file.bin?q#f"],
      environment: isOption ? [:] : [how: proxy.origin])
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], how)
    let request = try #require(proxy.requests.first)
    #expect(request.target == "http://files.test/dir/file.bin?q", "absolute-form, without the fragment")
    #expect(request.values("Host") == ["files.test"], "the origin's")
    #expect(request.values("Proxy-Authorization").isEmpty)
  }

  @Test(arguments: [
    ("HTTP_PROXY", "http://127.0.0.1:9", "", "upper case is a field of a CGI request"),
    ("http_proxy", "", "", "empty means unset"),
    ("http_proxy", "http://127.0.0.1:9", "*", "no_proxy"),
    ("http_proxy", "http://127.0.0.1:9", "", "loopback is not for proxies of the environment"),
  ])
  func goesDirectly(_ row: (name: String, value: String, exceptions: String, because: String)) throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(
      ["-q", server.uri("/file")], environment: [row.name: row.value, "no_proxy": row.exceptions])
    try run.expect(.ok, leaving: ["file": Summary("hello")], row.because)
    #expect(server.requests.map(\.target) == ["/file"], "\(row.because)")
  }

  @Test func anOptionGoesBeforeTheEnvironment() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let elsewhere = ["http_proxy": "http://127.0.0.1:9", "no_proxy": "*"]
    let forced = try Command.run(["-q", "--proxy", server.origin, server.uri("/file")], environment: elsewhere)
    try forced.expect(.ok, leaving: ["file": Summary("hello")], "--proxy is for loopback and for no_proxy too")
    #expect(server.requests.map(\.target) == [server.uri("/file")])
    let broken = ["http_proxy": "ftp://not/read", "no_proxy": "1/2/3"]
    let none = try Command.run(["-q", "--no-proxy", server.uri("/file")], environment: broken)
    try none.expect(.ok, leaving: ["file": Summary("hello")], "--no-proxy")
  }

  @Test(arguments: [
    (["--proxy", "http://alice:secret@PROXY"], [:]),
    (["--proxy", "http://PROXY", "--proxy-user", "alice:secret"], [:]),
    ([], ["http_proxy": "http://alice:s%65cret@PROXY"]), (["--proxy-user=alice:secret"], ["http_proxy": "PROXY"]),
  ])
  func logsInAtTheProxy(_ row: (options: [String], environment: [String: String])) throws {
    let proxy = try LoopbackServer {
      guard $0.request.field("Proxy-Authorization") == Self.basic else { return $0.reply("407 Login") }
      $0.reply("200 OK", text: "hello")
    }
    defer { proxy.stop() }
    let run = try Command.run(
      ["-v"] + row.options.map { $0.replacing("PROXY", with: "127.0.0.1:\(proxy.port)") } + ["http://files.test/file"],
      environment: row.environment.mapValues { $0.replacing("PROXY", with: "127.0.0.1:\(proxy.port)") })
    #expect(run.ending == .exited(0) && proxy.requests.count == 1)
    #expect(!run.standardError.contains("secret") && !run.standardError.contains(Self.basic.dropFirst(6)))
    #expect(run.standardError.contains("* files.test: through http://127.0.0.1:\(proxy.port)\n"), "the decision")
  }

  @Test func tellsWhenItGoesDirectly() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(["-v", server.uri("/file")], environment: ["http_proxy": "http://127.0.0.1:9"])
    #expect(run.standardError.contains("* 127.0.0.1: without a proxy\n"))
    let other = try Command.run(["-v", server.uri("/file")])
    #expect(!other.standardError.contains("proxy"), "there was nothing to decide")
  }

  @Test func theOriginsCredentialsAreForTheOrigin() throws {
    let proxy = try LoopbackServer { exchange in
      if exchange.request.target == "http://one.test/" { return exchange.redirect(to: "http://two.test/") }
      exchange.reply("200 OK", text: "hello")
    }
    defer { proxy.stop() }
    let run = try Command.run([
      "-q", "-o", "file", "--proxy", "http://alice:secret@127.0.0.1:\(proxy.port)", "http://u:p@one.test/",
    ])
    try run.expect(.ok, leaving: ["file": Summary("hello")])
    #expect(proxy.requests.map { $0.values("Authorization").count } == [1, 0])
    #expect(proxy.requests.map { $0.field("Proxy-Authorization") } == [Self.basic, Self.basic])
    #expect(proxy.connectionCount == 1, "one connection for several origins")
  }

  @Test func continuesThroughTheProxy() throws {
    let proxy = try LoopbackServer { exchange in
      Self.resource.respond(to: exchange, exchange.requestNumber == 1 ? .dropping(after: 300_000) : .correct)
    }
    defer { proxy.stop() }
    let run = try Command.run(["-q", "--proxy", proxy.origin, "http://files.test/file.bin"])
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
    #expect(proxy.requests.count == 2 && proxy.requests[1].field("Range") != nil)
  }

  @Test func aRedirectChoosesAnew() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    let there = server.uri("/end")
    let proxy = try LoopbackServer { $0.redirect(to: there) }
    defer {
      server.stop()
      proxy.stop()
    }
    let run = try Command.run(
      ["-q", "-o", "file", "http://files.test/start"],
      environment: ["http_proxy": "alice:secret@127.0.0.1:\(proxy.port)"])
    try run.expect(.ok, leaving: ["file": Summary("hello")])
    #expect(server.requests.map(\.target) == ["/end"], "loopback needs none")
    #expect(server.requests.allSatisfy { $0.values("Proxy-Authorization").isEmpty }, "nor its credentials")
  }

  // MARK: Refusals

  @Test func aLoginThatIsMissingNamesTheProxy() throws {
    let proxy = try LoopbackServer { $0.reply("407 Proxy Authentication Required", text: "<html>") }
    defer { proxy.stop() }
    for target in Command.hasTLS ? ["http://files.test/f", "https://files.test/f"] : ["http://files.test/f"] {
      let run = try Command.run(["-q", "--proxy", "http://u:secret@127.0.0.1:\(proxy.port)", target])
      try run.expect(.authorization, target)
      #expect(run.standardError.contains("proxy http://127.0.0.1:\(proxy.port): the server answered 407"))
      #expect(!run.standardError.contains("secret"))
    }
  }

  @Test(arguments: ["http://PROXY", "https://PROXY", "socks5://PROXY", "socks5h://PROXY"])
  func oneThatIsNotThereIsNamed(_ proxy: String) throws {
    let silent = try LoopbackServer { _ in }
    let port = silent.port
    silent.stop()
    if !Command.hasTLS && proxy.hasPrefix("https") { return }
    let url = proxy.replacing("PROXY", with: "127.0.0.1:\(port)")
    let run = try Command.run(["-q", "--retry", "0", "--proxy", url, "http://127.0.0.1:9/file"])
    try run.expect(.network, url)
    #expect(run.standardError.contains("proxy \(url): no connection"), "\(run.standardError)")
  }

  @Test(arguments: [
    (["--proxy", "ftp://u:secret@proxy"], [:], "--proxy"), (["--proxy", ""], [:], "--proxy"),
    (["--proxy", "http://proxy/\u{1}"], [:], "--proxy"), (["--proxy-user", "secret"], [:], "--proxy-user"),
    ([], ["http_proxy": "u:secret@proxy:0"], "http_proxy"), ([], ["ALL_PROXY": "socks4://secret"], "ALL_PROXY"),
    ([], ["HTTPS_PROXY": "http://secret/path"], "HTTPS_PROXY"), ([], ["no_proxy": "10.0.0.0/99"], "no_proxy"),
  ])
  func refuses(_ row: (options: [String], environment: [String: String], place: String)) throws {
    let run = try Command.run(row.options + ["http://127.0.0.1:9/file"], environment: row.environment)
    try run.expect(.usage, row.place)
    #expect(run.standardError.hasPrefix("rawget: usage (2): \(row.place): "), "\(run.standardError)")
    #expect(!run.standardError.contains("secret"))
  }
}

/// https through a proxy.
@Suite(.enabled(if: Command.hasTLS)) struct ProxyTunnelTests {
  static let resource = Resource(length: 700_000)

  private func origin() throws -> LoopbackServer {
    try LoopbackServer(tls: ServerTLS(TestAuthority.shared().good)) { Self.resource.respond(to: $0) }
  }

  private func run(_ options: [String], _ server: LoopbackServer) throws -> Outcome {
    let authority = try TestAuthority.shared().file
    return try Command.run(
      ["-q", "--cacert", authority, "-H", "Authorization: Bearer t0ken"] + options
        + ["https://localhost:\(server.port)/file.bin"])
  }

  /// Over TLS to the proxy: one session inside another.
  @Test(arguments: [false, true]) func tunnels(_ isSecure: Bool) throws {
    let server = try origin()
    let port = server.port
    let tls = isSecure ? try ServerTLS(TestAuthority.shared().good) : nil
    let proxy = try LoopbackServer(tls: tls) { $0.tunnel(to: port) }
    defer {
      server.stop()
      proxy.stop()
    }
    let url = proxy.origin.replacing("//", with: "//alice:secret@")
    try run(["--proxy", url], server).expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
    let connect = try #require(proxy.requests.first)
    #expect(connect.method == "CONNECT" && connect.target == "localhost:\(port)")
    #expect(connect.values("Host") == ["localhost:\(port)"])
    #expect(connect.field("Proxy-Authorization") == ProxyTests.basic)
    #expect(!connect.description.contains("t0ken"), "what belongs into the tunnel is not shown to the proxy")
    #expect(server.requests.map(\.target) == ["/file.bin"], "origin-form inside")
    #expect(server.requests.allSatisfy { $0.values("Proxy-Authorization").isEmpty })
    #expect(server.requests.first?.field("Authorization") == "Bearer t0ken")
  }

  @Test("-A '': no field, which may not be empty (RFC 9110 §10.1.5)") func isToldOfNoProgram() throws {
    let server = try origin()
    let port = server.port
    let proxy = try LoopbackServer { $0.tunnel(to: port) }
    defer {
      server.stop()
      proxy.stop()
    }
    let outcome = try run(["-A", "", "--proxy", proxy.origin], server)
    try outcome.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
    #expect((proxy.requests + server.requests).map { $0.values("User-Agent") } == [[], []])
  }

  @Test(arguments: [Conduct.Ending.reset, .close, .closeWithoutNotify])
  func continuesAfterDrops(_ ending: Conduct.Ending) throws {
    let server = try LoopbackServer(tls: ServerTLS(TestAuthority.shared().good)) {
      Self.resource.respond(to: $0, .dropping(after: ResumeTests.dropAfter, ending))
    }
    let port = server.port
    let proxy = try LoopbackServer(tls: ServerTLS(TestAuthority.shared().good)) { $0.tunnel(to: port) }
    defer {
      server.stop()
      proxy.stop()
    }
    try run(["--proxy", proxy.origin], server).expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
    #expect(proxy.requests.count == server.requests.count && proxy.requests.count > 1)
  }

  @Test func reusesTheTunnelOfOneOrigin() throws {
    let server = try origin()
    let port = server.port
    let proxy = try LoopbackServer { $0.tunnel(to: port) }
    defer {
      server.stop()
      proxy.stop()
    }
    let uri = "https://localhost:\(port)/"
    let options = ["-q", "-j", "1", "--cacert", try TestAuthority.shared().file, "--proxy", proxy.origin]
    try Command.run(options + [uri + "a", uri + "b"])
      .expect(.ok, leaving: ["a": Summary(Self.resource.bytes), "b": Summary(Self.resource.bytes)])
    #expect(proxy.requests.count == 1)
  }

  @Test func aProxyThatIsSomebodyElse() throws {
    let proxy = try LoopbackServer(tls: ServerTLS(TestAuthority.shared().wrongName)) { _ in }
    defer { proxy.stop() }
    let server = try origin()
    defer { server.stop() }
    let outcome = try run(["--proxy", "https://localhost:\(proxy.port)"], server)
    try outcome.expect(.tls)
    #expect(outcome.standardError.contains("proxy https://localhost:\(proxy.port): "))
    #expect(proxy.requests.isEmpty, "it was told nothing")
  }

  static let refusals: [(String, ExitCode, String)] = [
    ("HTTP/1.1 403 Forbidden\r\nContent-Length: 6\r\n\r\n<html>", .server, "its page is not the file"),
    ("HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n", .server, "not followed"),
    ("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", .server, "it can't reach the origin"),
    ("HTTP/1.1 200 OK\r\n\r\nmore", .protocolBroken, "bytes before ours"),
    ("SSH-2.0-OpenSSH\r\n\r\n", .protocolBroken, "not HTTP"),
    ("HTTP/1.1 101 Switching\r\n\r\n", .protocolBroken, "another protocol"),
    ("HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 3_000) + "\r\n", .limit, "an endless head"),
    ("HTTP/1.1 200 O", .network, "it broke off"),
    ("", .network, "no answer at all"),
  ]

  @Test(arguments: refusals) func refuses(_ row: (answer: String, code: ExitCode, because: String)) throws {
    let proxy = try LoopbackServer {
      $0.send(row.answer)
      $0.close()
    }
    defer { proxy.stop() }
    let authority = try TestAuthority.shared().file
    let outcome = try Command.run(
      ["-q", "--retry", "0", "--cacert", authority, "--proxy", proxy.origin, "https://localhost:9/file"])
    try outcome.expect(row.code, row.because)
    #expect(outcome.standardError.contains("proxy \(proxy.origin): "), "\(row.because): \(outcome.standardError)")
  }

  @Test func anAnswerInPiecesIsOne() throws {
    let server = try origin()
    let port = server.port
    let proxy = try LoopbackServer { exchange in
      exchange.drip("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 204 Fine\r\nContent-Length: 3\r\n\r\n")
      exchange.tunnel(to: port, answering: "")
    }
    defer {
      server.stop()
      proxy.stop()
    }
    try run(["--proxy", proxy.origin], server).expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
  }

  @Test func silenceHasAnEnd() throws {
    let proxy = try LoopbackServer { $0.stall() }
    defer { proxy.stop() }
    let options = ["-q", "--retry", "0", "--connect-timeout", "0.1", "--proxy", proxy.origin]
    let outcome = try Command.run(options + ["https://localhost:9/file"])
    try outcome.expect(.network)
    #expect(outcome.standardError.contains("proxy \(proxy.origin): the server did not answer in time"))
  }
}
