import HTTP1
import Testing

@testable import RawGet

/// What is asked for, from what is here (docs/RESUME.md): a range only where the answer can be proven to continue the part.
struct ResumePlanTests {
  enum Expected: Equatable, Sendable {
    case fresh
    case whole(ResumeReason)
    /// From `offset` on, with or without samples before it; in this run from `exact` on.
    case range(offset: Int64, exact: Int64?, sampled: Bool, ResumeReason)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var length: Int64 = 1_000_000  // bytes
    var trusted: Int64?  // nil: all of it
    var known: [String]? = Known.strong
    var isSameTarget = true
    var isThisRun = false
    var overlap: Int64 = 65_536
    var isParanoid = false
    var isOff = false
    var isUndecidedMix = false
    var refused = false
    let expected: Expected
    let because: String

    var testDescription: String { because }
  }

  static let nothingReused = [
    Row(length: 0, expected: .fresh, because: "S1-3 S3-5: nothing here, so no Range"),
    Row(length: 0, isOff: true, expected: .fresh, because: "S1-3: nothing here, whatever is wanted"),
    Row(length: 0, isParanoid: true, refused: true, expected: .fresh, because: "S1-3: nothing to compare"),
    Row(isOff: true, expected: .whole(.optedOut), because: "--no-resume: asks for everything, and still compares"),
    Row(isParanoid: true, expected: .whole(.paranoid), because: "--paranoid compares all"),
    Row(isThisRun: true, isParanoid: true, expected: .whole(.paranoid), because: "--paranoid, in this run as well"),
    Row(refused: true, expected: .whole(.notContinued), because: "the last range was not continued"),
    Row(isThisRun: true, refused: true, expected: .whole(.notContinued), because: "in this run as well"),
    Row(length: 1, expected: .whole(.short), because: "one byte: a range from 0 would be the whole"),
    Row(
      length: 65_536, overlap: 1, expected: .whole(.short),
      because: "so little may have been begun without a record: this one may speak of another part"),
    Row(
      trusted: 65_536, isSameTarget: false, overlap: 1, expected: .whole(.otherTarget),
      because: "the same of another URI"),
    Row(length: 65_536, expected: .whole(.short), because: "as short as the overlap"),
    Row(
      trusted: 65_536, expected: .whole(.short),
      because: "T17: another boot: what was durable is as short as the overlap"),
    Row(trusted: 0, expected: .whole(.short), because: "T17: nothing was durable"),
    Row(overlap: .max, expected: .whole(.short), because: "T12: an overlap beyond any part"),
    Row(known: nil, overlap: .max, expected: .whole(.short), because: "T12: the same without a record: no sum wraps"),
    Row(length: 131_072, known: nil, expected: .whole(.short), because: "no record, and samples would be all of it"),
    Row(length: 131_072, known: Known.weak, expected: .whole(.short), because: "no validator, the same"),
    Row(trusted: 131_072, known: nil, expected: .whole(.short), because: "only durable bytes are sampled"),
    Row(
      known: Known.strongDate, isSameTarget: false, expected: .whole(.otherTarget),
      because: "T16: a date names nothing elsewhere"
    ),
    Row(known: Known.weak, isSameTarget: false, expected: .whole(.otherTarget), because: "T16: nor does a weak tag"),
    Row(known: Known.none, isSameTarget: false, expected: .whole(.otherTarget), because: "T16: nor does a length"),
    Row(
      known: Known.strongUnknownLength, isSameTarget: false, expected: .whole(.otherTarget),
      because: "T16: nor a tag without a complete length"),
    Row(
      length: 65_536, isSameTarget: false, expected: .whole(.otherTarget),
      because: "T16: another URI, and no more here than would be compared anyway"),
  ]

  static let mixes = [
    Row(isUndecidedMix: true, expected: .whole(.mixed), because: "of several places, and no digest is known for it"),
    Row(isThisRun: true, isUndecidedMix: true, expected: .whole(.mixed), because: "whatever validator was seen"),
    Row(known: Known.weak, isUndecidedMix: true, expected: .whole(.mixed), because: "and no samples will do"),
    Row(isSameTarget: false, isUndecidedMix: true, expected: .whole(.mixed), because: "nor an overlap elsewhere"),
    Row(isUndecidedMix: true, refused: true, expected: .whole(.mixed), because: "the mix is the reason"),
    Row(
      isParanoid: true, isUndecidedMix: true, expected: .whole(.paranoid), because: "the caller's wish is told first"),
    Row(isOff: true, isUndecidedMix: true, expected: .whole(.optedOut), because: "likewise"),
    Row(length: 0, isUndecidedMix: true, expected: .fresh, because: "nothing is here"),
  ]

  static let continued = [
    Row(
      expected: .range(offset: 934_464, exact: nil, sampled: false, .resume),
      because: "S1-5: a record: its end is compared"),
    Row(
      known: Known.strongDate, expected: .range(offset: 934_464, exact: nil, sampled: false, .resume),
      because: "a date that is old enough is as good"),
    Row(
      length: 65_537, expected: .range(offset: 1, exact: nil, sampled: false, .resume),
      because: "a byte more than the overlap"),
    Row(
      isThisRun: true, expected: .range(offset: 934_464, exact: 1_000_000, sampled: false, .resume),
      because: "S2-4: seen in this run: from the end on"),
    Row(
      length: 5, isThisRun: true, expected: .range(offset: 0, exact: 5, sampled: false, .resume),
      because: "in this run a short part is continued too"),
    Row(
      trusted: 900_000, expected: .range(offset: 834_464, exact: nil, sampled: false, .resume),
      because: "T17: another boot: compared from before the last durable byte"),
    Row(
      trusted: 900_000, isThisRun: true, expected: .range(offset: 834_464, exact: nil, sampled: false, .resume),
      because: "T17: what was not durable is never continued at its end"),
    Row(
      isSameTarget: false, expected: .range(offset: 934_464, exact: nil, sampled: false, .otherTarget),
      because: "another URI with tag, complete length and overlap"),
    Row(
      isSameTarget: false, isThisRun: true, expected: .range(offset: 934_464, exact: nil, sampled: false, .otherTarget),
      because: "another URI is never continued at the end"),
    Row(
      length: 131_073, known: nil, expected: .range(offset: 65_537, exact: nil, sampled: true, .noRecord),
      because: "T9 T16: no record: samples and the overlap"),
    Row(
      known: Known.weak, expected: .range(offset: 934_464, exact: nil, sampled: true, .noValidator),
      because: "a weak tag proves no bytes"),
    Row(
      known: Known.recentDate, expected: .range(offset: 934_464, exact: nil, sampled: true, .noValidator),
      because: "a date within its second proves none either"),
    Row(
      known: Known.none, isThisRun: true, expected: .range(offset: 934_464, exact: nil, sampled: true, .noValidator),
      because: "T9: not in this run either: the file may have changed in between"),
    Row(
      known: Known.twoTags, expected: .range(offset: 934_464, exact: nil, sampled: true, .noValidator),
      because: "two tags that differ are none"),
    Row(
      overlap: 0, expected: .range(offset: 999_999, exact: nil, sampled: false, .resume),
      because: "an overlap of nothing is one byte: something is always compared"),
    Row(overlap: -1, expected: .range(offset: 999_999, exact: nil, sampled: false, .resume), because: "nor of less"),
    Row(
      length: 1 << 31, expected: .range(offset: 1 << 31 - 65_536, exact: nil, sampled: false, .resume),
      because: "T12: 2^31"),
    Row(
      length: 1 << 53 + 1, isThisRun: true,
      expected: .range(offset: 1 << 53 + 1 - 65_536, exact: 1 << 53 + 1, sampled: false, .resume),
      because: "T13: 2^53 + 1"),
    Row(
      length: .max, known: nil, expected: .range(offset: .max - 65_536, exact: nil, sampled: true, .noRecord),
      because: "T12: 2^63-1"),
  ]

  @Test(arguments: nothingReused + mixes + continued) func plans(_ row: Row) throws {
    var known = try row.known.map { try Known.representation($0) }
    if !row.isThisRun { known = known.map { Representation(recorded: $0.fields, now: Known.now) } }
    var options = ResumeOptions()
    (options.overlap, options.isParanoid, options.isOff) = (row.overlap, row.isParanoid, row.isOff)
    let state = PartState(
      length: row.length, trusted: row.trusted ?? row.length, known: known, isSameTarget: row.isSameTarget,
      isUndecidedMix: row.isUndecidedMix)
    let plan = ResumePlan(state, options, continuationRefused: row.refused)
    #expect(Self.seen(plan) == row.expected, "\(row.because)")
    if case .range(let range) = plan, !range.needsSamples {
      #expect(range.validator == known?.validator, "a range without samples is asked for under its condition")
      #expect(range.validator != nil)
      #expect(range.exact == nil || range.exact?.target == known?.servedAt)
    }
  }

  private static func seen(_ plan: ResumePlan) -> Expected {
    switch plan {
    case .fresh: .fresh
    case .whole(let reason): .whole(reason)
    case .range(let range):
      .range(offset: range.overlapped, exact: range.exact?.offset, sampled: range.needsSamples, range.reason)
    }
  }

  @Test func codesStayTheSame() {
    let codes: [(ResumeReason, String)] = [
      (.fresh, "fresh"), (.resume, "resume"), (.noValidator, "no-validator"), (.noRecord, "no-record"),
      (.otherTarget, "other-target"), (.short, "short"), (.paranoid, "paranoid"), (.optedOut, "opted-out"),
      (.notContinued, "not-continued"), (.mixed, "mixed"),
    ]
    for (reason, code) in codes { #expect(reason.code == code) }
  }
}
