import TLS
import Testing

#if TLS
  import Foundation
#endif

/// Digests of bytes as they pass (FIPS 180-4, and MD5).
struct MessageDigestTests {
  static let algorithms = [DigestAlgorithm.sha256, .sha512, .sha1, .md5]

  static let properties: [(DigestAlgorithm, name: String, byteCount: Int, isWeak: Bool)] = [
    (.sha256, "sha-256", 32, false), (.sha512, "sha-512", 64, false), (.sha1, "sha-1", 20, true),
    (.md5, "md5", 16, true),
  ]

  @Test func saysWhatAnAlgorithmIs() {
    for (algorithm, name, byteCount, isWeak) in Self.properties {
      #expect(algorithm.name == name)
      #expect(algorithm.byteCount == byteCount, "\(name)")
      #expect(algorithm.isWeak == isWeak, "\(name)")
    }
  }

  #if TLS
    struct Row: Sendable { let algorithm: DigestAlgorithm, text: String, hexadecimal: String }

    static let million = String(repeating: "a", count: 1_000_000)

    static let rows = [
      Row(algorithm: .md5, text: "", hexadecimal: "d41d8cd98f00b204e9800998ecf8427e"),
      Row(algorithm: .md5, text: "rawget", hexadecimal: "4ef0fb013707741e9ab7ea81fa0d7cab"),
      Row(algorithm: .md5, text: million, hexadecimal: "7707d6ae4e027c70eea2a935c2296f21"),
      Row(algorithm: .sha1, text: "", hexadecimal: "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
      Row(algorithm: .sha1, text: "rawget", hexadecimal: "777b654245ce2c5e4251a5336bf67b4ab0d6ad91"),
      Row(algorithm: .sha1, text: million, hexadecimal: "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
      Row(
        algorithm: .sha256, text: "", hexadecimal: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      Row(
        algorithm: .sha256, text: "rawget",
        hexadecimal: "1da665272948bc50e9d2361c703548fb5d9ffc69484577a861f228cfda0af98c"),
      Row(
        algorithm: .sha256, text: million,
        hexadecimal: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
      Row(
        algorithm: .sha512, text: "",
        hexadecimal: "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
          + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"),
      Row(
        algorithm: .sha512, text: "rawget",
        hexadecimal: "713dcd1379349598b1814c59adef7aff3439e18616b2857b5dcc38be39ea4b16"
          + "1bcc5cd4d40bba47bc6858b4dcefbaf3f8a042b514de09cd3bae561c2df6ecce"),
      Row(
        algorithm: .sha512, text: million,
        hexadecimal: "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
          + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"),
    ]

    static func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

    @Test(arguments: rows) func digests(_ row: Row) throws {
      let digest = try MessageDigest(row.algorithm)
      digest.update(Array(row.text.utf8).span)
      let value = digest.finalize()
      #expect(value.count == row.algorithm.byteCount)
      #expect(MessageDigestTests.hexadecimal(value) == row.hexadecimal)
    }

    /// Cuts around the functions' own blocks of 64 and 128 bytes; nothing at all may come too.
    @Test(arguments: algorithms) func doesNotDependOnTheCuts(_ algorithm: DigestAlgorithm) throws {
      let content = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let whole = try MessageDigest(algorithm)
      whole.update(content.span)
      let expected = whole.finalize()
      for cut in 0...content.count {
        let digest = try MessageDigest(algorithm)
        digest.update(Array(content[..<cut]).span)
        digest.update([UInt8]().span)
        digest.update(Array(content[cut...]).span)
        #expect(digest.finalize() == expected, "cut at \(cut)")
      }
    }

    /// A prefix is hashed once, whatever is tried behind it.
    @Test(arguments: algorithms) func copiesGoOnIndependently(_ algorithm: DigestAlgorithm) throws {
      func digest(_ text: String) throws -> [UInt8] {
        let digest = try MessageDigest(algorithm)
        digest.update(Array(text.utf8).span)
        return digest.finalize()
      }
      let prefix = try MessageDigest(algorithm)
      prefix.update(Array("raw".utf8).span)
      let asItIs = try prefix.copy()
      let first = try prefix.copy()
      first.update(Array("meat".utf8).span)
      let second = try first.copy()
      prefix.update(Array("get".utf8).span)
      second.update(Array("loaf".utf8).span)
      #expect(try first.finalize() == digest("rawmeat"))
      #expect(try prefix.finalize() == digest("rawget"))
      #expect(try second.finalize() == digest("rawmeatloaf"))
      #expect(try asItIs.finalize() == digest("raw"), "finalizing the others did not touch it")
    }

    @Test func aCopyOutlivesItsOriginal() throws {
      var original: MessageDigest? = try MessageDigest(.sha256)
      original?.update(Array("raw".utf8).span)
      let copy = try #require(try original?.copy())
      original = nil
      copy.update(Array("get".utf8).span)
      #expect(MessageDigestTests.hexadecimal(copy.finalize()).hasPrefix("1da66527"))
    }

    /// A final digest is of no more use: to go on with it is a mistake of ours, never a wrong digest.
    @Test func nothingFollowsTheEnd() async {
      await #expect(processExitsWith: .failure, "update") {
        let digest = try MessageDigest(.sha256)
        _ = digest.finalize()
        digest.update([1].span)
      }
      await #expect(processExitsWith: .failure, "finalize") {
        let digest = try MessageDigest(.sha256)
        _ = digest.finalize()
        _ = digest.finalize()
      }
      await #expect(processExitsWith: .failure, "copy") {
        let digest = try MessageDigest(.sha256)
        _ = digest.finalize()
        _ = try digest.copy()
      }
    }

    /// The system's OpenSSL configuration decides what there is, for digests as for sessions.
    @Test func refusesWhatTheSystemLeavesOut() async throws {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).cnf")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data(
        """
        openssl_conf = start
        [start]
        alg_section = algorithms
        [algorithms]
        default_properties = fips=yes

        """.utf8
      ).write(to: file)
      let path = file.path
      await #expect(processExitsWith: .success) { [path = path as String] in
        setenv("OPENSSL_CONF", path, 1)
        #expect(throws: TLSError.configuration(reason: Array("OpenSSL does not offer md5".utf8))) {
          _ = try MessageDigest(.md5)
        }
      }
    }
  #else
    @Test(arguments: algorithms) func isNotBuilt(_ algorithm: DigestAlgorithm) {
      #expect(throws: TLSError.notBuilt) { _ = try MessageDigest(algorithm) }
    }
  #endif
}
