import LoopbackServer
import Testing

/// What follows a drop is joined to the part only when it is proven to continue it; whatever else
/// the server says, a file holds bytes of one representation (T3, T4, T10).
struct NeverMixedTests {
  static let first = Resource(length: 900_000)
  static let changed = first.changed()
  static let dropAfter: Int64 = 350_000  // bytes

  /// What the server does from the second request on; the first is dropped.
  struct Row: Sendable, CustomTestStringConvertible {
    var resource = NeverMixedTests.first
    var then: @Sendable (inout Conduct) -> Void = { _ in }
    var exit: ExitCode?  // nil: success or not, but never mixed
    let because: String
    var testDescription: String { because }
  }

  static let rows = [
    Row(then: { $0.ignoresRange = true }, exit: .ok, because: "200 with everything: ranges are ignored"),
    Row(resource: changed, exit: nil, because: "T9 changed: another strong ETag, 200"),
    Row(resource: changed, then: { $0.ignoresIfRange = true }, because: "changed, and If-Range is ignored"),
    Row(
      resource: {
        var other = changed
        other.entityTag = nil
        return other
      }(), then: { $0.ignoresIfRange = true }, because: "the validator is gone"),
    Row(
      resource: {
        var other = changed
        other.entityTag = "W/\"first\""
        return other
      }(), then: { $0.ignoresIfRange = true }, because: "the same tag, but weak"),
    Row(
      resource: {
        var longer = first.changed()
        longer.entityTag = first.entityTag
        longer.length += 1
        return longer
      }(), because: "the same ETag, another complete length"),
    Row(then: { $0.shiftsRange = 1 }, because: "T3 starts one byte later, and says so"),
    Row(then: { $0.shiftsRange = -1 }, because: "starts one byte earlier, and says so"),
    Row(then: { $0.shiftsRange = -350_000 }, because: "206 with everything, and says so"),
    Row(then: { $0.contentRange = "bytes 350001-899999/900000" }, because: "starts later"),
    Row(then: { $0.contentRange = "bytes 0-899999/900000" }, because: "says it starts at 0"),
    Row(then: { $0.contentRange = "bytes 350000-899999/900001" }, because: "another complete length"),
    Row(then: { $0.contentRange = "bytes 350000-899999/800000" }, because: "ends after the complete length"),
    Row(then: { $0.contentRange = "bytes 899999-350000/900000" }, because: "ends before it starts"),
    Row(then: { $0.contentRange = "bytes 350000-700000/900000" }, because: "fewer bytes than the content has"),
    Row(then: { $0.contentRange = "bytes */900000" }, because: "no range in a 206"),
    Row(then: { $0.contentRange = "items 350000-899999/900000" }, because: "another unit"),
    Row(then: { $0.contentRange = "nonsense" }, because: "nonsense"),
    Row(then: { $0.contentRange = "bytes 18446744073709901616-899999/900000" }, because: "T12 wraps at 2^64"),
    Row(
      then: {
        $0.ignoresRange = true
        $0.status = "206 Partial Content"
      }, because: "206 without Content-Range"),
    Row(
      then: {
        $0.ignoresRange = true
        $0.status = "206 Partial Content"
        $0.contentRange = "bytes 350000-899999/900000"
      }, because: "the whole content under the right numbers"),
    Row(then: { $0.fields = ["Content-Encoding: gzip"] }, because: "a content coding appears"),
    Row(
      then: { $0.fields = ["Content-Range: bytes 0-9/900000"] }, because: "two Content-Range that differ"),
    Row(then: { $0.contentLength = "550001" }, because: "Content-Length and Content-Range disagree"),
  ]

  @Test(arguments: rows) func afterADrop(_ row: Row) throws {
    let server = try LoopbackServer { exchange in
      guard exchange.requestNumber > 1 else {
        return Self.first.respond(to: exchange, .dropping(after: Self.dropAfter))
      }
      var conduct = Conduct.correct
      row.then(&conduct)
      row.resource.respond(to: exchange, exchange.request.field("Range") == nil ? .correct : conduct)
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "1", server.uri("/file.bin")])
    if let exit = row.exit { #expect(run.ending == .exited(exit.rawValue), "\(run.standardError)") }
    try run.expectNeverMixed("file.bin", [Self.first, row.resource])
  }

  @Test(arguments: [nil, "W/\"first\""]) func withoutAStrongValidator(_ entityTag: String?) throws {
    var early = Self.first
    early.entityTag = entityTag
    var late = Self.changed
    late.entityTag = entityTag
    let (first, second) = (early, late)
    let server = try LoopbackServer { exchange in
      if exchange.requestNumber == 1 {
        first.respond(to: exchange, .dropping(after: Self.dropAfter))
      } else {
        second.respond(to: exchange, .correct)
      }
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "1", server.uri("/file.bin")])
    try run.expectNeverMixed("file.bin", [first, second])
    let conditions = server.requests.compactMap { $0.field("If-Range") }
    #expect(!conditions.contains { $0.hasPrefix("W/") }, "a weak tag is no condition (RFC 9110 §13.1.5)")
  }

  @Test func onStandardOutputNothingIsMixedEither() throws {
    let server = try LoopbackServer { exchange in
      if exchange.requestNumber == 1 {
        Self.first.respond(to: exchange, .dropping(after: Self.dropAfter))
      } else {
        Self.changed.respond(to: exchange)
      }
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "1", "-o", "-", server.uri("/file.bin")])
    #expect(run.ending != .exited(0), "what was written cannot be taken back")
    #expect(Self.first.bytes.starts(with: run.standardOutput), "nothing of the other representation")
  }
}
