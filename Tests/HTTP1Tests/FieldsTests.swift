import Testing

@testable import HTTP1

/// Looking fields up (RFC 9110 §5.1 to §5.3, §5.6.1).
struct FieldsTests {
  static func fields(_ lines: String) throws -> Fields {
    var reader = ResponseReader(answering: .head)
    _ = try reader.didReceive(bytes("HTTP/1.1 200 x\r\n" + lines + "\r\n").span)
    let head = reader.head
    return try #require(head).fields
  }

  @Test func namesCompareWithoutCaseAndAsAWhole() throws {
    let fields = try FieldsTests.fields("content-LENGTH: 1\r\nX-Content-Length: 2\r\nContent-Lengt: 3\r\n")
    #expect(fields.value(of: .contentLength) == bytes("1"))
    #expect(fields.contains(.contentLength))
    #expect(!fields.contains(.contentRange), "the same length, another name")
    #expect(fields.value(of: .location) == nil)
  }

  /// Bit 5 makes small letters of capitals, but also `~` of `^`: only letters may be equal by it.
  @Test func onlyLettersCompareWithoutCase() throws {
    let fields = try FieldsTests.fields("A^B: 1\r\nC~D: 2\r\n")
    #expect(!fields.contains(FieldName("a~b")))
    #expect(fields.value(of: FieldName("c~d")) == bytes("2"))
  }

  struct SingleRow {
    let lines: String
    let value: String?
    let because: String
  }

  static let singles = [
    SingleRow(lines: "ETag: a\r\n", value: "a", because: "one"),
    SingleRow(lines: "ETag: a\r\nA: b\r\netag:a \r\n", value: "a", because: "equal ones, OWS apart"),
    SingleRow(lines: "", value: nil, because: "none"),
    SingleRow(lines: "ETag: a\r\nETag: b\r\n", value: nil, because: "two that differ prove nothing"),
    SingleRow(lines: "ETag: a\r\nETag: a\r\nETag: aa\r\n", value: nil, because: "nor does a third"),
    SingleRow(lines: "ETag: a\r\nETag:\r\n", value: nil, because: "nor an empty one"),
    SingleRow(lines: "ETag:\r\n", value: "", because: "an empty value is a value"),
  ]

  @Test(arguments: singles) func givesAValueThatStandsAlone(_ row: SingleRow) throws {
    let fields = try FieldsTests.fields(row.lines)
    #expect(fields.singleValue(of: .entityTag).map { text($0) } == row.value)
  }

  struct ListRow {
    let lines: String
    let members: [String]
    let because: String
  }

  static let lists = [
    ListRow(lines: "", members: [], because: "no line, no member"),
    ListRow(lines: "Connection: a\r\n", members: ["a"], because: "one"),
    ListRow(lines: "Connection: a ,\tb,c\r\n", members: ["a", "b", "c"], because: "OWS is cut"),
    ListRow(lines: "Connection: a\r\nA: x\r\nconnection: b, c\r\n", members: ["a", "b", "c"], because: "all lines"),
    ListRow(lines: "Connection:\r\n", members: [""], because: "an empty line is an empty member"),
    ListRow(lines: "Connection: ,a,, \r\n", members: ["", "a", "", ""], because: "empty ones are shown"),
    ListRow(lines: "Connection: \"a,b\"\r\n", members: ["\"a", "b\""], because: "quotes are not looked into"),
  ]

  @Test(arguments: lists) func listsMembersOverAllLines(_ row: ListRow) throws {
    let fields = try FieldsTests.fields(row.lines)
    #expect(fields.members(of: .connection).map { text($0) } == row.members)
  }

  @Test func everyNameIsAToken() {
    let names: [FieldName] = [
      .accept, .acceptEncoding, .acceptRanges, .authorization, .connection, .contentDisposition, .contentEncoding,
      .contentLength, .contentRange, .contentType, .date, .entityTag, .host, .ifRange, .lastModified, .location, .range,
      .retryAfter, .transferEncoding, .userAgent,
    ]
    for name in names {
      #expect(FieldLine(name: bytes(name.text), value: [])?.isNamed(name) == true)
    }
  }

  @Test func emptyFieldsHoldNothing() {
    #expect(Fields().count == 0)
    #expect(!Fields().contains(.date))
  }
}
