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
    let whole = try wholeAndPrivacy(of: path, limit: limit)
    if mustBePrivate, !whole.isPrivate { throw .notPrivate(path) }
    return whole.contents
  }

  /// The same, and whether nobody but its owner may read it.
  static func wholeAndPrivacy(
    of path: [UInt8], limit: Int
  ) throws(UsageError) -> (contents: [UInt8], isPrivate: Bool) {
    let input = try CommandInput(path)
    var bytes: [UInt8] = []
    while try input.read(into: &bytes, count: 16_384) {
      if bytes.count > limit { throw .fileTooLarge(path, limit: limit) }
    }
    return (bytes, input.file.isPrivate)
  }

  static func exists(_ path: [UInt8]) -> Bool { CommandSystem.Input.exists(path) }

  static func isStream(_ path: [UInt8]) -> Bool {
    path.elementsEqual("-".utf8) || CommandSystem.Input.isStream(path)
  }

  var isReady: Bool { file.isReady }

  func wait(orWoken loop: borrowing EventLoop) { file.wait(orWoken: loop) }

  /// Appends what one read brings, at most `count` bytes; false at the end. A signal ends a read without any.
  func read(into bytes: inout [UInt8], count: Int) throws(UsageError) -> Bool {
    do throws(DownloadError) { return try file.read(into: &bytes, count: count) } catch {
      throw .unreadable(name, error)
    }
  }
}
