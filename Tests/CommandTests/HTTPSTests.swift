import Foundation
import LoopbackServer
import Testing

/// https: who is trusted, what a truncated stream is, and what a build without TLS says.
@Suite(.enabled(if: Command.hasTLS)) struct HTTPSTests {
  static let resource = Resource(length: 1_500_000)

  private func secure(
    _ family: LoopbackServer.Family = .v4, _ credentials: TestCredentials? = nil,
    clientAuthority: String? = nil, only version: ServerTLS.Version? = nil,
    script: @escaping LoopbackServer.Script = { HTTPSTests.resource.respond(to: $0) }
  ) throws -> LoopbackServer {
    let chosen = try credentials ?? TestAuthority.shared().good
    let tls = try ServerTLS(chosen, clientAuthority: clientAuthority, only: version)
    return try LoopbackServer(family: family, tls: tls, script: script)
  }

  private func trusting(_ rest: String...) throws -> [String] {
    ["-q", "--retry", "1", "--cacert", try TestAuthority.shared().file] + rest
  }

  @Test(arguments: ["https://localhost:PORT", "https://127.0.0.1:PORT"])
  func isExact(_ origin: String) throws {
    let server = try secure()
    defer { server.stop() }
    let uri = origin.replacing("PORT", with: String(server.port)) + "/file.bin"
    try Command.run(trusting(uri)).expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
  }

  @Test func reachesAnIPv6Literal() throws {
    let server = try secure(.v6)
    defer { server.stop() }
    let run = try Command.run(trusting(server.uri("/file.bin")))
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], "S4-8")
  }

  @Test(arguments: [Conduct.Ending.reset, .close, .closeWithoutNotify])
  func continuesAfterDrops(_ ending: Conduct.Ending) throws {
    let server = try secure { Self.resource.respond(to: $0, .dropping(after: ResumeTests.dropAfter, ending)) }
    defer { server.stop() }
    let run = try Command.run(trusting(server.uri("/file.bin")))
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], "\(ending)")
    ResumeTests.expectContinuations(server.requests)
  }

  // MARK: Trust

  static let distrusted: [(String, @Sendable (TestAuthority) -> TestCredentials)] = [
    ("another name", { $0.wrongName }), ("expired", { $0.expired }), ("self-signed", { $0.selfSigned }),
  ]

  @Test(arguments: distrusted)
  func refuses(_ row: (because: String, credentials: @Sendable (TestAuthority) -> TestCredentials)) throws {
    let server = try secure(.v4, row.credentials(TestAuthority.shared()))
    defer { server.stop() }
    let uri = "https://localhost:\(server.port)/file.bin"
    try Command.run(["-q", "--cacert", try TestAuthority.shared().file, uri]).expect(.tls, leaving: [:], row.because)
    #expect(server.requests.isEmpty, "\(row.because): nothing was asked")
    #expect(server.connectionCount == 1, "\(row.because): not retried")
  }

  @Test func refusesAnUnknownAuthority() throws {
    let server = try secure()
    defer { server.stop() }
    let stranger = try TestAuthority.shared().strangerFile
    try Command.run(["-q", "--cacert", stranger, server.uri("/file.bin")]).expect(.tls)
    #expect(server.requests.isEmpty)
  }

  @Test func trustsWhatTheEnvironmentNames() throws {
    let server = try secure()
    defer { server.stop() }
    let authority = try TestAuthority.shared()
    for (name, value) in [("SSL_CERT_FILE", authority.file), ("SSL_CERT_DIR", authority.hashedFolder)] {
      let run = try Command.run(["-q", server.uri("/file.bin")], environment: [name: value])
      try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], name)
    }
    let run = try Command.run(["-q", "--capath", authority.hashedFolder, server.uri("/file.bin")])
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], "--capath")
  }

  @Test(arguments: ["-k", "--insecure"]) func insecureIsLoud(_ option: String) throws {
    let server = try secure(.v4, TestAuthority.shared().selfSigned)
    defer { server.stop() }
    let run = try Command.run([option, server.uri("/file.bin")])
    #expect(run.ending == .exited(0), "\(run.standardError)")
    #expect(try run.files == ["file.bin": Summary(Self.resource.bytes)])
    #expect(run.standardError.contains("WARNING") && run.standardError.contains("verified"), "\(run.standardError)")
  }

  @Test func aMissingAuthorityFileIsSaid() throws {
    let server = try secure()
    defer { server.stop() }
    let run = try Command.run(["-q", "--cacert", "none.pem", server.uri("/file.bin")])
    let codes: [ExitCode] = [.usage, .file, .tls]
    #expect(codes.map { .exited($0.rawValue) }.contains(run.ending), "\(run.ending)")
    #expect(run.standardError.contains("none.pem"), "\(run.standardError)")
    run.expectOneLine()
  }

  @Test func aClientCertificateIsShown() throws {
    let authority = try TestAuthority.shared()
    let server = try secure(clientAuthority: authority.file)
    defer { server.stop() }
    let options = ["--cert", authority.client.certificateFile, "--key", authority.client.keyFile]
    try Command.run(trusting() + options + [server.uri("/file.bin")])
      .expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
    let without = try Command.run(trusting(server.uri("/file.bin")))
    #expect(without.ending != .exited(0))
    #expect(try without.folder.files.isEmpty)
  }

  @Test func anOldVersionIsRefused() throws {
    let server = try secure(only: .tls11)
    defer { server.stop() }
    try Command.run(trusting(server.uri("/file.bin"))).expect(.tls)
  }

  @Test func plainHTTPIsNoTLS() throws {
    let server = try LoopbackServer(tls: PlainAnswer()) { $0.close() }
    defer { server.stop() }
    try Command.run(trusting(server.uri("/file.bin"))).expect(.tls)
  }

  @Test func aHandshakeThatNeverEndsIsBounded() throws {
    // No ClientHello has an empty line: a server of plain http goes on reading.
    let server = try LoopbackServer { $0.close() }
    defer { server.stop() }
    let run = try Command.run(trusting("--max-time", "1", "https://127.0.0.1:\(server.port)/file.bin"))
    try run.expect(.limit)
  }

  // MARK: The end

  /// Content that ends with the connection, and whether close_notify proves that end (RFC 9112 §9.8).
  @Test(arguments: [true, false]) func onlyCloseNotifyIsAnEnd(_ notifies: Bool) throws {
    let server = try secure { exchange in
      exchange.send("HTTP/1.1 200 OK\r\n\r\nhello")
      if notifies { exchange.close() } else { exchange.closeWithoutNotify() }
    }
    defer { server.stop() }
    let run = try Command.run(trusting("--retry", "0", server.uri("/file.bin")))
    let name = notifies ? "file.bin" : "file.bin.part"
    try run.expect(notifies ? .ok : .incomplete, leaving: [name: Summary("hello")])
  }

  @Test func aKnownLengthNeedsNoCloseNotify() throws {
    let server = try secure { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
      exchange.closeWithoutNotify()
    }
    defer { server.stop() }
    try Command.run(trusting(server.uri("/file.bin"))).expect(.ok, leaving: ["file.bin": Summary("hello")])
  }

  // MARK: Redirects

  @Test func plainHTTPIsNotGoneBackTo() throws {
    let plain = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    let target = plain.uri("/end")
    let server = try secure { $0.redirect(to: target) }
    defer {
      server.stop()
      plain.stop()
    }
    let refused = try Command.run(trusting("-o", "file", server.uri("/start")))
    #expect(refused.ending != .exited(0))
    refused.expectOneLine()
    #expect(plain.connectionCount == 0)
    #expect(try refused.folder.files.isEmpty)
    let allowed = try Command.run(trusting("--allow-downgrade", "-o", "file", server.uri("/start")))
    try allowed.expect(.ok, leaving: ["file": Summary("hello")])
  }

  @Test func httpMayLeadToHTTPS() throws {
    let server = try secure()
    let target = server.uri("/file.bin")
    let plain = try LoopbackServer { $0.redirect(to: target) }
    defer {
      server.stop()
      plain.stop()
    }
    let run = try Command.run(trusting("-H", "Authorization: Bearer t0ken", plain.uri("/start")))
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
    #expect(server.requests.allSatisfy { $0.values("Authorization").isEmpty }, "another scheme is another origin")
  }
}

/// What a server of plain http says to a ClientHello.
private struct PlainAnswer: ChannelMaker {
  func accept(_ descriptor: Int32) -> (any Channel)? {
    var hello = [UInt8](repeating: 0, count: 16_384)
    _ = recv(descriptor, &hello, hello.count, 0)
    let answer = Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8)
    _ = send(descriptor, answer, answer.count, Int32(MSG_NOSIGNAL))
    return nil
  }
}

/// What the small build says.
@Suite(.enabled(if: !Command.hasTLS)) struct WithoutTLSTests {
  @Test func refusesHTTPS() throws {
    let run = try Command.run(["-q", "https://127.0.0.1:9/file.bin"])
    try run.expect(.unsupported)
    #expect(run.standardError.contains("TLS"), "and says why: \(run.standardError)")
  }

  @Test func refusesARedirectToHTTPS() throws {
    let server = try LoopbackServer { $0.redirect(to: "https://127.0.0.1:9/file.bin") }
    defer { server.stop() }
    try Command.run(["-q", server.uri("/file.bin")]).expect(.unsupported)
  }
}
