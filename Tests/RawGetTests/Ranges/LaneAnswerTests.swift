import HTTP1
import Testing

@testable import RawGet

/// What becomes of a lane by the head of its answer. The block is bytes 1,000 to 1,999 of 10,000.
struct LaneAnswerTests {
  enum Outcome: Equatable, Sendable {
    case accepted(end: Int64), refused, disagrees, disagreesForGood
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var known = tagged
    var block: Range<Int64> = 1_000..<2_000
    var completeLength: Int64 = 10_000
    /// It is of another place than the download's own.
    var digestDecides = false
    let said: [String]
    let outcome: Outcome
    let because: String

    var testDescription: String { because }
  }

  static let tagged = ["206 Partial Content", "Content-Range: bytes 0-999/10000", #"ETag: "a""#]
  static let dated = ["206 Partial Content", "Content-Range: bytes 0-999/10000"] + Known.modified
  static let weak = ["206 Partial Content", "Content-Range: bytes 0-999/10000", #"ETag: W/"a""#]

  private static func part(_ range: String, _ fields: [String] = [#"ETag: "a""#]) -> [String] {
    ["206 Partial Content", "Content-Range: \(range)"] + fields
  }

  private static let whole = "bytes 1000-1999/10000"
  private static let tag = #"ETag: "a""#

  static let accepted = [
    Row(said: part(whole), outcome: .accepted(end: 2_000), because: "all of the block"),
    Row(said: part(whole, [tag, "Content-Length: 1000"]), outcome: .accepted(end: 2_000), because: "with its length"),
    Row(
      said: part(whole, [tag, "Transfer-Encoding: chunked"]), outcome: .accepted(end: 2_000),
      because: "chunked: Content-Range says how many"),
    Row(
      said: part("bytes 1000-1999/*"), outcome: .accepted(end: 2_000), because: "the complete length is known already"),
    Row(said: part("bytes 1000-1998/10000"), outcome: .accepted(end: 1_999), because: "a byte less"),
    Row(said: part("bytes 1000-1000/10000"), outcome: .accepted(end: 1_001), because: "one byte"),
    Row(
      said: part(whole, [tag] + Known.modified), outcome: .accepted(end: 2_000),
      because: "the tag decides: nodes that share it may have other dates"),
    Row(
      known: dated, said: part(whole, Known.modified), outcome: .accepted(end: 2_000), because: "the same strong date"),
    Row(
      block: 0..<1_000, said: part("bytes 0-999/10000"), outcome: .accepted(end: 1_000), because: "the first of all"),
    Row(
      block: 9_000..<10_000, said: part("bytes 9000-9999/10000"), outcome: .accepted(end: 10_000),
      because: "the last of all"),
    Row(
      known: ["206 Partial Content", "Content-Range: bytes 0-9/9223372036854775807", tag],
      block: (.max - 1_000)..<Int64.max, completeLength: .max,
      said: part("bytes 9223372036854774807-9223372036854775806/9223372036854775807"),
      outcome: .accepted(end: .max), because: "the last that there can be"),
  ]

  static let nothing = ["206 Partial Content", "Content-Range: bytes 0-999/10000"]

  /// Of a place that a digest speaks for: its own validator is repeated, or there is none to repeat.
  static let ofMirrors = [
    Row(digestDecides: true, said: part(whole), outcome: .accepted(end: 2_000), because: "its own tag"),
    Row(
      known: nothing, digestDecides: true, said: part(whole, []), outcome: .accepted(end: 2_000),
      because: "no validator from the start"),
    Row(
      known: weak, digestDecides: true, said: part(whole, [#"ETag: W/"a""#]), outcome: .accepted(end: 2_000),
      because: "the same weak tag"),
    Row(
      known: weak, digestDecides: true, said: part(whole, [#"ETag: W/"b""#]), outcome: .disagreesForGood,
      because: "another weak tag"),
    Row(
      digestDecides: true, said: part(whole, [#"ETag: "b""#]), outcome: .disagreesForGood,
      because: "another than its own"),
    Row(digestDecides: true, said: part(whole, []), outcome: .disagreesForGood, because: "none any more"),
    Row(
      known: nothing, digestDecides: true, said: part("bytes 1000-1999/10001", []), outcome: .disagreesForGood,
      because: "another complete length than its own"),
    Row(
      known: nothing, digestDecides: true, said: part(whole, ["Content-Encoding: gzip"]), outcome: .disagreesForGood,
      because: "a coding that came meanwhile"),
    Row(known: nothing, digestDecides: true, said: ["200 OK"], outcome: .disagreesForGood, because: "a mirror's whole"),
  ]

  static let otherPlaces = [
    ("a byte earlier", part("bytes 999-1999/10000")), ("a byte later", part("bytes 1001-1999/10000")),
    ("from the start", part("bytes 0-1999/10000")), ("the block behind it", part("bytes 2000-2999/10000")),
    ("a byte more than was asked for", part("bytes 1000-2000/10000")),
    ("all the rest", part("bytes 1000-9999/10000")),
    ("T10: another complete length, by one", part("bytes 1000-1999/10001")),
    ("T10: a smaller one", part("bytes 1000-1999/9999")),
    ("it ends where the block does", part("bytes 1000-1999/2000")),
    ("it ends behind the complete length", part("bytes 1000-10000/10000")),
    ("it ends before it starts", part("bytes 1999-1000/10000")), ("no range", part("bytes */10000")),
    ("another unit", part("items 1000-1999/10000")), ("garbage", part("bytes 1000")), ("empty", part("")),
    ("T12: it would wrap at 2^64", part("bytes 18446744073709552616-18446744073709553615/10000")),
    ("no Content-Range", ["206 Partial Content", tag]),
    ("two that differ", part(whole, [tag, "Content-Range: bytes 1000-1998/10000"])),
    ("a byte less than the range", part(whole, [tag, "Content-Length: 999"])),
    ("a byte more", part(whole, [tag, "Content-Length: 1001"])),
    ("nothing", part(whole, [tag, "Content-Length: 0"])),
    ("the length of the whole", part(whole, [tag, "Content-Length: 10000"])),
    ("multipart", ["206 Partial Content", tag, "Content-Type: multipart/byteranges; boundary=x"]),
    (
      "multipart with a Content-Range, against RFC 9110 §15.3.7.2",
      part(whole, [tag, "Content-Type: Multipart/ByteRanges; boundary=x"])
    ),
  ].map { Row(said: $0.1, outcome: .disagreesForGood, because: $0.0) }

  static let otherRepresentations =
    [
      ("another strong tag: If-Range is ignored", part(whole, [#"ETag: "b""#])),
      ("the same tag, but weak", part(whole, [#"ETag: W/"a""#])),
      ("the tag in another case", part(whole, [#"ETag: "A""#])),
      ("no validator", part(whole, [])), ("a date in place of the tag", part(whole, Known.modified)),
      ("two tags that differ", part(whole, [tag, #"ETag: "b""#])), ("a tag without quotes", part(whole, ["ETag: a"])),
      ("a content coding", part(whole, [tag, "Content-Encoding: gzip"])),
    ].map { Row(said: $0.1, outcome: .disagreesForGood, because: $0.0) }
    + [
      Row(
        known: dated, said: part(whole, Known.otherwiseModified), outcome: .disagreesForGood, because: "another date"),
      Row(
        known: dated, said: part(whole, Array(Known.modified.dropFirst())), outcome: .disagreesForGood,
        because: "a date that nothing shows to be strong"),
      Row(known: dated, said: part(whole), outcome: .disagreesForGood, because: "a tag in place of the date"),
      Row(known: dated, said: part(whole, []), outcome: .disagreesForGood, because: "no date"),
      Row(
        known: weak, said: part(whole, [#"ETag: W/"a""#]), outcome: .disagreesForGood,
        because: "T9: a weak tag proves no bytes"),
      Row(
        known: tagged + ["Content-Encoding: gzip"], said: part(whole), outcome: .disagreesForGood,
        because: "the content coding is gone"),
    ]

  /// Without a range after all: one connection has to bring the rest.
  static let contents = [
    Row(
      said: ["200 OK", "Content-Length: 10000", tag], outcome: .disagreesForGood, because: "all of the same"),
    Row(
      said: ["200 OK", "Content-Length: 10000", #"ETag: "b""#], outcome: .disagreesForGood, because: "all of another"),
    Row(said: ["200 OK"], outcome: .disagreesForGood, because: "who knows of what"),
    Row(
      said: ["200 OK", "Content-Length: 1000", tag, "Content-Range: \(whole)"], outcome: .disagreesForGood,
      because: "a Content-Range in a 200 says nothing (RFC 9110 §14.4)"),
    Row(said: ["203 Non-Authoritative Information", tag], outcome: .disagreesForGood, because: "a changed whole"),
  ]

  /// The server does not want so many connections, or is in trouble.
  static let refusals = [
    (403, "how some count connections"), (408, "it waited too long"), (425, "too early"), (429, "too many requests"),
    (500, "it failed"), (502, "who is behind it failed"), (503, "it is busy"), (504, "who is behind it is slow"),
    (501, "whatever it can't do, one connection has done"), (505, "so for versions"),
    (599, "and for what nobody knows"),
  ].map { Row(said: ["\($0) No", "Content-Length: 0"], outcome: .refused, because: "\($0): \($1)") }

  /// What one connection has rules for.
  static let others = [
    (204, "no content"), (205, "no content"), (300, "a choice"), (301, "elsewhere"), (302, "elsewhere"),
    (303, "elsewhere"), (304, "unasked"), (305, "deprecated"), (307, "elsewhere"), (308, "elsewhere"),
    (400, "a range that it can't have"), (401, "not without credentials"), (404, "gone"),
    (407, "not through the proxy"),
    (410, "gone for good"), (412, "a condition that nobody made"), (451, "not here"),
  ].map { Row(said: ["\($0) No", "Location: /y", "Content-Length: 0"], outcome: .disagrees, because: "\($0): \($1)") }

  static let unsatisfied = [
    ("it became shorter", "Content-Range: bytes */1000"), ("it is as it was", "Content-Range: bytes */10000"),
    ("who knows why", "Content-Length: 0"), ("with the tag", tag),
  ].map { Row(said: ["416 Range Not Satisfiable", $0.1], outcome: .disagrees, because: "416: \($0.0)") }

  @Test(
    arguments: accepted + ofMirrors + otherPlaces + otherRepresentations + contents + refusals + others + unsatisfied)
  func belongsOrNot(_ row: Row) throws {
    let response = try TestResponse(row.said)
    var known = try Known.representation(row.known)
    known = known.with(completeLength: row.completeLength)
    let question = LaneAnswer.Question(
      block: row.block, validator: known.validator, known: known, completeLength: row.completeLength, now: Known.now,
      digestDecides: row.digestDecides)
    let refusal = DownloadError.refused(status: response.head.status, retryAfter: 7)
    let answer = LaneAnswer(response.head, framing: response.framing, to: question, refusal: refusal)
    switch answer {
    case .accepted(let end): #expect(row.outcome == .accepted(end: end))
    case .refused(.refused(let status, let delay)):
      #expect(row.outcome == .refused)
      #expect(status == response.head.status && delay == 7, "the lane's own reason")
    case .refused(let error): Issue.record("\(error)")
    case .disagrees(let isForGood): #expect(row.outcome == (isForGood ? .disagreesForGood : .disagrees))
    }
  }
}
