import Testing

@testable import HTTP1

/// Entity tags and the choice of a strong validator (RFC 9110 §8.8, §13.1.5).
struct ValidatorTests {
  struct TagRow {
    let fieldValue: String
    let isWeak: Bool?  // nil: must be refused
    let because: String
  }

  static let tags = [
    TagRow(fieldValue: "\"v1\"", isWeak: false, because: "strong"),
    TagRow(fieldValue: "W/\"v1\"", isWeak: true, because: "weak"),
    TagRow(fieldValue: "\"\"", isWeak: false, because: "nothing between the quotes is allowed"),
    TagRow(fieldValue: "\"a,b\"", isWeak: false, because: "a comma is opaque"),
    TagRow(fieldValue: "\"!#[]^`{}~\\\u{80}\u{FF}\"", isWeak: false, because: "every etagc, the backslash is one"),
    TagRow(fieldValue: "", isWeak: nil, because: "empty"),
    TagRow(fieldValue: "v1", isWeak: nil, because: "no quotes"),
    TagRow(fieldValue: "\"", isWeak: nil, because: "one quote is not two"),
    TagRow(fieldValue: "\"v1", isWeak: nil, because: "not closed"),
    TagRow(fieldValue: "v1\"", isWeak: nil, because: "not opened"),
    TagRow(fieldValue: "'v1'", isWeak: nil, because: "other quotes"),
    TagRow(fieldValue: "w/\"v1\"", isWeak: nil, because: "the W is case-sensitive"),
    TagRow(fieldValue: "W\"v1\"", isWeak: nil, because: "no slash"),
    TagRow(fieldValue: "W/ \"v1\"", isWeak: nil, because: "a blank"),
    TagRow(fieldValue: "W/", isWeak: nil, because: "no tag"),
    TagRow(fieldValue: "W/\"", isWeak: nil, because: "one quote"),
    TagRow(fieldValue: "W/W/\"v1\"", isWeak: nil, because: "twice"),
    TagRow(fieldValue: "\"a\" ", isWeak: nil, because: "a blank behind"),
    TagRow(fieldValue: "\"a b\"", isWeak: nil, because: "SP is no etagc"),
    TagRow(fieldValue: "\"a\"b\"", isWeak: nil, because: "a quote inside"),
    TagRow(fieldValue: "\"a\", \"b\"", isWeak: nil, because: "a list"),
    TagRow(fieldValue: "\"a\u{7F}\"", isWeak: nil, because: "DEL"),
    TagRow(fieldValue: "\"a\tb\"", isWeak: nil, because: "HTAB"),
    TagRow(fieldValue: "*", isWeak: nil, because: "for If-Match only"),
  ]

  @Test(arguments: tags) func readsEntityTag(_ row: TagRow) {
    let tag = EntityTag(fieldValue: bytes(row.fieldValue))
    #expect(tag?.isWeak == row.isWeak)
    if let tag { #expect(text(tag.fieldValue) == row.fieldValue, "it reads back") }
  }

  @Test func onlyStrongEqualTagsProveSameBytes() throws {
    let tags = try ["\"a\"", "W/\"a\"", "\"b\"", "\"A\"", "\"a-gzip\""].map {
      try #require(EntityTag(fieldValue: bytes($0)))
    }
    for (index, tag) in tags.enumerated() {
      for (otherIndex, other) in tags.enumerated() {
        #expect(tag.provesSameBytes(as: other) == (index == otherIndex && !tag.isWeak))
      }
    }
  }

  static let now: Int64 = 1_800_000_000

  struct Row {
    let fields: String
    let ifRange: String?  // nil: no strong validator
    let because: String
  }

  static let modified = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
  static let later = "Date: Sun, 06 Nov 1994 08:50:37 GMT\r\n"  // 60 s
  static let modifiedValue = "Sun, 06 Nov 1994 08:49:37 GMT"

  static let rows = [
    Row(fields: "ETag: \"v1\"\r\n", ifRange: "\"v1\"", because: "a strong tag"),
    Row(fields: "ETag: \"v1\"\r\n" + modified + later, ifRange: "\"v1\"", because: "a tag before a date"),
    Row(fields: "ETag: \"v1\"\r\nETag: \"v1\"\r\n", ifRange: "\"v1\"", because: "the same twice"),
    Row(fields: modified + later, ifRange: modifiedValue, because: "a date, 60 s old"),
    Row(fields: modified + modified + later, ifRange: modifiedValue, because: "the same twice"),
    Row(
      fields: modified + "Date: Monday, 07-Nov-94 08:49:37 GMT\r\n", ifRange: modifiedValue,
      because: "Date may come in any form: it is not sent back"),
    Row(fields: "", ifRange: nil, because: "none"),
    Row(fields: "ETag: W/\"v1\"\r\n", ifRange: nil, because: "a weak tag proves nothing about bytes"),
    Row(fields: "ETag: W/\"v1\"\r\n" + modified + later, ifRange: nil, because: "nor does the date beside it"),
    Row(fields: "ETag: v1\r\n", ifRange: nil, because: "no quotes"),
    Row(fields: "ETag: v1\r\n" + modified + later, ifRange: nil, because: "a broken tag does not fall back"),
    Row(fields: "ETag: \"v1\"\r\nETag: \"v2\"\r\n", ifRange: nil, because: "two tags that differ"),
    Row(fields: "ETag: \"v1\"\r\nETag: W/\"v1\"\r\n", ifRange: nil, because: "one of them is weak"),
    Row(fields: modified, ifRange: nil, because: "when was it sent?"),
    Row(fields: later, ifRange: nil, because: "when was it made?"),
    Row(
      fields: modified + "Date: Sun, 06 Nov 1994 08:50:36 GMT\r\n", ifRange: nil,
      because: "59 s: a second change may hide in the first one's second"),
    Row(fields: modified + "Date: Sat, 05 Nov 1994 08:49:37 GMT\r\n", ifRange: nil, because: "made before changed"),
    Row(fields: modified + later + "Date: Mon, 07 Nov 1994 08:50:37 GMT\r\n", ifRange: nil, because: "two Dates"),
    Row(fields: modified + "Last-Modified: x\r\n" + later, ifRange: nil, because: "two that differ"),
    Row(fields: "Last-Modified: yesterday\r\n" + later, ifRange: nil, because: "no date"),
    Row(
      fields: "Last-Modified: Sunday, 06-Nov-94 08:49:37 GMT\r\n" + later, ifRange: nil,
      because: "would be sent back in another form: servers compare it as text"),
    Row(
      fields: "Last-Modified: Mon, 06 Nov 1994 08:49:37 GMT\r\n" + later, ifRange: nil,
      because: "would be sent back with another day"),
  ]

  @Test(arguments: rows) func findsStrongValidator(_ row: Row) throws {
    let validator = Validator(strong: try FieldsTests.fields(row.fields), now: ValidatorTests.now)
    #expect(validator?.fieldValue.map { text($0) } == row.ifRange)
  }
}
