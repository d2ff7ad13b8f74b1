internal import HTTP1
internal import Posix

/// One request and its response on an open connection.
///
///     sending ─▶ receiving ──head──▶ receiving ──content…──▶ complete
///
/// Each turn of the loop makes at most one receive, into the loop's buffer; whatever it brought is
/// handed up before the turn ends, as positions in that buffer. Chunked content is moved together there first, so
/// that one receive becomes one write.
final class Exchange {
  enum Action: Equatable {
    case wait(Readiness)
    /// `head` is there; what follows it in the buffer comes with the next calls.
    case head
    /// Content in the loop's buffer, to be used before the next call.
    case content(Range<Int>)
    case complete
  }

  private let request: [UInt8]
  private let content: [UInt8]
  private var sentCount = 0  // bytes of both
  /// The peer takes no more of the content: what it says of that is still read (RFC 9112 §9.5).
  private var isCutShort = false
  private var reader: ResponseReader
  private var unread = 0..<0  // of the loop's buffer, received and not yet shown to the reader
  private var hasReceivedThisTurn = false
  /// Receives in a row that brought all they might, and that so much that it was content: more is likely to be here, and
  /// to ask the poller whether it is would be one call in three.
  private var fullReceives = 0
  private static let fullReceive = 65_536  // bytes, at least
  /// Before others have their turn.
  private static let fullReceiveLimit = 4
  /// Bytes of it are in the loop's buffer, which nobody else may use meanwhile.
  var isInBuffer: Bool { !unread.isEmpty }
  /// Bytes that came over the connection for it, head and framing included.
  private(set) var receivedCount: Int64 = 0
  /// From the last byte of the request to the first of the answer, as it was received; nil before that.
  private(set) var answerDelay: Duration?
  /// When something last went over the wire.
  private(set) var lastActivity: Instant
  /// When the last byte of the request did.
  private var lastSent: Instant

  init(request: [UInt8], content: [UInt8] = [], method: RequestMethod, now: Instant) {
    self.request = request
    self.content = content
    reader = ResponseReader(answering: method)
    lastActivity = now
    lastSent = now
  }

  var head: ResponseHead? { reader.head }
  var framing: Framing { reader.framing }
  /// Bytes of the request are on their way.
  var hasSent: Bool { sentCount > 0 }
  /// Bytes of the response were seen.
  var hasBegun: Bool { reader.hasBegun }

  /// No fewer bytes than these are still to come over the connection: what a head of unknown length brought counts as
  /// content. nil when the connection ends with the content; 0 where nobody can say.
  var leftAtLeast: Int64? {
    guard reader.head != nil else { return 0 }
    switch framing {
    case .length(let length): return max(length - receivedCount, 0)
    case .untilClose: return nil
    case .chunked, .none, .tunnel: return 0
    }
  }

  /// All content of so many bytes is in the loop's buffer already.
  func holdsAll(_ count: Int64) -> Bool { framing == .length(count) && Int64(unread.count) >= count }

  /// Whether the connection may carry another request, once this exchange is complete.
  var leavesConnectionReusable: Bool { reader.allowsPersistence && unread.isEmpty && isAllSent }

  /// What was said is not what is waited for since: an answer that comes behind others has its own time.
  func restartClock(now: Instant) {
    lastActivity = now
    lastSent = now
  }

  /// Nobody has looked for what came since the last turn, and that was not the peer's fault.
  func resume(now: Instant) {
    restartClock(now: now)
    hasReceivedThisTurn = false
  }

  var isAllSent: Bool { sentCount == request.count + content.count }

  /// What is being waited for, and until when.
  func wait(_ timeouts: Timeouts) -> (deadline: Instant, reason: DownloadError.Wait) {
    let idle = lastActivity + timeouts.idle
    guard reader.head == nil else { return (idle, .content) }
    return (min(idle, lastSent + timeouts.response), .response)
  }

  func advance(
    on connection: Connection, buffer: inout ReceiveBuffer, limit: Int, now: Instant
  ) throws(DownloadError) -> Action {
    let sentBefore = sentCount
    let writable = reader.head == nil ? try send(on: connection, now: now) ?? [] : []
    if !writable.isEmpty && sentCount < request.count { return .wait(writable) }
    // Nothing can have come back yet.
    if isAllSent, sentCount > sentBefore, unread.isEmpty, !connection.holdsBytes { return .wait(.readable) }
    while true {
      if let action = try readUnread(in: &buffer) { return action }
      if hasReceivedThisTurn && !connection.holdsBytes {
        hasReceivedThisTurn = false
        return .wait(writable.union(.readable))
      }
      switch try receive(from: connection, into: &buffer, limit: limit, now: now) {
      case .wait(let readiness)?: return .wait(readiness.union(writable))
      case let action?: return action
      case nil: break
      }
    }
  }

  /// What to wait for; nil once the whole request is sent. Content may be answered before its end: meanwhile both ways
  /// are watched.
  func send(on connection: Connection, now: Instant) throws(DownloadError) -> Readiness? {
    while !isAllSent && !isCutShort {
      let outcome: Connection.Sent
      do throws(DownloadError) {
        outcome = try sendRest(on: connection)
      } catch {
        guard sentCount >= request.count else { throw error }
        isCutShort = true
        break
      }
      switch outcome {
      case .bytes(let count):
        sentCount += count
        lastActivity = now
        lastSent = now
      case .wait(let readiness): return readiness
      }
    }
    return nil
  }

  private func sendRest(on connection: Connection) throws(DownloadError) -> Connection.Sent {
    let (request, content) = (request, content)
    if sentCount < request.count { return try connection.send(request.span.extracting(sentCount...)) }
    return try connection.send(content.span.extracting((sentCount - request.count)...))
  }

  private func receive(
    from connection: Connection, into buffer: inout ReceiveBuffer, limit: Int, now: Instant
  ) throws(DownloadError) -> Action? {
    let most = min(limit, buffer.capacity)
    var room = buffer.writable(from: 0, count: most)
    switch try connection.receive(into: &room) {
    case .bytes(let count):
      unread = 0..<count
      fullReceives = count == most && most >= Exchange.fullReceive ? fullReceives + 1 : 0
      hasReceivedThisTurn = fullReceives % Exchange.fullReceiveLimit == 0
      if receivedCount == 0 { answerDelay = .now() - lastSent }  // the turn may have begun long ago
      receivedCount += Int64(count)
      lastActivity = now
      return nil
    case .wait(let readiness):
      hasReceivedThisTurn = false
      return .wait(readiness)
    case .ended(let end):
      do throws(ProtocolError) {
        try reader.connectionDidEnd(end)
      } catch {
        throw .protocolViolation(error)
      }
      return .complete
    }
  }

  /// Shows the reader what is unread, up to the next thing that someone above must act on; nil when more must come.
  /// Content goes up before the end or the error behind it, which the reader repeats at the next call.
  private func readUnread(in buffer: inout ReceiveBuffer) throws(DownloadError) -> Action? {
    var content = unread.lowerBound..<unread.lowerBound
    while true {
      let start = unread.lowerBound
      let step: ResponseReader.Step
      do throws(ProtocolError) {
        step = try reader.didReceive(buffer.filled(unread))
      } catch {
        guard content.isEmpty else { return .content(content) }
        throw .protocolViolation(error)
      }
      unread = (start + step.taken)..<unread.upperBound
      switch step.event {
      case .content(let range):
        append((start + range.lowerBound)..<(start + range.upperBound), to: &content, in: &buffer)
      case .needsMore, .head, .complete:
        guard content.isEmpty else { return .content(content) }
        if step.event == .head { return .head }
        return step.event == .complete ? .complete : nil
      }
    }
  }

  /// Moves a piece of content up to the end of those before it.
  private func append(_ piece: Range<Int>, to content: inout Range<Int>, in buffer: inout ReceiveBuffer) {
    if content.isEmpty {
      content = piece
    } else {
      buffer.move(piece, to: content.upperBound)
      content = content.lowerBound..<(content.upperBound + piece.count)
    }
  }
}
