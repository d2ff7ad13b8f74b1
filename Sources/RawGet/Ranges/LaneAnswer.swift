internal import HTTP1

/// What the answer to a lane's request means for the lane, and for the download. Pure.
enum LaneAnswer {
  /// Bytes of the representation that the download has, from the first that was asked for up to `end`.
  case accepted(end: Int64)
  /// The server does not want this connection, or is in trouble: the lane goes, the others stay.
  case refused(DownloadError)
  /// Not what the download began with, or not where it was: all lanes end, and the rules for one connection decide
  /// (docs/RESUME.md). With `isForGood` no further lane is tried.
  case disagrees(isForGood: Bool)

  /// What the answer is held against.
  struct Question {
    let block: Range<Int64>
    let validator: Validator?
    let known: Representation
    let completeLength: Int64
    /// Seconds since 1970.
    let now: Int64
    /// The place is another than the download's own, and may have no strong validator.
    var digestDecides = false
  }

  init(_ head: ResponseHead, framing: Framing, to question: Question, refusal: DownloadError) {
    switch StatusClass(head.status) {
    case .partialContent: self = LaneAnswer.ofPart(head, framing: framing, to: question)
    case .transient: self = .refused(refusal)
    case .refusal where head.status == 403 || head.status >= 500:
      self = .refused(refusal)  // how some count connections
    case .refusal, .redirection, .rangeNotSatisfiable: self = .disagrees(isForGood: false)
    case .content: self = .disagrees(isForGood: true)
    }
  }

  private static func ofPart(_ head: ResponseHead, framing: Framing, to question: Question) -> LaneAnswer {
    let block = question.block
    let asked = RangeRequest(
      range: .closed(first: block.lowerBound, last: block.upperBound - 1), validator: question.validator)
    let context = Landing.Context(
      kept: block.lowerBound, asked: asked, known: question.known,
      isSampled: question.digestDecides, now: question.now)
    let landing = Landing(of: head, framing: framing, context)
    guard case .append(block.lowerBound, let count?, question.completeLength) = landing, count <= Int64(block.count)
    else { return .disagrees(isForGood: true) }
    return .accepted(end: block.lowerBound + count)
  }
}
