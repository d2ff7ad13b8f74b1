internal import HTTP1
internal import Posix
internal import TLS

/// One download, from its request to its one result. It tells the story and decides nothing: the decisions are
/// `ResumePlan`, `Redirection`, `Landing` and `RetryPolicy`.
///
///     starting ─▶ (sampling ─▶) attempting ──head──▶ (redirect ▸ landing) ──content…──▶ concluding ─▶ finished
///         ▲           ▲          └──a failure that may pass──▶ pausing ──┐                          ▲
///         │           └──────────────────────────────────────────────────┘      any other failure ──┘
///         └── waiting for another process
///
/// It has no loop, clock or thread: whoever owns those calls `advance` when a descriptor of `interests` is ready or the
/// deadline has come.
public struct Download: ~Copyable {
  enum Step: Sendable {
    case waiting(until: Instant)
    case event(DownloadEvent)
    /// Whoever runs it settles its `conclusion`, with that of others if there are such.
    case concluding
    case finished(DownloadResult)
  }
  enum Stage {
    case starting
    case attempting
    case pausing(until: Instant)
    /// The content is whole; success is told once it is durable under its name.
    indirect case concluding(PartConclusion, DownloadSummary)
    indirect case finished(DownloadResult)
  }

  let order: DownloadOrder
  var stage = Stage.starting
  var attempt: Attempt?
  /// More than one connection, or blocks, once an answer has shown that this can be.
  var transfer: RangeTransfer?
  var laneCount: LaneCount
  /// Where attempts begin, and where else they could.
  var mirrors: MirrorList
  /// One answer brings all: the server has no ranges, or nothing to prove that two belong together.
  var isSingle = false
  /// Where the content goes; nil until its name is known and looked at.
  var placement: Placement?
  var sink: ContentSink?
  /// That of the kept bytes; nil until all of them are known to belong to one response's.
  var representation: Representation?
  /// The digest that alone makes the kept bytes one: they are of several places (docs/MIRRORS.md).
  var mixedUnder: [UInt8]?
  /// That of the response under way, until its content has reached what is new.
  var candidate: Representation?
  var response = ResponseProgress()
  /// Places in the part that are compared before it is continued without a validator.
  var samples: PrefixCheck?
  /// Ranges in place of the whole, and how much of them is here.
  var selection: RangeSelection?
  /// The answer under way brings several of them.
  var parts: SelectedParts?
  var retry: RetryPolicy
  var keptBefore: Int64 = 0  // bytes, when this attempt began
  var continuationRefused = false
  var digests = ContentDigests()
  var events: [DownloadEvent] = []
  /// The response's head gave the name: what was found under the URI's name is of no interest.
  var isNameSettled = false
  var nameOfResponse: [UInt8]?
  /// What whoever embeds us has allowed last (`DownloadOptions.allowsResponse`).
  var allowed: Representation?
  /// The file that something newer would replace.
  var existing: FileMeasure?
  /// What there was to say when the end came: everything that was open is closed by then.
  private var last: (progress: DownloadProgress, path: [UInt8]?)?
  let deadline: Instant
  private let begun: Instant
  private var rateLimit: RateLimit?
  var speedWatch: SpeedWatch?
  private var isResting = false  // for the rate limit: nothing is waited for but time
  /// Since when the stream's reader is waited for, and nothing is received; nil while it is not.
  var heldUpSince: Instant?
  /// Where content went, until the loop has ceased to watch it.
  var leaving: OutputStream?
  /// A value with an atomic in it has to stay where it is: so a download is passed by its address. Without it the
  /// compiler hands copies around, of a thousand bytes each, some twenty for a small file.
  private let staysInPlace = AtomicByte()

  /// Begins nothing: `run` does, or the loop that gets its job. `Timeouts.total` and `DownloadOptions.retryTime` count from here.
  public init(_ request: DownloadRequest, _ options: DownloadOptions = DownloadOptions()) {
    let now = Instant.now()
    order = DownloadOrder(request, Download.settled(options, for: request))
    begun = now
    selection = request.ranges.map { RangeSelection($0) }
    retry = RetryPolicy(limit: options.retryLimit)
    laneCount = LaneCount(options.connections)
    mirrors = MirrorList(request.target, mirrors: order.isPlain ? request.mirrors : [])
    deadline = options.timeouts.total.map { now + $0 } ?? .distantFuture
    rateLimit = options.rateLimit.map { RateLimit(rate: $0, now: now) }
    speedWatch = options.speedFloor.map { SpeedWatch($0) }
  }

  /// As it was given.
  public var request: DownloadRequest { order.request }
  /// As they were given, but for what does not go with the request.
  public var options: DownloadOptions { order.options }

  /// How far it is; after its end, how far it came.
  public var progress: DownloadProgress {
    last?.progress
      ?? DownloadProgress(
        kept: sink?.arrived ?? 0,
        completeLength: candidate != nil ? candidate?.fields.completeLength : representation?.fields.completeLength)
  }

  /// The path of the file to be, once it is known; nil for a stream.
  public var path: [UInt8]? { last?.path ?? path(of: sink?.part?.names.final) }

  /// Ends the download now, keeping what is here; one whose content is whole takes its name all the same.
  public mutating func cancel() {
    switch stage {
    case .concluding, .finished: return
    case .starting, .attempting, .pausing: finish(failing: .cancelled, now: .now())
    }
  }

  // MARK: One turn

  /// Tells what happened only when nothing is left in the buffer: who is told may turn to another download first.
  mutating func advance(now: Instant, buffer: inout ReceiveBuffer, services: inout Services) -> Step {
    if !events.isEmpty { return .event(events.removeFirst()) }
    while true {
      do throws(DownloadError) {
        guard let step = try turn(now, &buffer, &services) else { continue }
        return events.isEmpty ? step : .event(events.removeFirst())
      } catch {
        didFail(error, now: now)
      }
    }
  }

  /// What to wait for or to say; nil when there is more to do at once.
  private mutating func turn(
    _ now: Instant, _ buffer: inout ReceiveBuffer, _ services: inout Services
  ) throws(DownloadError) -> Step? {
    switch stage {
    case .finished(let result): return .finished(result)
    case .concluding(let conclusion, let summary):
      guard conclusion.isOver else { return .concluding }
      if let failure = conclusion.failure { throw failure }
      end(.complete(summary))
    case _ where now >= deadline: throw .timeLimit
    case .starting:
      try start(services.files, now: now)
    case .pausing(let until):
      // What is here is the reader's, whatever the server does.
      let flush = try isHeldUp(&services, now) ? nextFlush(now) : .distantFuture
      if now < until { return .waiting(until: min(until, deadline, flush)) }
      if placement == nil && sink == nil { stage = .starting } else { beginAttempt() }
    case .attempting:
      if try isHeldUp(&services, now) { return try waitForReader(now, &buffer, &services) }
      if let until = rateLimit?.pause(now: now) {
        isResting = true
        return .waiting(until: min(until, deadline))
      }
      isResting = false
      return try attempt(now, &buffer, &services)
    }
    return nil
  }

  private mutating func attempt(
    _ now: Instant, _ buffer: inout ReceiveBuffer, _ services: inout Services
  ) throws(DownloadError) -> Step? {
    let limit = min(rateLimit?.receiveLimit ?? buffer.capacity, sink?.stream?.receiveLimit ?? buffer.capacity)
    if let transfer {
      guard let deadline = try advance(transfer, now, &buffer, &services, limit: limit) else { return nil }
      return try waiting(until: deadline, now)
    }
    switch try attempt?.advance(&services, buffer: &buffer, limit: limit, now: now) {
    case .wait, nil: return try waiting(until: attempt?.deadline ?? .distantFuture, now)
    case .head: try didReceiveHead(services, now)
    case .content(let range): try didReceive(range, in: buffer, now)
    case .complete:
      attempt?.release(to: &services, now: now)
      try didComplete(now)
    }
    return nil
  }

  private mutating func waiting(until next: Instant, _ now: Instant) throws(DownloadError) -> Step {
    if speedWatch?.isBelow(now: now) == true { throw .timedOut(.speed) }
    return .waiting(until: min(next, speedWatch?.deadline ?? .distantFuture, deadline))
  }

  /// The next attempt, for what the plan says to ask for.
  mutating func beginAttempt() {
    if attempt == nil { noteRoute(to: mirrors.target) }
    keptBefore = max(sink?.length ?? 0, selection?.mostReceived ?? 0)
    candidate = nil
    speedWatch?.restart()
    attempt = Attempt(
      for: order, at: mirrors.target, asking(), upTo: lastByteOfFirstBlock(), modifiedSince: existing?.modified)
    stage = .attempting
  }

  /// Tells of a decision, where there was one to make.
  mutating func noteRoute(to target: TargetURI) {
    guard options.proxies.isAny else { return }
    events.append(.routed(to: target, via: Route(to: target.origin, options).proxy))
  }

  // MARK: What came

  mutating func didReceive(
    _ range: Range<Int>, in buffer: borrowing ReceiveBuffer, _ now: Instant
  ) throws(DownloadError) {
    rateLimit?.didReceive(range.count, now: now)
    try didReceiveContent(buffer.filled(range), now)
    if speedWatch != nil { speedWatch?.didReceive(range.count, paused: .now() - now, now: now) }
  }

  private mutating func didReceiveContent(_ content: Span<UInt8>, _ now: Instant) throws(DownloadError) {
    let allowed = response.take(content.count)
    if let range = samples?.current {
      return try didReceiveSample(content.extracting(..<allowed), of: range)
    }
    digests.didReceive(content.extracting(..<allowed))
    if parts != nil { return try didReceiveParts(content, now) }
    try keep(content.extracting(..<allowed), now)
    if allowed < content.count { throw .protocolViolation(.invalidContentRange) }
  }

  /// Compares content with what is here, and appends what is new.
  mutating func keep(_ content: Span<UInt8>, _ now: Instant) throws(DownloadError) {
    guard let sink else { return }
    let compared = try sink.compare(content)
    note(compared.change)
    try adoptCandidate()
    let new = content.extracting(compared.count...)
    if let limit = options.lengthLimit, sink.length > limit - Int64(new.count) { throw .tooLarge(limit: limit) }
    try sink.append(new, now: now)
    try digests.didAppend(new, to: sink)
    if !new.isEmpty { mirrors.didServe(response.place) }
    selection?.didReceive(Int64(content.count))
  }

  private mutating func note(_ change: ContentSink.Change?) {
    switch change {
    case .replaced(let offset)?:
      representation = nil
      mixedUnder = nil  // what is left was compared with the answer, from its first byte
      if offset == 0 { mirrors.didRestart() }
      // A mirror is held to what was said before it was asked.
      if mirrors.isAtOrigin {
        digests.restart(forgettingFor: selection == nil ? attempt?.head?.fields : nil)
      } else {
        digests.restart()
      }
      events.append(.replaced(keeping: offset))
    case .cut?: digests.restart()
    case Optional.none, .none?: return
    }
  }

  /// All that is kept was seen in the response under way: from here on it is that response's representation, and the
  /// record says so before anything is appended.
  mutating func adoptCandidate() throws(DownloadError) {
    guard let seen = candidate, let sink, sink.isProven else { return }
    representation = seen
    candidate = nil
    if sink.isAllProven { mixedUnder = nil }
    continuationRefused = false
    guard let part = sink.part else { return }
    let record = record(of: seen, for: part)
    if part.record != record { try part.write(record) }
  }

  private mutating func didComplete(_ now: Instant) throws(DownloadError) {
    if let missing = response.missing { throw .protocolViolation(.incompleteContent(missing: missing)) }
    if selection != nil { return try didCompleteSelected(now) }
    if samples?.current != nil { throw .notAContinuation }  // a sample that ended before its end
    if attempt?.framing == .untilClose, attempt?.target.scheme == .http, sink?.isProven == false {
      throw .protocolViolation(.unprovenEnd)  // a close is no proof that the bytes kept are gone
    }
    if attempt?.head?.status == 206, !digests.verifyMessage() { try failVerification() }
    try settleCandidate()
    guard let kept = sink?.length else { return }
    let isPart = attempt?.head?.status == 206
    if isPart && representation?.fields.completeLength != kept {
      // A server may send less than was asked, and need not know the end: ask on from here (RFC 9110 §15.3.7).
      guard kept > keptBefore else { throw .notAContinuation }
      retry.didProgress()
      return beginAttempt()
    }
    try finishComplete(now)
  }

  /// The last byte of a response has come: nothing of what is here is left to compare.
  mutating func settleCandidate() throws(DownloadError) {
    note(try sink?.complete())
    try adoptCandidate()
  }

  // MARK: The end

  /// The one end. Every descriptor is closed before anyone hears of it.
  mutating func end(_ result: DownloadResult) {
    last = (progress, path)
    attempt = nil
    endTransfer()
    samples = nil
    parts = nil
    letGoOfSink()
    placement = nil
    stage = .finished(result)
  }

  private mutating func didFail(_ error: DownloadError, now: Instant) {
    if error.isTransient, selection?.isComplete == true {  // only the end of the message is missing
      do throws(DownloadError) { return try finishSelected(now) } catch { return finish(failing: error, now: now) }
    }
    let isRepeatable = attempt?.isRepeatable ?? true
    let rangeRefusal = rangeRefusal(error)
    let wasOverLanes = transfer != nil
    attempt = nil
    parts = nil
    endTransfer()
    if case .busy = error, options.waitsForOthers, isRepeatable {
      events.append(.interrupted(error, delay: Download.busyInterval))
      placement = nil
      sink = nil  // what it writes to may be the other's by now
      digests.restart()
      stage = .pausing(until: now + Download.busyInterval)
      return
    }
    let isTooLate = options.retryTime.map { now - begun >= $0 } ?? false
    if wasOverLanes, case .protocolViolation(let violation) = error, !violation.isTruncation {
      isSingle = true  // it may be right in one answer that brings all
      return beginAttempt()
    }
    if heed(rangeRefusal) { return beginAttempt() }
    samples?.abandonCurrent()
    if case .notAContinuation = error, !continuationRefused, !isTooLate, isRepeatable {
      continuationRefused = true  // the whole is asked for next: a step of the plan, and no failure
      return beginAttempt()
    }
    if !isTooLate, isRepeatable, turnToMirror(after: error, now: now) { return }
    let mayPass = error.isTransient || selectionBeginsAgain(after: error)
    guard mayPass, !isTooLate, isRepeatable else { return finish(failing: error, now: now) }
    var asked: Int64?
    if case .refused(_, let retryAfter) = error.cause { asked = retryAfter }
    let kept = sink?.length ?? 0
    let jitter = Double(Random.uniform(below: 1_024)) / 1_024
    let madeProgress = kept > keptBefore
    guard let delay = retry.didFail(madeProgress: madeProgress, retryAfter: asked, jitter: jitter) else {
      return finish(failing: error, now: now)
    }
    events.append(.interrupted(error, delay: delay))
    stage = .pausing(until: now + delay)
  }

  /// How often another process is looked after.
  static let busyInterval: Duration = .milliseconds(500)

  mutating func finish(failing error: DownloadError, now: Instant) {
    settle(now: now)
    let kept = sink?.lasting ?? 0
    let partPath = kept > 0 ? path(of: sink?.part.map { $0.isAdopted ? $0.names.final : $0.names.part }) : nil
    let isResumable = partPath != nil && isContinued(after: error)
    end(.failed(DownloadFailure(error: error, kept: kept, partPath: partPath, isResumable: isResumable)))
  }

  func path(of name: [UInt8]?) -> [UInt8]? { name.map { request.destination.path(of: $0) } }

  // MARK: What to wait for

  /// The descriptors that `advance` waits for.
  func appendInterests(to interests: inout [Interest]) {
    if heldUpSince != nil { return appendInterestsHeldUp(to: &interests) }
    if isResting { return }
    attempt?.appendInterests(to: &interests)
    transfer?.appendInterests(to: &interests)
  }
}
