import HTTP1

/// What a response is, by a reader that has all of it before it begins.
struct NaiveResponse {
  private(set) var stop: NaiveStop?  // nil: a whole message
  private(set) var status: Int?
  private(set) var fields: [FieldText] = []
  private(set) var framing = Framing.none
  private(set) var content: [UInt8] = []
  private(set) var trailers: [FieldText] = []
  private(set) var end = 0  // bytes

  private var cursor: NaiveCursor

  init(_ bytes: [UInt8], as arrival: Arrival) {
    cursor = NaiveCursor(bytes)
    do throws(NaiveStop) {
      try readHeads(answering: arrival.method)
      try readContent(until: arrival.end)
    } catch {
      stop = error == .incomplete && arrival.end != nil ? .refused : error
    }
    end = cursor.position
  }

  private mutating func readHeads(answering method: RequestMethod) throws(NaiveStop) {
    for _ in 0...100 {
      guard "HTTP/".utf8.starts(with: cursor.bytes[cursor.position...].prefix(5)) else { throw .refused }
      let start = cursor.position
      var room = 262_144  // bytes of one head
      let line = Array(try cursor.line(room: &room))
      guard line.count >= 12, "HTTP/1.".utf8.elementsEqual(line[..<7]), line[7].isNaiveDigit, line[8] == 0x20,
        let status = line[9..<12].naiveNumber, status >= 100, line.count == 12 || line[12] == 0x20
      else { throw .refused }
      let fields = try cursor.fields(room: 262_144 - (cursor.position - start))
      if status == 101 { throw .refused }
      if status < 200 { continue }
      framing = try framing(Int(status), fields, isVersion10: line[7] == UInt8(ascii: "0"), answering: method)
      (self.status, self.fields) = (Int(status), fields)
      return
    }
    throw .refused  // too many interim heads
  }

  /// RFC 9112 §6.3.
  private func framing(
    _ status: Int, _ fields: [FieldText], isVersion10: Bool, answering method: RequestMethod
  ) throws(NaiveStop) -> Framing {
    if method == .head || status == 204 || status == 304 { return .none }
    if method == .connect, status < 300 { return .tunnel }
    let lengths = fields.naiveMembers(of: "content-length").map(\.naiveNumber)
    guard lengths.allSatisfy({ $0 != nil && $0 == lengths[0] }) else { throw .refused }
    let codings = fields.naiveMembers(of: "transfer-encoding")
    if codings.isEmpty { return (lengths.first ?? nil).map { .length($0) } ?? .untilClose }
    guard codings.count == 1, codings[0].isNaively("chunked"), !isVersion10 else { throw .refused }
    return .chunked
  }

  private mutating func readContent(until end: ResponseReader.ConnectionEnd?) throws(NaiveStop) {
    switch framing {
    case .none, .tunnel: return
    case .length(let length):
      content = Array(cursor.bytes[cursor.position...].prefix(Int(length)))
      cursor.position += content.count
      if content.count < length { throw .incomplete }
    case .untilClose:
      content = Array(cursor.bytes[cursor.position...])
      cursor.position = cursor.bytes.count
      guard case .orderly? = end else { throw .incomplete }
    case .chunked:
      var chunks = NaiveChunks(at: cursor)
      defer { (cursor, content, trailers) = (chunks.cursor, chunks.content, chunks.trailers) }
      try chunks.read()
    }
  }

  /// Throws unless the incremental reader came to the same end.
  func requireSame(as outcome: ResponseOutcome) throws {
    try require(outcome.error == nil || stop == .refused, "refused with \(String(describing: outcome.error))")
    try require(stop != .refused || outcome.error != nil, "taken, and to be refused")
    try require((stop == nil) == outcome.isComplete, "complete: \(outcome.isComplete)")
    try require(outcome.statusLine?.status == status && outcome.fields == fields, "another head")
    try require(outcome.framing == framing, "framing \(outcome.framing), not \(framing)")
    try require(outcome.content == content, "another content")
    guard stop == nil else { return }
    try require(outcome.end == end, "ends at \(String(describing: outcome.end)), not at \(end)")
    try require(outcome.trailers == trailers, "other trailers")
  }
}
