import HTTP1
import Testing

@testable import RawGet

/// What is known of the kept bytes, from the responses and the record that spoke of them.
struct RepresentationTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let one: [String]
    let other: [String]
    let contradicts: Bool
    let because: String

    init(_ one: [String], _ other: [String], _ contradicts: Bool, _ because: String) {
      (self.one, self.other, self.contradicts, self.because) = (
        ["200 OK"] + one, ["200 OK"] + other, contradicts, because
      )
    }

    var testDescription: String { because }
  }

  static let rows = [
    Row([#"ETag: "a""#], [#"ETag: "b""#], true, "another tag"),
    Row([#"ETag: W/"a""#], [#"ETag: W/"b""#], true, "another weak tag"),
    Row([#"ETag: "a""#], [#"ETag: W/"a""#], true, "strong and weak"),
    Row([#"ETag: "a""#], [#"ETag: "a""#, #"ETag: "b""#], true, "two at once are none of them"),
    Row(Known.modified, Known.otherwiseModified, true, "another date"),
    Row(["Content-Length: 9"], ["Content-Length: 8"], true, "S3-11: another complete length"),
    Row([#"ETag: "a""#, "Content-Length: 9"], [#"ETag: "a""#, "Content-Length: 8"], true, "a tag does not excuse it"),
    Row([#"ETag: "a""#] + Known.modified, Known.otherwiseModified, true, "no tag in common, another date"),
    Row([#"ETag: "a""#] + Known.modified, [#"ETag: "a""#] + Known.otherwiseModified, false, "a tag in common"),
    Row([], Known.modified + [#"ETag: "a""#, "Content-Length: 9"], false, "nothing known"),
    Row([#"ETag: "a""#], Known.modified, false, "nothing in common"),
    Row(["Content-Type: a/b"], ["Content-Type: c/d"], false, "a type may be named otherwise"),
    Row(
      ["Date: Mon, 30 Nov 2026 10:00:00 GMT"], ["Date: Mon, 30 Nov 2026 11:00:00 GMT"], false,
      "another time of answering"),
  ]

  @Test(arguments: rows) func seesContradictions(_ row: Row) throws {
    let (one, other) = (try Known.representation(row.one).fields, try Known.representation(row.other).fields)
    #expect(one.contradicts(other) == row.contradicts, "\(row.because)")
    #expect(other.contradicts(one) == row.contradicts, "the other way round: \(row.because)")
  }

  @Test func aPartSaysNothingOfTheCompleteLength() throws {
    let part = try Known.representation(["206 Partial Content", "Content-Range: bytes 0-9/100", "Content-Length: 10"])
    #expect(part.fields.completeLength == nil, "T10: Content-Length of a 206 is not the complete length")
    #expect(try Known.representation(["200 OK", "Transfer-Encoding: chunked"]).fields.completeLength == nil, "T11")
    #expect(try Known.representation(["200 OK", "Content-Length: 10"]).fields.completeLength == 10)
  }

  @Test func aRecordNamesNoPlace() throws {
    let seen = try Known.representation(Known.strong)
    let recorded = Representation(recorded: seen.fields, now: Known.now)
    #expect(recorded.servedAt == nil, "what was served in another run is compared")
    #expect(recorded.fields == seen.fields && recorded.validator == seen.validator)
  }

  @Test func confirmationKeepsWhatTheAnswerLeavesOut() throws {
    let known = try Known.representation(
      [#"200 OK"#, #"ETag: "a""#, "Content-Length: 1000", "Content-Type: application/zip"] + Known.modified)
    let end = try Known.target("http://cdn.example/x")
    let later = ["Date: Mon, 30 Nov 2026 11:00:00 GMT"]
    let answer = try Known.representation(
      ["206 Partial Content", #"ETag: "a""#, "Content-Type: text/html"] + later, at: end)
    let confirmed = known.confirmed(by: answer)
    #expect(confirmed.validator == known.validator)
    #expect(confirmed.servedAt == end, "from here on it can be continued there")
    #expect(confirmed.fields.completeLength == 1_000, "S3-11")
    #expect(confirmed.fields.lastModified == known.fields.lastModified)
    #expect(confirmed.fields.mediaType == known.fields.mediaType, "the first response named the type")
    #expect(confirmed.fields.date == answer.fields.date)
  }

  @Test func confirmationLearnsAValidator() throws {
    let known = try Known.representation(["200 OK", "Content-Length: 1000"])
    let confirmed = known.confirmed(by: try Known.representation(["206 Partial Content", #"ETag: "a""#]))
    #expect(confirmed.validator?.fieldValue == Array(#""a""#.utf8), "the bytes were compared: the tag is theirs")
    #expect(confirmed.fields.entityTag == Array(#""a""#.utf8), "so that the record has it")
  }
}
