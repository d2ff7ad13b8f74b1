/// What a server did when it was asked for parts of a file in ways that a resume depends on. Pure; made by `Inquiry`,
/// judged by `Diagnosis`.
struct Observations: Equatable {
  /// To a HEAD: the status, and the length it announces. nil: no answer came.
  struct Announcement: Equatable {
    var status: Int
    var length: Int64?
    var saysRanges: Probe.Ranges?
  }
  var head: Announcement?
  /// To `bytes=0-0`.
  var first = Reply.broken
  /// To one byte in the middle; nil, as in what follows: not asked.
  var middle: Reply?
  /// To `bytes=-1`.
  var suffix: Reply?
  /// To `bytes=0-0` under `If-Range` with the validator that it has.
  var underItsValidator: Reply?
  /// The same with a validator that it never had.
  var underAnother: Reply?
  /// To a range behind the end.
  var pastEnd: Reply?
  /// What every answer with content says of it.
  var fields: [RepresentationFields] = []
  var hasStrongValidator = false
  var keepsAlive = false
  var hasDigest = false
  var requestCount: Int64 = 0

  /// Bytes, as the answer to `bytes=0-0` has it.
  var completeLength: Int64? {
    switch first {
    case .part(_, _, let total): total
    case .whole(let length): length
    case .unsatisfied(let total): total
    case .misplaced, .other, .broken: nil
    }
  }
}
