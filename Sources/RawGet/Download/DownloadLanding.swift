internal import HTTP1
internal import Posix

// After a head: follow it, or find the place of its content.
extension Download {
  mutating func didReceiveHead(_ services: borrowing Services, _ now: Instant) throws(DownloadError) {
    guard let attempt, let head = attempt.head else { return }
    if services.tellsHeads {
      events.append(.requested(head: attempt.requestHead))
      events.append(.responded(head: head.text))
    }
    noteDuplicates(head)
    if StatusClass(head.status) == .redirection { return try follow(head, now: now) }
    if !options.onlyExplains, samples?.current != nil || samples?.next != nil, try didLandSample(head) { return }
    if isFirstAnswer(head) && !isNameSettled, try nameChanged(head, services.files, now: now) {
      return beginAttempt()
    }
    if try didLandSelection(head, now: now) { return }
    try land(head, now: now)
  }

  /// The content begins with this answer, as a whole or with a first block.
  private func isFirstAnswer(_ head: ResponseHead) -> Bool {
    switch StatusClass(head.status) {
    case .content: true
    case .partialContent: (sink?.length ?? 0) == 0 || selection?.position == 0
    case .redirection, .rangeNotSatisfiable, .transient, .refusal: false
    }
  }

  private mutating func follow(_ head: ResponseHead, now: Instant) throws(DownloadError) {
    guard let next = try attempt?.follow(head, now: now) else { return }
    events.append(.redirected(to: next))
    noteRoute(to: next)
  }

  /// The response may give another name than the URI did. True when a part is there under that name: the request is made
  /// again, for its rest.
  private mutating func nameChanged(
    _ head: ResponseHead, _ files: any FileSystem, now: Instant
  ) throws(DownloadError) -> Bool {
    isNameSettled = true
    guard case .directory(let path) = request.destination, var target = attempt?.target else { return false }
    if !mirrors.isAtOrigin { target = request.target }  // what a mirror calls the file is its own affair
    let disposition = head.fields.value(of: .contentDisposition)
    if disposition == nil, nameOfResponse == nil, target == request.target { return false }  // it is the URI's
    let name = FileName.suggested(contentDisposition: disposition, target: target)
    if name == placement?.name { return false }
    nameOfResponse = name
    settle(now: now)
    try settle(on: name, in: path, files, now: now)
    if case .finished = stage { return false }
    guard order.isPlain, let part = sink?.part, part.length > 0 else { return false }
    return ResumePlan(state(of: part), options.resume, continuationRefused: false).asksForRange
  }

  private mutating func land(_ head: ResponseHead, now: Instant) throws(DownloadError) {
    guard let attempt else { return }
    if case .finished = stage { return }
    let clock = WallClock.secondsSince1970()
    if endWithoutContent(head, now: clock) { return }
    let isSampled = samples.map { $0.isPassed || options.onlyExplains } ?? false
    let context = Landing.Context(
      kept: sink?.length ?? 0, asked: attempt.asked,
      known: known(isSampled: isSampled),
      isSampled: isSampled, isOtherTarget: isOtherTarget, now: clock)
    let landing = Landing(of: head, framing: attempt.framing, context)
    if try agreesWithExisting(head, landing, now: clock) { return }
    let seen = Representation(of: head, framing: attempt.framing, at: attempt.target, now: clock)
    if options.onlyExplains, explain(landing, context, seen) { return }
    try requireWithinLimit(landing)
    try requireDigestPossible(head, landing, context)
    switch landing {
    case .append(_, _, let length), .whole(let length): try requireAllowed(head, seen, completeLength: length)
    case .complete, .notAContinuation, .notTheResource, .refused, .violation: break
    }
    response = ResponseProgress()
    switch landing {
    case .append(let position, let count, let completeLength):
      try begin(seen, at: position, count: count, completeLength: completeLength, context, now: now)
    case .whole(let count):
      samples = nil  // they speak of answers before this one
      candidate = seen
      response.expected = count
      try sink?.begin(at: 0, .whole)
      try sink?.requireSpace(for: (count ?? 0) - context.kept)
    case .complete: return try finishComplete(now)
    case .notAContinuation: throw .notAContinuation
    case .notTheResource: throw .notTheResource
    case .refused(let status): throw attempt.refusal(status, retryAfter: head.fields.retryDelay(now: clock))
    case .violation(let error): throw .protocolViolation(error)
    }
    digests.expect(head.fields)
    events.append(.began(progress))
    beginTransfer(landing, now)
  }

  /// Nothing of a file that says to be too large is kept.
  private func requireWithinLimit(_ landing: Landing) throws(DownloadError) {
    var length: Int64?
    switch landing {
    case .append(let position, let count, let completeLength): length = completeLength ?? count.map { position + $0 }
    case .whole(let count): length = count
    case .complete, .notAContinuation, .notTheResource, .refused, .violation: return
    }
    if let limit = options.lengthLimit, let length, length > limit { throw .tooLarge(limit: limit) }
  }

  /// What the answer is held against. Who wants everything anew may have begun with the wrong thing: then the kind of
  /// what is here says nothing.
  private func known(isSampled: Bool) -> Representation? {
    let known = isSampled ? samples?.seen ?? representation : representation
    return options.resume.isOff ? known?.withoutMediaType() : known
  }

  /// Ends the download with what it would have done; false for an answer that is an error in any case.
  private mutating func explain(_ landing: Landing, _ context: Landing.Context, _ seen: Representation) -> Bool {
    let reason =
      sink?.part.map { ResumePlan(state(of: $0), options.resume, continuationRefused: false).reason } ?? .fresh
    guard let verdict = Verdict(landing, planned: reason, context, seen: seen.validator) else { return false }
    var summary = DownloadSummary(
      path: path, length: context.kept, isLengthProven: true, isPrefixSampled: false, digest: nil,
      note: .explained(verdict))
    summary.finalTarget = attempt?.target
    end(.complete(summary))
    return true
  }

  private mutating func begin(
    _ seen: Representation, at position: Int64, count: Int64?, completeLength: Int64?, _ context: Landing.Context,
    now: Instant
  ) throws(DownloadError) {
    try createPart(isAllHere: isAllHere(position, count, completeLength), now: now)
    let end = completeLength ?? count.map { position + $0 }
    try sink?.requireSpace(for: end.map { $0 - context.kept } ?? 0)
    var seen = seen
    if position > 0 || context.asked != nil, let known = context.known {
      seen = known.confirmed(by: seen)  // a 206 need not repeat what a 200 said
    }
    candidate = seen.with(completeLength: completeLength)
    response.expected = count
    try sink?.begin(at: position, .continuation)
    try adoptCandidate()  // nothing to compare: the record is there before the first byte
  }

  /// All of it, and little enough that a part of it needs no record.
  private func isAllHere(_ position: Int64, _ count: Int64?, _ completeLength: Int64?) -> Bool {
    guard position == 0, let count, count == completeLength, count <= ResumePlan.comparedWhole else { return false }
    return attempt?.holdsAll(count) ?? false
  }

  /// Where no part is there yet.
  ///
  /// - Parameter isAllHere: the content is in the buffer, to its end.
  mutating func createPart(isAllHere: Bool = false, now: Instant) throws(DownloadError) {
    guard sink == nil, let placement else { return }
    if isAllHere, let part = placement.createNameless(recordsOrigin: options.recordsOrigin, now: now) {
      sink = ContentSink(.part(part))
      return
    }
    let part = try PartFile.create(placement.name, in: placement.place, now: now)
    if try placement.wasTaken() {
      part.settle(now: now)  // it is empty, and goes
      throw .busy
    }
    sink = ContentSink(.part(part))
  }

  /// Something whole has the name. True when the server has the same, which ends the download; throws when it has not.
  private mutating func agreesWithExisting(
    _ head: ResponseHead, _ landing: Landing, now: Int64
  ) throws(DownloadError) -> Bool {
    guard case .existing(let measure)? = placement?.finding, case .append(_, _, let completeLength) = landing else {
      return false
    }
    guard completeLength == measure.size, let value = head.fields.singleValue(of: .lastModified),
      let modified = HTTPDate(fieldValue: value, now: now), modified.secondsSince1970 == measure.modified
    else { throw .exists }
    if let placement, !options.onlyExplains { PartFile.removeLeftovers(of: placement.name, in: placement.place) }
    var summary = DownloadSummary(
      path: path(of: placement?.name), length: measure.size, isLengthProven: true, isPrefixSampled: false, digest: nil,
      note: options.onlyExplains ? .explained(.complete) : .alreadyComplete)
    summary.finalTarget = attempt?.target
    end(.complete(summary))
    return true
  }

  /// When the server says the representation was last changed, unless that is in the future.
  func remoteTime() -> Int64? {
    let now = WallClock.secondsSince1970()
    guard let value = representation?.fields.lastModified, let date = HTTPDate(fieldValue: value, now: now),
      date.secondsSince1970 > 0, date.secondsSince1970 <= now
    else { return nil }
    return date.secondsSince1970
  }
}

extension ResumePlan {
  var asksForRange: Bool {
    guard case .range = self else { return false }
    return true
  }
}
