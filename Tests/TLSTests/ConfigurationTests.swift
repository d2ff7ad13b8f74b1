#if TLS
  import Foundation
  import LoopbackServer
  import Testing

  @testable import TLS

  struct ConfigurationTests {
    struct Row: Sendable {
      var authority: String?
      var directory: String?
      var certificate: String?
      var key: String?
      let mentions: String
      let because: String
    }

    static func rows(_ authority: TestAuthority) -> [Row] {
      let (good, client) = (authority.good, authority.client)
      return [
        Row(authority: "/nonexistent/ca.pem", mentions: "/nonexistent/ca.pem", because: "no such file"),
        Row(authority: authority.folder, mentions: authority.folder, because: "a directory is not a file"),
        Row(authority: good.keyFile, mentions: good.keyFile, because: "a key is no certificate"),
        Row(authority: "/dev/null", mentions: "/dev/null", because: "no certificate in it"),
        Row(authority: "", mentions: "not a path", because: "an empty path"),
        Row(authority: "/tmp/a\0b", mentions: "not a path", because: "NUL would end the path early"),
        Row(authority: String(repeating: "/a", count: 2048), mentions: "not a path", because: "4,096 bytes"),
        Row(directory: "/nonexistent", mentions: "/nonexistent", because: "no such directory"),
        Row(directory: authority.folder, mentions: "rehash", because: "no hashed names"),
        Row(directory: authority.file, mentions: authority.file, because: "a file is not a directory"),
        Row(directory: "", mentions: "not a path", because: "an empty path"),
        Row(certificate: "/nonexistent/c.pem", mentions: "/nonexistent/c.pem", because: "no such certificate"),
        Row(certificate: client.certificateFile, mentions: client.certificateFile, because: "no key in it"),
        Row(certificate: client.certificateFile, key: "/nonexistent/k", mentions: "/nonexistent/k", because: "no key"),
        Row(
          certificate: client.certificateFile, key: good.keyFile, mentions: good.keyFile,
          because: "the key of another certificate"),
        Row(key: client.keyFile, mentions: "without its certificate", because: "a key alone proves nothing"),
        Row(
          certificate: client.certificateFile, key: authority.lockedKeyFile, mentions: authority.lockedKeyFile,
          because: "a passphrase is never asked for"),
      ]
    }

    @Test func refusesWhatCannotBeUsed() throws {
      for row in try Self.rows(TestAuthority.shared()) {
        var configuration = TLSConfiguration()
        configuration.authorityFile = row.authority.map { Array($0.utf8) }
        configuration.authorityDirectory = row.directory.map { Array($0.utf8) }
        configuration.verifiesPeer = row.authority != nil || row.directory != nil
        configuration.certificateFile = row.certificate.map { Array($0.utf8) }
        configuration.keyFile = row.key.map { Array($0.utf8) }
        #expect("\(row.because)") {
          _ = try TLSContext(configuration)
        } throws: { error in
          let reason = (error as? TLSError)?.configurationReason
          return reason?.contains(row.mentions) == true && reason.map(\.utf8.count) ?? 0 <= 512
        }
      }
    }

    @Test func trustsHashedDirectory() throws {
      let authority = try TestAuthority.shared()
      var configuration = TLSConfiguration()
      configuration.authorityDirectory = Array(authority.hashedFolder.utf8)
      let server = try ServerTLS(authority.good)
      #expect(try Meeting(TLSContext(configuration)).run(server) { try $0.handshakeError() } == nil)
      configuration.authorityFile = Array(authority.strangerFile.utf8)
      #expect(try Meeting(TLSContext(configuration)).run(server) { try $0.handshakeError() } == nil, "both count")
    }
  }

  /// What the environment says, each in a process of its own.
  struct EnvironmentTests {
    struct Row: Sendable, Codable {
      var file: String?
      var directory: String?
      let outcome: String  // "accepted", "unverified", or a part of the configuration error
      let because: String
    }

    static func rows(_ authority: TestAuthority) -> [Row] {
      [
        Row(file: authority.file, outcome: "accepted", because: "a bundle"),
        Row(directory: authority.hashedFolder, outcome: "accepted", because: "a directory"),
        Row(directory: "/none:\(authority.hashedFolder)", outcome: "accepted", because: "a list of directories"),
        Row(
          file: authority.good.keyFile, directory: authority.hashedFolder, outcome: "accepted",
          because: "the directory suffices, so the bundle is not even read"),
        Row(
          file: authority.file, directory: authority.strangerFolder, outcome: "accepted",
          because: "the bundle is read when the directory has no issuer"),
        Row(file: "/none", directory: authority.hashedFolder, outcome: "accepted", because: "one usable is enough"),
        Row(file: authority.file, directory: "/none", outcome: "accepted", because: "one usable is enough"),
        Row(file: authority.strangerFile, outcome: "unverified", because: "it replaces the system's store"),
        Row(directory: authority.strangerFolder, outcome: "unverified", because: "it replaces the system's store"),
        Row(
          file: authority.good.keyFile, directory: authority.strangerFolder, outcome: "unverified",
          because: "a bundle that cannot be read knows no issuer"),
        Row(file: "", directory: "", outcome: "unverified", because: "empty is unset, and the system knows us not"),
        Row(file: authority.good.keyFile, outcome: authority.good.keyFile, because: "no certificate in it"),
        Row(file: "/none", outcome: "/none", because: "no such bundle"),
        Row(directory: "/none", outcome: "/none", because: "no such directory"),
        Row(directory: authority.folder, outcome: "no certificates", because: "no hashed names"),
      ]
    }

    @Test func decidesWhomToTrust() async throws {
      let authority = try TestAuthority.shared()
      let (certificate, key) = (authority.good.certificateFile, authority.good.keyFile)
      for row in Self.rows(authority) {
        await #expect(processExitsWith: .success, "\(row.because)") {
          [row = row as Row, certificate = certificate as String, key = key as String] in
          setenv("SSL_CERT_FILE", row.file ?? "", 1)
          setenv("SSL_CERT_DIR", row.directory ?? "", 1)
          let server = try ServerTLS(certificateFile: certificate, keyFile: key)
          do {
            let error = try Meeting(TLSContext(TLSConfiguration())).run(server) { try $0.handshakeError() }
            let outcome = error == nil ? "accepted" : error?.verificationCode == 20 ? "unverified" : "\(error as Any)"
            #expect(outcome == row.outcome)
          } catch let error as TLSError {
            #expect(error.configurationReason?.contains(row.outcome) == true)
          }
        }
      }
    }
  }
#endif
