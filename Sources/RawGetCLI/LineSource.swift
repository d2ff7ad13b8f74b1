internal import RawGet

/// The lines of a file or of standard input, without their ends.
struct LineSource: ~Copyable {
  static let lineLimit = 66_000  // bytes: a URL, a name and a checksum
  private static let pieceSize = 16_384  // bytes

  enum Next {
    case line([UInt8])
    /// A read would have to wait.
    case later
    case end
  }

  private let name: [UInt8]
  private let file: CommandInput
  private var pending: [UInt8] = []
  private var position = 0
  private var lineNumber = 0
  private var hasEnded = false

  /// `-` is standard input.
  init(_ path: [UInt8]) throws(UsageError) {
    name = path.elementsEqual("-".utf8) ? Array("standard input".utf8) : path
    file = try CommandInput(path)
  }

  /// Where the last line stands: `NAME:LINE`.
  var place: [UInt8] { name + Text(":\(lineNumber)").bytes }

  mutating func next() throws(UsageError) -> Next {
    while true {
      if let end = pending[position...].firstIndex(of: 0x0A) { return .line(take(to: end, skipping: 1)) }
      if hasEnded {
        return position < pending.count ? .line(take(to: pending.count, skipping: 0)) : .end
      }
      guard pending.count - position <= LineSource.lineLimit else {
        lineNumber += 1
        throw .at(place, .lineTooLong(limit: LineSource.lineLimit))
      }
      guard file.isReady else { return .later }
      pending.removeSubrange(..<position)
      position = 0
      hasEnded = try !file.read(into: &pending, count: LineSource.pieceSize)
    }
  }

  func wait(orWoken loop: borrowing EventLoop) { file.wait(orWoken: loop) }

  private mutating func take(to end: Int, skipping: Int) -> [UInt8] {
    var line = pending[position..<end]
    if line.last == 0x0D { line.removeLast() }
    position = end + skipping
    lineNumber += 1
    return Array(line)
  }
}
