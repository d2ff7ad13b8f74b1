public import HTTP1
public import Posix
public import TLS

/// Why a download did not succeed. Sentences are made where a person reads them.
///
/// There may be more cases in later versions: `code` says in a word, and `exitCode` in a number, what any of them is.
///
/// Indirect: whatever throws one, which most of the engine does, hands up a word and no more.
@nonexhaustive public indirect enum DownloadError: Error, Sendable {
  /// A target or a field that can't be sent.
  case invalidRequest

  // The way to the server
  /// The host has no address that may be used, or the name server did not say.
  case resolution(LookupError)
  /// Every address failed; this is how the last one did.
  case unreachable(SystemError)
  /// The connection broke.
  case connectionLost(SystemError)
  /// What was waited for did not come within its bound (`Timeouts`, `SpeedFloor`).
  case timedOut(Wait)
  /// The bound for the whole download.
  case timeLimit
  /// The content has more bytes than it may: `limit`.
  case tooLarge(limit: Int64)
  /// TLS is missing or could not be set up, the peer is not who it should be, or the two don't agree.
  case tls(TLSError)
  /// Any of these, and what a server says, on the way to or from a proxy: its URL without credentials, and what.
  case proxy([UInt8], DownloadError)
  /// A SOCKS5 proxy did not lead on (RFC 1928).
  case socks(SOCKSRefusal)

  // What the server said
  /// A response breaks a rule of HTTP, or a bound of ours.
  case protocolViolation(ProtocolError)
  /// The status is no success. `retryAfter` is what the server asked for, in seconds.
  case refused(status: Int, retryAfter: Int64?)
  /// A redirect is not followed.
  case redirection(RedirectionRefusal)
  /// What is kept does not continue as the server's present representation does.
  case changed
  /// What the server sends is something else, such as a login page: it is no version of what is here.
  case notTheResource
  /// A mirror has, by its length or its own digest, another version than the one that the digest of the download names.
  case otherVersion
  /// The content is whole, and not what its digest says. Where there are mirrors: who had a part in it.
  case integrity(path: [UInt8]?, from: [TargetURI] = [])
  /// The answer to a range does not continue what is kept: the whole is asked for instead.
  case notAContinuation
  /// The connection broke, and what was written to a stream can't be compared with the server's answer.
  case notContinuable
  /// Ranges were asked for, and the server sends everything.
  case noRanges
  /// Nothing in the answers shows that they are of one representation (RFC 9110 §8.8.1).
  case unprovenRanges
  /// The representation has no byte of a range that was asked for; `completeLength` is what it has, in bytes.
  case noSuchRange(ByteRange, completeLength: Int64?)

  // The file
  /// The system refused an operation on the part, its record, the directory or the stream.
  case file(SystemError)
  /// The disk is full, or will be: `needed` are the bytes still to come, where that is known.
  case noSpace(needed: Int64?)
  /// Something has the final name already.
  case exists
  /// Another process writes the same part.
  case busy
  /// The reader of standard output has gone.
  case outputClosed

  /// `DownloadOptions.allowsResponse` said no.
  case notAllowed
  /// Somebody ended it. What is kept is kept.
  case cancelled
  /// To be gone on with: what is kept is kept for that.
  case paused
  /// The system refused something that a loop cannot do without.
  case system(SystemError)

  /// What was waited for in vain.
  public enum Wait: Sendable {
    /// The addresses of a name (`Timeouts.connectInAll`).
    case resolution
    /// Any address to answer (`Timeouts.connect`, `Timeouts.connectInAll`).
    case connection
    /// TLS, or a proxy's consent (`Timeouts.connectInAll`).
    case handshake
    /// The final head of a response (`Timeouts.response`, `Timeouts.idle`).
    case response
    /// The next byte of content (`Timeouts.idle`).
    case content
    /// For more than trickles (`SpeedFloor`).
    case speed
  }
}

extension DownloadError {
  /// Whether another attempt can make a difference (docs/RESUME.md): transport failures and the statuses that say so.
  var isTransient: Bool {
    switch self {
    case .resolution(let error): error.isTemporary
    case .unreachable, .connectionLost, .timedOut: true
    case .tls(let error): error.isTransient
    case .proxy(_, let error): error.isTransient
    case .socks(let refusal): refusal.isTransient
    case .protocolViolation(let error): error.isTruncation
    case .refused(let status, _): StatusClass(status) == .transient
    case .notAContinuation, .notTheResource, .otherVersion: true
    case .invalidRequest, .timeLimit, .tooLarge, .redirection, .changed, .integrity, .notContinuable, .file, .noSpace,
      .exists,
      .busy,
      .outputClosed, .notAllowed, .cancelled, .paused, .system, .noRanges, .unprovenRanges, .noSuchRange:
      false
    }
  }

  /// The exit status of the command (docs/PROMISES.md). `kept` is the length of the part, in bytes.
  public func exitCode(kept: Int64) -> Int32 {
    switch self {
    case .invalidRequest: 2
    case .resolution, .unreachable, .connectionLost, .timedOut: kept > 0 ? 9 : 4
    case .notAContinuation, .notContinuable, .paused: 9
    case .tls(.notBuilt), .tls(.notLoaded): 16
    case .tls(.configuration): 3
    case .tls(.connection), .tls(.truncatedInHandshake): kept > 0 ? 9 : 4
    case .tls: 5
    case .proxy(_, let error): error.exitCode(kept: kept)
    case .socks(.credentials): 6
    case .socks(.malformed): 7
    case .socks(.refused(let reply)): reply == 2 ? 8 : reply > 6 ? 16 : kept > 0 ? 9 : 4
    case .protocolViolation(let error): error.isBound ? 15 : !error.isTruncation ? 7 : kept > 0 ? 9 : 4
    case .refused(401, _), .refused(407, _): 6
    case .refused, .noSuchRange: 8
    case .noRanges, .unprovenRanges: 16
    case .redirection(.tooMany): 15
    case .redirection(.downgrade), .redirection(.invalidLocation), .redirection(.unsafeElsewhere): 7
    case .changed, .notTheResource, .otherVersion: 11
    case .integrity: 10
    case .file, .outputClosed: 3
    case .noSpace: 14
    case .exists: 12
    case .busy: 13
    case .timeLimit, .tooLarge: 15
    case .notAllowed, .cancelled, .system: 1
    }
  }
}

extension DownloadError {
  /// What it was, whoever it happened with.
  var cause: DownloadError {
    if case .proxy(_, let error) = self { return error }
    return self
  }
}

extension TLSError {
  /// Whether the transport failed, and not the peer's identity or its protocol.
  var isTransient: Bool {
    switch self {
    case .connection, .truncatedInHandshake: true
    case .notBuilt, .notLoaded, .verification, .unpinned, .handshake, .protocolFailure, .configuration: false
    }
  }
}

extension ProtocolError {
  /// The message was cut: nothing wrong was said, something is missing.
  package var isTruncation: Bool {
    switch self {
    case .noResponse, .incompleteHead, .incompleteContent, .incompleteChunkedContent, .unprovenEnd: true
    default: false
    }
  }

  /// One of the stated bounds was reached.
  var isBound: Bool {
    switch self {
    case .lineTooLong, .headTooLarge, .tooManyFields, .tooManyInterimResponses, .chunkExtensionsTooLong: true
    default: false
    }
  }
}
