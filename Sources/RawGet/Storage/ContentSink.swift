internal import Posix

/// Where content goes, in order: a part file, or a stream.
///
/// A response that begins before the end of what is here is compared as it passes, and only what lies behind is
/// written: `position` runs after `length`.
final class ContentSink {
  enum Target {
    case part(PartFile)
    case stream(OutputStream)
  }
  /// What the response under way is.
  enum Mode {
    /// A part of the representation that the kept bytes belong to: a difference refutes that.
    case continuation
    /// The whole: where it differs from what is here, a new part begins.
    case whole
  }
  /// What became of the kept bytes.
  enum Change: Equatable {
    case none
    /// A new part began after `at` bytes; the old one is set aside.
    case replaced(at: Int64)
    /// Bytes that a power cut had damaged were cut off.
    case cut
  }

  let target: Target
  /// Where the next byte of content belongs.
  private(set) var position: Int64 = 0
  private var mode = Mode.continuation
  /// Where the response under way began.
  private var beginning: Int64 = 0

  init(_ target: Target) { self.target = target }

  /// Bytes kept, in the file or by the stream's reader.
  var length: Int64 {
    switch target {
    case .part(let part): part.length
    case .stream(let stream): stream.length
    }
  }

  var part: PartFile? {
    guard case .part(let part) = target else { return nil }
    return part
  }

  /// Everything that is here was seen to be a part of the present response's representation.
  var isProven: Bool { position >= length }

  /// And that response began with the first byte.
  var isAllProven: Bool { isProven && beginning == 0 }

  /// A response begins at `position`; throws for a stream that would have to go back.
  func begin(at position: Int64, _ mode: Mode) throws(DownloadError) {
    self.position = position
    self.mode = mode
    beginning = position
    if part == nil && position < length { throw .notContinuable }
  }

  /// So much is not asked for: to write it tells as soon.
  static let unquestioned: Int64 = 65_536  // bytes

  /// Throws when `count` more bytes have no room. Streams take what comes.
  func requireSpace(for count: Int64) throws(DownloadError) {
    if count > ContentSink.unquestioned, let free = part?.freeSpace(), free < count { throw .noSpace(needed: count) }
  }

  /// Takes content that repeats what is here, and compares it. Behind the returned count of bytes everything is new: to
  /// be appended, once the record speaks of it.
  func compare(_ content: Span<UInt8>) throws(DownloadError) -> (change: Change, count: Int) {
    guard position < length, let part else { return (.none, 0) }
    let repeated = Int(min(length - position, Int64(content.count)))
    let equal = try part.countOfEqual(content.extracting(..<repeated), at: position)
    position += Int64(equal)
    part.didCompare(from: beginning, to: position)
    return (equal < repeated ? try differ(part) : .none, equal)
  }

  /// Takes content that lies behind everything that is here, and writes it at once.
  func append(_ content: Span<UInt8>, now: Instant, deadline: Instant?, wake: Int32) throws(DownloadError) {
    guard !content.isEmpty else { return }
    precondition(isProven)
    defer { position = length }
    switch target {
    case .part(let part): try part.append(content, now: now)
    case .stream(let stream): try stream.append(content, deadline: deadline, wake: wake)
    }
  }

  /// The content differs from the part at `position`.
  private func differ(_ part: PartFile) throws(DownloadError) -> Change {
    if position >= part.trusted {
      try part.cut(to: position)  // a power cut left something else than was written
      return .cut
    }
    guard mode == .whole else { throw .notAContinuation }
    guard !part.isAdopted else { throw .changed }
    try part.replace(keeping: position)
    return .replaced(at: position)
  }

  /// The message is complete. Bytes that lie behind its end belong to something else.
  func complete() throws(DownloadError) -> Change {
    guard position < length, let part else { return .none }
    return try differ(part)
  }

  func settle(now: Instant) { part?.settle(now: now) }
}
