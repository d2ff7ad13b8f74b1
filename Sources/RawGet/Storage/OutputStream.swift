internal import Posix

/// Standard output, a device or a FIFO: content goes by and can't be read again.
///
///     free ──append: only a part is taken──▶ held up ──flush, as often as it takes──▶ free
///
/// Nothing here waits for a reader. What the descriptor takes is written at once; the rest is kept until a `flush` has
/// written it, and meanwhile the download receives nothing (`Download.isHeldUp`): so the rest is no more than one receive
/// brought, and that is no more than `receiveLimit`. Until then whoever runs the download waits for the descriptor to
/// become writable (`interest`), or where nobody can wait for that, for some time (`delay`).
///
/// The exception is a descriptor that blocks and can't be opened anew: a terminal, a regular file as standard output. A
/// write to it waits in the system, until a signal ends that: then the loop looks at what woke it, and the write goes on.
final class OutputStream {
  /// The most that is kept: four times what a pipe holds on Linux. More costs memory for each slow reader and is copied in
  /// vain; less is more receives for a reader that keeps up, which costs half as much again where it is one pipe.
  static let mostKept = 262_144  // bytes
  /// How often a descriptor that nobody can wait for is looked after.
  static let retryInterval: Duration = .milliseconds(20)

  private enum State {
    case free
    /// The descriptor takes no more at present.
    case full
    /// A signal ended a write that would have waited.
    case interrupted
  }

  private let file: File
  private let writer: StreamWriter
  private var rest: KeptOutput
  private var state = State.free
  /// The loop's number for the descriptor; 0 until it is to be waited for.
  private var serial: UInt64 = 0
  private var isWatchable = true
  /// Bytes that were handed over: they reach the reader in this order, and are never handed over again.
  private(set) var length: Int64 = 0

  /// Standard output. Writes to a pipe go through a description of our own that never blocks, where the system has such.
  convenience init() throws(DownloadError) {
    do throws(SystemError) {
      self.init(File(adopting: try StandardStream.copyOfOutput()))
    } catch {
      throw .file(error)
    }
  }

  /// A device or a FIFO that exists.
  convenience init(to name: [UInt8], in store: any FileStore) throws(DownloadError) {
    do throws(SystemError) {
      self.init(try store.openStream(name))
    } catch {
      throw .file(error)
    }
  }

  init(_ file: consuming File) {
    writer = StreamWriter(file.raw)
    rest = KeptOutput(capacity: writer.mayWait ? EventLoop.bufferCapacity : OutputStream.mostKept)
    self.file = file
  }

  /// Bytes that one receive for it may bring. What blocks takes all of them, and is given as much as there is.
  var receiveLimit: Int { rest.capacity }

  /// Bytes that the descriptor has taken.
  var written: Int64 { length - Int64(rest.count) }

  /// Something is kept, and nothing more is to be received.
  var isHeldUp: Bool { !rest.isEmpty }

  /// Takes all of `bytes`: writes what can be written now, behind what is kept, and keeps the rest.
  func append(_ bytes: Span<UInt8>) throws(DownloadError) {
    if bytes.isEmpty { return }
    var taken = 0
    if rest.isEmpty {
      state = .free
      do throws(SystemError) {
        while case .free = state, taken < bytes.count {
          let piece = bytes.extracting(taken...)
          let count = note(try writer.write(piece), of: piece.count)
          taken += count
          length += Int64(count)
        }
      } catch {
        throw failure(error)
      }
    }
    rest.keep(bytes.extracting(taken...))
    length += Int64(bytes.count - taken)
  }

  /// Writes on; true when nothing is kept any more.
  func flush() throws(DownloadError) -> Bool {
    state = .free
    do throws(SystemError) {
      while case .free = state, !rest.isEmpty {
        let count = note(try rest.write(to: writer), of: rest.count)
        rest.remove(count)
      }
    } catch {
      throw failure(error)
    }
    return rest.isEmpty
  }

  /// How many bytes were taken, of `count` that were offered. A reader that keeps up has made room again meanwhile: only
  /// a write that takes nothing says that it has not. One that waits and takes a part was ended by a signal.
  private func note(_ outcome: StreamWriter.Outcome, of count: Int) -> Int {
    switch outcome {
    case .taken(let taken):
      if taken < count, writer.mayWait { state = .interrupted }
      return taken
    case .full: state = .full
    case .interrupted: state = .interrupted
    }
    return 0
  }

  private func failure(_ error: SystemError) -> DownloadError {
    error.isBrokenPipe ? .outputClosed : error.isNoSpace ? .noSpace(needed: nil) : .file(error)
  }

  // MARK: Waiting

  /// It is about to be waited for: takes the next of the loop's numbers, if it has none yet.
  func prepareWait(_ serials: inout UInt64) {
    guard serial == 0 else { return }
    serials += 1
    serial = serials
  }

  /// The poller can't wait for it.
  func cannotBeWatched() { isWatchable = false }

  /// What a held up stream waits for; nil where only time helps.
  var interest: Interest? {
    guard isHeldUp, case .full = state, isWatchable else { return nil }
    return Interest(descriptor: file.raw, serial: serial, readiness: .writable)
  }

  /// When a held up stream is to be flushed though nothing became ready; nil where the poller tells. After a signal that
  /// is at once, but behind a look at what woke the loop.
  var delay: Duration? {
    switch state {
    case .free: nil
    case .full: isWatchable ? nil : OutputStream.retryInterval
    case .interrupted: .zero
    }
  }
}

/// What was received and is not written yet. Its memory is resident once it was needed, and used again from then on.
private struct KeptOutput: ~Copyable {
  private var buffer: ReceiveBuffer
  private var range = 0..<0

  init(capacity: Int) { buffer = ReceiveBuffer(capacity: capacity) }

  var capacity: Int { buffer.capacity }
  var count: Int { range.count }
  var isEmpty: Bool { range.isEmpty }

  /// Appends `bytes`, for which there must be room: all that is kept is of one receive.
  mutating func keep(_ bytes: Span<UInt8>) {
    if bytes.isEmpty { return }
    let end = range.isEmpty ? 0 : range.upperBound
    buffer.fill(bytes, at: end)
    range = (range.isEmpty ? 0 : range.lowerBound)..<(end + bytes.count)
  }

  func write(to writer: StreamWriter) throws(SystemError) -> StreamWriter.Outcome {
    try writer.write(buffer.filled(range))
  }

  mutating func remove(_ count: Int) { range = (range.lowerBound + count)..<range.upperBound }
}
