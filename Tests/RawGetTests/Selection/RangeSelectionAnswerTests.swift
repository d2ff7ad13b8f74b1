import HTTP1
import Testing

@testable import RawGet

/// Whether an answer is the range that was asked for, and of the same representation as those before it.
struct RangeSelectionAnswerTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var ranges = "0-99,200-,-50"  // of 1000 bytes
    var isAtOnce = false
    /// Answers before this one, whose content came.
    var before: [[String]] = []
    /// And of the last of them only so much.
    var brokenOff: Int64?
    var target = "http://example.org/x"
    let said: [String]
    let answer: RangeSelection.Answer
    let because: String
    var testDescription: String { "\(ranges): \(said.joined(separator: " | "))" }
  }

  private static let violation = RangeSelection.Answer.violation(.invalidContentRange)
  private static let first = SelectionAnswers.part("0-99/1000")
  private static let otherwise = #"ETag: "b""#

  private static func part(_ range: String, _ fields: [String] = [SelectionAnswers.tag], length: Int? = nil) -> [String]
  {
    SelectionAnswers.part(range, fields, length: length)
  }

  static let notWhatWasAsked: [Row] = [
    Row(said: part("1-99/1000"), answer: violation, because: "T3: a byte later"),
    Row(said: part("0-100/1000"), answer: violation, because: "a byte more"),
    Row(said: part("200-999/1000"), answer: violation, because: "the second range first"),
    Row(said: part("0-999/1000"), answer: violation, because: "everything, as a part"),
    Row(said: part("0-99/1000", length: 99), answer: violation, because: "Content-Length says something else"),
    Row(said: part("0-99/50"), answer: violation, because: "it ends beyond the end"),
    Row(said: ["206 Partial Content", SelectionAnswers.tag], answer: violation, because: "no Content-Range"),
    Row(
      said: part("0-99/1000") + ["Content-Range: bytes 0-98/1000"], answer: violation, because: "two that differ"),
    Row(said: part("*/1000"), answer: violation, because: "only a 416 says that"),
    Row(ranges: "200-", said: part("199-999/1000"), answer: violation, because: "a byte earlier"),
    Row(ranges: "200-", said: part("200-999/*"), answer: violation, because: "an end that nothing proves"),
    Row(ranges: "-50", said: part("0-49/1000"), answer: violation, because: "T5: the first 50 are not the last"),
    Row(ranges: "-50", said: part("949-999/1000"), answer: violation, because: "51"),
    Row(ranges: "-50", said: part("951-999/1000"), answer: violation, because: "49, and not from where they begin"),
    Row(ranges: "-50", said: part("950-999/*"), answer: violation, because: "the last of who knows how many"),
    Row(before: [first], said: part("0-99/1000"), answer: violation, because: "the first range again"),
    Row(before: [first], said: part("950-999/1000"), answer: violation, because: "the third before the second"),
    Row(
      before: [first, part("200-999/1000")], brokenOff: 40, said: part("200-999/1000"), answer: violation,
      because: "T3: what is kept, again"),
    Row(
      before: [first, part("200-999/1000")], brokenOff: 40, said: part("241-999/1000"), answer: violation,
      because: "T3: a byte is missing"),
    Row(said: SelectionAnswers.parts(), answer: violation, because: "RFC 9110 §15.3.7.2: several, unasked"),
    Row(
      said: SelectionAnswers.parts() + ["Content-Range: bytes 0-99/1000"], answer: violation,
      because: "several that call themselves one"),
    Row(
      isAtOnce: true, before: [first, part("200-999/1000")], said: SelectionAnswers.parts(), answer: violation,
      because: "for the last range alone"),
    Row(
      isAtOnce: true, said: SelectionAnswers.parts(type: "multipart/byteranges"), answer: .violation(.invalidMultipart),
      because: "no boundary"),
  ]

  static let notThere: [Row] = [
    Row(said: SelectionAnswers.whole(1_000), answer: .noRanges, because: "the server ignores ranges"),
    Row(said: ["200 OK"], answer: .noRanges, because: "and has no length"),
    Row(isAtOnce: true, said: SelectionAnswers.whole(1_000), answer: .noRanges, because: "several at once neither"),
    Row(ranges: "0-", said: ["200 OK"], answer: .noRanges, because: "everything, but who knows how much"),
    Row(ranges: "1-", said: SelectionAnswers.whole(1_000), answer: .noRanges, because: "a byte more than was asked"),
    Row(ranges: "-999", said: SelectionAnswers.whole(1_000), answer: .noRanges, because: "here too"),
    Row(ranges: "0-998", said: SelectionAnswers.whole(1_000), answer: .noRanges, because: "and here, at the end"),
    Row(before: [first], said: SelectionAnswers.whole(1_000), answer: .noRanges, because: "from the second one on"),
    Row(said: ["204 No Content"], answer: .refused(status: 204), because: "no content is no range"),
    Row(said: ["304 Not Modified"], answer: .refused(status: 304), because: "unasked"),
    Row(said: ["404 No"], answer: .refused(status: 404), because: "no such file"),
    Row(said: ["503 Later"], answer: .refused(status: 503), because: "to be asked again"),
    Row(
      said: ["416 No", "Content-Range: bytes */50"],
      answer: .unsatisfiable(.closed(first: 0, last: 99), completeLength: 50), because: "it has not so many"),
    Row(
      said: ["416 No"], answer: .unsatisfiable(.closed(first: 0, last: 99), completeLength: nil),
      because: "and does not say how many"),
    Row(
      before: [first], said: ["416 No", "Content-Range: bytes */1000"],
      answer: .unsatisfiable(.from(200), completeLength: 1_000), because: "against its own words"),
    Row(
      said: part("0-99/150"), answer: .unsatisfiable(.from(200), completeLength: 150),
      because: "the second range is known to be beyond the end before the first is written"),
  ]

  static let notProven: [Row] = [
    Row(said: part("0-99/1000", []), answer: .unproven, because: "no validator for three answers"),
    Row(said: part("0-99/1000", [#"ETag: W/"a""#]), answer: .unproven, because: "a weak tag proves no bytes"),
    Row(said: part("0-99/1000", Array(Known.recentDate.dropFirst())), answer: .unproven, because: "a date too young"),
    Row(
      isAtOnce: true, said: part("0-99/1000", []), answer: .unproven, because: "one part for three, and no validator"),
    Row(ranges: "0-99", said: part("0-49/1000", []), answer: .unproven, because: "half of one range"),
    Row(before: [first], said: part("200-999/1000", [otherwise]), answer: .changed, because: "another tag"),
    Row(before: [first], said: part("200-999/1000", []), answer: .changed, because: "no tag any more"),
    Row(before: [first], said: part("200-999/1000", [#"ETag: W/"a""#]), answer: .changed, because: "a weak one"),
    Row(before: [first], said: part("200-999/1000", Known.modified), answer: .changed, because: "a date in its place"),
    Row(before: [first], said: part("200-1000/1001"), answer: .changed, because: "another complete length"),
    Row(
      before: [first], said: part("200-999/1000", [SelectionAnswers.tag, "Content-Encoding: gzip"]), answer: .changed,
      because: "other bytes"),
    Row(
      before: [first], said: SelectionAnswers.whole(1_000, [otherwise]), answer: .changed, because: "If-Range says so"),
    Row(before: [first], said: SelectionAnswers.whole(1_000, []), answer: .changed, because: "of who knows what"),
    Row(before: [first], said: SelectionAnswers.whole(9), answer: .changed, because: "the same tag for another length"),
    Row(
      before: [first], said: ["416 No", "Content-Range: bytes */100"], answer: .changed, because: "it is shorter now"),
    Row(
      isAtOnce: true, before: [first], said: SelectionAnswers.parts([otherwise]),
      answer: .violation(.invalidContentRange),
      because: "asked for one"),
    Row(
      before: [part("0-99/1000", Known.modified)], target: "http://example.org/y",
      said: part("200-999/1000", Known.modified), answer: .changed, because: "a date names nothing at another URI"),
    Row(
      before: [first], target: "http://example.org/y", said: part("200-999/*"), answer: .changed,
      because: "a tag alone names nothing at another URI"),
  ]

  static let accepted: [Row] = [
    Row(said: first, answer: .part(count: 100), because: "the first range"),
    Row(said: part("0-99/1000", length: 100), answer: .part(count: 100), because: "with a length that agrees"),
    Row(said: part("0-49/1000"), answer: .part(count: 50), because: "half of it: the rest is asked for"),
    Row(said: part("0-99/*"), answer: .part(count: 100), because: "of how much ever"),
    Row(ranges: "0-99", said: part("0-99/1000", []), answer: .part(count: 100), because: "one answer proves itself"),
    Row(ranges: "0-5000", said: part("0-999/1000"), answer: .part(count: 1_000), because: "T2: cut off at the end"),
    Row(ranges: "-5000", said: part("0-999/1000"), answer: .part(count: 1_000), because: "T5: all there is"),
    Row(ranges: "-50", said: part("950-999/1000"), answer: .part(count: 50), because: "T5: the last 50"),
    Row(ranges: "0-", said: SelectionAnswers.whole(1_000, []), answer: .part(count: 1_000), because: "everything"),
    Row(ranges: "-1000", said: SelectionAnswers.whole(1_000), answer: .part(count: 1_000), because: "this too"),
    Row(before: [first], said: part("200-999/1000"), answer: .part(count: 800), because: "the second"),
    Row(before: [first], said: part("200-599/1000"), answer: .part(count: 400), because: "half of the second"),
    Row(
      before: [first, part("200-999/1000")], brokenOff: 40, said: part("240-999/1000"), answer: .part(count: 760),
      because: "the rest of the second"),
    Row(
      before: [part("0-99/1000", Known.modified)], said: part("200-999/1000", Known.modified),
      answer: .part(count: 800),
      because: "a date that is strong"),
    Row(
      before: [first], target: "http://example.org/y?signed", said: part("200-999/1000"), answer: .part(count: 800),
      because: "redirected elsewhere: the tag and the complete length agree"),
    Row(isAtOnce: true, said: first, answer: .part(count: 100), because: "one for three: then one each"),
  ]

  @Test(arguments: notWhatWasAsked + notThere + notProven + accepted) func judges(_ row: Row) throws {
    var selection = try #require(RangeSelection(row.ranges, atOnce: row.isAtOnce))
    for (index, lines) in row.before.enumerated() {
      try selection.receive(lines, index == row.before.count - 1 ? row.brokenOff : nil)
    }
    #expect(try selection.ask(row.said, at: row.target) == row.answer, "\(row.because)")
  }

  @Test func refusalsOutnumber() {
    #expect(Self.notWhatWasAsked.count + Self.notThere.count + Self.notProven.count > 3 * Self.accepted.count)
  }

  // MARK: Several in one answer

  struct PartRow: Sendable {
    var parts: [(Int64, Int64, Int64?)] = []
    let next: (Int64, Int64, Int64?)
    let answer: RangeSelection.Answer?
    let because: String
  }

  static let partRows: [PartRow] = [
    PartRow(next: (0, 99, 1_000), answer: nil, because: "the first"),
    PartRow(next: (0, 99, nil), answer: nil, because: "of how much ever"),
    PartRow(next: (0, 98, 1_000), answer: violation, because: "a byte short: it has to be all of it"),
    PartRow(next: (0, 100, 1_000), answer: violation, because: "a byte more"),
    PartRow(next: (1, 99, 1_000), answer: violation, because: "a byte later"),
    PartRow(next: (200, 999, 1_000), answer: violation, because: "the second first"),
    PartRow(next: (0, 999, 1_000), answer: violation, because: "all three joined"),
    PartRow(
      next: (0, 99, 150), answer: .unsatisfiable(.from(200), completeLength: 150), because: "no byte of the next"),
    PartRow(parts: [(0, 99, 1_000)], next: (200, 999, 1_000), answer: nil, because: "the second"),
    PartRow(parts: [(0, 99, 1_000)], next: (0, 99, 1_000), answer: violation, because: "the first again"),
    PartRow(parts: [(0, 99, 1_000)], next: (950, 999, 1_000), answer: violation, because: "the second is left out"),
    PartRow(parts: [(0, 99, 1_000)], next: (200, 999, 1_001), answer: .changed, because: "another complete length"),
    PartRow(parts: [(0, 99, nil)], next: (200, 999, nil), answer: violation, because: "an end that nothing proves"),
    PartRow(
      parts: [(0, 99, 1_000), (200, 999, 1_000)], next: (950, 999, 1_000), answer: nil, because: "the third"),
    PartRow(
      parts: [(0, 99, 1_000), (200, 999, 1_000), (950, 999, 1_000)], next: (950, 999, 1_000), answer: violation,
      because: "one more than was asked for"),
  ]

  @Test(arguments: partRows) func judgesParts(_ row: PartRow) throws {
    var selection = try #require(RangeSelection("0-99,200-,-50", atOnce: true))
    let answer = try selection.ask(SelectionAnswers.parts())
    guard case .parts? = answer, let seen = selection.known else { return #expect(Bool(false), "\(row.because)") }
    for (first, last, length) in row.parts {
      #expect(selection.didReceivePart(first: first, last: last, completeLength: length, seen) == nil)
      selection.didReceive(last - first + 1)
    }
    let (first, last, length) = row.next
    let judged = selection.didReceivePart(first: first, last: last, completeLength: length, seen)
    #expect(judged == row.answer, "\(row.because)")
  }
}
