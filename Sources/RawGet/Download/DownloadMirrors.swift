internal import HTTP1
internal import Posix

// Other places for the same file: one at a time, when the present one fails (docs/MIRRORS.md).
extension Download {
  /// Gives the present place up for the next one; false where there is none, or where this one is worth another try.
  mutating func turnToMirror(after error: DownloadError, now: Instant) -> Bool {
    guard mirrors.hasOther(digestDecides: digests.decides), mayTurn else { return false }
    switch error.meaningForPlace {
    case .none: return false
    case .oneFailure:
      let madeProgress = sink?.length ?? 0 > keptBefore
      if madeProgress || retry.fruitless < min(MirrorList.patience, options.retryLimit) { return false }
    case .end: break
    }
    guard mirrors.didFail(digestDecides: digests.decides) else { return false }
    forgetPlace()
    events.append(.mirrored(to: mirrors.target, after: error))
    stage = .pausing(until: now)
    return true
  }

  /// What went into a stream can't be compared with what another place has: only a digest says that both are one.
  private var mayTurn: Bool { sink?.part != nil || sink?.length ?? 0 == 0 || digests.decides }

  /// What was learnt of the server says nothing about the next one.
  private mutating func forgetPlace() {
    retry = RetryPolicy(limit: options.retryLimit)
    laneCount = LaneCount(options.connections)
    isSingle = false
    continuationRefused = false
    samples = nil
    if sink?.length ?? 0 == 0 { representation = nil }
  }

  /// The kept bytes are of another place than the one that is asked now.
  var isOtherTarget: Bool {
    guard let sink else { return false }
    return sink.part.map { !state(of: $0).isSameTarget } ?? !mirrors.isAtOrigin
  }

  /// A mirror whose answer can't become what the digest says is not asked for its content: that would end with nothing.
  func requireDigestPossible(
    _ head: ResponseHead, _ landing: Landing, _ context: Landing.Context
  ) throws(DownloadError) {
    guard !mirrors.isAtOrigin, digests.decides else { return }
    switch landing {
    case .append, .complete: if digests.contradict(head.fields) { throw .otherVersion }
    case .whole(let count):
      let known = context.known?.fields.completeLength
      if let count, let known, count != known { throw .otherVersion }
      if digests.contradict(head.fields) { throw .otherVersion }
    case .notAContinuation, .notTheResource, .refused, .violation: return
    }
  }

  /// Takes the mirrors that the caller's own server names (RFC 6249 §3), on the way to the content too. They are of use
  /// once a digest is known; what mirrors name is not looked at.
  mutating func noteDuplicates(_ head: ResponseHead) {
    guard mirrors.isAtOrigin, order.isPlain, let base = attempt?.target else { return }
    switch StatusClass(head.status) {
    case .content, .partialContent, .redirection: break
    case .rangeNotSatisfiable, .transient, .refusal: return
    }
    for link in LinkField(in: head.fields)?.duplicates ?? [] {
      guard let target = try? base.resolving(reference: link.target) else { continue }
      if base.scheme == .https && target.scheme == .http && !options.allowsDowngrade { continue }
      mirrors.add(target, needsDigest: true)
    }
  }
}

extension DownloadError {
  /// What a failure says of the place where it happened.
  enum MeaningForPlace {
    /// Nothing: it would be the same everywhere.
    case none
    /// It may pass, and not everything is to be thrown over for it.
    case oneFailure
    /// The place has not got the file, or can't be reached.
    case end
  }

  var meaningForPlace: MeaningForPlace {
    switch self {
    case .resolution, .unreachable, .refused, .redirection, .notTheResource, .otherVersion: .end
    case .timedOut(.resolution), .timedOut(.connection), .timedOut(.handshake): .end
    case .connectionLost, .notAContinuation, .timedOut(.response), .timedOut(.content), .timedOut(.speed): .oneFailure
    case .tls(.configuration): .none
    case .tls(let error): error.isTransient ? .oneFailure : .end
    case .protocolViolation(let error): error.isTruncation ? .oneFailure : .end
    case .proxy(_, .refused(407, _)), .socks(.credentials), .socks(.malformed): .none
    case .proxy(_, let error): error.meaningForPlace
    case .socks(.refused): .end
    case .noRanges, .unprovenRanges, .noSuchRange, .invalidRequest, .timeLimit, .tooLarge, .changed, .integrity,
      .notContinuable, .file, .noSpace, .exists, .busy,
      .outputClosed, .notAllowed, .cancelled, .paused, .system:
      .none
    }
  }
}
