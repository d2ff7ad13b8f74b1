internal import Posix

/// Standard output, a device or a FIFO: content goes by and can't be read again.
final class OutputStream {
  private let file: File
  private(set) var length: Int64 = 0

  /// Standard output. Writes to a pipe go through a description of our own that never blocks, where the system has such.
  init() throws(DownloadError) {
    do throws(SystemError) {
      file = File(adopting: try StandardStream.copyOfOutput())
    } catch {
      throw .file(error)
    }
  }

  /// A device or a FIFO that exists.
  init(to name: [UInt8], in store: any FileStore) throws(DownloadError) {
    do throws(SystemError) {
      file = try store.openStream(name)
    } catch {
      throw .file(error)
    }
  }

  /// Writes all of `bytes`, waiting for a slow reader until `deadline` or until `wake` becomes readable.
  func append(_ bytes: Span<UInt8>, deadline: Instant?, wake: Int32) throws(DownloadError) {
    let outcome: WriteOutcome
    do throws(SystemError) {
      outcome = try StandardStream.writeAll(bytes, to: file.raw, deadline: deadline, wake: wake)
    } catch {
      throw error.isBrokenPipe ? .outputClosed : error.isNoSpace ? .noSpace(needed: nil) : .file(error)
    }
    length += Int64(outcome.count)
    switch outcome.end {
    case .written: return
    case .interrupted: throw .cancelled
    case .timedOut: throw .timeLimit
    }
  }
}
