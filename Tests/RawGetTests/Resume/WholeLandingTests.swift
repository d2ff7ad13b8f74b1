import HTTP1
import Testing

@testable import RawGet

/// Where anything but a 206 belongs (docs/RESUME.md): a 200 from 0 on, a 416 nowhere, an error page never into a file.
struct WholeLandingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var known: [String]? = typed
    var kept: Int64 = 400  // bytes
    var asked: Int64? = 300
    let said: [String]
    let landing: Landing
    let because: String

    var testDescription: String { because }
  }

  static let typed = ["200 OK", "Content-Length: 1000", #"ETag: "a""#, "Content-Type: application/zip"]
  static let untyped = ["200 OK", "Content-Length: 1000", #"ETag: "a""#]

  static let refused =
    [204, 205, 300, 304, 305, 401, 403, 404, 407, 408, 410, 425, 429, 500, 501, 502, 503, 504, 511, 599].flatMap {
      status in
      [true, false].map { hasPart in
        Row(
          known: hasPart ? typed : nil, kept: hasPart ? 400 : 0, asked: hasPart ? 300 : nil,
          said: ["\(status) No", "Content-Length: 9"], landing: .refused(status: status),
          because: "T1 T4 \(status): its content is not the resource\(hasPart ? ", the part stays" : "")")
      }
    }
    + [301, 302, 303, 307, 308].map {
      Row(said: ["\($0) Elsewhere"], landing: .refused(status: $0), because: "T4 \($0): a redirect is no content")
    } + [
      Row(
        known: nil, kept: 0, asked: nil, said: ["416 No", "Content-Range: bytes */0"], landing: .refused(status: 416),
        because: "416 unasked"),
      Row(
        kept: 1_000, asked: nil, said: ["416 No", "Content-Range: bytes */1000"], landing: .refused(status: 416),
        because: "416 unasked proves nothing, whatever it says"),
    ]

  static let notSatisfiable = [
    ("another complete length", 1_000, tagged(1_000, "Content-Range: bytes */1001")),
    ("T22: smaller", 1_000, tagged(1_000, "Content-Range: bytes */400")),
    ("no field", 1_000, tagged(1_000)),
    ("a range in place of the length", 1_000, tagged(1_000, "Content-Range: bytes 0-999/1000")),
    ("no length", 1_000, tagged(1_000, "Content-Range: bytes */*")),
    ("two that differ", 1_000, tagged(1_000, "Content-Range: bytes */1000", "Content-Range: bytes */999")),
    ("another strong tag", 1_000, tagged(1_000, "Content-Range: bytes */1000", #"ETag: "b""#)),
    ("the same tag, but weak", 1_000, tagged(1_000, "Content-Range: bytes */1000", #"ETag: W/"a""#)),
    ("S1-6: more is here than there ever was", 1_001, tagged(1_000, "Content-Range: bytes */1000")),
    ("less is here than the record knows", 900, tagged(1_000, "Content-Range: bytes */900")),
  ].map {
    Row(
      known: $0.2.known, kept: $0.1, asked: $0.1, said: $0.2.said, landing: .notAContinuation, because: "416: \($0.0)")
  }

  private static func tagged(_ length: Int64, _ fields: String...) -> (known: [String], said: [String]) {
    (["200 OK", "Content-Length: \(length)", #"ETag: "a""#], ["416 Range Not Satisfiable"] + fields)
  }

  static let unprovenComplete = [
    Row(
      known: nil, kept: 1_000, asked: 1_000, said: ["416 No", "Content-Range: bytes */1000"],
      landing: .notAContinuation,
      because: "T9: 416 of as many bytes as are here proves nothing without a record"),
    Row(
      known: ["200 OK", "Content-Length: 1000", #"ETag: W/"a""#], kept: 1_000, asked: 1_000,
      said: ["416 No", "Content-Range: bytes */1000"], landing: .notAContinuation, because: "T9: nor with a weak tag"),
    Row(
      known: ["200 OK", "Content-Length: 1000"] + Known.modified, kept: 1_000, asked: 1_000,
      said: ["416 No", "Content-Range: bytes */1000"] + Known.otherwiseModified, landing: .notAContinuation,
      because: "416: another date"),
    Row(
      known: ["200 OK", "Content-Length: 1000"] + Known.modified, kept: 1_000, asked: 1_000,
      said: ["416 No", "Content-Range: bytes */1000", #"ETag: "a""#], landing: .notAContinuation,
      because: "416: a tag where none was"),
    Row(
      kept: 1_000, asked: 900, said: ["416 No", "Content-Range: bytes */1000"], landing: .notAContinuation,
      because: "416 to a range that lies inside: the server contradicts itself"),
  ]

  static let somethingElse = [
    ("a login page", ["200 OK", "Content-Type: text/html", "Content-Length: 300"]),
    ("one of unknown length", ["200 OK", "Content-Type: text/html"]),
    ("one that is as long as the file", ["200 OK", "Content-Type: text/html", "Content-Length: 1000"]),
    ("nothing but a length", ["200 OK", "Content-Length: 1000"]),
    ("two media types that differ", ["200 OK", "Content-Type: application/zip", "Content-Type: text/html"]),
  ].flatMap { (because, said) in
    [300, nil].map { Row(asked: $0, said: said, landing: .notTheResource, because: "not the resource: \(because)") }
  }

  static let whole = [
    Row(
      said: untyped, landing: .whole(count: 1_000), because: "ranges are ignored; it has a tag, so it is the resource"),
    Row(
      asked: nil, said: typed, landing: .whole(count: 1_000),
      because: "S4 T25: asked for, and compared with what is here"),
    Row(
      said: ["200 OK", "Content-Length: 1000", #"ETag: "b""#, "Content-Type: text/html"], landing: .whole(count: 1_000),
      because: "another tag and type: changed, or another node"),
    Row(
      said: ["200 OK", "Content-Length: 700", "Content-Type: text/html"] + Known.modified, landing: .whole(count: 700),
      because: "a date: another version, whatever its type"),
    Row(
      said: ["200 OK", "Content-Type: application/zip"], landing: .whole(count: nil),
      because: "the recorded type, no validator"),
    Row(
      known: untyped, said: ["200 OK", "Content-Type: text/html", "Content-Length: 9"], landing: .whole(count: 9),
      because: "no type is known: the bytes decide"),
    Row(known: nil, said: ["200 OK", "Content-Length: 9"], landing: .whole(count: 9), because: "T16: no record"),
    Row(
      said: ["200 OK", "Content-Length: 399", #"ETag: "a""#], landing: .whole(count: 399),
      because: "S1-6 T8: shorter than what is here, which stays until this is whole"),
    Row(
      said: ["200 OK", "Content-Length: 0", #"ETag: "b""#], landing: .whole(count: 0),
      because: "S1-6: nothing left of it"),
    Row(
      said: ["200 OK", "Transfer-Encoding: chunked", #"ETag: "b""#], landing: .whole(count: nil),
      because: "T11: its end will show"),
    Row(
      said: ["200 OK", #"ETag: "a""#], landing: .whole(count: 1_000),
      because: "the end of the connection is no end before the length that its tag is known to have"),
    Row(
      said: ["200 OK", #"ETag: "b""#], landing: .whole(count: nil),
      because: "another tag: the known length says nothing"),
    Row(
      said: ["200 OK", "Content-Range: bytes 300-999/1000", "Content-Length: 1000", #"ETag: "a""#],
      landing: .whole(count: 1_000), because: "T4: Content-Range means nothing in a 200"),
  ]

  static let fresh = [
    (["200 OK", "Content-Length: 1000"], 1_000, "S1-3: nothing here"), (["200 OK", "Content-Length: 0"], 0, "empty"),
    (["200 OK", "Content-Length: 9223372036854775807"], Int64.max, "T12: 2^63-1"), (["203 OK"], nil, "T11: 203"),
    (["200 OK", "Transfer-Encoding: chunked"], nil, "T11: an unknown length is unknown"),
  ].map {
    Row(
      known: nil, kept: 0, asked: nil, said: $0.0, landing: .append(from: 0, count: $0.1, completeLength: $0.1),
      because: $0.2)
  }

  static let complete = [
    (["200 OK", "Content-Length: 1000", #"ETag: "a""#], [], "T22 T18: everything is here"),
    (["200 OK", "Content-Length: 1000", #"ETag: "a""#], [#"ETag: "a""#], "T22: and the tag says so"),
    (["200 OK", #"ETag: "a""#], [], "T22: which only now is known"),
    (["200 OK"] + Known.modified, Known.modified, "T22: by a date that is old enough"),
  ].map {
    Row(
      known: $0.0, kept: 1_000, asked: 1_000,
      said: ["416 Range Not Satisfiable", "Content-Range: bytes */1000"] + $0.1,
      landing: .complete, because: $0.2)
  }

  static let rows: [Row] = [refused, notSatisfiable, unprovenComplete, somethingElse, whole, fresh, complete].flatMap {
    $0
  }

  @Test(arguments: rows) func lands(_ row: Row) throws {
    let said = try TestResponse(row.said)
    let known = try row.known.map { try Known.representation($0) }
    let asked = row.asked.map { RangeRequest(range: .from($0), validator: known?.validator) }
    let context = Landing.Context(kept: row.kept, asked: asked, known: known, now: Known.now)
    #expect(Landing(of: said.head, framing: said.framing, context) == row.landing, "\(row.because)")
  }
}
