import HTTP1
import Testing

@testable import RawGet

/// The places of a part that are compared when no validator speaks for it, and the answers they get.
struct PrefixSamplesTests {
  static var lengths: [Int64] {
    var random = SeededGenerator(seed: 3)
    let least = PrefixSamples.total + 1
    let edges = [2_147_483_647, 2_147_483_648, 4_294_967_296, 1 << 53, 1 << 53 + 1, Int64.max - 1, .max]
    return Array(least...(least + 300)) + edges
      + (0..<2_000).map { _ in
        max(least, Int64.random(in: least...Int64.max, using: &random) >> Int64.random(in: 0...40, using: &random))
      }
  }

  @Test func lieInsideApartAndNeverAtZero() {
    for length in Self.lengths {
      var end: Int64 = 0  // behind the sample before; the first begins at 1 or later
      let ranges = PrefixSamples.ranges(of: length)
      #expect(ranges.count == 8)
      for range in ranges {
        guard case .closed(let first, let last) = range else {
          Issue.record("\(range) is open")
          continue
        }
        if first <= 0 || first < end || last >= length || last - first != PrefixSamples.size - 1 {
          Issue.record("\(first)-\(last) of \(length), after \(end)")
        }
        end = last + 1
      }
      if length - end > length / 8 { Issue.record("\(length): the last eighth has no sample") }
    }
  }

  /// The first answer is taken; each row is the second.
  struct Row: Sendable, CustomTestStringConvertible {
    var recorded: [String]?
    var first: [String] = ["206 Partial Content"]
    var firstLength: Int64 = 2_000_000  // bytes
    var second: [String] = ["206 Partial Content"]
    var secondLength: Int64 = 2_000_000  // bytes
    let agrees: Bool
    let because: String

    var testDescription: String { because }
  }

  private static func answer(_ fields: String...) -> [String] { ["206 Partial Content"] + fields }

  static let rows = [
    Row(secondLength: 2_000_001, agrees: false, because: "T9: another complete length than the answer before"),
    Row(first: answer(#"ETag: "a""#), second: answer(#"ETag: "b""#), agrees: false, because: "another strong tag"),
    Row(first: answer(#"ETag: "a""#), agrees: false, because: "the strong tag is gone"),
    Row(second: answer(#"ETag: "a""#), agrees: false, because: "a strong tag appears"),
    Row(first: answer(#"ETag: W/"a""#), second: answer(#"ETag: W/"b""#), agrees: false, because: "another weak tag"),
    Row(
      first: answer() + Known.modified, second: answer() + Known.otherwiseModified, agrees: false,
      because: "another date"),
    Row(
      recorded: Known.none, firstLength: 2_000_001, secondLength: 2_000_001, agrees: false,
      because: "S3-11: another complete length than the record's"),
    Row(
      recorded: Known.weak, first: answer(#"ETag: W/"b""#), second: answer(#"ETag: W/"b""#), agrees: false,
      because: "another weak tag than the record's: it changed"),
    Row(
      recorded: Known.recentDate, first: answer() + Known.modified, second: answer() + Known.modified, agrees: false,
      because: "another date than the record's: it changed"),
    Row(
      recorded: Known.none + ["Content-Encoding: gzip"], agrees: false, because: "another coding than the record's"),
    Row(
      recorded: Known.none, first: answer("Content-Encoding: gzip"), second: answer("Content-Encoding: gzip"),
      agrees: false, because: "a coding that the record has not"),
    Row(agrees: true, because: "nothing but the length, which agrees"),
    Row(recorded: Known.none, agrees: true, because: "the record's length agrees"),
    Row(
      recorded: Known.weak, first: answer(#"ETag: W/"a""#), second: answer(#"ETag: W/"a""#), agrees: true,
      because: "the weak tag agrees, which is no proof but no refutation"),
    Row(recorded: Known.weak, agrees: true, because: "a 206 need not repeat a weak tag"),
    Row(first: answer(#"ETag: "a""#), second: answer(#"ETag: "a""#), agrees: true, because: "the strong tag agrees"),
  ]

  @Test(arguments: rows) func answersAgree(_ row: Row) throws {
    let recorded = try row.recorded.map { try Known.representation($0).fields }
    var check = PrefixCheck(length: 1_000_000, recorded: recorded)
    var agrees = true
    for (lines, length) in [(row.first, row.firstLength), (row.second, row.secondLength)] {
      let answer = try Known.representation(lines).with(completeLength: length)
      guard case .closed(let first, _)? = check.next else {
        Issue.record("no sample is left")
        return
      }
      agrees = agrees && check.begin(at: first, answer)
      let isWhole = agrees && check.didCompare(PrefixSamples.size)
      #expect(isWhole == agrees)
    }
    #expect(agrees == row.agrees, "\(row.because)")
  }

  @Test func passesOnlyWhenEveryByteOfEverySampleWasCompared() throws {
    var check = PrefixCheck(length: 1_000_000, recorded: nil)
    let answer = try Known.representation(["206 Partial Content"]).with(completeLength: 2_000_000)
    for (index, range) in PrefixSamples.ranges(of: 1_000_000).enumerated() {
      #expect(!check.isPassed, "\(index) of 8 samples")
      #expect(check.next == range)
      guard case .closed(let first, _) = range else { return }
      let begun = check.begin(at: first, answer)
      #expect(begun && check.current == range && check.position == first)
      let tooEarly = check.didCompare(PrefixSamples.size - 1)
      #expect(!tooEarly, "a byte is missing")
      check.abandonCurrent()  // the connection dropped
      #expect(check.next == range && !check.isPassed, "a sample that was cut is asked for again")
      let again = check.begin(at: first, answer)
      #expect(again)
      let ends = [1, PrefixSamples.size - 2, 1].map { check.didCompare($0) }
      #expect(ends == [false, false, true], "whole, in pieces")
    }
    #expect(check.isPassed && check.next == nil)
  }
}
