internal import HTTP1

/// What the first answer of another place says about it, held against what the download knows (docs/MIRRORS.md). Pure.
///
/// Only a digest of the whole makes the bytes of two places one. So another validator is nothing against it: from here on
/// the place is held to its own.
enum PlaceAnswer {
  /// It has a file of this length; what it says of itself.
  case fits(Representation)
  case isOut(DownloadError)

  /// What the answer is held against.
  struct Question {
    /// The bytes that were asked for, unconditionally.
    let sample: Range<Int64>
    let known: Representation
    let completeLength: Int64
    /// Where the answer comes from.
    let target: TargetURI
    /// Seconds since 1970.
    let now: Int64
  }

  /// - Parameters:
  ///   - contradicts: its fields name another digest than the one that decides.
  ///   - refusal: the error that its status means.
  init(_ head: ResponseHead, framing: Framing, to question: Question, contradicts: Bool, refusal: DownloadError) {
    switch StatusClass(head.status) {
    case .partialContent: self = PlaceAnswer.ofPart(head, framing: framing, to: question, contradicts: contradicts)
    case .content: self = .isOut(.noRanges)
    case .redirection, .rangeNotSatisfiable, .transient, .refusal: self = .isOut(refusal)
    }
  }

  private static func ofPart(
    _ head: ResponseHead, framing: Framing, to question: Question, contradicts: Bool
  ) -> PlaceAnswer {
    let sample = question.sample
    // No validator of the download's: only its length, and its coding, for another one has other bytes.
    var fields = RepresentationFields(Fields())
    fields.contentCoding = question.known.fields.contentCoding
    fields.completeLength = question.completeLength
    let range = ByteRange.closed(first: sample.lowerBound, last: sample.upperBound - 1)
    let context = Landing.Context(
      kept: sample.lowerBound, asked: RangeRequest(range: range, validator: nil),
      known: Representation(recorded: fields, now: question.now), isSampled: true, isOtherTarget: true,
      now: question.now)
    let landing = Landing(of: head, framing: framing, context)
    guard !contradicts,
      case .append(sample.lowerBound, Int64(sample.count)?, question.completeLength) = landing
    else { return .isOut(.otherVersion) }
    let seen = Representation(of: head, framing: framing, at: question.target, now: question.now)
    return .fits(seen.with(completeLength: question.completeLength))
  }
}
