import Testing

@testable import HTTP1

/// The older `Digest` field (RFC 3230 §4.3.2), the choice between it and the newer one, and what is asked for.
struct InstanceDigestTests {
  typealias Row = DigestFieldTests.Row
  static let (a256, b256, a512) = (DigestFieldTests.a256, DigestFieldTests.b256, DigestFieldTests.a512)
  static let (aSHA, aMD5) = (DigestFieldTests.aSHA, DigestFieldTests.aMD5)

  static let rows = [
    Row("SHA-256=\(a256)", "sha256:A1", "one"),
    Row("sha-512=\(a512)", "sha512:C3", "names without regard to case"),
    Row("md5=\(aMD5)", "md5:F6", "weak, and read"),
    Row("Sha=\(aSHA)", "sha1:E5", "SHA is SHA-1"),
    Row("MD5=\(aMD5),SHA=\(aSHA) ,\tSHA-256=\(a256)", "sha256:A1 sha1:E5 md5:F6", "the strongest first"),
    Row(",, md5=\(aMD5) ,", "md5:F6", "empty elements of a list are ignored (RFC 9110 §5.6.1)"),
    Row("UNIXsum=30637, crc32c=x/y==, md5=\(aMD5)", "md5:F6", "unknown algorithms, whatever their values"),
    Row("md5=\(aMD5), MD5=\(aMD5)", "md5:F6", "the same twice"),
    Row("sha-256=AAAA, md5=\(aMD5)", "md5:F6", "only the one of another length is unusable"),
    Row("", "", "empty"),
    Row("sha-1=\(aSHA)", "", "no such name"),
    Row("sha1=\(aSHA)", "", "no such name"),
    Row("sha256=\(a256)", "", "no such name"),
    Row("id-sha-256=\(a256)", "", "the digest before any content coding: another algorithm"),
    Row("sha-256=", "", "no byte"),
    Row("sha-256=\(a512)", "", "the other's length"),
    Row("md5=\(aSHA)", "", "another's length"),
    Row("sha=\(aMD5)", "", "another's length"),
    Row("sha-256=\(a256), sha-256=\(b256)", nil, "two that differ: which one counts?"),
    Row("sha-256=\(a256), SHA-256=AAAA", nil, "two that differ"),
    Row("sha-256", nil, "no value"),
    Row("=\(a256)", nil, "no name"),
    Row("sha-256 =\(a256)", nil, "a blank before the equals sign"),
    Row("sha-256= \(a256)", nil, "a blank behind it"),
    Row("sha-256=\(a256);q=1", nil, "no parameters"),
    Row("sha-256=:\(a256):", nil, "the newer form"),
    Row("sha-256=\"\(a256)\"", nil, "in quotes"),
    Row("sha-256=\(a256) \(b256)", nil, "no comma"),
    Row("md5=\(aMD5), broken", nil, "one bad member spoils all"),
    Row("sh\u{E4}=\(aSHA)", nil, "a name that is no token"),
  ]

  @Test(arguments: rows) func readsOlderField(_ row: Row) throws {
    let fields = try FieldsTests.fields("Digest: \(row.value)\r\n")
    #expect(DigestFieldTests.summary(.instance, fields) == row.digests, "\(row.because)")
    #expect(DigestFieldTests.summary(.representation, fields) == "", "not the newer one")
  }

  @Test func twoLinesAreOneList() throws {
    let fields = try FieldsTests.fields("Digest: md5=\(Self.aMD5)\r\ndigest:\r\nDigest: sha=\(Self.aSHA)\r\n")
    #expect(DigestFieldTests.summary(.instance, fields) == "sha1:E5 md5:F6")
    let differing = try FieldsTests.fields("Digest: sha-256=\(Self.a256)\r\nDigest: sha-256=\(Self.b256)\r\n")
    #expect(DigestFieldTests.summary(.instance, differing) == nil)
  }

  struct Choice: Sendable { let lines: String, algorithm: DigestField.Algorithm?, because: String }

  static let newer = "Repr-Digest: sha-256=:\(a256):\r\n"
  static let both = "Repr-Digest: sha-256=:\(a256):, sha-512=:\(a512):\r\n"

  static let choices = [
    Choice(lines: newer, algorithm: .sha256, because: "the only one"),
    Choice(lines: both, algorithm: .sha512, because: "SHA-512 before SHA-256"),
    Choice(
      lines: newer + "Digest: sha-512=\(a512)\r\n", algorithm: .sha256, because: "the newer field before the older"),
    Choice(lines: "Digest: md5=\(aMD5), sha-256=\(a256)\r\n", algorithm: .sha256, because: "SHA-256 before MD5"),
    Choice(lines: "Digest: md5=\(aMD5), sha=\(aSHA)\r\n", algorithm: .sha1, because: "SHA-1 before MD5"),
    Choice(
      lines: "Digest: md5=\(aMD5)\r\n", algorithm: .md5, because: "weak is better than nothing: it finds accidents"),
    Choice(
      lines: "Repr-Digest: md5=:\(aMD5):\r\nDigest: md5=\(aMD5)\r\n", algorithm: .md5,
      because: "nothing usable in the newer one"),
    Choice(
      lines: "Repr-Digest: sha-256\r\nDigest: sha-256=\(a256)\r\n", algorithm: .sha256,
      because: "a malformed field is as if it were not there (RFC 8941 §4.2)"),
    Choice(lines: newer + "Digest: ?\r\n", algorithm: .sha256, because: "whatever the older one is"),
    Choice(lines: "Repr-Digest: md5=:\(aMD5):\r\n", algorithm: nil, because: "deprecated"),
    Choice(lines: "Repr-Digest: ?\r\nDigest: ?\r\n", algorithm: nil, because: "both malformed"),
    Choice(lines: "", algorithm: nil, because: "none"),
    Choice(lines: "Content-Digest: sha-256=:\(a256):\r\n", algorithm: nil, because: "of this message's content only"),
    Choice(lines: "Content-MD5: \(aMD5)\r\n", algorithm: nil, because: "obsolete, and nobody knew of what"),
  ]

  @Test(arguments: choices) func choosesTheStrongest(_ row: Choice) throws {
    let digest = DigestField.strongest(ofRepresentationIn: try FieldsTests.fields(row.lines))
    #expect(digest?.algorithm == row.algorithm)
  }

  /// A Dictionary of Integers from 0 to 10 (RFC 9530 §4) that any recipient can read.
  @Test func asksForWhatItReads() throws {
    let value = Array(DigestField.wantedValue.utf8)
    #expect(text(value) == "sha-256=10, sha-512=5")
    var dictionary = StructuredDictionary(value)
    for key in ["sha-256", "sha-512"] {
      let member = try #require(try dictionary.nextMember())
      #expect(text(member.key) == key)
    }
    #expect(try dictionary.nextMember() == nil)
  }
}
