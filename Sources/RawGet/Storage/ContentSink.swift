internal import Posix

/// Where content goes, in order: a part file, memory, or a stream.
///
/// A response that begins before the end of what is here is compared as it passes, and only what lies behind is
/// written: `position` runs after `length`.
final class ContentSink {
  enum Target {
    case part(PartFile)
    case stream(OutputStream)
    case memory(MemoryContent)
    case receiver(ReceivedContent)
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

  /// Bytes that belong to what is here: in the file, or handed over to the stream, some of which may wait for its reader.
  var length: Int64 {
    switch target {
    case .part(let part): part.length
    case .stream(let stream): stream.length
    case .memory(let memory): memory.length
    case .receiver(let received): received.length
    }
  }

  /// Bytes that have arrived where they are to go: of a stream, those that are written.
  var arrived: Int64 { stream?.written ?? length }

  /// Bytes that are kept when the download fails, or have gone to the stream's reader: not those of a file that has no name.
  var lasting: Int64 { memory == nil && part?.isNameless != true ? arrived : 0 }

  var stream: OutputStream? {
    guard case .stream(let stream) = target else { return nil }
    return stream
  }

  var part: PartFile? {
    guard case .part(let part) = target else { return nil }
    return part
  }

  var memory: MemoryContent? {
    guard case .memory(let memory) = target else { return nil }
    return memory
  }

  /// What is here can be compared with content that comes later.
  private var isComparable: Bool { part != nil || memory != nil }

  /// Everything that is here was seen to be a part of the present response's representation.
  var isProven: Bool { position >= length }

  /// And that response began with the first byte.
  var isAllProven: Bool { isProven && beginning == 0 }

  /// A response begins at `position`; throws for a stream that would have to go back.
  func begin(at position: Int64, _ mode: Mode) throws(DownloadError) {
    self.position = position
    self.mode = mode
    beginning = position
    if !isComparable && position < length { throw .notContinuable }
  }

  /// So much is not asked for: to write it tells as soon.
  static let unquestioned: Int64 = 65_536  // bytes

  /// Throws when `count` more bytes have no room. Streams take what comes.
  func requireSpace(for count: Int64) throws(DownloadError) {
    memory?.reserve(count)
    if count > ContentSink.unquestioned, let free = part?.freeSpace(), free < count { throw .noSpace(needed: count) }
  }

  /// Takes content that repeats what is here, and compares it. Behind the returned count of bytes everything is new: to
  /// be appended, once the record speaks of it.
  func compare(_ content: Span<UInt8>) throws(DownloadError) -> (change: Change, count: Int) {
    guard position < length, isComparable else { return (.none, 0) }
    let repeated = Int(min(length - position, Int64(content.count)))
    let equal = try countOfEqual(content.extracting(..<repeated))
    position += Int64(equal)
    part?.didCompare(from: beginning, to: position)
    return (equal < repeated ? try differ() : .none, equal)
  }

  /// Takes content that lies behind everything that is here, and writes it at once, to a stream as far as that takes it.
  func append(_ content: Span<UInt8>, now: Instant) throws(DownloadError) {
    guard !content.isEmpty else { return }
    precondition(isProven)
    defer { position = length }
    switch target {
    case .part(let part): try part.append(content, now: now)
    case .stream(let stream): try stream.append(content)
    case .memory(let memory): memory.append(content)
    case .receiver(let received): try received.append(content)
    }
  }

  private func countOfEqual(_ content: Span<UInt8>) throws(DownloadError) -> Int {
    if let memory { return memory.countOfEqual(content, at: position) }
    return try part?.countOfEqual(content, at: position) ?? 0
  }

  /// The bytes that are here from `position` on, as many as there is room for; 0 also where they can't be read again.
  func read(at position: Int64, into room: inout [UInt8]) throws(DownloadError) -> Int {
    if let memory { return memory.read(at: position, into: &room) }
    guard let part else { return 0 }
    return try PartFile.read(part.file, at: position, into: &room)
  }

  /// The content differs from what is here at `position`.
  private func differ() throws(DownloadError) -> Change {
    guard let part else {
      guard mode == .whole else { throw .notAContinuation }
      memory?.cut(to: position)
      return .replaced(at: position)
    }
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
    guard position < length, isComparable else { return .none }
    return try differ()
  }

  func settle(now: Instant) { part?.settle(now: now) }
}
