import Testing

@testable import HTTP1

/// Trailer fields (RFC 9112 §7.1.2): shown, never acted on. They are read as a head is, with its bounds.
struct ChunkedTrailerTests {
  static func read(_ trailers: String) -> Outcome {
    ChunkedContentTests.read("5\r\nhello\r\n0\r\n" + trailers)
  }

  struct Accepted {
    let trailers: String
    let fields: [String]
    let because: String
  }

  static let accepted = [
    Accepted(trailers: "\r\n", fields: [], because: "none"),
    Accepted(trailers: "\n", fields: [], because: "granted: LF alone ends a trailer line"),
    Accepted(trailers: "A: b\r\nC: d\r\n\r\n", fields: ["A: b", "C: d"], because: "two"),
    Accepted(trailers: "A: b\n\n", fields: ["A: b"], because: "granted: LF alone"),
    Accepted(trailers: "A: b\r\n c\r\n\r\n", fields: ["A: b c"], because: "granted: a fold"),
    Accepted(trailers: "Content-Length: 7\r\n\r\n", fields: ["Content-Length: 7"], because: "does not frame"),
    Accepted(trailers: "Content-Length: x\r\n\r\n", fields: ["Content-Length: x"], because: "nor is it read"),
    Accepted(
      trailers: "Transfer-Encoding: gzip\r\n\r\n", fields: ["Transfer-Encoding: gzip"], because: "does not frame"),
    Accepted(trailers: "Connection: close\r\n\r\n", fields: ["Connection: close"], because: "does not end reuse"),
  ]

  @Test(arguments: accepted) func showsTrailersAndActsOnNone(_ row: Accepted) {
    let outcome = ChunkedTrailerTests.read(row.trailers)
    #expect(outcome.isComplete && outcome.leftoverCount == 0)
    #expect(outcome.trailers == row.fields)
    #expect(outcome.fields == ["Transfer-Encoding: chunked"], "the head's fields stay as they were")
    #expect(outcome.framing == .chunked)
    #expect(outcome.allowsPersistence)
    #expect(text(outcome.content) == "hello")
  }

  struct Refused {
    let trailers: String
    let error: ProtocolError
    let because: String
  }

  static let refused = [
    Refused(trailers: "A\r\n\r\n", error: .invalidFieldLine(line: 1), because: "no colon"),
    Refused(trailers: "A: b\r\nC : d\r\n\r\n", error: .invalidFieldLine(line: 2), because: "SP before the colon"),
    Refused(trailers: ": b\r\n\r\n", error: .invalidFieldLine(line: 1), because: "an empty name"),
    Refused(trailers: " A: b\r\n\r\n", error: .invalidFieldLine(line: 1), because: "a fold of nothing"),
    Refused(trailers: "HTTP/1.1 200 x\r\n\r\n", error: .invalidFieldLine(line: 1), because: "another response"),
    Refused(trailers: "hello\r\n0\r\n\r\n", error: .invalidFieldLine(line: 1), because: "another chunk"),
    Refused(trailers: "A: b\rc\r\n\r\n", error: .controlInHead, because: "a bare CR"),
    Refused(trailers: "\rA: b\r\n\r\n", error: .controlInHead, because: "a bare CR"),
    Refused(trailers: "A: \u{0}\r\n\r\n", error: .controlInHead, because: "NUL"),
    Refused(trailers: "Content-Length: 1\r\n 0\r\n\r\n", error: .foldedFramingField, because: "refused everywhere"),
    Refused(
      trailers: "A: " + filler(65_536) + "\r\n\r\n", error: .lineTooLong(limit: 65_536), because: "a line of 64 KB"),
    Refused(
      trailers: String(repeating: "A: b\n", count: 2_001) + "\n", error: .tooManyFields(limit: 2_000),
      because: "too many"),
    Refused(
      trailers: String(repeating: "A: " + filler(60_000) + "\n", count: 5), error: .headTooLarge(limit: 262_144),
      because: "256 KB"),
  ]

  @Test(arguments: refused) func refusesTrailers(_ row: Refused) {
    let outcome = ChunkedTrailerTests.read(row.trailers)
    #expect(outcome.error == row.error)
    #expect(!outcome.isComplete)
    #expect(outcome.trailers == [])
  }

  @Test func trailersMayFillTheirBounds() {
    let many = ChunkedTrailerTests.read(String(repeating: "A:\n", count: 2_000) + "\n")
    #expect(many.isComplete && many.trailers.count == 2_000)
    let lines = String(repeating: "A: " + filler(64_996) + "\n", count: 4)  // of 65,000 bytes
    let rest = 262_144 - 4 * 65_000 - 1
    #expect(ChunkedTrailerTests.read(lines + "B: " + filler(rest - 4) + "\n\n").isComplete)
    let over = ChunkedTrailerTests.read(lines + "B: " + filler(rest - 3) + "\n\n")
    #expect(over.error == .headTooLarge(limit: 262_144))
  }
}
