/// Takes content in place of a file: a closure that sees every byte once, in order, across all drops and reconnects.
///
/// It is called on the thread that runs the download, which waits for it: while it takes its time nothing is received, and
/// the server is held up by its own connection. The bytes are borrowed, at most 512,000 at once, and must be copied to be kept.
///
/// What went by can't be compared with what a server sends later. Where a connection breaks, only an answer that is proven
/// to go on at the next byte is of use; else the download ends with `DownloadError.notContinuable`. Content has gone by
/// before the whole was proven: only `DownloadResult.complete` says that it was right.
public struct ContentReceiver: Sendable {
  let take: @Sendable (Span<UInt8>) -> ContentDecision

  /// - Parameter take: is lent a piece of content, and says what is to come after it.
  public init(_ take: @escaping @Sendable (Span<UInt8>) -> ContentDecision) { self.take = take }
}

/// What is to come after a piece of content. The piece counts as taken in any case.
public enum ContentDecision: Sendable {
  /// The next piece.
  case more
  /// The end, as by `DownloadControl.pause`.
  case pause
  /// The end, as by `DownloadControl.cancel`.
  case cancel
}

/// The receiver of one download, and what it has taken.
final class ReceivedContent {
  private let receiver: ContentReceiver
  private(set) var length: Int64 = 0

  init(_ receiver: ContentReceiver) { self.receiver = receiver }

  func append(_ content: Span<UInt8>) throws(DownloadError) {
    length += Int64(content.count)
    switch receiver.take(content) {
    case .more: return
    case .pause: throw .paused
    case .cancel: throw .cancelled
    }
  }
}
