import HTTP1
import Testing

@testable import RawGet

/// The grade of a server follows from what it did, in one table.
struct DiagnosisTests {
  static func good() -> Observations {
    var fields = RepresentationFields(Fields())
    fields.entityTag = Array("\"a\"".utf8)
    var seen = Observations()
    seen.head = Observations.Announcement(status: 200, length: 100, saysRanges: .yes)
    seen.first = .part(first: 0, last: 0, total: 100)
    seen.middle = .part(first: 50, last: 50, total: 100)
    seen.suffix = .part(first: 99, last: 99, total: 100)
    seen.underItsValidator = .part(first: 0, last: 0, total: 100)
    seen.underAnother = .whole(length: 100)
    seen.pastEnd = .unsatisfied(total: 100)
    seen.fields = [fields, fields]
    seen.hasStrongValidator = true
    seen.keepsAlive = true
    seen.hasDigest = true
    return seen
  }

  static func tagged(_ tag: String) -> RepresentationFields {
    var fields = RepresentationFields(Fields())
    fields.entityTag = Array(tag.utf8)
    return fields
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let code: String
    let grade: Diagnosis.Grade
    let because: String
    let change: @Sendable (inout Observations) -> Void
    var testDescription: String { because }

    init(
      _ code: String, _ grade: Diagnosis.Grade, _ because: String,
      _ change: @escaping @Sendable (inout Observations) -> Void
    ) {
      self.code = code
      self.grade = grade
      self.because = because
      self.change = change
    }
  }

  // One thing at a time is wrong with a good server: the finding about it has this grade, and the server gets it.
  static let rows = [
    Row("digest", .a, "no digest is no fault") { $0.hasDigest = false },
    Row("length", .c, "206 with /*") { $0.first = .part(first: 0, last: 0, total: nil) },
    Row("ranges", .f, "other bytes than asked for") { $0.first = .part(first: 0, last: 1, total: 100) },
    Row("ranges", .f, "numbers that do not fit") { $0.first = .misplaced },
    Row("ranges", .f, "other bytes in the middle") { $0.middle = .part(first: 0, last: 0, total: 100) },
    Row("ranges", .f, "another length in the middle") { $0.middle = .part(first: 50, last: 50, total: 101) },
    Row("ranges", .f, "the whole for a middle") { $0.middle = .whole(length: 100) },
    Row("ranges", .f, "416 to the first byte of something") { $0.first = .unsatisfied(total: 100) },
    Row("ranges", .f, "no answer") { $0.first = .broken },
    Row("accept-ranges", .d, "promised, and ignored") { $0.first = .whole(length: 100) },
    Row("accept-ranges", .b, "denied, and answered") { $0.head?.saysRanges = .no },
    Row("head", .b, "HEAD refused") { $0.head?.status = 405 },
    Row("head", .b, "HEAD not answered") { $0.head = nil },
    Row("head", .b, "HEAD without a length") { $0.head?.length = nil },
    Row("head", .b, "HEAD with another length") { $0.head?.length = 99 },
    Row("suffix", .b, "the first bytes for the last") { $0.suffix = .part(first: 0, last: 1, total: 100) },
    Row("suffix", .b, "the first byte for the last") { $0.suffix = .part(first: 0, last: 0, total: 100) },
    Row("suffix", .b, "a suffix ignored") { $0.suffix = .whole(length: 100) },
    Row("past-end", .b, "416 without the length") { $0.pastEnd = .unsatisfied(total: nil) },
    Row("past-end", .b, "416 with another length") { $0.pastEnd = .unsatisfied(total: 7) },
    Row("past-end", .b, "206 behind the end") { $0.pastEnd = .part(first: 99, last: 99, total: 100) },
    Row("past-end", .b, "an error behind the end") { $0.pastEnd = .other(status: 500) },
    Row("if-range", .c, "its own validator not known") { $0.underItsValidator = .whole(length: 100) },
    Row("if-range", .c, "its own validator an error") { $0.underItsValidator = .other(status: 412) },
    Row("stale-if-range", .b, "If-Range ignored") { $0.underAnother = .part(first: 0, last: 0, total: 100) },
    Row("stale-if-range", .b, "If-Range an error") { $0.underAnother = .broken },
    Row("validator", .c, "nothing strong") { $0.hasStrongValidator = false },
    Row("stability", .c, "tags that differ") { $0.fields.append(DiagnosisTests.tagged("\"b\"")) },
    Row("stability", .c, "a tag that is missing once") { $0.fields[1].entityTag = nil },
    Row("stability", .c, "dates that differ") { $0.fields[1].lastModified = [0x41] },
    Row("coding", .c, "coded unasked") { $0.fields[1].contentCoding = Array("gzip".utf8) },
    Row("keep-alive", .b, "a connection for each") { $0.keepsAlive = false },
  ]

  @Test func aGoodServerGetsAnA() {
    let findings = Diagnosis.findings(of: Self.good())
    #expect(findings.allSatisfy { $0.1 == .a }, "\(findings)")
    #expect(findings.count == 10)
  }

  @Test(arguments: rows) func grades(_ row: Row) throws {
    var seen = Self.good()
    row.change(&seen)
    let target = try TargetURI(text: Array("http://example.org/file".utf8))
    let diagnosis = Diagnosis(of: seen, target: target)
    #expect(diagnosis.findings.first { $0.code == row.code }?.grade == row.grade, "\(row.because)")
    #expect(diagnosis.grade == row.grade, "\(row.because): \(diagnosis.findings)")
  }

  @Test func whatRangesDoNotSpeakOfIsNotJudged() {
    var seen = Self.good()
    seen.first = .whole(length: 100)
    seen.head?.saysRanges = nil
    let codes = Diagnosis.findings(of: seen).map { $0.0 }
    #expect(codes == ["ranges", "head", "validator", "stability", "keep-alive", "digest"])
  }

  @Test func anEmptyFileHasNothingToResume() {
    var seen = Self.good()
    seen.first = .unsatisfied(total: 0)
    seen.head?.length = 0
    seen.fields = []
    let findings = Diagnosis.findings(of: seen)
    #expect(findings.allSatisfy { $0.1 == .a }, "\(findings)")
  }
}
