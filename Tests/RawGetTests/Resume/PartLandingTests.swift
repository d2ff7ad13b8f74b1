import HTTP1
import Testing

@testable import RawGet

/// Where the content of a 206 belongs (docs/RESUME.md): the part is 400 of 1,000 bytes, and the request began 100 before its end.
struct PartLandingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var known: [String]? = tagged
    var kept: Int64 = 400  // bytes
    var asked: Int64? = 300
    var isSampled = false
    var isOtherTarget = false
    let said: [String]
    var landing = Landing.notAContinuation
    let because: String

    var testDescription: String { because }
  }

  static let tagged = ["200 OK", "Content-Length: 1000", #"ETag: "a""#]
  static let unknownLength = ["200 OK", #"ETag: "a""#]
  static let weak = ["200 OK", "Content-Length: 1000", #"ETag: W/"a""#]
  static let dated = ["200 OK", "Content-Length: 1000"] + Known.modified
  static let bare = ["200 OK", "Content-Length: 1000"]

  static func part(_ range: String, _ fields: [String] = [#"ETag: "a""#], length: Int? = nil) -> [String] {
    ["206 Partial Content", "Content-Range: \(range)"] + fields + (length.map { ["Content-Length: \($0)"] } ?? [])
  }

  private static func from(_ first: Int64, _ count: Int64, of length: Int64? = 1_000) -> Landing {
    .append(from: first, count: count, completeLength: length)
  }

  static let wrongNumbers = [
    ("no Content-Range", ["206 Partial Content", #"ETag: "a""#]),
    ("two that differ", part("bytes 300-999/1000", [#"ETag: "a""#, "Content-Range: bytes 300-998/1000"])),
    ("garbage", part("bytes 300–999/1000")), ("empty", part("")),
    ("no range at all", part("bytes */1000")), ("another unit", part("items 300-999/1000")),
    ("T3: it starts later, by one", part("bytes 301-999/1000")),
    ("T3: it starts at the end of the part: nothing is left to compare", part("bytes 400-999/1000")),
    ("T3: it leaves a hole", part("bytes 401-999/1000")),
    ("it covers only the overlap", part("bytes 300-399/1000")),
    ("it ends inside the overlap", part("bytes 300-350/1000")),
    ("it starts earlier, and ends before the part does", part("bytes 0-200/1000")),
    ("S2-7 T10 T28: another complete length", part("bytes 300-999/1001")),
    ("S2-7: a smaller one", part("bytes 300-899/900")),
    ("S1-6 T8: smaller than what is here", part("bytes 300-349/350")),
    ("S1-6: it would end where the part does", part("bytes 300-399/400")),
    ("it ends behind the complete length", part("bytes 300-1000/1000")),
    ("the complete length is hidden, and it ends behind the known one", part("bytes 300-1000/*")),
    ("it ends before it starts", part("bytes 999-300/1000")),
    ("T12: it would wrap at 2^64", part("bytes 18446744073709551916-18446744073709552615/1000")),
    ("T12: a sign", part("bytes -300-999/1000")),
    ("a byte less than the range", part("bytes 300-999/1000", length: 699)),
    ("a byte more", part("bytes 300-999/1000", length: 701)),
    ("T10: the length of the whole", part("bytes 300-999/1000", length: 1_000)),
  ].map { Row(said: $0.1, because: $0.0) }

  static let wrongRepresentation = [
    ("another strong tag: If-Range is ignored", part("bytes 300-999/1000", [#"ETag: "b""#])),
    ("the same tag, but weak", part("bytes 300-999/1000", [#"ETag: W/"a""#])),
    ("no validator", part("bytes 300-999/1000", [])),
    ("a date in place of the tag", part("bytes 300-999/1000", Known.modified)),
    ("two tags that differ", part("bytes 300-999/1000", [#"ETag: "a""#, #"ETag: "b""#])),
    ("a tag without quotes", part("bytes 300-999/1000", ["ETag: a"])),
    ("a content coding appears", part("bytes 300-999/1000", [#"ETag: "a""#, "Content-Encoding: gzip"])),
    ("multipart", ["206 Partial Content", #"ETag: "a""#, "Content-Type: multipart/byteranges; boundary=x"]),
    (
      "multipart with a Content-Range, against RFC 9110 §15.3.7.2",
      part("bytes 300-999/1000", [#"ETag: "a""#, "Content-Type: Multipart/ByteRanges;boundary=x"])
    ),
  ].map { Row(said: $0.1, because: $0.0) }

  static let wrongKnowledge = [
    Row(
      known: tagged + ["Content-Encoding: gzip"], said: part("bytes 300-999/1000"),
      because: "the content coding is gone"),
    Row(
      known: dated, said: part("bytes 300-999/1000", Known.otherwiseModified), because: "another date: it changed"),
    Row(
      known: dated, said: part("bytes 300-999/1000", Array(Known.modified.dropFirst())),
      because: "a date that nothing shows to be strong"),
    Row(known: dated, said: part("bytes 300-999/1000"), because: "a tag in place of the date"),
    Row(
      known: weak, said: part("bytes 300-999/1000", [#"ETag: W/"a""#]),
      because: "T9: a weak tag proves no bytes, unsampled"),
    Row(known: bare, said: part("bytes 300-999/1000"), because: "T9: nothing to hold the tag against, unsampled"),
    Row(known: nil, said: part("bytes 300-999/1000"), because: "T16: no record, unsampled"),
    Row(
      known: weak, isSampled: true, said: part("bytes 300-999/1000", [#"ETag: W/"b""#]),
      because: "sampled, but the weak tag is another: it changed"),
    Row(
      known: weak, isSampled: true, said: part("bytes 300-999/1000", [#"ETag: "a""#]),
      because: "sampled, but the tag was weak before"),
    Row(
      known: bare, isSampled: true, said: part("bytes 300-999/1001", []),
      because: "sampled, but of another complete length"),
    Row(
      known: tagged, isSampled: true, said: part("bytes 300-999/1000", []),
      because: "the samples' answers had a strong tag: this one is not of them"),
    Row(
      isOtherTarget: true, said: part("bytes 300-999/*"),
      because: "T16: another URI: the complete length must agree too"),
    Row(isOtherTarget: true, said: part("bytes 300-999/1001"), because: "T16: another URI, another complete length"),
    Row(isOtherTarget: true, said: part("bytes 300-999/1000", []), because: "T16: another URI without a tag"),
    Row(known: unknownLength, said: part("bytes 300-399/*"), because: "the overlap alone, of who knows how many"),
    Row(asked: nil, said: part("bytes 400-999/1000"), landing: .violation(.invalidContentRange), because: "unasked"),
    Row(
      known: nil, kept: 0, asked: nil, said: part("bytes 0-999/1000"), landing: .violation(.invalidContentRange),
      because: "unasked, and everything"),
  ]

  static let accepted = [
    Row(said: part("bytes 300-999/1000"), landing: from(300, 700), because: "the rest, from the overlap on"),
    Row(said: part("bytes 300-999/1000", length: 700), landing: from(300, 700), because: "with a length that agrees"),
    Row(said: part("Bytes 300-999/1000"), landing: from(300, 700), because: "T7: the unit in any case"),
    Row(asked: 400, said: part("bytes 400-999/1000"), landing: from(400, 600), because: "S1-5: the exact rest"),
    Row(said: part("bytes 299-999/1000"), landing: from(299, 701), because: "a byte earlier: compared from there"),
    Row(said: part("bytes 0-999/1000"), landing: from(0, 1_000), because: "everything, as a part"),
    Row(said: part("bytes 300-400/1000"), landing: from(300, 101), because: "less than was asked: one new byte"),
    Row(said: part("bytes 0-500/1000"), landing: from(0, 501), because: "earlier, and less"),
    Row(said: part("bytes 300-999/*"), landing: from(300, 700), because: "an end that is known from before"),
    Row(said: part("bytes 300-500/*"), landing: from(300, 201), because: "less, of a length known from before"),
    Row(
      known: unknownLength, said: part("bytes 300-999/*"), landing: from(300, 700, of: nil),
      because: "an end that nobody knows: asked on for"),
    Row(
      known: unknownLength, said: part("bytes 300-999/1000"), landing: from(300, 700),
      because: "S2-7 T11 T28: learnt from Content-Range"),
    Row(
      said: part("bytes 300-999/1000", [#"ETag: "a""#, "Transfer-Encoding: chunked"]), landing: from(300, 700),
      because: "chunked: Content-Range says how many"),
    Row(
      kept: 1_000, asked: 900, said: part("bytes 900-999/1000"), landing: from(900, 100),
      because: "T22: everything is here, and its end is compared"),
    Row(
      kept: 1_000, asked: 900, said: part("bytes 900-999/*"), landing: from(900, 100),
      because: "T22: the same, with a length known from before"),
    Row(
      kept: 1_000, asked: 900, said: part("bytes 900-998/1000"),
      because: "T22: a byte less than everything compares less than all"),
    Row(
      known: dated, said: part("bytes 300-999/1000", Known.modified), landing: from(300, 700),
      because: "a date that is old enough"),
    Row(
      said: part("bytes 300-999/1000", [#"ETag: "a""#] + Known.otherwiseModified), landing: from(300, 700),
      because: "the tag decides: nodes that share it may have other dates"),
    Row(
      isOtherTarget: true, said: part("bytes 300-999/1000"), landing: from(300, 700), because: "another URI, all agrees"
    ),
    Row(known: nil, isSampled: true, said: part("bytes 300-999/1000", []), landing: from(300, 700), because: "sampled"),
    Row(
      known: weak, isSampled: true, said: part("bytes 300-999/1000", [#"ETag: W/"a""#]), landing: from(300, 700),
      because: "sampled, and the weak tag does not speak against it"),
    Row(
      known: ["200 OK", "Content-Length: 9223372036854775807", #"ETag: "a""#], kept: 1 << 53 + 1, asked: 1 << 53,
      said: part("bytes \(1 << 53)-9223372036854775806/9223372036854775807"),
      landing: from(1 << 53, .max - (1 << 53), of: .max), because: "T12 T13: beyond 2^53, to the largest"),
  ]

  @Test(arguments: wrongNumbers + wrongRepresentation + wrongKnowledge + accepted) func lands(_ row: Row) throws {
    let said = try TestResponse(row.said)
    let known = try row.known.map { try Known.representation($0) }
    let asked = row.asked.map { RangeRequest(range: .from($0), validator: known?.validator) }
    let context = Landing.Context(
      kept: row.kept, asked: asked, known: known, isSampled: row.isSampled, isOtherTarget: row.isOtherTarget,
      now: Known.now)
    #expect(Landing(of: said.head, framing: said.framing, context) == row.landing, "\(row.because)")
  }
}
