internal import HTTP1
internal import Posix

/// What is said to a proxy before the bytes go to the origin and come from there: CONNECT (RFC 9110 §9.3.6), or SOCKS5.
///
///     sending ─▶ receiving ──▶ (sending ─▶ receiving …) ──▶ open
///         └──────────┴── a refusal, an end, anything that is not an answer ──▶ throws
///
/// Whoever waits in it has the deadline of the whole opening. Nothing that follows the last answer is read: the origin
/// does not speak first.
final class ProxyTunnel {
  private static let receiveCount = 4_096  // bytes

  private var outgoing: [UInt8]
  private var sentCount = 0
  private var reader = ResponseReader(answering: .connect)
  private var socks: SOCKSDialogue?
  private var answer: [UInt8] = []  // of SOCKS, as far as it came

  /// The way to `origin` through an HTTP proxy; nil when a field can't be sent.
  init?(connectingTo origin: Origin, through proxy: Proxy, userAgent: [UInt8]?) {
    let authority = origin.host.fieldValue + [UInt8(ascii: ":")] + Int64(origin.port).decimalDigits
    guard var head = RequestHead(method: .connect, target: authority), head.append(.host, authority),
      head.append(.userAgent, ifAny: userAgent),
      head.append(FieldName("Proxy-Authorization"), ifAny: proxy.authorization)
    else { return nil }
    outgoing = head.finished()
  }

  init(_ dialogue: SOCKSDialogue) {
    socks = dialogue
    outgoing = dialogue.greeting
  }

  /// What to wait for; nil once the tunnel is open.
  func advance(on connection: Connection) throws(DownloadError) -> Readiness? {
    while true {
      if let readiness = try send(on: connection) { return readiness }
      let wanted = socks.map { $0.wanted - answer.count } ?? ProxyTunnel.receiveCount
      if wanted == 0 { return nil }
      var bytes = [UInt8](repeating: 0, count: wanted)
      var room = bytes.mutableSpan
      switch try connection.receive(into: &room) {
      case .wait(let readiness): return readiness
      case .ended: throw didEnd()
      case .bytes(let count):
        bytes.removeLast(wanted - count)
        if try didReceive(bytes) { return nil }
      }
    }
  }

  private func send(on connection: Connection) throws(DownloadError) -> Readiness? {
    let outgoing = outgoing
    while sentCount < outgoing.count {
      switch try connection.send(outgoing.span.extracting(sentCount..<outgoing.count)) {
      case .bytes(let count): sentCount += count
      case .wait(let readiness): return readiness
      }
    }
    return nil
  }

  /// True when the tunnel is open.
  private func didReceive(_ bytes: [UInt8]) throws(DownloadError) -> Bool {
    guard let socks else { return try didReceiveHead(bytes) }
    answer += bytes
    guard answer.count == socks.wanted else { return false }
    do throws(SOCKSRefusal) {
      outgoing = try self.socks?.didReceive(answer) ?? []
    } catch {
      throw .socks(error)
    }
    sentCount = 0
    answer = []
    return self.socks?.wanted == 0
  }

  /// The content of a refusal is the proxy's and not the origin's: it is not looked at.
  private func didReceiveHead(_ bytes: [UInt8]) throws(DownloadError) -> Bool {
    let taken: Int
    do throws(ProtocolError) {
      taken = try reader.didReceive(bytes.span).taken
    } catch {
      throw .protocolViolation(error)
    }
    guard let head = reader.head else { return false }
    guard (200..<300).contains(head.status) else {
      let now = WallClock.secondsSince1970()
      throw .refused(status: head.status, retryAfter: head.fields.retryDelay(now: now))
    }
    guard taken == bytes.count else { throw .protocolViolation(.unexpectedContent) }
    return true
  }

  /// Nothing that a closed connection leaves unsaid is an answer.
  private func didEnd() -> DownloadError {
    .protocolViolation(socks == nil && reader.hasBegun ? .incompleteHead : .noResponse)
  }
}
