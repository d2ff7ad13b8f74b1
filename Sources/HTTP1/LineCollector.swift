/// Collects the lines of a head or trailer section (RFC 9112 §2.2), looking at each byte once,
/// however they arrive.
///
/// A line ends with CRLF or with LF alone. A CR before anything else, and a NUL, are refused at once.
struct LineCollector {
  static let lineLimit = 65_536  // bytes of one line, its end included
  static let totalLimit = 262_144  // bytes of all lines
  private static let usualTotal = 1_024  // bytes, enough for most heads without growing

  /// Everything taken so far, line ends included.
  private(set) var bytes: [UInt8] = []
  private var lineStart = 0

  /// Length of the line that has begun and not ended, in bytes.
  var pendingCount: Int { bytes.count - lineStart }

  /// Takes bytes of `input` from `position` on, up to the end of a line. Returns where in `bytes` the line
  /// stands, without its end; nil when `input` is used up before that.
  mutating func nextLine(
    from input: Span<UInt8>, at position: inout Int
  ) throws(ProtocolError) -> Range<Int>? {
    let room = min(LineCollector.lineLimit - pendingCount, LineCollector.totalLimit - bytes.count)
    let seen = input.extracting(position..<min(input.count, position + room))
    let (length, endsLine) = try scan(seen)
    append(seen.extracting(..<length))
    position += length
    if endsLine { return endLine() }
    if position < input.count { throw overflow }
    return nil
  }

  /// How many bytes of `input` belong to the line that has begun, and whether its LF is the last of them.
  private func scan(_ input: Span<UInt8>) throws(ProtocolError) -> (length: Int, endsLine: Bool) {
    let followsCR = pendingCount > 0 && bytes[bytes.count - 1] == .cr
    if followsCR, !input.isEmpty, input[0] != .lf { throw .controlInHead }
    var index = 0
    while true {
      index = input.firstIndex(ofAtMost: .cr, from: index)  // above CR nothing matters to a line
      guard index < input.count else { return (index, false) }
      switch input[index] {
      case .lf: return (index + 1, true)
      case .cr where index + 1 == input.count: return (index + 1, false)
      case .cr where input[index + 1] == .lf: return (index + 2, true)
      case .cr, 0: throw .controlInHead
      default: index += 1
      }
    }
  }

  private mutating func append(_ run: Span<UInt8>) {
    if bytes.isEmpty { bytes.reserveCapacity(LineCollector.usualTotal) }
    bytes.append(addingCapacity: run.count) { output in
      for index in run.indices { output.append(run[index]) }
    }
  }

  private mutating func endLine() -> Range<Int> {
    var end = bytes.count - 1
    if end > lineStart, bytes[end - 1] == .cr { end -= 1 }
    let line = lineStart..<end
    lineStart = bytes.count
    return line
  }

  private var overflow: ProtocolError {
    bytes.count >= LineCollector.totalLimit
      ? .headTooLarge(limit: LineCollector.totalLimit) : .lineTooLong(limit: LineCollector.lineLimit)
  }

  /// Moves the bytes of `more` behind those of `value`, with one SP between them, which makes a folded line one
  /// (RFC 9112 §5.2). Returns where the whole stands.
  mutating func join(_ value: Range<Int>, with more: Range<Int>) -> Range<Int> {
    if value.isEmpty { return more }
    if more.isEmpty { return value }
    bytes[value.upperBound] = .space  // where the line end was
    var end = value.upperBound + 1
    for index in more {
      bytes[end] = bytes[index]
      end += 1
    }
    return value.lowerBound..<end
  }

  /// Gives the bytes away; this collector is empty afterwards.
  mutating func takeBytes() -> [UInt8] {
    let taken = bytes
    bytes = []
    lineStart = 0
    return taken
  }
}
