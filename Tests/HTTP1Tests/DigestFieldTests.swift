import Foundation
import Testing

@testable import HTTP1

/// Digest fields (RFC 9530, RFC 3230): which claims about bytes can be verified.
struct DigestFieldTests {
  struct Row: Sendable {
    let value: String
    let digests: String?  // algorithm and first byte of each; "": nothing usable; nil: must be refused
    let because: String

    init(_ value: String, _ digests: String?, _ because: String) {
      self.value = value
      self.digests = digests
      self.because = because
    }
  }

  static func base64(_ byte: UInt8, _ count: Int) -> String {
    Data(repeating: byte, count: count).base64EncodedString()
  }

  static let a256 = base64(0xA1, 32), b256 = base64(0xB2, 32), a512 = base64(0xC3, 64), b512 = base64(0xD4, 64)
  static let aSHA = base64(0xE5, 20), aMD5 = base64(0xF6, 16)
  static let good = "sha-256=:\(a256):"

  static let usable = [
    Row(good, "sha256:A1", "one"),
    Row("sha-512=:\(a512):", "sha512:C3", "the other"),
    Row("\(good), sha-512=:\(a512):", "sha512:C3 sha256:A1", "both, the stronger first"),
    Row("sha-512=:\(a512):,\(good)", "sha512:C3 sha256:A1", "no blank, another order"),
    Row("  \(good)\t ,\t \(good) \t", "sha256:A1", "OWS around commas and behind"),
    Row("\(good);v=1", "sha256:A1", "a parameter"),
    Row("\(good);  a;b=?0;*c=\"x,y;\\\"z\";d=:AA==:;e=-1.5;f=a/b:c", "sha256:A1", "parameters of every type"),
    Row("\(good);v=\"a, sha-256=:\(b256):\"", "sha256:A1", "a comma between quotes separates nothing"),
    Row("xyz=:AAAA:, \(good)", "sha256:A1", "an unknown algorithm is ignored"),
    Row("xyz, \(good)", "sha256:A1", "a key alone"),
    Row("xyz;a=1, \(good)", "sha256:A1", "a key alone with a parameter"),
    Row("*_-.09z=( a  \"b\";c :AA==: );d, \(good)", "sha256:A1", "a list, every character of a key"),
    Row("e=(), \(good)", "sha256:A1", "an empty list"),
    Row("n=123456789012345, m=-1, d=123456789012.123, \(good)", "sha256:A1", "numbers of full length"),
    Row("t=*a/b:c!#$%&'*+-.^_`|~, \(good)", "sha256:A1", "a token of every character"),
    Row("sha-256=:\(a256):, sha-256=:\(b256):", "sha256:B2", "the last of two counts"),
    Row("sha-256=:AAAA:, sha-256=:\(b256):", "sha256:B2", "the last, though the first is too short"),
    Row("sha-256=5, sha-256=:\(b256):", "sha256:B2", "the last, though the first is a number"),
    Row("sha-256=:\(b256):, sha-512=:\(a512):, sha-256=:\(a256):", "sha512:C3 sha256:A1", "the last, not in a row"),
    Row("sha-256=:\(a256.dropLast(2))F=:", "sha256:A1", "pad bits that are not zero are let go"),
    Row("sha-512=:AAAA:, \(good)", "sha256:A1", "only the one of another length is unusable"),
    Row("md5=:\(aMD5):, \(good)", "sha256:A1", "a deprecated one is ignored"),
  ]

  static let unusable = [
    Row("", "", "empty"),
    Row("xyz=:AAAA:", "", "unknown"),
    Row("md5=:\(aMD5):", "", "deprecated (RFC 9530 §5)"),
    Row("sha=:\(aSHA):", "", "deprecated (RFC 9530 §5)"),
    Row("sha-1=:\(aSHA):", "", "no such key"),
    Row("sha256=:\(a256):", "", "another key"),
    Row("sha-256x=:\(a256):", "", "a longer key"),
    Row("sha-25=:\(a256):", "", "a shorter key"),
    Row("id-sha-256=:\(a256):", "", "a key of the older field"),
    Row("sha-256=::", "", "no byte"),
    Row("sha-256=:\(base64(1, 31)):", "", "a byte too few"),
    Row("sha-256=:\(base64(1, 33)):", "", "a byte too many"),
    Row("sha-256=:\(a512):", "", "the other's length"),
    Row("sha-512=:\(a256):", "", "the other's length"),
    Row("sha-512=:\(base64(1, 63)):, sha-256=:\(base64(1, 0)):", "", "both"),
    Row("sha-256=:\(a256):, sha-256=:AAAA:", "", "the last of two counts, so the first does not"),
  ]

  static let malformed = [
    Row("sha-256=\(a256)", nil, "no colons"),
    Row("sha-256=:\(a256)", nil, "not closed"),
    Row("sha-256=\(a256):", nil, "not opened"),
    Row("sha-256=:", nil, "one colon"),
    Row("sha-256=", nil, "no value"),
    Row("sha-256=:\(a256)=:", nil, "too much padding"),
    Row("sha-256=:\(a256.dropFirst())\u{E9}:", nil, "a byte outside the alphabet"),
    Row("sha-256=:\(a256.dropFirst(4))-_==:", nil, "the other alphabet"),
    Row("sha-256=: \(a256):", nil, "a blank inside"),
    Row("sha-256 =:\(a256):", nil, "a blank before the equals sign"),
    Row("sha-256= :\(a256):", nil, "a blank behind it"),
    Row("SHA-256=:\(a256):", nil, "capital letters are of no key"),
    Row("sha-256=\"\(a256)\"", nil, "a string"),
    Row("sha-256=\(a256.prefix(40))", nil, "a token"),
    Row("sha-256", nil, "a Boolean"),
    Row("sha-256=?1", nil, "a Boolean"),
    Row("sha-256=1", nil, "an Integer"),
    Row("sha-256=(:\(a256):)", nil, "a list"),
    Row("sha-512=1, \(good)", nil, "another type for one that we know"),
    Row("\(good), sha-256", nil, "the last of two counts, and is no Byte Sequence"),
    Row("\(good),", nil, "a comma and nothing"),
    Row(",\(good)", nil, "nothing and a comma"),
    Row("\(good),,sha-512=:\(a512):", nil, "nothing between commas"),
    Row(",", nil, "a comma"),
    Row("\(good) sha-512=:\(a512):", nil, "no comma"),
    Row("\(good);sha-512=:\(a512):x", nil, "bytes behind a parameter"),
    Row("\(good)x", nil, "bytes behind the value"),
    Row("\(good) ;v=1", nil, "a blank before a parameter"),
    Row("\(good);", nil, "no parameter"),
    Row("\(good);\tv=1", nil, "HTAB before a parameter's key"),
    Row("\(good);V=1", nil, "a parameter with a capital letter"),
    Row("\(good);v=", nil, "a parameter without its value"),
    Row("\(good);v=(a)", nil, "a parameter is no list"),
    Row("\(good);v=\u{E9}", nil, "a parameter beyond ASCII"),
    Row("\(good), 1x=1", nil, "a key with a digit in front"),
    Row("\(good), =1", nil, "no key"),
    Row("\(good), \u{E9}=1", nil, "a key beyond ASCII"),
    Row("\(good), {=1", nil, "a key with the byte behind z"),
    Row("\(good), `=1", nil, "a key with the byte before a"),
    Row("\(good), x=\"a", nil, "a string left open"),
    Row("\(good), x=\"a\\", nil, "an escape left open"),
    Row("\(good), x=\"a\\b\"", nil, "an escape that there is not"),
    Row("\(good), x=\"\u{E9}\"", nil, "a string beyond ASCII"),
    Row("\(good), x=\"\u{7F}\"", nil, "DEL in a string"),
    Row("\(good), x=\"a\tb\"", nil, "HTAB in a string"),
    Row("\(good), x=?2", nil, "a Boolean that there is not"),
    Row("\(good), x=?", nil, "a Boolean left open"),
    Row("\(good), x=-", nil, "a sign alone"),
    Row("\(good), x=--1", nil, "two signs"),
    Row("\(good), x=+1", nil, "another sign"),
    Row("\(good), x=1234567890123456", nil, "16 digits"),
    Row("\(good), x=1234567890123.1", nil, "13 digits and a fraction"),
    Row("\(good), x=1.1234", nil, "4 digits of fraction"),
    Row("\(good), x=1.", nil, "no fraction"),
    Row("\(good), x=.5", nil, "a fraction alone"),
    Row("\(good), x=1.2.3", nil, "two points"),
    Row("\(good), x=(a b", nil, "a list left open"),
    Row("x=(a, \(good)", nil, "a list left open in front"),
    Row("\(good), x=(a,b)", nil, "a comma in a list"),
    Row("\(good), x=(a\tb)", nil, "HTAB in a list"),
    Row("\(good), x=(\"a\"\"b\")", nil, "no blank in a list"),
    Row("\(good), x=((a))", nil, "a list in a list"),
    Row("\(good), x=)", nil, "a list not opened"),
    Row("\(good), x=@1", nil, "a Date is of RFC 9651 only"),
    Row("\(good), x=%\"a\"", nil, "a Display String is of RFC 9651 only"),
    Row("\(good), x=:A:", nil, "an unknown algorithm has to be well formed too"),
  ]

  @Test(arguments: usable + unusable + malformed) func readsBothNewerFields(_ row: Row) throws {
    let representation = try FieldsTests.fields("Repr-Digest: \(row.value)\r\n")
    let content = try FieldsTests.fields("content-digest:\(row.value)\r\n")
    #expect(DigestFieldTests.summary(.representation, representation) == row.digests, "\(row.because)")
    #expect(DigestFieldTests.summary(.content, content) == row.digests, "\(row.because)")
  }

  @Test func eachFieldIsReadForItself() throws {
    let fields = try FieldsTests.fields(
      "Repr-Digest: \(Self.good)\r\nContent-Digest: sha-256=:\(Self.b256):\r\nDigest: sha=\(Self.aSHA)\r\n")
    #expect(DigestFieldTests.summary(.representation, fields) == "sha256:A1")
    #expect(DigestFieldTests.summary(.content, fields) == "sha256:B2")
    #expect(DigestFieldTests.summary(.instance, fields) == "sha1:E5")
    for kind in [DigestField.Kind.representation, .content, .instance] {
      #expect(DigestFieldTests.summary(kind, try FieldsTests.fields("")) == "", "no such field")
    }
  }

  struct LinesRow: Sendable { let lines: String, digests: String?, because: String }

  static let lines = [
    LinesRow(
      lines: "Repr-Digest: \(good)\r\nX: y\r\nREPR-digest: sha-512=:\(a512):\r\n", digests: "sha512:C3 sha256:A1",
      because: "two lines are one Dictionary"),
    LinesRow(
      lines: "Repr-Digest: \(good)\r\nRepr-Digest: sha-256=:\(b256):\r\n", digests: "sha256:B2",
      because: "the last of two counts"),
    LinesRow(
      lines: "Repr-Digest: \(good),\r\n sha-512=:\(a512):\r\n", digests: "sha512:C3 sha256:A1", because: "a fold"),
    LinesRow(lines: "Repr-Digest: \(good)\r\nRepr-Digest: x=\r\n", digests: nil, because: "one bad line spoils all"),
    LinesRow(lines: "Repr-Digest: x=\r\nRepr-Digest: \(good)\r\n", digests: nil, because: "one bad line spoils all"),
    LinesRow(lines: "Repr-Digest: \(good)\r\nRepr-Digest:\r\n", digests: nil, because: "a comma and nothing"),
    LinesRow(lines: "Repr-Digest:\r\nRepr-Digest: \(good)\r\n", digests: nil, because: "nothing and a comma"),
    LinesRow(
      lines: "Repr-Digest: sha-256=:\(a256.prefix(20))\r\nRepr-Digest: \(a256.dropFirst(20)):\r\n", digests: nil,
      because: "a Byte Sequence can't go on in the next line"),
    LinesRow(
      lines: "Repr-Digest: \(good.dropLast(8))\r\n \(good.suffix(8))\r\n", digests: nil, because: "nor in a fold"),
    LinesRow(lines: "Repr-Digests: \(good)\r\nRepr-Diges: \(good)\r\n", digests: "", because: "other names"),
  ]

  @Test(arguments: lines) func joinsLines(_ row: LinesRow) throws {
    #expect(DigestFieldTests.summary(.representation, try FieldsTests.fields(row.lines)) == row.digests)
  }

  static func summary(_ kind: DigestField.Kind, _ fields: Fields) -> String? {
    DigestField(kind, in: fields)?.digests.map { digest in
      #expect(digest.value.count == digest.algorithm.byteCount && Set(digest.value).count == 1)
      return "\(digest.algorithm):" + (digest.value.first.map { String($0, radix: 16, uppercase: true) } ?? "-")
    }.joined(separator: " ")
  }
}
