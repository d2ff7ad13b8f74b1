import Foundation
import LoopbackServer
import Testing

@testable import RawGet

/// The same promises inside TLS: who answers is known, and only close_notify is an end (RFC 9112 §9.8).
@Suite(.enabled(if: RawGetVersion.hasTLS)) struct HTTPSTests {
  private static let resource = Resource(length: 300_000, seed: 12)
  private static let dropAfter: Int64 = 120_000  // bytes
  private let folder: Folder
  private let authority: TestAuthority

  init() throws {
    folder = try Folder()
    authority = try TestAuthority.shared()
  }

  /// Serves like another, and notes which sessions were taken up again and which were ended well.
  ///
  /// `@unchecked Sendable`: the lists are touched under the lock, the channels only when their server has stopped.
  private final class NotingTLS: ChannelMaker, @unchecked Sendable {
    private let tls: ServerTLS
    /// Handshakes that are dropped at their very start.
    private let dropped: Int
    private let lock = NSLock()
    private var resumptions: [Bool] = []
    private var channels: [TLSChannel] = []

    init(_ tls: ServerTLS, dropping dropped: Int = 0) {
      self.tls = tls
      self.dropped = dropped
    }

    var isResumed: [Bool] { lock.withLock { resumptions } }
    var sawNotify: [Bool] { lock.withLock { channels.map(\.sawNotify) } }

    func accept(_ descriptor: Int32) -> (any Channel)? {
      let number = lock.withLock {
        resumptions.append(false)
        return resumptions.count
      }
      guard number > dropped, let channel = tls.handshake(descriptor) else { return nil }
      lock.withLock {
        resumptions[number - 1] = channel.isResumed
        channels.append(channel)
      }
      return channel
    }
  }

  // MARK: Who answers

  struct Trust: Sendable, CustomTestStringConvertible {
    let because: String
    let credentials: @Sendable (TestAuthority) -> TestCredentials
    var host = "127.0.0.1"
    var change: @Sendable (inout TLSOptions, TestAuthority) -> Void = { _, _ in }
    var name = "tls.verification"
    var testDescription: String { because }
  }

  static let trusts = [
    Trust(because: "another name", credentials: { $0.wrongName }),
    Trust(because: "an authority of its own", credentials: { $0.selfSigned }),
    Trust(because: "expired", credentials: { $0.expired }),
    Trust(
      because: "an authority that we do not trust", credentials: { $0.good },
      change: { $0.authorityFile = Array($1.strangerFile.utf8) }),
    Trust(
      because: "the same in a directory", credentials: { $0.good },
      change: {
        $0.authorityFile = nil
        $0.authorityDirectory = Array($1.strangerFolder.utf8)
      }),
    Trust(
      because: "an authority file that is not there", credentials: { $0.good },
      change: { options, _ in options.authorityFile = Array("/nowhere".utf8) }, name: "tls.configuration"),
    Trust(because: "its address is certified", credentials: { $0.good }, name: "complete"),
    Trust(because: "its name is", credentials: { $0.good }, host: "localhost", name: "complete"),
    Trust(
      because: "an authority in a directory", credentials: { $0.good },
      change: {
        $0.authorityFile = nil
        $0.authorityDirectory = Array($1.hashedFolder.utf8)
      }, name: "complete"),
    Trust(
      because: "nobody is asked", credentials: { $0.selfSigned },
      change: { options, _ in options.verifiesPeer = false },
      name: "complete"),
  ]

  @Test(arguments: trusts) func knowsWhoAnswers(_ row: Trust) throws {
    let server = try LoopbackServer(tls: ServerTLS(row.credentials(authority))) { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Run("https://\(row.host):\(server.port)/x", in: folder) { [authority] in
      row.change(&$0.tls, authority)
    }
    #expect(run.name == row.name)
    #expect(run.interruptions == [], "who it is does not change by asking again")
    #expect(server.requests.count == (row.name == "complete" ? 1 : 0), "no request, so no secret, goes to a stranger")
    #expect(try folder.names == (row.name == "complete" ? ["x"] : []))
  }

  @Test(arguments: [true, false]) func aClientCertificateIsShown(_ isShown: Bool) throws {
    let tls = try ServerTLS(authority.good, clientAuthority: authority.file)
    let server = try LoopbackServer(tls: tls) { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder) { [authority] options in
      guard isShown else { return }
      options.tls.certificateFile = Array(authority.client.certificateFile.utf8)
      options.tls.keyFile = Array(authority.client.keyFile.utf8)
    }
    #expect((run.name == "complete") == isShown, "\(run.name)")
  }

  @Test("one loop, two minds: whom the first trusts is nothing to the second") func optionsAreNotShared() throws {
    let server = try LoopbackServer(tls: ServerTLS(authority.selfSigned)) { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    var driver = Driver()
    for (isVerified, name) in [(false, "complete"), (true, "tls.verification"), (false, "exists")] {
      var (request, options) = try Run.prepared(server.uri("/x"), folder.destination)
      options.tls.verifiesPeer = isVerified
      request.fields = []
      var download = Download(request, options)
      #expect(driver.finish(&download).name == name)
    }
  }

  @Test func plainHTTPIsNotTLS() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    // The server waits for the end of a request head; a ClientHello never brings it one.
    let stall = Stall()
    stall.raise()
    let run = try Run("https://127.0.0.1:\(server.port)/x", in: folder, stall: stall) { $0.retryLimit = 0 }
    #expect(run.name == "timedOut.handshake")
  }

  @Test func aHandshakeThatIsDroppedMayPass() throws {
    let tls = NotingTLS(try ServerTLS(authority.good), dropping: 1)
    let server = try LoopbackServer(tls: tls) { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder) { $0.retryLimit = 1 }
    #expect(run.name == "complete")
    #expect(["tls.truncatedInHandshake", "tls.connection"].contains(run.interruptions.first), "\(run.interruptions)")
  }

  // MARK: How it ends

  struct End: Sendable, CustomTestStringConvertible {
    let framing: Conduct.Framing
    let ending: Conduct.Ending
    let names: [String]
    var testDescription: String { "\(framing), \(ending)" }
  }

  static let ends = [
    End(framing: .contentLength, ending: .close, names: ["protocolViolation.incompleteContent"]),
    End(framing: .contentLength, ending: .closeWithoutNotify, names: ["protocolViolation.incompleteContent"]),
    End(framing: .contentLength, ending: .reset, names: ["tls.connection", "protocolViolation.incompleteContent"]),
    End(framing: .chunked, ending: .close, names: ["protocolViolation.incompleteChunkedContent"]),
    End(framing: .chunked, ending: .closeWithoutNotify, names: ["protocolViolation.incompleteChunkedContent"]),
    End(framing: .untilClose, ending: .closeWithoutNotify, names: ["protocolViolation.unprovenEnd"]),
    End(framing: .untilClose, ending: .reset, names: ["tls.connection", "protocolViolation.unprovenEnd"]),
  ]

  @Test("T19: a cut stream is never a success", arguments: ends) func cut(_ end: End) throws {
    var conduct = Conduct.dropping(after: Self.dropAfter, end.ending)
    conduct.framing = end.framing
    let server = try LoopbackServer(tls: ServerTLS(authority.good)) { [conduct] in
      Self.resource.respond(to: $0, conduct)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder) { $0.retryLimit = 0 }
    #expect(end.names.contains(run.name), "\(run.name)")
    #expect(folder.content(of: "x.part") == Self.resource.content(in: 0..<Self.dropAfter))
    // Taken up where each attempt ended.
    let other = try Folder()
    let whole = try Run(server.uri("/x"), in: other) { $0.retryLimit = 1 }
    #expect(whole.name == "complete" || end.framing == .untilClose)
    #expect(server.requests.dropFirst().map { $0.field("Range") }.prefix(3) == [nil, "bytes=120000-", "bytes=240000-"])
  }

  @Test func everythingButTheProof() throws {
    let server = try LoopbackServer(tls: ServerTLS(authority.good)) { exchange in
      guard exchange.requestNumber == 1 else { return Self.resource.respond(to: exchange) }
      exchange.send("HTTP/1.1 200 OK\r\nETag: \"first\"\r\n\r\n")
      exchange.send(Self.resource.bytes)
      exchange.closeWithoutNotify()
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder)
    #expect(run.interruptions == ["protocolViolation.unprovenEnd"])
    #expect(server.requests.last?.field("Range") == "bytes=300000-")
    #expect(run.name == "complete", "T22: the 416 that follows is the proof")
    #expect(folder.content(of: "x") == Self.resource.content)
  }

  @Test("a reconnect resumes the TLS session", arguments: [ServerTLS.Version.tls12, .tls13])
  func sessionsAreResumed(_ version: ServerTLS.Version) throws {
    let tls = NotingTLS(try ServerTLS(authority.good, only: version))
    let server = try LoopbackServer(tls: tls) { Self.resource.respond(to: $0, .dropping(after: Self.dropAfter)) }
    defer { server.stop() }
    #expect(try Run(server.uri("/x"), in: folder).name == "complete")
    #expect(tls.isResumed == [false, true, true])
    #expect(folder.content(of: "x") == Self.resource.content)
  }

  /// RFC 8446 §6.1: nothing that a server could take for a cut.
  @Test func theEndIsSaidToTheServerToo() throws {
    let tls = NotingTLS(try ServerTLS(authority.good))
    let server = try LoopbackServer(tls: tls) { $0.reply("200 OK", text: "hello") }
    #expect(try Run(server.uri("/x"), in: folder).name == "complete")
    server.stop()
    #expect(tls.sawNotify == [true])
  }

  // MARK: Redirects

  @Test(arguments: [true, false]) func downgrade(_ isAllowed: Bool) throws {
    let plain = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { plain.stop() }
    let target = plain.uri("/y")
    let server = try LoopbackServer(tls: ServerTLS(authority.good)) { $0.redirect(to: target) }
    defer { server.stop() }
    let run = try Run("https://me:own@127.0.0.1:\(server.port)/x", in: folder) { $0.allowsDowngrade = isAllowed }
    #expect(run.name == (isAllowed ? "complete" : "redirection.downgrade"))
    #expect(plain.connectionCount == (isAllowed ? 1 : 0))
    #expect(plain.requests.allSatisfy { $0.field("Authorization") == nil }, "secrets stay even then")
  }

  @Test func oneConnectionForARedirectToo() throws {
    let server = try LoopbackServer(tls: ServerTLS(authority.good)) { exchange in
      if exchange.request.target == "/x" { return exchange.redirect(to: "/y") }
      exchange.reply("200 OK", text: "hello")
    }
    defer { server.stop() }
    #expect(try Run(server.uri("/x"), in: folder).name == "complete")
    #expect(server.connectionCount == 1, "session tickets that come meanwhile are no surplus")
  }
}

@Suite(.enabled(if: !RawGetVersion.hasTLS)) struct WithoutTLSTests {
  @Test func saysWhyItCannot() throws {
    let folder = try Folder()
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Run("https://127.0.0.1:\(server.port)/x", in: folder)
    #expect(run.name == "tls.notBuilt" && run.result.failure?.exitCode == 16)
    #expect(server.connectionCount == 0, "found out before anything is sent")
    #expect(try folder.names == [])
  }
}
