import Testing

@testable import RawGet

/// Whether a part was begun from the URI that is asked for now (T16).
struct TargetIdentityTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let one: String
    let other: String
    let isSame: Bool
    let because: String

    init(_ one: String, _ other: String, _ isSame: Bool, _ because: String) {
      (self.one, self.other, self.isSame, self.because) = (one, other, isSame, because)
    }

    var testDescription: String { because }
  }

  static let rows = [
    Row("http://example.org/x", "https://example.org/x", false, "another scheme"),
    Row("http://example.org/x", "http://example.com/x", false, "another host"),
    Row("http://example.org/x", "http://example.org:8080/x", false, "another port"),
    Row("http://example.org/x", "http://example.org/X", false, "a path has its case"),
    Row("http://example.org/x", "http://example.org/x/", false, "a slash more"),
    Row("http://example.org/x", "http://example.org/x?", false, "an empty query is not none"),
    Row("http://example.org/x?a", "http://example.org/x?b", false, "another query"),
    Row("http://example.org/x?a=1&b=2", "http://example.org/x?b=2&a=1", false, "the same members in another order"),
    Row("http://example.org/x?signature=1", "http://example.org/x?signature=2", false, "a fresh signed link"),
    Row(
      "http://example.org/x%3Fa", "http://example.org/x?a", false, "T23: an encoded question mark is part of the name"),
    Row("http://example.org/x", "http://example.org/x", true, "the same"),
    Row("http://example.org/x?a", "http://example.org/x?a", true, "the same query"),
    Row("http://example.org/x", "HTTP://EXAMPLE.org:80/x", true, "scheme and host in any case, the usual port"),
    Row("http://example.org/x", "http://user:word@example.org/x", true, "whoever asks"),
    Row("http://example.org/x", "http://example.org/x#end", true, "a fragment is not sent"),
    Row("http://example.org/a b", " http://example.org/a%20b ", true, "T23 T30: one text for one resource"),
    Row("http://example.org/x", "http://example.org/a/../x", true, "dot segments are gone"),
  ]

  @Test(arguments: rows) func tells(_ row: Row) throws {
    let (one, other) = (TargetIdentity(try Known.target(row.one)), TargetIdentity(try Known.target(row.other)))
    #expect((one == other) == row.isSame, "\(row.because)")
  }

  @Test func fingerprintIsThatOfItsPublication() {
    #expect(fingerprint([]) == 0xCBF2_9CE4_8422_2325, "the offset basis of FNV-1a")
    #expect(fingerprint("a".utf8) == 0xAF63_DC4C_8601_EC8C)
    #expect(fingerprint("foobar".utf8) == 0x8594_4171_F739_67E8)
  }
}
