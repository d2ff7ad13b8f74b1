#if TLS
  import Glibc
  import LoopbackServer
  import Testing

  @testable import TLS

  struct HandshakeTests {
    @Test(arguments: [ServerTLS.Version.tls12, .tls13]) func speaks(_ version: ServerTLS.Version) throws {
      let authority = try TestAuthority.shared()
      let summary = try Meeting(trusting: authority.file).run(ServerTLS(authority.good, only: version)) {
        try $0.handshake()
        return String(decoding: $0.session.summary, as: UTF8.self)
      }
      #expect(summary.hasPrefix(version == .tls12 ? "TLSv1.2 " : "TLSv1.3 TLS_"))
    }

    /// What the server speaks alone, and the least the client accepts.
    static let refused: [(server: ServerTLS.Version, minimum: TLSConfiguration.Version)] = [
      (.tls11, .tls12), (.tls11, .tls13), (.tls12, .tls13),
    ]

    @Test(arguments: refused) func refusesOldVersion(
      _ row: (server: ServerTLS.Version, minimum: TLSConfiguration.Version)
    ) throws {
      let authority = try TestAuthority.shared()
      var configuration = Meeting.configuration(trusting: authority.file)
      configuration.minimumVersion = row.minimum
      let server = try ServerTLS(authority.good, only: row.server)
      let error = try Meeting(TLSContext(configuration)).run(server) { try $0.handshakeError() }
      #expect(error?.protocolReason?.contains("version") == true, "\(String(describing: error))")
    }

    @Test func namesWhatIsNotTLS() throws {
      let error = try Meeting(trusting: TestAuthority.shared().file).runRaw { end in
        end.swallow()
        end.send(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        end.finish()
        end.swallow()
      } client: {
        try $0.handshakeError()
      }
      guard case .handshake(let reason) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(!reason.isEmpty && reason.count <= 512)
    }

    @Test func seesCloseInHandshake() throws {
      let authority = try TestAuthority.shared().file
      let error = try Meeting(trusting: authority).runRaw { end in
        end.swallow()
        end.finish()
        end.swallow()
      } client: { client in
        let first = try client.handshakeError()
        #expect(try client.handshakeError() == first, "an end is repeated")
        return first
      }
      #expect(error == .truncatedInHandshake)
    }

    @Test func seesResetInHandshake() throws {
      let error = try Meeting(trusting: TestAuthority.shared().file).runRaw { end in
        end.swallow()
        end.resetOnClose()
      } client: {
        try $0.handshakeError()
      }
      #expect(error == .connection(code: ECONNRESET))
    }

    /// Under TLS 1.3 a client has finished before the server looks at its certificate (RFC 8446 §4.4.2.4).
    @Test(arguments: [ServerTLS.Version.tls12, .tls13]) func showsClientCertificate(
      _ version: ServerTLS.Version
    ) throws {
      let authority = try TestAuthority.shared()
      let server = try ServerTLS(authority.good, clientAuthority: authority.file, only: version)
      var configuration = Meeting.configuration(trusting: authority.file)
      configuration.certificateFile = Array(authority.client.certificateFile.utf8)
      configuration.keyFile = Array(authority.client.keyFile.utf8)
      let greeting = try Meeting(TLSContext(configuration)).run(server) { channel, _ in
        channel?.write(Array("welcome".utf8))
      } client: { client in
        try client.handshake()
        return try client.receive().bytes
      }
      #expect(greeting == Array("welcome".utf8))

      let error = try Meeting(trusting: authority.file).run(server) { client in
        try client.handshakeError() ?? client.receiveError()
      }
      #expect(error?.protocolReason?.contains("alert") == true, "\(String(describing: error))")
    }
  }
#endif
