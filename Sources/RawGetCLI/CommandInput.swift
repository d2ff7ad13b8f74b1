internal import RawGet

/// A file that the user named for the command to read. What can't be read is a usage error that names it.
struct CommandInput: ~Copyable {
  private let name: [UInt8]
  private let file: CommandSystem.Input

  /// `-` is standard input.
  init(_ path: [UInt8]) throws(UsageError) {
    name = path
    do throws(DownloadError) {
      file = try CommandSystem.Input(path.elementsEqual("-".utf8) ? nil : path)
    } catch {
      throw .unreadable(path, error)
    }
  }

  /// The whole of a file that is known to be small, in bytes.
  static func contents(of path: [UInt8], limit: Int, mustBePrivate: Bool = false) throws(UsageError) -> [UInt8] {
    let input = try CommandInput(path)
    if mustBePrivate, !input.file.isPrivate { throw .notPrivate(path) }
    var bytes: [UInt8] = []
    while try input.read(into: &bytes, count: 16_384) {
      if bytes.count > limit { throw .fileTooLarge(path, limit: limit) }
    }
    return bytes
  }

  var isReady: Bool { file.isReady }

  /// Appends what one read brings, at most `count` bytes; false at the end. A signal ends a read without any.
  func read(into bytes: inout [UInt8], count: Int) throws(UsageError) -> Bool {
    do throws(DownloadError) { return try file.read(into: &bytes, count: count) } catch {
      throw .unreadable(name, error)
    }
  }
}
