extension DownloadError {
  /// What happened, in words for a person, on one line. They may change: programs look at `code`.
  public var message: String { String(decoding: FailureSentences.cause(self).bytes, as: UTF8.self) }

  /// What happened, in a word that stays the same when sentences change (docs/EVENTS.md). Finer than the exit status.
  public var code: String {
    switch self {
    case .invalidRequest: "invalid-request"
    case .resolution: "resolution"
    case .unreachable: "unreachable"
    case .connectionLost: "connection-lost"
    case .timedOut: "timed-out"
    case .timeLimit: "time-limit"
    case .tooLarge: "too-large"
    case .tls: "tls"
    case .proxy, .socks: "proxy"
    case .protocolViolation(let error): error.isTruncation ? "incomplete" : "protocol"
    case .refused: "status"
    case .redirection: "redirect"
    case .changed: "changed"
    case .notTheResource: "not-the-resource"
    case .otherVersion: "other-version"
    case .integrity: "integrity"
    case .notAContinuation, .notContinuable: "not-continued"
    case .noRanges: "no-ranges"
    case .unprovenRanges: "unproven-ranges"
    case .noSuchRange: "no-such-range"
    case .file: "file"
    case .noSpace: "no-space"
    case .exists: "exists"
    case .busy: "busy"
    case .outputClosed: "output-closed"
    case .notAllowed: "not-allowed"
    case .cancelled: "cancelled"
    case .paused: "paused"
    case .system: "system"
    }
  }
}
