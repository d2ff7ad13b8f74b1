import HTTP1
import Testing

@testable import RawGet

/// The code that `--explain` prints for an answer: scripts rely on it.
struct VerdictTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var known: [String]? = WholeLandingTests.typed
    var kept: Int64 = 400  // bytes
    var asked: Int64? = 300
    var planned = ResumeReason.resume
    let said: [String]
    let code: String?  // nil: an error in any case
    let because: String

    var testDescription: String { because }
  }

  static let rows = [
    Row(said: ["404 Not Found"], code: nil, because: "an error is no verdict"),
    Row(said: ["503 Later"], code: nil, because: "nor is one that may pass"),
    Row(
      known: nil, kept: 0, asked: nil, planned: .fresh, said: ["206 Partial", "Content-Range: bytes 0-9/10"], code: nil,
      because: "nor is a part unasked"),
    Row(
      known: nil, kept: 0, asked: nil, planned: .fresh, said: ["200 OK", "Content-Length: 9"], code: "fresh",
      because: "nothing here"),
    Row(
      said: ["206 Partial", "Content-Range: bytes 300-999/1000", #"ETag: "a""#], code: "resume", because: "the rest"),
    Row(
      said: ["206 Partial", "Content-Range: bytes 300-999/1000", #"ETag: "b""#], code: "changed",
      because: "the rest of something else"),
    Row(
      said: ["206 Partial", "Content-Range: bytes 301-999/1000", #"ETag: "a""#], code: "not-continued",
      because: "a hole"),
    Row(said: WholeLandingTests.typed, code: "ranges-ignored", because: "the whole in place of a range"),
    Row(said: ["200 OK", #"ETag: "b""#], code: "changed", because: "another strong tag"),
    Row(
      asked: nil, planned: .short, said: ["200 OK", #"ETag: "b""#], code: "changed",
      because: "another strong tag, though no range was asked for"),
    Row(asked: nil, planned: .short, said: WholeLandingTests.typed, code: "short", because: "the whole was asked for"),
    Row(
      asked: nil, planned: .paranoid, said: WholeLandingTests.typed, code: "paranoid",
      because: "the whole was asked for"),
    Row(
      asked: nil, planned: .optedOut, said: WholeLandingTests.typed, code: "opted-out",
      because: "the whole was asked for"),
    Row(
      known: nil, asked: nil, planned: .noRecord, said: WholeLandingTests.typed, code: "no-record",
      because: "nothing to hold the tag against"),
    Row(
      known: ["200 OK"], planned: .noValidator, said: WholeLandingTests.typed, code: "ranges-ignored",
      because: "no validator was known: it can't be seen to have changed"),
    Row(
      said: ["200 OK", "Content-Type: application/zip"], code: "ranges-ignored", because: "no validator is said"),
    Row(said: ["200 OK", "Content-Type: text/html"], code: "login-page", because: "something else"),
    Row(
      kept: 1_000, asked: 1_000, said: ["416 No", "Content-Range: bytes */1000"], code: "complete",
      because: "everything is here"),
    Row(
      kept: 1_000, asked: 1_000, said: ["416 No", "Content-Range: bytes */999"], code: "not-continued",
      because: "more is here than there is"),
  ]

  @Test(arguments: rows) func explains(_ row: Row) throws {
    let said = try TestResponse(row.said)
    let known = try row.known.map { try Known.representation($0) }
    let asked = row.asked.map { RangeRequest(range: .from($0), validator: known?.validator) }
    let context = Landing.Context(kept: row.kept, asked: asked, known: known, now: Known.now)
    let landing = Landing(of: said.head, framing: said.framing, context)
    let seen = try Known.representation(row.said).validator
    #expect(Verdict(landing, planned: row.planned, context, seen: seen)?.code == row.code, "\(row.because)")
  }
}
