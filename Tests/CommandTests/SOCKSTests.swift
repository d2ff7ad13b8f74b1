import LoopbackServer
import Testing

/// SOCKS5 (RFC 1928, RFC 1929): who resolves the name, who may log in, and what a refusal is.
struct SOCKSTests {
  static let resource = Resource(length: 300_000)

  private func server(_ gate: SOCKSGate) throws -> LoopbackServer {
    try LoopbackServer(gate: gate) { Self.resource.respond(to: $0) }
  }

  struct Row: Sendable { let scheme: String, uri: String, asked: String, because: String }

  static let rows = [
    Row(scheme: "socks5h", uri: "http://files.test/f", asked: "name files.test:80", because: "resolved there"),
    Row(scheme: "socks5", uri: "http://localhost:81/f", asked: "address 127.0.0.1:81", because: "resolved here"),
    Row(scheme: "socks5", uri: "http://10.1.2.3/f", asked: "address 10.1.2.3:80", because: "nothing to resolve"),
    Row(scheme: "socks5h", uri: "http://10.1.2.3:8080/f", asked: "address 10.1.2.3:8080", because: "nor there"),
    Row(
      scheme: "socks5h", uri: "http://[2001:db8::1]/f", asked: "address 20 1 d b8 0 0 0 0 0 0 0 0 0 0 0 1:80",
      because: "sixteen bytes"),
  ]

  @Test(arguments: rows, [false, true]) func connects(_ row: Row, _ isDripping: Bool) throws {
    let gate = SOCKSGate(dripping: isDripping)
    let server = try server(gate)
    defer { server.stop() }
    let run = try Command.run(["-q", "--proxy", "\(row.scheme)://127.0.0.1:\(server.port)", row.uri])
    try run.expect(.ok, leaving: ["f": Summary(Self.resource.bytes)], row.because)
    #expect(gate.record == [row.asked], "\(row.because)")
    #expect(server.requests.map(\.target) == ["/f"], "origin-form: the SOCKS server reads no HTTP")
  }

  @Test func theEnvironmentNamesOne() throws {
    let gate = SOCKSGate()
    let server = try server(gate)
    defer { server.stop() }
    let proxy = ["all_proxy": "socks5h://127.0.0.1:\(server.port)"]
    let run = try Command.run(["-q", "http://files.test/f"], environment: proxy)
    try run.expect(.ok, leaving: ["f": Summary(Self.resource.bytes)])
    #expect(gate.record == ["name files.test:80"])
  }

  @Test(.enabled(if: Command.hasTLS)) func carriesTLS() throws {
    let authority = try TestAuthority.shared()
    let gate = SOCKSGate(behind: try ServerTLS(authority.good))
    let server = try server(gate)
    defer { server.stop() }
    let run = try Command.run([
      "-q", "--cacert", authority.file, "--proxy", "socks5h://127.0.0.1:\(server.port)", "https://localhost/f",
    ])
    try run.expect(.ok, leaving: ["f": Summary(Self.resource.bytes)])
    #expect(gate.record == ["name localhost:443"])
  }

  @Test func continuesThroughIt() throws {
    let gate = SOCKSGate()
    let server = try LoopbackServer(gate: gate) { exchange in
      Self.resource.respond(to: exchange, exchange.requestNumber == 1 ? .dropping(after: 100_000) : .correct)
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--proxy", "socks5h://127.0.0.1:\(server.port)", "http://files.test/f"])
    try run.expect(.ok, leaving: ["f": Summary(Self.resource.bytes)])
    #expect(gate.record == ["name files.test:80", "name files.test:80"])
  }

  @Test func logsIn() throws {
    let gate = SOCKSGate(.requiring(user: "alice", password: "se:cret"))
    let server = try server(gate)
    defer { server.stop() }
    for options in [
      ["--proxy", "socks5h://alice:se%3Acret@127.0.0.1:\(server.port)"],
      ["--proxy", "socks5h://127.0.0.1:\(server.port)", "--proxy-user", "alice:se:cret"],
    ] {
      try Command.run(["-q"] + options + ["http://files.test/f"])
        .expect(.ok, leaving: ["f": Summary(Self.resource.bytes)])
    }
    #expect(gate.record.first == "user alice:se:cret")
  }

  struct Refusal: Sendable { let conduct: SOCKSGate.Conduct, userinfo: String, code: ExitCode, says: String }

  static let refusals = [
    Refusal(conduct: .requiring(user: "a", password: "b"), userinfo: "", code: .authorization, says: "credentials"),
    Refusal(conduct: .requiring(user: "a", password: "b"), userinfo: "a:x@", code: .authorization, says: "credentials"),
    Refusal(conduct: .refusing(2), userinfo: "", code: .server, says: "allow"),
    Refusal(conduct: .refusing(1), userinfo: "", code: .network, says: "could not connect"),
    Refusal(conduct: .refusing(4), userinfo: "", code: .network, says: "host can't be reached"),
    Refusal(conduct: .refusing(5), userinfo: "", code: .network, says: "refuses the connection"),
    Refusal(conduct: .refusing(8), userinfo: "", code: .unsupported, says: "such an address"),
    Refusal(
      conduct: .answering(Array("HTTP/1.1 400 Bad\r\n\r\n".utf8)), userinfo: "", code: .protocolBroken, says: "SOCKS5"),
    Refusal(conduct: .answering([4, 0]), userinfo: "", code: .protocolBroken, says: "SOCKS5"),
    Refusal(conduct: .answering([5]), userinfo: "", code: .network, says: "closed"),
    Refusal(conduct: .silent, userinfo: "", code: .network, says: "in time"),
  ]

  @Test(arguments: refusals) func refuses(_ row: Refusal) throws {
    let server = try server(SOCKSGate(row.conduct))
    defer { server.stop() }
    let run = try Command.run([
      "-q", "--retry", "0", "--connect-timeout", "0.2", "--proxy",
      "socks5h://\(row.userinfo)127.0.0.1:\(server.port)", "http://files.test/f",
    ])
    try run.expect(row.code, row.says)
    #expect(run.standardError.contains("proxy socks5h://127.0.0.1:\(server.port): "))
    #expect(run.standardError.contains(row.says), "\(run.standardError)")
    #expect(server.requests.isEmpty)
  }
}
