internal import HTTP1
internal import Posix

// What is kept is made durable: when the content is whole, with that of other downloads if there are such.
extension Download {
  /// Makes durable what is kept.
  func settle(now: Instant) {
    if !options.onlyExplains { sink?.settle(now: now) }
  }

  /// What is left to do before the end.
  var conclusion: PartConclusion? {
    guard case .concluding(let conclusion, _) = stage else { return nil }
    return conclusion
  }

  mutating func finishComplete(_ now: Instant) throws(DownloadError) {
    precondition(sink?.stream?.isHeldUp != true)
    try verifyDigests()
    let modified = options.keepsRemoteTime ? remoteTime() : nil
    // A close proves nothing, unless TLS says that it was meant (RFC 9112 §9.8).
    let isProven =
      attempt?.framing != .untilClose || attempt?.target.scheme == .https
      || representation?.fields.completeLength != nil || digests.isVerified
    let attributeFailure = recordOrigin()
    var summary = DownloadSummary(
      path: path, length: sink?.length ?? 0, isLengthProven: isProven, isPrefixSampled: samples != nil,
      digest: digests.verified)
    summary.finalTarget = attempt?.target
    summary.attributeFailure = attributeFailure
    summary.digests = digests.allVerified
    summary.content = sink?.memory?.bytes
    guard let part = sink?.part else { return end(.complete(summary)) }
    let naming = placement?.naming ?? .withoutReplacing
    stage = .concluding(try part.conclude(naming, modified: modified, keepsOldPart: !isProven), summary)
  }
}
