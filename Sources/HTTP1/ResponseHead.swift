/// The status line and the fields of a response (RFC 9112 §4, §5). Many hold one: a copy is a reference.
public final class ResponseHead: Sendable {
  public let statusLine: StatusLine
  public let fields: Fields

  init(statusLine: StatusLine, fields: Fields) {
    self.statusLine = statusLine
    self.fields = fields
  }

  public var status: Int { statusLine.status }
  public var isInterim: Bool { status < 200 }

  /// Whether the connection may carry another request after this message, as far as its head says
  /// (RFC 9112 §9.3). Its framing and how the message ended have a say as well.
  public var allowsPersistence: Bool {
    var keepsAlive = false
    var closes = false
    fields.forEachMember(of: .connection) { option in
      if option.equalsIgnoringCase("close") { closes = true }
      if option.equalsIgnoringCase("keep-alive") { keepsAlive = true }
    }
    return !closes && (statusLine.minorVersion >= 1 || keepsAlive)
  }
}

/// Reads one response head, interim or final.
///
///     prefix ──"HTTP/"──▶ statusLine ──line──▶ fields ──empty line──▶ complete
struct ResponseHeadReader: ~Copyable {
  private enum State {
    case prefix
    case statusLine
    case fields(StatusLine)
  }
  private var state = State.prefix
  private var collector = LineCollector()
  private var section: FieldSection?

  /// Takes bytes from `position` on; the head once it is complete.
  mutating func didReceive(_ input: Span<UInt8>, at position: inout Int) throws(ProtocolError) -> ResponseHead? {
    if case .prefix = state { try readPrefix(input, from: position) }
    if case .fields(let statusLine) = state { return try readFields(input, at: &position, after: statusLine) }
    guard let line = try collector.nextLine(from: input, at: &position) else { return nil }
    let statusLine = try StatusLine(collector.bytes.span.extracting(line))
    state = .fields(statusLine)
    section = FieldSection(continuing: collector, lineNumber: 1)
    collector = LineCollector()
    return try readFields(input, at: &position, after: statusLine)
  }

  /// Refuses what is not HTTP at the first byte that shows it: a peer that speaks something else
  /// may never send a line end.
  private mutating func readPrefix(_ input: Span<UInt8>, from position: Int) throws(ProtocolError) {
    let seen = collector.pendingCount
    var index = 0
    for byte in "HTTP/".utf8 {
      if index >= seen {
        let next = position + index - seen
        guard next < input.count else { return }
        guard input[next] == byte else { throw .notHTTP }
      }
      index += 1
    }
    state = .statusLine
  }

  private mutating func readFields(
    _ input: Span<UInt8>, at position: inout Int, after statusLine: StatusLine
  ) throws(ProtocolError) -> ResponseHead? {
    guard try section?.didReceive(input, at: &position) == true, let fields = section?.takeFields() else { return nil }
    return ResponseHead(statusLine: statusLine, fields: fields)
  }
}
