import TLS
import Testing

@testable import HTTP1
@testable import RawGet

/// The value of `--checksum`, and what the server's field becomes.
struct ChecksumTests {
  struct Row: Sendable {
    let text: String
    let algorithm: DigestAlgorithm?  // nil: must be refused
    let because: String

    init(_ text: String, _ algorithm: DigestAlgorithm?, _ because: String) {
      self.text = text
      self.algorithm = algorithm
      self.because = because
    }
  }

  /// So many bytes that count up from 0x0A, so that letters and digits are among them.
  static func hexadecimal(_ byteCount: Int) -> String {
    (0..<byteCount).map { "0" + String($0 % 6 + 10, radix: 16) }.joined()
  }
  static let (md5, sha1, sha256, sha512) = (hexadecimal(16), hexadecimal(20), hexadecimal(32), hexadecimal(64))

  static let accepted = [
    Row("sha-256=\(sha256)", .sha256, "as RFC 9530 writes it"),
    Row("sha256=\(sha256)", .sha256, "as sha256sum is written"),
    Row("SHA-256=\(sha256)", .sha256, "as FIPS 180-4 writes it"),
    Row("Sha256=\(sha256.uppercased())", .sha256, "digits in either case"),
    Row("sha-256=0A\(sha256.dropFirst(2))", .sha256, "in both"),
    Row("sha-512=\(sha512)", .sha512, "the longer one"),
    Row("SHA512=\(sha512)", .sha512, "without its hyphen"),
    Row("sha-1=\(sha1)", .sha1, "weak"),
    Row("SHA1=\(sha1)", .sha1, "weak"),
    Row("md5=\(md5)", .md5, "weak"),
    Row("MD5=\(md5)", .md5, "weak"),
  ]

  static let refused = [
    Row("", nil, "nothing"),
    Row("=", nil, "nothing on either side"),
    Row("sha-256", nil, "no digest"),
    Row("sha-256=", nil, "no digest"),
    Row(sha256, nil, "no algorithm: never guessed by the length"),
    Row("=\(sha256)", nil, "no algorithm"),
    Row("sha-256:\(sha256)", nil, "a colon"),
    Row("sha-256 \(sha256)", nil, "a blank"),
    Row("sha-256 =\(sha256)", nil, "a blank before the equals sign"),
    Row("sha-256= \(sha256)", nil, "a blank behind it"),
    Row(" sha-256=\(sha256)", nil, "a blank in front"),
    Row("sha-256=\(sha256) ", nil, "a blank at the end"),
    Row("sha-256=\(sha256)\n", nil, "a line end"),
    Row("sha-256=\(sha256)  disk.iso", nil, "a whole line of sha256sum"),
    Row("sha-256==\(sha256)", nil, "two equals signs"),
    Row("sha-256=0x\(sha256)", nil, "a prefix"),
    Row("sha-256=0x\(sha256.dropFirst(2))", nil, "a prefix that leaves the right length"),
    Row("sha-256=\(sha256.dropLast())", nil, "a digit too few"),
    Row("sha-256=\(sha256)0", nil, "a digit too many"),
    Row("sha-256=\(sha256.dropLast(2))", nil, "a byte too few"),
    Row("sha-256=\(sha256)00", nil, "a byte too many"),
    Row("sha-256=\(sha256)\(sha256)", nil, "twice"),
    Row("sha-256=\(sha256.dropLast())g", nil, "no hexadecimal digit at the end"),
    Row("sha-256=g\(sha256.dropFirst())", nil, "no hexadecimal digit in front"),
    Row("sha-256=\(sha256.dropLast())/", nil, "the byte before 0"),
    Row("sha-256=\(sha256.dropLast()):", nil, "the byte behind 9"),
    Row("sha-256=\(sha256.dropLast())@", nil, "the byte before A"),
    Row("sha-256=\(sha256.dropLast())`", nil, "the byte before a"),
    Row("sha-256=\(sha256.dropLast(2))\u{E9}", nil, "two bytes beyond ASCII"),
    Row("sha-256=\(sha256.dropLast(1))\0", nil, "NUL"),
    Row("sha-256=CgsMDQ4PCgsMDQ4PCgsMDQ4PCgsMDQ4PCgsMDQ4PCgs=", nil, "base64"),
    Row("sha-256=\(sha512)", nil, "the digest of another"),
    Row("sha-512=\(sha256)", nil, "the digest of another"),
    Row("sha-1=\(md5)", nil, "the digest of another"),
    Row("md5=\(sha1)", nil, "the digest of another"),
    Row("sha=\(sha1)", nil, "which one?"),
    Row("md-5=\(md5)", nil, "no such name"),
    Row("sha--256=\(sha256)", nil, "no such name"),
    Row("sha_256=\(sha256)", nil, "no such name"),
    Row("sha-256-=\(sha256)", nil, "no such name"),
    Row("sha-25=\(sha256)", nil, "no such name"),
    Row("sha-384=\(hexadecimal(48))", nil, "not offered"),
    Row("sha-224=\(hexadecimal(28))", nil, "not offered"),
    Row("sha3-256=\(sha256)", nil, "not offered"),
    Row("crc32=0a0b0c0d", nil, "not offered"),
  ]

  @Test(arguments: accepted) func reads(_ row: Row) throws {
    let checksum = try #require(Checksum(text: Array(row.text.utf8)), "\(row.because)")
    #expect(checksum.algorithm == row.algorithm, "\(row.because)")
    let expected = (0..<checksum.algorithm.byteCount).map { UInt8($0 % 6 + 10) }
    #expect(checksum.expected == expected)
    #expect(checksum.isWeak == (row.algorithm == .sha1 || row.algorithm == .md5))
    #expect(Checksum(text: checksum.text) == checksum, "it reads back")
  }

  @Test(arguments: refused) func refuses(_ row: Row) {
    #expect(Checksum(text: Array(row.text.utf8)) == nil, "\(row.because)")
  }

  @Test func isWrittenInOneForm() throws {
    let checksum = try #require(Checksum(text: Array("SHA1=000F10ABCDEF99887766554433221100FFEEDDCC".utf8)))
    #expect(String(decoding: checksum.text, as: UTF8.self) == "sha-1=000f10abcdef99887766554433221100ffeeddcc")
  }

  static let algorithms: [(DigestField.Algorithm, DigestAlgorithm)] = [
    (.sha256, .sha256), (.sha512, .sha512), (.sha1, .sha1), (.md5, .md5),
  ]

  /// Both modules say how long a digest is; they have to agree.
  @Test(arguments: algorithms) func takesTheServersDigest(_ field: DigestField.Algorithm, algorithm: DigestAlgorithm) {
    #expect(field.byteCount == algorithm.byteCount)
    let value = [UInt8](repeating: 0x5A, count: field.byteCount)
    let checksum = Checksum(DigestField.Digest(algorithm: field, value: value))
    #expect(checksum.algorithm == algorithm)
    #expect(checksum.expected == value)
  }
}
