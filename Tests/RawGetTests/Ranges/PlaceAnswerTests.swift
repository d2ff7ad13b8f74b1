import HTTP1
import Testing

@testable import RawGet

/// What the first answer of a mirror must say. It was asked for bytes 1,000 to 1,999 of 10,000, of which the download knows
/// the tag "a".
struct PlaceAnswerTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let said: [String]
    var coding: String?
    var contradicts = false
    /// nil: it fits.
    let error: String?
    let because: String
    var testDescription: String { because }
  }

  private static func part(_ range: String = "bytes 1000-1999/10000", _ fields: [String] = []) -> [String] {
    ["206 Partial Content", "Content-Range: \(range)"] + fields
  }

  static let fitting: [(said: [String], coding: String?, because: String)] = [
    (part(), nil, "no validator: the digest decides"),
    (part("bytes 1000-1999/10000", [#"ETag: "a""#]), nil, "the same tag"),
    (part("bytes 1000-1999/10000", [#"ETag: "b""#]), nil, "its own tag"),
    (part("bytes 1000-1999/10000", [#"ETag: W/"b""#]), nil, "a weak one"),
    (part("bytes 1000-1999/10000", Known.modified), nil, "a date"),
    (part("bytes 1000-1999/10000", ["Content-Type: text/html"]), nil, "another type: mirrors have their own tables"),
    (part("bytes 1000-1999/10000", ["Content-Length: 1000"]), nil, "with its length"),
    (part("bytes 1000-1999/10000", ["Transfer-Encoding: chunked"]), nil, "chunked"),
    (part("bytes 1000-1999/10000", ["Content-Encoding: gzip"]), "gzip", "the same coding"),
  ]

  static let others: [(said: [String], coding: String?, because: String)] = [
    (part("bytes 1000-1999/10001"), nil, "another length"), (part("bytes 1000-1999/9999"), nil, "a smaller one"),
    (part("bytes 1000-1999/*"), nil, "no length"), (part("bytes 1000-1998/10000"), nil, "a byte less"),
    (part("bytes 1000-2000/10000"), nil, "a byte more"), (part("bytes 999-1999/10000"), nil, "a byte earlier"),
    (part("bytes 1001-1999/10000"), nil, "a byte later"), (part("bytes 0-999/10000"), nil, "from the start"),
    (part("bytes */10000"), nil, "no range"), (part("nonsense"), nil, "garbage"),
    (["206 Partial Content"], nil, "no Content-Range"),
    (part("bytes 1000-1999/10000", ["Content-Length: 999"]), nil, "another Content-Length"),
    (part("bytes 1000-1999/10000", ["Content-Type: multipart/byteranges; boundary=x"]), nil, "multipart"),
    (part("bytes 1000-1999/10000", ["Content-Encoding: gzip"]), nil, "a coding"),
    (part(), "gzip", "no coding, where the download has one"),
  ]

  static let refused = [
    ("200 OK", "noRanges"), ("204 No Content", "refused"), ("302 Found", "refused"), ("404 Not Found", "refused"),
    ("416 Range Not Satisfiable", "refused"), ("403 Forbidden", "refused"), ("429 Too Many", "refused"),
    ("503 Busy", "refused"), ("500 No", "refused"), ("304 Not Modified", "refused"),
  ]

  static let rows =
    fitting.map { Row(said: $0.said, coding: $0.coding, error: nil, because: $0.because) }
    + others.map { Row(said: $0.said, coding: $0.coding, error: "otherVersion", because: $0.because) }
    + refused.map { Row(said: [$0.0, "Content-Length: 10000"], error: $0.1, because: $0.0) }
    + [Row(said: part(), contradicts: true, error: "otherVersion", because: "it says another digest")]

  @Test(arguments: rows) func isTaken(_ row: Row) throws {
    let response = try TestResponse(row.said)
    let coding = row.coding.map { ["Content-Encoding: \($0)"] } ?? []
    let question = PlaceAnswer.Question(
      sample: 1_000..<2_000, known: try Known.representation(["200 OK", #"ETag: "a""#] + coding),
      completeLength: 10_000,
      target: try Known.target("http://mirror.example/y"), now: Known.now)
    let answer = PlaceAnswer(
      response.head, framing: response.framing, to: question, contradicts: row.contradicts,
      refusal: .refused(status: response.head.status, retryAfter: nil))
    switch answer {
    case .isOut(let error): #expect(name(of: error).prefix { $0 != "." } == row.error ?? "it fits", "\(row.because)")
    case .fits(let seen):
      #expect(row.error == nil, "\(row.because)")
      #expect(seen.fields.completeLength == 10_000)
      #expect(seen.fields.entityTag == RepresentationFields(response.head.fields).entityTag, "its own")
    }
  }
}
