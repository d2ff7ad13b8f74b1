internal import HTTP1
internal import Posix

/// Places in a part that are fetched and compared when no validator says what it belongs to. All answers must agree in
/// complete length and validator, and with what a record says.
struct PrefixCheck {
  private var pending: [ByteRange]
  /// The range whose content is being received.
  private(set) var current: ByteRange?
  private(set) var position: Int64 = 0
  /// What the answers so far said.
  private(set) var seen: Representation?

  private let recorded: RepresentationFields?

  init(length: Int64, recorded: RepresentationFields?) {
    pending = PrefixSamples.ranges(of: length)
    self.recorded = recorded
  }

  var next: ByteRange? { pending.first }
  var isPassed: Bool { pending.isEmpty && current == nil }

  /// An answer for `next` begins at `first`; false when it does not agree with those before it.
  mutating func begin(at first: Int64, _ answer: Representation) -> Bool {
    if let recorded, recorded.contradicts(answer.fields) || recorded.contentCoding != answer.fields.contentCoding {
      return false
    }
    if let seen {
      guard seen.validator == answer.validator, !seen.fields.contradicts(answer.fields),
        seen.fields.completeLength == answer.fields.completeLength
      else { return false }
    }
    seen = answer
    current = pending.first
    position = first
    return true
  }

  /// Content of the current range was compared and is equal. True when that was all of it.
  mutating func didCompare(_ count: Int64) -> Bool {
    position += count
    guard case .closed(_, let last)? = current, position > last else { return false }
    current = nil
    pending.removeFirst()
    return true
  }

  mutating func abandonCurrent() { current = nil }
}

extension Download {
  /// The head of an answer to a sample. False when it is to land as any other: a 200 brings the whole, and an error is
  /// an error.
  mutating func didLandSample(_ head: ResponseHead) throws(DownloadError) -> Bool {
    guard StatusClass(head.status) == .partialContent, case .closed(let first, let last)? = samples?.next else {
      if StatusClass(head.status) == .rangeNotSatisfiable { throw .notAContinuation }
      return false
    }
    guard let attempt, let value = head.fields.singleValue(of: .contentRange),
      case .part(first, let end, let total)? = ContentRange(fieldValue: value), end >= last, let total,
      total >= sink?.length ?? 0
    else { throw .notAContinuation }
    let answer = Representation(
      of: head, framing: attempt.framing, at: attempt.target, now: WallClock.secondsSince1970()
    ).with(completeLength: total)
    guard samples?.begin(at: first, answer) == true else { throw .notAContinuation }
    response = ResponseProgress()
    response.expected = end - first + 1
    return true
  }

  /// Content of a sample; the next request follows when it was equal.
  mutating func didReceiveSample(_ content: Span<UInt8>, of range: ByteRange) throws(DownloadError) {
    guard case .closed(_, let last) = range, let position = samples?.position, let part = sink?.part else { return }
    let count = Int(min(Int64(content.count), last + 1 - position))
    guard try part.countOfEqual(content.extracting(..<count), at: position) == count else {
      samples = nil
      throw .notAContinuation
    }
    if samples?.didCompare(Int64(count)) == true { beginAttempt() }
  }
}
