import HTTP1
import Posix

@testable import RawGet

/// The steps of a download between its decisions, without a network: plan, ask, land, compare, append. The decisions and
/// the part are the real ones.
struct ModelClient {
  enum End: Equatable {
    case complete(isProven: Bool)
    case failed
  }

  static let name = Array("file".utf8)
  private static let instant = Instant(nanoseconds: 0)

  private let place: PartFile.Place
  private let target: TargetURI
  private let options: ResumeOptions
  private(set) var sink: ContentSink?
  private var representation: Representation?
  private var candidate: Representation?
  private var samples: PrefixCheck?
  private var continuationRefused = false
  private(set) var keptBefore: Int64 = 0  // bytes
  /// The attempt began a new part.
  private(set) var hasReplaced = false

  /// A process begins.
  init(in place: PartFile.Place, _ target: TargetURI, _ options: ResumeOptions) throws {
    (self.place, self.target, self.options) = (place, target, options)
    guard let part = try PartFile.open(ModelClient.name, in: place, now: ModelClient.instant) else { return }
    sink = ContentSink(.part(part))
    representation = part.record.map { Representation(recorded: $0.representation, now: Known.now) }
  }

  func settle() { sink?.settle(now: ModelClient.instant) }

  /// One request and its answer; nil when another attempt is to follow.
  mutating func attempt(_ server: inout ModelServer, _ random: inout SeededGenerator) throws -> End? {
    (keptBefore, candidate, hasReplaced) = (sink?.length ?? 0, nil, false)
    let asked = asking()
    let answer = server.answer(asked, &random)
    do {
      return try receive(answer, asked, &random)
    } catch let error as DownloadError {
      samples?.abandonCurrent()
      if case .notAContinuation = error { continuationRefused = true }
      return error.isTransient ? nil : .failed
    }
  }

  private var isSameTarget: Bool { sink?.part?.record.map { $0.target == TargetIdentity(target) } ?? true }

  private mutating func asking() -> RangeRequest? {
    guard let part = sink?.part else { return nil }
    let state = PartState(
      length: part.length, trusted: part.trusted, known: representation, isSameTarget: isSameTarget)
    guard case .range(let plan) = ResumePlan(state, options, continuationRefused: continuationRefused) else {
      return nil
    }
    guard plan.needsSamples else { return plan.request(at: target, redirected: false) }
    if samples == nil { samples = PrefixCheck(length: plan.overlapped, recorded: representation?.fields) }
    let validator = samples?.seen?.validator
    return RangeRequest(range: samples?.next ?? .from(plan.overlapped), validator: validator)
  }

  private mutating func receive(
    _ answer: ModelAnswer, _ asked: RangeRequest?, _ random: inout SeededGenerator
  ) throws -> End? {
    let response = try TestResponse(answer.lines)
    if samples?.next != nil, response.head.status == 206 { return try compareSample(response, answer) }
    let context = Landing.Context(
      kept: sink?.length ?? 0, asked: asked, known: samples?.isPassed == true ? samples?.seen : representation,
      isSampled: samples?.isPassed == true, isOtherTarget: !isSameTarget, now: Known.now)
    var progress = ResponseProgress()
    switch Landing(of: response.head, framing: response.framing, context) {
    case .append(let position, let count, let completeLength):
      try begin(response, at: position, completeLength: completeLength, context)
      progress.expected = count
    case .whole(let count):
      samples = nil
      candidate = seen(response)
      try sink?.begin(at: 0, .whole)
      progress.expected = count
    case .complete: return try finish(response)
    case .notAContinuation: throw DownloadError.notAContinuation
    case .notTheResource: throw DownloadError.notTheResource
    case .refused(let status): throw DownloadError.refused(status: status, retryAfter: nil)
    case .violation(let error): throw DownloadError.protocolViolation(error)
    }
    try take(answer.content, &progress, &random)
    if answer.isCut && response.framing != .untilClose { throw DownloadError.protocolViolation(.unprovenEnd) }
    if let missing = progress.missing { throw DownloadError.protocolViolation(.incompleteContent(missing: missing)) }
    return try complete(response)
  }

  private func seen(_ response: TestResponse) -> Representation {
    Representation(of: response.head, framing: response.framing, at: target, now: Known.now)
  }

  private mutating func begin(
    _ response: TestResponse, at position: Int64, completeLength: Int64?, _ context: Landing.Context
  ) throws {
    if sink == nil {
      sink = ContentSink(.part(try PartFile.create(ModelClient.name, in: place, now: ModelClient.instant)))
    }
    var seen = seen(response)
    if context.asked != nil, let known = context.known { seen = known.confirmed(by: seen) }
    seen.fields.completeLength = completeLength
    candidate = seen
    try sink?.begin(at: position, .continuation)
    try adoptCandidate()
  }

  /// In pieces, as they may arrive.
  private mutating func take(
    _ content: ArraySlice<UInt8>, _ progress: inout ResponseProgress, _ random: inout SeededGenerator
  ) throws {
    var rest = content
    while !rest.isEmpty, let sink {
      let piece = Array(rest.prefix(Int.random(in: 1...max(content.count / 2, 1), using: &random)))
      let allowed = progress.take(piece.count)
      let (change, count) = try sink.compare(piece.span.extracting(..<allowed))
      note(change)
      try adoptCandidate()
      try sink.append(
        piece.span.extracting(count..<allowed), now: ModelClient.instant, deadline: nil, wake: -1)
      if allowed < piece.count { throw DownloadError.protocolViolation(.invalidContentRange) }
      rest = rest.dropFirst(piece.count)
    }
  }

  private mutating func note(_ change: ContentSink.Change) {
    guard case .replaced = change else { return }
    (representation, hasReplaced) = (nil, true)
  }

  private mutating func adoptCandidate() throws {
    guard let seen = candidate, let sink, sink.isProven, let part = sink.part else { return }
    (representation, candidate, continuationRefused) = (seen, nil, false)
    try part.write(
      PartRecord(
        target: TargetIdentity(target), finalOrigin: [], representation: seen.fields, durableLength: part.durableLength,
        boot: part.boot, owner: 1))
  }

  private mutating func complete(_ response: TestResponse) throws -> End? {
    if response.framing == .untilClose, sink?.isProven == false {
      throw DownloadError.protocolViolation(.unprovenEnd)
    }
    if case .replaced? = try sink?.complete() { representation = nil }
    try adoptCandidate()
    if response.head.status == 206, let kept = sink?.length, representation?.fields.completeLength != kept {
      guard kept > keptBefore else { throw DownloadError.notAContinuation }
      return nil
    }
    return try finish(response)
  }

  private func finish(_ response: TestResponse) throws -> End {
    try sink?.part?.finish(.withoutReplacing, modified: nil)
    return .complete(isProven: response.framing != .untilClose || representation?.fields.completeLength != nil)
  }

  private mutating func compareSample(_ response: TestResponse, _ answer: ModelAnswer) throws -> End? {
    guard case .closed(let first, let last)? = samples?.next, let part = sink?.part,
      let value = response.head.fields.singleValue(of: .contentRange),
      case .part(first, let end, let total?)? = ContentRange(fieldValue: value), end >= last, total >= part.length
    else { throw DownloadError.notAContinuation }
    var answered = seen(response)
    answered.fields.completeLength = total
    guard samples?.begin(at: first, answered) == true else { throw DownloadError.notAContinuation }
    let content = Array(answer.content.prefix(Int(last + 1 - first)))
    guard try part.countOfEqual(content.span, at: first) == content.count else {
      samples = nil
      throw DownloadError.notAContinuation
    }
    if samples?.didCompare(Int64(content.count)) != true { throw DownloadError.protocolViolation(.unprovenEnd) }
    return nil
  }
}
