import HTTP1
import Posix

@testable import RawGet

/// A process that downloads: the steps of `Download` between its decisions, without network and clock. The decisions, the
/// reader of responses, the part and its record are the real ones.
struct SessionClient {
  enum End: Equatable {
    case complete
    case failed
  }

  static let name = Array("file".utf8)
  static let instant = Instant(nanoseconds: 0)

  private let place: PartFile.Place
  private let target: TargetURI
  private let options: ResumeOptions
  private(set) var sink: ContentSink?
  private var representation: Representation?
  private var candidate: Representation?
  private var samples: PrefixCheck?
  private var progress = ResponseProgress()
  private var continuationRefused = false
  /// The answer under way, once its head is read.
  private var answer: SessionResponse?
  private(set) var keptBefore: Int64 = 0  // bytes
  /// The attempt began a new part.
  private(set) var hasReplaced = false
  /// Something proved the end of what is being given its name; nil before that.
  private(set) var isProven: Bool?
  private(set) var lastError: DownloadError?
  /// Samples agreed.
  private(set) var hasSampled = false

  init(in place: PartFile.Place, _ target: TargetURI, _ options: ResumeOptions) throws(DownloadError) {
    (self.place, self.target, self.options) = (place, target, options)
    guard let part = try PartFile.open(SessionClient.name, in: place, now: SessionClient.instant) else { return }
    sink = ContentSink(.part(part))
    representation = part.record.map { Representation(recorded: $0.representation, now: SessionValidators.now) }
  }

  func settle() { sink?.settle(now: SessionClient.instant) }

  /// One walk from the target to an answer that is not followed further; nil when another attempt is to follow.
  mutating func attempt(_ server: inout SessionServer, _ script: inout Script) -> End? {
    (keptBefore, candidate, hasReplaced, lastError) = (sink?.length ?? 0, nil, false, nil)
    do {
      return try walk(&server, &script)
    } catch {
      lastError = error
      samples?.abandonCurrent()
      if case .notAContinuation = error { continuationRefused = true }
      return error.isTransient ? nil : .failed
    }
  }

  private mutating func walk(_ server: inout SessionServer, _ script: inout Script) throws(DownloadError) -> End? {
    let asking = asking()
    var at = target
    var redirects = 0
    while true {
      let asked: RangeRequest?
      switch asking {
      case .everything: asked = nil
      case .rest(let plan): asked = plan.request(at: at, redirected: redirects > 0)
      case .sample(let range), .selected(let range): asked = range
      }
      let wire = server.answer(asked, knownLength: representation?.fields.completeLength, &script)
      answer = nil
      switch try receive(wire, asked, at) {
      case .complete: return .complete
      case .again: return nil
      case .redirected(let head):
        do {
          at = try Redirection.next(after: head, from: at, count: redirects, allowsDowngrade: false)
        } catch {
          throw .redirection(error)
        }
        redirects += 1
      }
    }
  }

  private var isSameTarget: Bool { sink?.part?.record.map { $0.target == TargetIdentity(target) } ?? true }

  private mutating func asking() -> Attempt.Asking {
    guard let part = sink?.part else { return .everything }
    let state = PartState(
      length: part.length, trusted: part.trusted, known: representation, isSameTarget: isSameTarget)
    guard case .range(let plan) = ResumePlan(state, options, continuationRefused: continuationRefused) else {
      return .everything
    }
    guard plan.needsSamples else { return .rest(plan) }
    if samples == nil { samples = PrefixCheck(length: plan.overlapped, recorded: representation?.fields) }
    let validator = samples?.seen?.validator
    if let range = samples?.next { return .sample(RangeRequest(range: range, validator: validator)) }
    return .rest(
      RangePlan(
        overlapped: plan.overlapped, exact: nil, validator: validator, needsSamples: false, reason: plan.reason))
  }

  // MARK: What arrives

  private enum Outcome {
    case complete
    case again
    case redirected(ResponseHead)
  }

  /// Reads a connection to its end, or to where nothing more is wanted from it.
  private mutating func receive(
    _ wire: SessionWire, _ asked: RangeRequest?, _ at: TargetURI
  ) throws(DownloadError) -> Outcome {
    var reader = ResponseReader(answering: .get)
    var rest = wire.bytes[...]
    while !rest.isEmpty {
      var piece = Array(rest.prefix(wire.arrival))
      rest = rest.dropFirst(piece.count)
      while true {
        let step: ResponseReader.Step
        do { step = try reader.didReceive(piece.span) } catch { throw .protocolViolation(error) }
        if step.event == .needsMore { break }
        let read = SessionResponse(head: reader.head, framing: reader.framing, asked: asked, at: at)
        if let outcome = try act(on: step.event, piece, read) { return outcome }
        piece.removeFirst(step.taken)
      }
    }
    do { try reader.connectionDidEnd(wire.end) } catch { throw .protocolViolation(error) }
    return try complete()
  }

  private mutating func act(
    on event: ResponseReader.Event, _ piece: [UInt8], _ read: SessionResponse
  ) throws(DownloadError) -> Outcome? {
    switch event {
    case .needsMore: return nil
    case .complete: return try complete()
    case .content(let range): return try take(piece.span.extracting(range)) ? .again : nil
    case .head:
      answer = read
      guard let head = read.head else { return nil }
      if StatusClass(head.status) == .redirection { return .redirected(head) }
      if samples?.next != nil, try landSample(head, read) { return nil }
      return try land(head, read)
    }
  }

  private mutating func land(_ head: ResponseHead, _ read: SessionResponse) throws(DownloadError) -> Outcome? {
    let isSampled = samples?.isPassed ?? false
    var known = isSampled ? samples?.seen ?? representation : representation
    if options.isOff { known = known?.withoutMediaType() }
    let context = Landing.Context(
      kept: sink?.length ?? 0, asked: read.asked, known: known, isSampled: isSampled, isOtherTarget: !isSameTarget,
      now: SessionValidators.now)
    progress = ResponseProgress()
    switch Landing(of: head, framing: read.framing, context) {
    case .append(let position, let count, let completeLength):
      try begin(seen(head, read), at: position, completeLength: completeLength, context)
      progress.expected = count
    case .whole(let count):
      samples = nil
      candidate = seen(head, read)
      try sink?.begin(at: 0, .whole)
      progress.expected = count
    case .complete: return try finish()
    case .notAContinuation: throw .notAContinuation
    case .notTheResource: throw .notTheResource
    case .refused(let status): throw .refused(status: status, retryAfter: nil)
    case .violation(let error): throw .protocolViolation(error)
    }
    return nil
  }

  private func seen(_ head: ResponseHead, _ read: SessionResponse) -> Representation {
    Representation(of: head, framing: read.framing, at: read.at, now: SessionValidators.now)
  }

  private mutating func begin(
    _ seen: Representation, at position: Int64, completeLength: Int64?, _ context: Landing.Context
  ) throws(DownloadError) {
    if sink == nil {
      sink = ContentSink(.part(try PartFile.create(SessionClient.name, in: place, now: SessionClient.instant)))
    }
    var seen = seen
    if position > 0 || context.asked != nil, let known = context.known { seen = known.confirmed(by: seen) }
    candidate = seen.with(completeLength: completeLength)
    try sink?.begin(at: position, .continuation)
    try adoptCandidate()
  }

  /// True when the next request is to follow.
  private mutating func take(_ content: Span<UInt8>) throws(DownloadError) -> Bool {
    let allowed = progress.take(content.count)
    if samples?.current != nil { return try takeSample(content.extracting(..<allowed)) }
    guard let sink else { return false }
    let (change, count) = try sink.compare(content.extracting(..<allowed))
    note(change)
    try adoptCandidate()
    try sink.append(content.extracting(count..<allowed), now: SessionClient.instant)
    if allowed < content.count { throw .protocolViolation(.invalidContentRange) }
    return false
  }

  private mutating func note(_ change: ContentSink.Change?) {
    if case .replaced? = change { (representation, hasReplaced) = (nil, true) }
  }

  private mutating func adoptCandidate() throws(DownloadError) {
    guard let seen = candidate, let sink, sink.isProven, let part = sink.part else { return }
    (representation, candidate, continuationRefused) = (seen, nil, false)
    let record = PartRecord(
      target: TargetIdentity(target), finalOrigin: [], representation: seen.fields, durableLength: part.durableLength,
      boot: part.boot, owner: 1)
    if part.record != record { try part.write(record) }
  }

  // MARK: The end of a message

  private mutating func complete() throws(DownloadError) -> Outcome {
    if let missing = progress.missing { throw .protocolViolation(.incompleteContent(missing: missing)) }
    if samples?.current != nil { throw .notAContinuation }
    if answer?.framing == .untilClose, answer?.at.scheme == .http, sink?.isProven == false {
      throw .protocolViolation(.unprovenEnd)
    }
    note(try sink?.complete())
    try adoptCandidate()
    if answer?.head?.status == 206, let kept = sink?.length, representation?.fields.completeLength != kept {
      guard kept > keptBefore else { throw .notAContinuation }
      return .again
    }
    return try finish()
  }

  private mutating func finish() throws(DownloadError) -> Outcome {
    let isProven = answer?.framing != .untilClose || representation?.fields.completeLength != nil
    self.isProven = isProven
    try sink?.part?.finish(.withoutReplacing, modified: nil, keepsOldPart: !isProven)
    return .complete
  }

  // MARK: Samples

  /// False when the answer is to land as any other.
  private mutating func landSample(_ head: ResponseHead, _ read: SessionResponse) throws(DownloadError) -> Bool {
    guard StatusClass(head.status) == .partialContent, case .closed(let first, let last)? = samples?.next else {
      if StatusClass(head.status) == .rangeNotSatisfiable { throw .notAContinuation }
      return false
    }
    guard let value = head.fields.singleValue(of: .contentRange),
      case .part(first, let end, let total?)? = ContentRange(fieldValue: value), end >= last,
      total >= sink?.length ?? 0
    else { throw .notAContinuation }
    let seen = seen(head, read).with(completeLength: total)
    guard samples?.begin(at: first, seen) == true else { throw .notAContinuation }
    progress = ResponseProgress()
    progress.expected = end - first + 1
    return true
  }

  private mutating func takeSample(_ content: Span<UInt8>) throws(DownloadError) -> Bool {
    guard case .closed(_, let last)? = samples?.current, let position = samples?.position, let part = sink?.part else {
      return false
    }
    let count = Int(min(Int64(content.count), last + 1 - position))
    guard try part.countOfEqual(content.extracting(..<count), at: position) == count else {
      samples = nil
      throw .notAContinuation
    }
    guard samples?.didCompare(Int64(count)) == true else { return false }
    hasSampled = true
    return true
  }
}

/// An answer that is being read, and what it answers.
struct SessionResponse {
  let head: ResponseHead?
  let framing: Framing
  let asked: RangeRequest?
  let at: TargetURI
}

extension PartFile {
  /// Ends it as a loop does that has no other.
  func finish(_ naming: Naming, modified: Int64?, keepsOldPart: Bool = false) throws(DownloadError) {
    let conclusion = try conclude(naming, modified: modified, keepsOldPart: keepsOldPart)
    PartConclusion.settle([conclusion])
    if let failure = conclusion.failure { throw failure }
  }
}
