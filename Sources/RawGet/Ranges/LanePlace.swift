internal import HTTP1
internal import Posix

/// One of the places that lanes of a transfer go to: the one that the download is at, or another, which a digest of the
/// whole speaks for (docs/MIRRORS.md).
///
///     waiting ──its turn──▶ asked ──its sample is as the part──▶ open ──it fails, refuses, disagrees──▶ out
///                             └───────────────anything else───────────────────────────────────────────▶ out
///
/// The download's own place is open from the start. Another is asked for a few bytes that are here already: that walk
/// follows its redirects, and says what it has.
final class LanePlace {
  enum State: Equatable { case waiting, asked, open, out }

  /// What another place is asked for first, at most; kept until it is compared.
  static let sampleLength: Int64 = 4_096  // bytes
  /// So long lanes are left for a place that has not answered; one that comes later gets some all the same.
  static let patience: Duration = .seconds(1)

  /// That of the list of the download's places.
  let number: Int
  let target: TargetURI
  private(set) var state: State
  /// How a connection is made, and what its requests say; nil while it is not asked.
  private(set) var attempt: Attempt?
  /// What every answer from here has to agree with; nil until the first is there.
  private(set) var known: Representation?
  private(set) var askedAt: Instant
  /// Of what it is asked for first.
  private(set) var sampleRange: Range<Int64> = 0..<0
  private(set) var sample: [UInt8] = []
  /// More connections than these were refused.
  var limit = Int.max
  /// Lanes that were cut for being slow.
  var slowCount = 0
  /// Requests are sent before the answers to those before them are there; false for servers that can't have that.
  var pipelines = true
  /// Bytes of it that were used, and how many there were when a lane failed last.
  var delivered: Int64 = 0
  var deliveredAtFailure: Int64 = -1
  /// Lanes that failed in a row without content between.
  var fruitless = 0

  /// The place of the download, by the walk that found the representation.
  init(_ attempt: Attempt, _ known: Representation, number: Int, now: Instant) {
    self.attempt = attempt
    self.known = known
    self.number = number
    target = attempt.target
    askedAt = now
    state = .open
  }

  /// Another one, which is to be asked.
  init(_ target: TargetURI, number: Int, now: Instant) {
    self.target = target
    self.number = number
    askedAt = now
    state = .waiting
  }

  var isOpen: Bool { state == .open }

  /// Lanes are left for it.
  func isExpected(now: Instant) -> Bool {
    (state == .asked || state == .waiting) && now - askedAt < LanePlace.patience
  }

  /// Nobody asks it again, in this transfer.
  func putOut() {
    state = .out
    attempt = nil
  }

  // MARK: The first answer

  /// - Parameter room: what the system is to keep on its connection, in bytes.
  func beginAsking(for range: Range<Int64>, _ order: DownloadOrder, room: Int, now: Instant) {
    precondition(state == .waiting && !range.isEmpty && Int64(range.count) <= LanePlace.sampleLength)
    sampleRange = range
    let closed = ByteRange.closed(first: range.lowerBound, last: range.upperBound - 1)
    attempt = Attempt(for: order, at: target, .sample(RangeRequest(range: closed, validator: nil)), room: room)
    askedAt = now
    state = .asked
  }

  enum Step {
    case wait
    /// An answer's head is there, which may be a redirect's.
    case head(ResponseHead)
    /// All of the sample is there.
    case sample
  }

  /// One step of the walk to the first answer.
  func ask(
    _ services: inout Services, _ buffer: inout ReceiveBuffer, now: Instant
  ) throws(DownloadError) -> Step {
    guard let attempt else { return .wait }
    while true {
      let limit = buffer.capacity
      switch try attempt.advance(&services, buffer: &buffer, limit: limit, now: now) {
      case .wait: return .wait
      case .head:
        if let head = attempt.head { return .head(head) }
      case .content(let range):
        let content = buffer.filled(range)
        guard sample.count + content.count <= sampleRange.count else { throw .otherVersion }
        for index in content.indices { sample.append(content[index]) }
      case .complete:
        guard sample.count == sampleRange.count else {
          throw .protocolViolation(.incompleteContent(missing: Int64(sampleRange.count - sample.count)))
        }
        attempt.release(to: &services, now: now)
        return .sample
      }
    }
  }

  /// Takes the head of an answer: a redirect is followed, anything else has to be the place's own file.
  func judge(
    _ head: ResponseHead, _ known: Representation, _ completeLength: Int64, _ asker: LaneAsker, now: Instant
  ) throws(DownloadError) {
    guard let attempt else { return }
    if StatusClass(head.status) == .redirection {
      _ = try attempt.follow(head, now: now)
      return
    }
    let question = PlaceAnswer.Question(
      sample: sampleRange, known: known, completeLength: completeLength, target: attempt.target,
      now: WallClock.secondsSince1970())
    let contradicts = asker.digests.contradict(head.fields)
    switch PlaceAnswer(
      head, framing: attempt.framing, to: question, contradicts: contradicts, refusal: refusal(head))
    {
    case .fits(let seen): self.known = seen
    case .isOut(let error): throw error
    }
  }

  /// Its sample is what is here.
  func open() {
    sample = []
    state = .open
  }

  // MARK: Requests

  /// The head of a request for the block, if the representation is still the one that its validator names.
  func head(for block: Range<Int64>) throws(DownloadError) -> [UInt8] {
    guard let attempt else { throw .invalidRequest }
    let range = RangeRequest(
      range: .closed(first: block.lowerBound, last: block.upperBound - 1), validator: known?.validator)
    return try attempt.head(asking: range)
  }

  func refusal(_ head: ResponseHead) -> DownloadError {
    let retryAfter = head.fields.retryDelay(now: WallClock.secondsSince1970())
    return attempt?.refusal(head.status, retryAfter: retryAfter)
      ?? .refused(status: head.status, retryAfter: retryAfter)
  }
}
