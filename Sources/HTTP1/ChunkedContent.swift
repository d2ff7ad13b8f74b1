/// The chunked transfer coding (RFC 9112 §7.1), decoded in place: content is returned as ranges of the input.
///
///     size ─▶ padding ─▶ extension ─▶ sizeLF ─▶ data ─▶ dataCR ─▶ dataLF ─┐
///       ▲                                └─size 0─▶ trailers ─▶ complete    │
///       └──────────────────────────────────────────────────────────────────┘
///
/// Inside the framing a line ends with CRLF and nothing else. Padding after a size and extensions are skipped,
/// within one bound for the whole body. Trailer fields are read and never acted on (RFC 9110 §6.5.1).
public struct ChunkedContent: ~Copyable {
  /// Bytes that are neither size digits nor data: padding, extensions, and leading zeros beyond 16 digits.
  static let extensionLimit = 65_536  // bytes in one body

  enum State {
    case size(digits: Int, value: Int64)
    case padding(value: Int64)
    case chunkExtension(value: Int64, quoting: Quoting)
    case sizeLF(value: Int64)
    case data(remaining: Int64)
    case dataCR
    case dataLF
    case trailers
    case complete
  }
  enum Quoting {
    case outside
    case inside
    case escaped
  }

  private var state = State.size(digits: 0, value: 0)
  private var received: Int64 = 0  // bytes of content announced by all sizes so far
  private var extensionCount = 0  // bytes
  private var section: FieldSection?
  public private(set) var trailers = Fields()

  public init() {}

  public var isComplete: Bool {
    if case .complete = state { return true }
    return false
  }

  /// Takes bytes of `input` from `position` on until it has content to show, or all were taken, or the end
  /// was reached. The range, if any, is content, in bytes of `input`.
  public mutating func didReceive(
    _ input: Span<UInt8>, at position: inout Int
  ) throws(ProtocolError) -> Range<Int>? {
    while position < input.count {
      switch state {
      case .data(let remaining):
        return takeData(remaining: remaining, from: &position, upTo: input.count)
      case .trailers:
        guard try section?.didReceive(input, at: &position) == true else { return nil }
        if let fields = section?.takeFields() { trailers = fields }
        state = .complete
      case .complete:
        return nil
      case .size, .padding, .chunkExtension, .sizeLF, .dataCR, .dataLF:
        state = try next(after: input[position])
        position += 1
      }
    }
    return nil
  }

  private mutating func takeData(remaining: Int64, from position: inout Int, upTo end: Int) -> Range<Int> {
    let taken = min(remaining, Int64(end - position))
    let range = position..<(position + Int(taken))
    position = range.upperBound
    state = taken == remaining ? .dataCR : .data(remaining: remaining - taken)
    return range
  }

  /// The state that one byte of framing leads to.
  private mutating func next(after byte: UInt8) throws(ProtocolError) -> State {
    switch state {
    case .size(let digits, let value):
      return try nextInSize(byte, digits: digits, value: value)
    case .padding(let value):
      return try nextAfterSize(byte, value: value)
    case .chunkExtension(let value, let quoting):
      return try nextInExtension(byte, value: value, quoting: quoting)
    case .sizeLF(let value):
      guard byte == .lf else { throw .invalidChunkLineEnd }
      return try beginChunk(value)
    case .dataCR:
      guard byte == .cr else { throw .invalidChunkLineEnd }
      return .dataLF
    case .dataLF:
      guard byte == .lf else { throw .invalidChunkLineEnd }
      return .size(digits: 0, value: 0)
    case .data, .trailers, .complete:
      return state
    }
  }

  private mutating func nextInSize(_ byte: UInt8, digits: Int, value: Int64) throws(ProtocolError) -> State {
    if let digit = byte.hexadecimalValue {
      guard value <= Int64.max >> 4 else { throw .invalidChunkSize }
      if digits >= 16 { try countExtensionByte() }
      return .size(digits: digits + 1, value: value << 4 | Int64(digit))
    }
    guard digits > 0 else { throw .invalidChunkSize }
    return try nextAfterSize(byte, value: value)
  }

  private mutating func nextAfterSize(_ byte: UInt8, value: Int64) throws(ProtocolError) -> State {
    switch byte {
    case .cr:
      return .sizeLF(value: value)
    case UInt8(ascii: ";"):
      try countExtensionByte()
      return .chunkExtension(value: value, quoting: .outside)
    case .space, .htab:
      try countExtensionByte()
      return .padding(value: value)
    case .lf:
      throw .invalidChunkLineEnd
    default:
      throw .invalidChunkSize
    }
  }

  /// Extensions are skipped, but not past a CR inside quotes or a control, where two readers could
  /// disagree about where the line ends (RFC 9112 §7.1.1).
  private mutating func nextInExtension(
    _ byte: UInt8, value: Int64, quoting: Quoting
  ) throws(ProtocolError) -> State {
    if byte == .lf { throw .invalidChunkLineEnd }
    if byte == .cr {
      guard case .outside = quoting else { throw .invalidChunkExtension }
      return .sizeLF(value: value)
    }
    guard byte >= .space && byte != 0x7F || byte == .htab else { throw .invalidChunkExtension }
    try countExtensionByte()
    let quote = UInt8(ascii: "\"")
    switch quoting {
    case .outside:
      return .chunkExtension(value: value, quoting: byte == quote ? .inside : .outside)
    case .inside where byte == UInt8(ascii: "\\"):
      return .chunkExtension(value: value, quoting: .escaped)
    case .inside:
      return .chunkExtension(value: value, quoting: byte == quote ? .outside : .inside)
    case .escaped:
      return .chunkExtension(value: value, quoting: .inside)
    }
  }

  private mutating func countExtensionByte() throws(ProtocolError) {
    extensionCount += 1
    guard extensionCount <= ChunkedContent.extensionLimit else {
      throw .chunkExtensionsTooLong(limit: ChunkedContent.extensionLimit)
    }
  }

  private mutating func beginChunk(_ size: Int64) throws(ProtocolError) -> State {
    if size == 0 {
      section = FieldSection(continuing: LineCollector(), lineNumber: 0)
      return .trailers
    }
    let (sum, overflowed) = received.addingReportingOverflow(size)
    guard !overflowed else { throw .invalidChunkSize }
    received = sum
    return .data(remaining: size)
  }

  public func connectionDidEnd() throws(ProtocolError) {
    if !isComplete { throw .incompleteChunkedContent }
  }
}
