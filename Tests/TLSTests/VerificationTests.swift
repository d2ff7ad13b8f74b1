#if TLS
  import LoopbackServer
  import Testing

  @testable import TLS

  /// Whose certificate is good for which host (RFC 9110 §4.3.4, RFC 9525).
  struct VerificationTests {
    struct Row: Sendable {
      let host: String
      var isAddress = false
      let server: @Sendable (TestAuthority) -> TestCredentials
      var authority: @Sendable (TestAuthority) -> String = { $0.file }
      let code: Int?  // X509_V_ERR number; nil: accepted
      let because: String
    }

    static let rows = [
      Row(host: "localhost", server: { $0.good }, code: nil, because: "the right name"),
      Row(host: "LocalHost", server: { $0.good }, code: nil, because: "names have no case"),
      Row(host: "localhost.", server: { $0.good }, code: nil, because: "a final dot is notation"),
      Row(host: "127.0.0.1", isAddress: true, server: { $0.good }, code: nil, because: "iPAddress, v4"),
      Row(host: "::1", isAddress: true, server: { $0.good }, code: nil, because: "iPAddress, v6"),
      Row(host: "::1%lo", isAddress: true, server: { $0.good }, code: nil, because: "a zone is local"),
      Row(host: "a.example.test", server: { $0.wildcard }, code: nil, because: "one label for the star"),
      Row(host: "localhost", server: { $0.wrongName }, code: 62, because: "the CN counts for nothing"),
      Row(host: "localhost", server: { $0.nameless }, code: 62, because: "a CN is no name, even alone"),
      Row(host: "localhost.example", server: { $0.good }, code: 62, because: "only the beginning fits"),
      Row(host: "a.localhost", server: { $0.good }, code: 62, because: "only the end fits"),
      Row(host: "127.0.0.2", isAddress: true, server: { $0.good }, code: 64, because: "another address"),
      Row(host: "::2", isAddress: true, server: { $0.good }, code: 64, because: "another address, v6"),
      Row(host: "127.0.0.1", isAddress: true, server: { $0.wrongName }, code: 64, because: "no iPAddress at all"),
      Row(host: "example.test", server: { $0.wildcard }, code: 62, because: "a star is not nothing"),
      Row(host: "a.b.example.test", server: { $0.wildcard }, code: 62, because: "a star is not two labels"),
      Row(host: "www.partial.test", server: { $0.wildcard }, code: 62, because: "a star is a whole label"),
      Row(host: "localhost", server: { $0.expired }, code: 10, because: "a date in the past"),
      Row(host: "localhost", server: { $0.selfSigned }, code: 18, because: "certified by itself"),
      Row(host: "localhost", server: { $0.good }, authority: { $0.strangerFile }, code: 20, because: "unknown issuer"),
    ]

    @Test(arguments: rows) func verifies(_ row: Row) throws {
      let authority = try TestAuthority.shared()
      var meeting = try Meeting(trusting: row.authority(authority))
      meeting.host = row.host
      meeting.isAddress = row.isAddress
      let error = try meeting.run(ServerTLS(row.server(authority))) { try $0.handshakeError() }
      #expect(error?.verificationCode == row.code, "\(row.because): \(String(describing: error))")
      #expect((error == nil) == (row.code == nil), "\(row.because): \(String(describing: error))")
    }

    static let refusedHosts: [(host: [UInt8], isAddress: Bool, because: String)] = [
      ([], false, "no name"),
      (Array("local\0host".utf8), false, "a NUL would end the name early"),
      (Array(".example.test".utf8), false, "a leading dot would match every name below"),
      (Array(".".utf8), false, "the root is no host"),
      (Array(repeating: UInt8(ascii: "a"), count: 254), false, "longer than a name can be"),
      (Array("localhost".utf8), true, "not an address"),
      (Array("127.0.0.1:443".utf8), true, "more than an address"),
      (Array("[::1]".utf8), true, "brackets are notation of URIs"),
      (Array("%lo".utf8), true, "a zone of nothing"),
    ]

    @Test(arguments: refusedHosts) func refuses(_ row: (host: [UInt8], isAddress: Bool, because: String)) throws {
      let context = try TLSContext(Meeting.configuration(trusting: TestAuthority.shared().file))
      #expect("\(row.because)") {
        _ = try TLSSession(context, descriptor: -1, host: row.host, isAddress: row.isAddress, port: 443)
      } throws: { ($0 as? TLSError)?.isConfiguration == true }
    }

    @Test func insecureAcceptsAnyCertificate() throws {
      var configuration = TLSConfiguration()
      configuration.verifiesPeer = false
      configuration.authorityFile = Array("/nonexistent".utf8)  // not even read
      let authority = try TestAuthority.shared()
      for credentials in [authority.selfSigned, authority.expired, authority.wrongName] {
        let meeting = Meeting(try TLSContext(configuration))
        #expect(try meeting.run(ServerTLS(credentials)) { try $0.handshakeError() } == nil)
      }
    }

    /// Each row: the host asked for, and the server name the server was told (RFC 6066 §3).
    static let serverNames: [(host: String, isAddress: Bool, told: String)] = [
      ("localhost", false, "localhost"), ("localhost.", false, "localhost"), ("127.0.0.1", true, "-"),
    ]

    @Test(arguments: serverNames) func tellsServerNameAndProtocol(
      _ row: (host: String, isAddress: Bool, told: String)
    ) throws {
      let authority = try TestAuthority.shared()
      var meeting = try Meeting(trusting: authority.file)
      meeting.host = row.host
      meeting.isAddress = row.isAddress
      let told = try meeting.run(ServerTLS(authority.good)) { channel, _ in
        channel?.write(Array("\(channel?.serverName ?? "-") \(channel?.protocolName ?? "")".utf8))
        channel?.announceEnd()
      } client: { client in
        try client.handshake()
        return try client.receiveAll().bytes
      }
      #expect(String(decoding: told, as: UTF8.self) == "\(row.told) http/1.1")
    }
  }
#endif
