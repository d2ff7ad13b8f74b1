internal import HTTP1
internal import Posix

/// One of several connections of a download, and the blocks that it was asked for: their answers come in the order of
/// the requests (RFC 9112 §9.3.2), and are read when their turn comes. Until then the system keeps what arrives, in a
/// receive buffer that SO_RCVLOWAT makes room in (docs/RANGES.md).
///
///     opening ──▶ open ──the last block ends, an error, the peer closes──▶ over (and dropped)
final class RangeLane {
  /// A request that is on its way or sent, and its answer.
  final class Inquiry {
    let exchange: Exchange
    let block: Range<Int64>
    let head: [UInt8]
    /// The lane had nothing else to answer then.
    let isFirst: Bool
    let askedAt: Instant
    /// Its head was accepted: it brings what lies before `end`.
    var end: Int64?
    /// Whoever takes the content knows of it.
    var isTold = false
    /// It was read to its end.
    var isWhole = false

    init(_ exchange: Exchange, head: [UInt8], for block: Range<Int64>, isFirst: Bool, now: Instant) {
      self.exchange = exchange
      self.head = head
      self.block = block
      self.isFirst = isFirst
      askedAt = now
    }
  }

  let number: Int
  let place: LanePlace
  private var opening: ConnectionOpening?
  private(set) var connection: Connection?
  private(set) var inquiries: [Inquiry] = []
  private(set) var arrival: LaneArrival
  /// Requests so far, and answers that were read to their end.
  private(set) var askedCount = 0
  private(set) var answeredCount = 0
  /// Content of the first answer that was read before its turn, where the system can't keep it: at most a block.
  private var held: [UInt8] = []
  /// Bytes of content that were read of the first answer.
  private var takenCount: Int64 = 0
  /// It ends with the blocks that it has: too slow to be asked again, or left by its peer.
  private(set) var isRetiring = false
  /// Its peer has gone: what waits is the last of it.
  private(set) var hasEnded = false
  private var slowLooks = 0
  private var waitsFor: Readiness = []
  private var sendWaits: Readiness = []

  init(_ number: Int, at place: LanePlace, opening: ConnectionOpening, now: Instant) {
    self.number = number
    self.place = place
    self.opening = opening
    arrival = LaneArrival(now: now)
  }

  init(_ number: Int, at place: LanePlace, on connection: Connection, now: Instant) {
    self.number = number
    self.place = place
    self.connection = connection
    arrival = LaneArrival(now: now)
  }

  var isOpen: Bool { connection != nil }

  // MARK: Asking

  /// Takes a request that is sent already: the first of the download.
  func adopt(_ exchange: Exchange, head: [UInt8], for block: Range<Int64>, now: Instant) {
    let inquiry = Inquiry(exchange, head: head, for: block, isFirst: false, now: now)
    inquiry.end = block.upperBound
    inquiry.isTold = true
    inquiries.append(inquiry)
    askedCount += 1
    arrival.didAsk(for: Int64(block.count), now: now)
  }

  func ask(for block: Range<Int64>, head: [UInt8], method: RequestMethod, now: Instant) {
    let exchange = Exchange(request: head, method: method, now: now)
    inquiries.append(Inquiry(exchange, head: head, for: block, isFirst: inquiries.isEmpty, now: now))
    askedCount += 1
    arrival.didAsk(for: Int64(block.count), now: now)
  }

  /// Opens the connection, and sends what is to be sent.
  func advance(now: Instant, serials: inout UInt64) throws(DownloadError) {
    if let opening {
      guard let open = try opening.advance(now: now, serials: &serials) else { return }
      self.opening = nil
      connection = open
    }
    guard let connection else { return }
    sendWaits = []
    for inquiry in inquiries where !inquiry.exchange.isAllSent {
      do throws(DownloadError) {
        guard let wait = try inquiry.exchange.send(on: connection, now: now) else { continue }
        sendWaits = wait
        return
      } catch {
        // A peer that has gone leaves what it had sent, which is read in its turn.
        guard inquiry !== inquiries.first, connection.unread > 0 else { throw error }
        return
      }
    }
  }

  // MARK: Reading

  var heldCount: Int { held.count }

  /// Keeps content of the first answer until its turn.
  func hold(_ content: Span<UInt8>) {
    for index in content.indices { held.append(content[index]) }
  }

  /// Puts what is held, at most `limit` bytes, into the loop's buffer.
  func takeHeld(limit: Int, into buffer: inout ReceiveBuffer) -> Range<Int> {
    let count = min(held.count, limit, buffer.capacity)
    do {
      // Not lent by the property: nothing says how long, in a build without exclusivity checks.
      let content = held
      buffer.fill(content.span.extracting(..<count))
    }
    held.removeFirst(count)
    return 0..<count
  }

  /// Reads on in the first answer: what came of it, as `Exchange` tells it.
  ///
  /// - Parameters:
  ///   - left: bytes of its content that are still wanted.
  ///   - limit: bytes that one receive may bring.
  func read(
    left: Int64, limit: Int, into buffer: inout ReceiveBuffer, now: Instant
  ) throws(DownloadError) -> Exchange.Action {
    guard let connection, let inquiry = inquiries.first else { return .wait([]) }
    if inquiry.isWhole { return .complete }
    let headCount = isHeadRead ? nil : inquiry.exchange.receivedCount
    let room = RangeLane.receiveLimit(left: left, framing: inquiry.exchange.framing, headCount: headCount)
    let action = try inquiry.exchange.advance(on: connection, buffer: &buffer, limit: min(limit, room), now: now)
    if case .wait(let readiness) = action { waitsFor = readiness } else { waitsFor = [] }
    if case .content(let range) = action { takenCount += Int64(range.count) }
    if action == .complete { inquiry.isWhole = true }
    return action
  }

  /// The head of the first answer is there.
  var isHeadRead: Bool { inquiries.first?.exchange.head != nil }

  /// More of the first answer would come than is wanted of it.
  var isCutShort: Bool { inquiries.first.map { $0.block.upperBound > cutEnd } ?? false }
  private var cutEnd = Int64.max

  /// The shortest head that a 206 with an answer behind it can have: a status line, Content-Range, Content-Length and
  /// the empty line, all ended by LF. So a receive that takes no more than this and the content never takes a byte of
  /// the answer behind it.
  private static let shortestHead: Int64 = 57  // bytes
  /// The CRLF of a chunk, and the last chunk (RFC 9112 §7.1): behind the content there is no less.
  private static let lastChunk: Int64 = 7  // bytes

  /// - Parameters:
  ///   - left: bytes of content that are still wanted.
  ///   - headCount: bytes that came of the head; nil once all of it is there.
  static func receiveLimit(left: Int64, framing: Framing, headCount: Int64?) -> Int {
    let most = Int64(EventLoop.bufferCapacity)
    var limit = min(left, most)
    if let headCount { limit += max(shortestHead - headCount, 1) }
    if case .chunked = framing, left > 0 { limit += lastChunk }
    return Int(min(max(limit, 1), most))
  }

  /// The first answer is shorter than was asked for.
  func didShorten(to end: Int64) {
    guard let first = inquiries.first else { return }
    arrival.didShorten(to: end - first.block.lowerBound)
  }

  /// The first answer was read to its end. False when the connection carries no other; one that is to end still brings
  /// what it was asked for before.
  func didComplete(_ pace: inout LanePace, now: Instant) -> Bool {
    guard !inquiries.isEmpty else { return false }
    let exchange = inquiries.removeFirst().exchange
    takenCount = 0
    answeredCount += 1
    if let whole = arrival.didRead(all: exchange.receivedCount, now: now) {
      pace.didFinishBlock(bytes: whole.bytes, in: whole.time)
    }
    pace.headLength = arrival.headLength
    return exchange.leavesConnectionReusable && !(isRetiring && inquiries.isEmpty)
  }

  /// Ends with what lies before `place`: the rest is somebody else's now.
  func retire(at place: Int64) {
    isRetiring = true
    let end = min(place, cutEnd)  // what was given away stays so
    let kept = inquiries.filter { $0.block.lowerBound < end }
    inquiries = kept
    guard let last = kept.last else { return }
    let length = min(end, last.block.upperBound) - last.block.lowerBound
    arrival.didCut(keeping: kept.count, last: length)
    cutEnd = end
  }

  // MARK: Waiting

  /// Looks at what has arrived; tells the pace what it learns.
  func look(_ pace: inout LanePace, now: Instant) {
    guard let connection, let first = inquiries.first else { return }
    let read = first.exchange.receivedCount
    let unread = connection.unread
    // Under TLS, tickets come before the first answer.
    let beginning = connection.isSecured ? LaneArrival.slack : 0
    let isNew = answeredCount == 0 && arrival.arrived <= beginning
    let spell = max(pace.roundTrip ?? .zero, .milliseconds(100))
    if let whole = arrival.look(read: read, unread: unread, spell: spell, now: now) {
      pace.didFinishBlock(bytes: whole.bytes, in: whole.time)
    }
    if isNew, first.isFirst, read + unread > beginning { pace.didAnswer(after: .now() - first.askedAt) }
  }

  /// Whether its peer has gone since the last look. Then what has arrived is told, of all that will: of which answer the
  /// rest is missing, if not of one that is still to be asked for, and how much of it is here at the least.
  func noticeEnd(_ pace: inout LanePace, now: Instant) -> (index: Int, received: Int64)? {
    guard !hasEnded, let connection, connection.hasEnded else { return nil }
    hasEnded = true
    look(&pace, now: now)  // more may have come since
    return arrival.brokenOff(usualHead: pace.headLength, isSecured: connection.isSecured)
  }

  /// The answer that arrives at present, and how that goes.
  func sight(now: Instant) -> (index: Int, sight: LanePace.Sight)? {
    let unread = unread
    let lowWater = connection?.lowWater ?? 1
    let isFull = !isOpen || unread >= Int64(lowWater) * 7 / 8 && lowWater > 1
    let isAllRead = unread == 0 && !waitsFor.isEmpty
    return arrival.sight(isFull: isFull, taken: isAllRead ? takenCount : nil, now: now)
  }

  private var unread: Int64 { connection?.unread ?? 0 }

  /// Whether the lane was called slow in as many looks in a row as it takes: one alone may be due to us.
  func isFoundSlow(_ isSlow: Bool) -> Bool {
    slowLooks = isSlow ? slowLooks + 1 : 0
    return slowLooks >= RangeLane.slowLooksNeeded
  }

  private static let slowLooksNeeded = 3

  /// Nothing comes though there would be room for it, while on others it does, or did to the end. How much room there is
  /// can't be told to the byte, so what holds as much as the smallest buffer does is not called stalled: its turn will
  /// show.
  func isStalled(_ sight: LanePace.Sight, _ pace: LanePace, among lanes: [RangeLane], now: Instant) -> Bool {
    guard pace.isStalled(sight, now: now), unread < RangeLane.certainRoom else { return false }
    return lanes.contains {
      $0.arrival.arrived > 0
        && LanePace.isLeftBehind(sight, by: $0.arrival.lastByte, isDone: $0.arrival.isDone, now: now)
    }
  }

  private static let certainRoom: Int64 = 65_536  // bytes

  /// All that ever came is no more than a refusal would be: it is read when its turn comes, which is too late to be asked
  /// again meanwhile.
  var seemsRefused: Bool { answeredCount == 0 && !isHeadRead && arrival.arrived < LaneArrival.slack }

  /// Waits for its turn: so much may wait with it.
  func rest(lowWater bytes: Int) {
    connection?.setReceiveLowWater(bytes)
    waitsFor = []
  }

  /// Waits for the next bytes of the answer that is read.
  func wait(lowWater bytes: Int) { connection?.setReceiveLowWater(connection?.isSecured == true ? 1 : bytes) }

  func deadline(_ timeouts: Timeouts, isRead: Bool) -> Instant {
    if let opening { return opening.deadline }
    return isRead ? inquiries.first?.exchange.wait(timeouts).deadline ?? .distantFuture : .distantFuture
  }

  /// - Parameter isRead: what comes is read now, and not left to the system.
  func appendInterests(to interests: inout [Interest], isRead: Bool) {
    opening?.appendInterests(to: &interests)
    let readiness = isRead && inquiries.first?.isWhole == false ? sendWaits.union(waitsFor) : sendWaits
    if !readiness.isEmpty, let interest = connection?.interest(readiness) { interests.append(interest) }
  }

  /// Hands over a connection that may carry another request.
  func takeIdleConnection() -> Connection? {
    guard inquiries.isEmpty, !isRetiring, let connection else { return nil }
    connection.setReceiveLowWater(1)
    self.connection = nil
    return connection
  }
}
