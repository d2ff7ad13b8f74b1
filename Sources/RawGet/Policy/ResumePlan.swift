internal import HTTP1

/// Why a download continues as it does; the codes stay the same when sentences change.
public enum ResumeReason: Equatable, Sendable {
  /// Nothing is here.
  case fresh
  /// A strong validator names what is here.
  case resume
  /// The record names no strong validator: places in the part are compared first.
  case noValidator
  /// There is no record: places in the part are compared first.
  case noRecord
  /// The part was begun from another URI.
  case otherTarget
  /// What is here is of several places, and no digest that decides is known for it.
  case mixed
  /// So little is here that comparing all of it costs nothing.
  case short
  /// The caller wants everything compared (`ResumeOptions.isParanoid`).
  case paranoid
  /// The caller wants everything anew (`ResumeOptions.isOff`).
  case optedOut
  /// The server's answer to a range did not continue what is here.
  case notContinued

  /// Its word in docs/EVENTS.md, which stays the same.
  public var code: String {
    switch self {
    case .fresh: "fresh"
    case .resume: "resume"
    case .noValidator: "no-validator"
    case .noRecord: "no-record"
    case .otherTarget: "other-target"
    case .mixed: "mixed"
    case .short: "short"
    case .paranoid: "paranoid"
    case .optedOut: "opted-out"
    case .notContinued: "not-continued"
    }
  }
}

/// How the caller wants parts to be continued.
public struct ResumeOptions: Sendable {
  /// Bytes before the end of a part that are fetched again and compared.
  public var overlap: Int64 = 65_536
  /// Compares all of a part instead of its end and samples.
  public var isParanoid = false
  /// Asks for everything again.
  public var isOff = false

  /// Parts are continued, after their last 65,536 bytes were compared where the server was not seen in this run.
  public init() {}
}

/// What is here before a request.
struct PartState: Equatable {
  /// Bytes in the part.
  var length: Int64
  /// Bytes that are what was written: all of them, or after another boot those that were durable.
  var trusted: Int64
  /// What they belong to; nil without a record.
  var known: Representation?
  /// The part was begun from the URI that is asked for now.
  var isSameTarget: Bool
  /// Bytes of several places, which only a digest makes one, and that digest is not wanted (docs/MIRRORS.md).
  var isUndecidedMix = false
}

/// What to ask for, decided before a request from what is here (docs/RESUME.md). Pure.
enum ResumePlan: Equatable {
  /// From 0, into a new part.
  case fresh
  /// From somewhere before the end on.
  case range(RangePlan)
  /// From 0, compared with the part as it passes.
  case whole(ResumeReason)

  /// - Parameter continuationRefused: a range was asked for in vain since the last progress.
  init(_ state: PartState, _ options: ResumeOptions, continuationRefused: Bool) {
    if state.length == 0 {
      self = .fresh
    } else if options.isOff {
      self = .whole(.optedOut)
    } else if options.isParanoid {
      self = .whole(.paranoid)
    } else if state.isUndecidedMix {
      self = .whole(.mixed)
    } else if continuationRefused {
      self = .whole(.notContinued)
    } else {
      self = ResumePlan.continuing(state, overlap: max(options.overlap, 1))
    }
  }

  private static func continuing(_ state: PartState, overlap: Int64) -> ResumePlan {
    guard let known = state.known else { return sampled(state, overlap, .noRecord) }
    guard state.isSameTarget else {
      // An entity tag alone names nothing across URIs: the complete length and the overlap must agree as well.
      guard case .entityTag? = known.validator, known.fields.completeLength != nil,
        state.trusted > max(overlap, comparedWhole)
      else {
        return .whole(.otherTarget)
      }
      return .range(
        RangePlan(
          overlapped: state.trusted - overlap, exact: nil, validator: known.validator, needsSamples: false,
          reason: .otherTarget))
    }
    guard let validator = known.validator else { return sampled(state, overlap, .noValidator) }
    var exact: RangePlan.Exact?
    if let servedAt = known.servedAt, state.trusted == state.length {
      exact = RangePlan.Exact(target: servedAt, offset: state.length)
    }
    if exact == nil && state.trusted <= max(overlap, comparedWhole) { return .whole(.short) }
    return .range(
      RangePlan(
        overlapped: max(state.trusted - overlap, 0), exact: exact, validator: validator, needsSamples: false,
        reason: .resume))
  }

  /// Of a part of an earlier run that is no longer than this, every byte is compared, whatever the options say: it may
  /// have been begun without a record (`PartFile.recordBeforeFirst`), and one that is beside it may speak of another.
  static var comparedWhole: Int64 { 2 * PrefixSamples.total }

  private static func sampled(_ state: PartState, _ overlap: Int64, _ reason: ResumeReason) -> ResumePlan {
    guard state.trusted - comparedWhole > overlap else { return .whole(.short) }
    return .range(
      RangePlan(
        overlapped: state.trusted - overlap, exact: nil, validator: nil, needsSamples: true, reason: reason))
  }
}

/// Which bytes to ask for, and under which condition.
struct RangePlan: Equatable {
  struct Exact: Equatable {
    let target: TargetURI
    let offset: Int64
  }
  /// The offset to ask from where the validator was not seen in this run: the bytes behind it are compared.
  let overlapped: Int64
  /// Where it was: nothing is fetched twice.
  let exact: Exact?
  let validator: Validator?
  /// Places in what lies before the overlap are compared first.
  let needsSamples: Bool
  let reason: ResumeReason

  /// The range to ask `target` for; nil where the validator can't stand for the bytes: a date names nothing at the end
  /// of a redirect.
  func request(at target: TargetURI, redirected: Bool) -> RangeRequest? {
    if let exact, exact.target == target {
      return RangeRequest(range: .from(exact.offset), validator: validator)
    }
    if case .lastModified? = validator, redirected { return nil }
    guard overlapped > 0 else { return nil }  // that would be everything
    return RangeRequest(range: .from(overlapped), validator: validator)
  }
}

/// A `Range` and what `If-Range` names.
struct RangeRequest: Equatable {
  let range: ByteRange
  let validator: Validator?
  /// What the same request asks for besides, in this order.
  var others: [ByteRange] = []

  /// The value of the `Range` field.
  var fieldValue: [UInt8] {
    others.reduce(into: range.fieldValue) { value, other in value += [UInt8(ascii: ",")] + other.text }
  }

  /// The same, up to `last`: nothing for the whole range, and for one that ends already. Without a validator a part says
  /// too little of what it is a part of.
  func ending(at last: Int64?) -> RangeRequest {
    guard let last, case .from(let first) = range, first <= last, validator != nil else { return self }
    return RangeRequest(range: .closed(first: first, last: last), validator: validator)
  }

  /// The first byte that is asked for.
  var offset: Int64? {
    switch range {
    case .from(let offset), .closed(let offset, _): offset
    case .suffix: nil
    }
  }
}

/// The places of a part that are compared when no validator speaks for it.
enum PrefixSamples {
  static let count: Int64 = 8
  static let size: Int64 = 4_096  // bytes of each
  static var total: Int64 { count * size }

  /// Ranges spread evenly over `length` bytes, which are more than `total`. None begins at 0: some servers take a range
  /// from there for a request for everything.
  static func ranges(of length: Int64) -> [ByteRange] {
    let stride = length / count
    return (0..<count).map { index in
      let first = index * stride + (stride - size) / 2 + 1
      return .closed(first: first, last: first + size - 1)
    }
  }
}
