/// Something that a person may want to read about a download under way. There may be more cases in later versions.
@nonexhaustive public enum DownloadEvent: Sendable {
  /// A request goes out; secrets are still in it.
  case requested(head: [UInt8])
  /// The final head of a response, a line each, fields as they were received.
  case responded(head: [UInt8])
  /// A redirect is followed to this target (RFC 9110 §15.4).
  case redirected(to: TargetURI)
  /// A place was given up, for this reason; the next attempt begins at this mirror.
  case mirrored(to: TargetURI, after: DownloadError)
  /// A mirror brings blocks as well from here on.
  case joined(TargetURI)
  /// A mirror was given up, for this reason; the others go on.
  case left(TargetURI, after: DownloadError)
  /// There are proxies to choose from; nil: none of them is for this target.
  case routed(to: TargetURI, via: Proxy?)
  /// An earlier run's part is here; why it will be continued as it will.
  case found(DownloadProgress, ResumeReason)
  /// The server has another representation: a new part begins with the first `keeping` bytes, and the old one is set
  /// aside.
  case replaced(keeping: Int64)
  /// A response was accepted: its content is kept from here on.
  case began(DownloadProgress)
  /// The connection broke or the server asked for patience; the next attempt follows after `delay`.
  case interrupted(DownloadError, delay: Duration)
  /// There is more than when it was last told (`Download.run`; whoever runs a loop asks the download itself).
  case progressed(DownloadProgress)
}

/// How far a download is. All counts are bytes.
public struct DownloadProgress: Sendable {
  /// Bytes in the part, those that were there before included.
  public var kept: Int64 = 0
  /// Unknown as long as no response has told it: it may never be known.
  public var completeLength: Int64?

  package init(kept: Int64 = 0, completeLength: Int64? = nil) {
    self.kept = kept
    self.completeLength = completeLength
  }
}

/// How a download ended; there is exactly one.
public indirect enum DownloadResult: Sendable {
  /// All of it is here, or nothing was to be done: `DownloadSummary.note` says which.
  case complete(DownloadSummary)
  /// It is not, for a reason; what is kept may be gone on with.
  case failed(DownloadFailure)
}

/// What is here after a success.
public struct DownloadSummary: Sendable {
  /// nil for a stream and for memory.
  public let path: [UInt8]?
  /// Bytes of the content, those of earlier runs included.
  public let length: Int64
  /// False for content that ended with a plain connection: nothing else says that it is whole (RFC 9112 §8).
  public let isLengthProven: Bool
  /// What an earlier run left was continued after samples of it were compared, for want of a validator.
  public let isPrefixSampled: Bool
  /// The digest that the content was verified with: algorithm and hexadecimal digits.
  public let digest: [UInt8]?
  /// What it took.
  public var note: Note = .downloaded
  /// Where it was served, redirects followed; nil when nothing was asked.
  public var finalTarget: TargetURI?
  /// What was downloaded to `Destination.memory`; nil for every other destination.
  public var content: [UInt8]?
  /// Every digest that the content was verified with.
  public var digests: [[UInt8]] = []
  /// Why the file does not say where it came from, though it was asked to.
  public var attributeFailure: DownloadError?

  /// Why there is success.
  public enum Note: Equatable, Sendable {
    /// Content came.
    case downloaded
    /// It was here already, and the server has the same.
    case alreadyComplete
    /// The server has nothing newer.
    case notModified
    /// Something has the name, and the caller did not want more.
    case skipped
    /// Nothing was done; this is what would be.
    case explained(Verdict)
  }
}

/// Why there was no success, and what is kept.
public struct DownloadFailure: Sendable {
  /// The reason: of several failures in a row the last.
  public let error: DownloadError
  /// Bytes kept in the part, or written to a stream, or taken by a receiver. Nothing stays in memory.
  public let kept: Int64
  /// The part that holds them; nil for a stream, and when nothing was kept.
  public let partPath: [UInt8]?
  /// Another download for the same request goes on from what is kept.
  public let isResumable: Bool

  package init(error: DownloadError, kept: Int64, partPath: [UInt8]?, isResumable: Bool = false) {
    self.error = error
    self.kept = kept
    self.partPath = partPath
    self.isResumable = isResumable
  }

  /// The exit status that the command has for it (docs/PROMISES.md).
  public var exitCode: Int32 { error.exitCode(kept: kept) }

  /// The same end for another reason.
  func replacing(_ error: DownloadError) -> DownloadFailure {
    DownloadFailure(error: error, kept: kept, partPath: partPath, isResumable: isResumable)
  }
}
