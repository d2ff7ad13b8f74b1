/// Reads `multipart/byteranges` content (RFC 9110 §14.6, RFC 2046 §5.1.1), however its bytes arrive. It copies no content.
///
///     start ─▶ delimiter ─▶ afterDelimiter ─▶ (padding) ─▶ delimiterLF ─▶ head ─▶ content ─┐
///                  ▲               └─▶ closeHyphen ─▶ closed ─▶ closedLF ─▶ ended          │
///                  └───────────────────────────────────────────────────────────────────────┘
///     any state ──a rule is broken──▶ failed, and stays so
///
/// The length of a part is what its Content-Range says. Content is never searched for the boundary: the delimiter must
/// stand right behind it. Nothing but parts is let through: a line end may come before the first delimiter (nginx and
/// Apache send it, Go does not) and behind the last; any other preamble or epilogue, which MIME would ignore, is refused,
/// so that no two readers see different parts.
public struct MultipartByteRangesReader: ~Copyable {
  static let partLimit = 1_000  // parts in one response
  /// Transport padding: senders may not write it, readers must let it be.
  static let paddingLimit = 256  // bytes behind one delimiter

  public enum Event: Equatable, Sendable {
    /// All that was shown is taken.
    case needsMore
    /// A part begins, with these bytes of the representation, both ends included; `fields` are its fields.
    case part(first: Int64, last: Int64, completeLength: Int64?)
    /// These bytes of what was shown are content of the part.
    case content(Range<Int>)
    /// All that was shown is taken, and all parts are whole. What follows is to be shown as well: it can only be refused.
    case complete
  }

  public struct Step: Equatable, Sendable {
    /// Bytes taken from the front of what was shown.
    public let taken: Int
    public let event: Event
  }

  private enum State {
    case start
    case delimiter(matched: Int)
    case afterDelimiter
    case padding(count: Int)
    case delimiterLF
    case head
    case content(remaining: Int64)
    case closeHyphen
    case closed(padding: Int)
    case closedLF
    case ended
    case failed(ProtocolError)
  }

  private let delimiter: [UInt8]  // CRLF, two hyphens, the boundary
  private var state = State.start
  private var section: FieldSection?
  private var partCount = 0
  private var completeLength: Int64?  // of the parts so far

  /// The fields of the part that began last.
  public private(set) var fields = Fields()

  public init(boundary: MultipartBoundary) { delimiter = Array("\r\n--".utf8) + boundary.text }

  /// Takes from the front of `input` up to the next event. After an error every call throws it again.
  public mutating func didReceive(_ input: Span<UInt8>) throws(ProtocolError) -> Step {
    do throws(ProtocolError) {
      return try advance(input)
    } catch {
      state = .failed(error)
      throw error
    }
  }

  private mutating func advance(_ input: Span<UInt8>) throws(ProtocolError) -> Step {
    var position = 0
    while position < input.count {
      switch state {
      case .head:
        guard try section?.didReceive(input, at: &position) == true, let fields = section?.takeFields() else {
          return Step(taken: position, event: .needsMore)
        }
        return Step(taken: position, event: try beginPart(fields))
      case .content(let remaining):
        return takeContent(remaining: remaining, from: position, upTo: input.count)
      case .start, .delimiter, .afterDelimiter, .padding, .delimiterLF, .closeHyphen, .closed, .closedLF, .ended,
        .failed:
        state = try next(after: input[position])
        position += 1
      }
    }
    return Step(taken: position, event: try eventAtEndOfInput)
  }

  private var eventAtEndOfInput: Event {
    get throws(ProtocolError) {
      switch state {
      case .closed, .closedLF, .ended: return .complete
      case .failed(let error): throw error
      case .start, .delimiter, .afterDelimiter, .padding, .delimiterLF, .head, .content, .closeHyphen: return .needsMore
      }
    }
  }

  private mutating func takeContent(remaining: Int64, from position: Int, upTo end: Int) -> Step {
    let taken = min(remaining, Int64(end - position))
    let range = position..<(position + Int(taken))
    state = taken == remaining ? .delimiter(matched: 0) : .content(remaining: remaining - taken)
    return Step(taken: range.upperBound, event: .content(range))
  }

  /// The state that one byte outside heads and content leads to.
  private mutating func next(after byte: UInt8) throws(ProtocolError) -> State {
    switch state {
    case .start where byte == delimiter[0]: return .delimiter(matched: 1)
    case .start where byte == delimiter[2]: return .delimiter(matched: 3)
    case .delimiter(let matched) where byte == delimiter[matched]:
      return matched + 1 < delimiter.count ? .delimiter(matched: matched + 1) : .afterDelimiter
    case .afterDelimiter where byte == UInt8(ascii: "-") && partCount > 0: return .closeHyphen
    case .afterDelimiter: return try nextInPadding(byte, count: 0)
    case .padding(let count): return try nextInPadding(byte, count: count)
    case .delimiterLF where byte == .lf: return try beginHead()
    case .closeHyphen where byte == UInt8(ascii: "-"): return .closed(padding: 0)
    case .closed where byte == .cr: return .closedLF
    case .closed(let count) where byte.isBlank && count < MultipartByteRangesReader.paddingLimit:
      return .closed(padding: count + 1)
    case .closedLF where byte == .lf: return .ended
    case .failed(let error): throw error
    case .start, .delimiter, .delimiterLF, .head, .content, .closeHyphen, .closed, .closedLF, .ended:
      throw .invalidMultipart
    }
  }

  private func nextInPadding(_ byte: UInt8, count: Int) throws(ProtocolError) -> State {
    if byte == .cr { return .delimiterLF }
    guard byte.isBlank, count < MultipartByteRangesReader.paddingLimit else { throw .invalidMultipart }
    return .padding(count: count + 1)
  }

  private mutating func beginHead() throws(ProtocolError) -> State {
    guard partCount < MultipartByteRangesReader.partLimit else {
      throw .tooManyParts(limit: MultipartByteRangesReader.partLimit)
    }
    section = FieldSection(continuing: LineCollector(), lineNumber: 1)  // the delimiter was the first line
    return .head
  }

  private mutating func beginPart(_ fields: Fields) throws(ProtocolError) -> Event {
    let range = try PartRange(fields)
    guard partCount == 0 || range.completeLength == completeLength else { throw .invalidContentRange }
    partCount += 1
    completeLength = range.completeLength
    self.fields = fields
    state = .content(remaining: range.count)
    return .part(first: range.first, last: range.last, completeLength: range.completeLength)
  }

  /// The content ended, as its own framing says. Returns if all parts are whole; throws otherwise, and again at every
  /// call after that.
  public mutating func contentDidEnd() throws(ProtocolError) {
    switch state {
    case .closed, .ended: state = .ended
    case .failed(let error): throw error
    case .start, .delimiter, .afterDelimiter, .padding, .delimiterLF, .head, .content, .closeHyphen, .closedLF:
      state = .failed(.incompleteMultipart)
      throw .incompleteMultipart
    }
  }
}

/// Which bytes a part holds, as its fields say. A second length that differs, or a coding of them, would let another
/// reader see other bytes.
private struct PartRange {
  let first: Int64
  let last: Int64
  let completeLength: Int64?
  var count: Int64 { last - first + 1 }  // bytes, never 0

  init(_ fields: Fields) throws(ProtocolError) {
    var rangeCount = 0
    fields.forEachMember(of: .contentRange) { _ in rangeCount += 1 }
    guard rangeCount == 1, let value = fields.value(of: .contentRange),
      case .part(let first, let last, let completeLength)? = ContentRange(fieldValue: value)
    else { throw .invalidContentRange }
    (self.first, self.last, self.completeLength) = (first, last, completeLength)

    if fields.contains(.transferEncoding) { throw .unsupportedTransferCoding }
    let transferEncoding = FieldName("Content-Transfer-Encoding")  // of MIME (RFC 2045 §6), not of HTTP
    if fields.contains(transferEncoding) {
      guard fields.singleValue(of: transferEncoding)?.equalsIgnoringCase("binary") == true else {
        throw .unsupportedTransferCoding
      }
    }
    if fields.contains(.contentLength) {
      guard let length = fields.singleValue(of: .contentLength), decimalValue(length) == count else {
        throw .conflictingContentLength
      }
    }
  }
}
