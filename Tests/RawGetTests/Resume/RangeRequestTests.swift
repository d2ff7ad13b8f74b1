import HTTP1
import Testing

@testable import RawGet

/// The range that a plan asks for where its request is sent, redirects followed.
struct RangeRequestTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let known: [String]
    /// Where the bytes were served in this run.
    var servedAt: String? = "http://example.org/x"
    var at = "http://example.org/x"
    var redirected = false
    let offset: Int64?  // nil: the whole is asked for
    let because: String

    var testDescription: String { because }
  }

  static let rows = [
    Row(
      known: Known.strongDate, servedAt: nil, redirected: true, offset: nil,
      because: "a date names nothing at the end of a redirect"),
    Row(
      known: Known.strongDate, at: "http://example.org/y", redirected: true, offset: nil,
      because: "nor at the end of another one than before"),
    Row(known: Known.strong, offset: 1_000_000, because: "S1-8: where it was served: from the end"),
    Row(
      known: Known.strongDate, redirected: true, offset: 1_000_000,
      because: "the same end of a redirect as in this run: the date is that resource's own"),
    Row(known: Known.strongDate, servedAt: nil, offset: 934_464, because: "a date from a record, no redirect"),
    Row(known: Known.strong, servedAt: nil, offset: 934_464, because: "a tag from a record"),
    Row(
      known: Known.strong, servedAt: nil, at: "http://mirror.example/x", redirected: true, offset: 934_464,
      because: "a tag from a record, redirected: the overlap is compared"),
    Row(
      known: Known.strong, at: "http://mirror.example/x", redirected: true, offset: 934_464,
      because: "another end of the redirect: never from the end of the part"),
    Row(
      known: Known.strong, at: "http://example.org/x?signature=2", redirected: true, offset: 934_464,
      because: "a fresh signature is another URI"),
    Row(known: Known.strong, at: "https://example.org/x", offset: 934_464, because: "another scheme is another URI"),
  ]

  @Test(arguments: rows) func asks(_ row: Row) throws {
    var known = try Known.representation(row.known, at: Known.target(row.servedAt ?? row.at))
    if row.servedAt == nil { known = Representation(recorded: known.fields, now: Known.now) }
    let state = PartState(length: 1_000_000, trusted: 1_000_000, known: known, isSameTarget: true)
    guard case .range(let plan) = ResumePlan(state, ResumeOptions(), continuationRefused: false) else {
      Issue.record("no range is planned")
      return
    }
    let request = plan.request(at: try Known.target(row.at), redirected: row.redirected)
    #expect(request?.offset == row.offset, "\(row.because)")
    #expect(request == nil || request?.validator == known.validator, "the condition goes with the range")
    #expect(request.map { String(decoding: $0.range.fieldValue, as: UTF8.self) } == row.offset.map { "bytes=\($0)-" })
  }

  @Test func aSuffixHasNoFirstByte() {
    #expect(
      RangeRequest(range: .suffix(length: 5), validator: nil).offset == nil, "T5: the last 5 bytes, not the first")
    #expect(RangeRequest(range: .closed(first: 7, last: 9), validator: nil).offset == 7)
  }
}
