import Glibc

/// One request and the answer to it: what a script works with.
///
/// A script that returns without a word about the end closes in an orderly way.
public final class ServerExchange {
  enum End { case open, keptOpen, finished, gone }

  public let request: RecordedRequest
  private(set) var end = End.open

  /// True once sending failed; everything sent later is dropped.
  public private(set) var peerIsGone = false

  private let connection: ServerConnection
  private let channel: any Channel

  init(_ request: RecordedRequest, on connection: ServerConnection, _ channel: any Channel) {
    self.request = request
    numberOnConnection = connection.requestCount
    self.connection = connection
    self.channel = channel
  }

  /// Counted from 1 over all connections of the server.
  public var requestNumber: Int { request.number }

  /// Counted from 1.
  public var connectionNumber: Int { request.connection }

  /// Among those of its connection, counted from 1.
  public let numberOnConnection: Int

  /// The peer has sent more than this request: the next one, before it had this answer.
  public var hasMoreFromPeer: Bool { connection.hasMore }

  /// Throws away what the peer has sent behind this request.
  public func forgetMore() { connection.forgetMore(from: channel) }

  /// The request's content, as Content-Length has it. Once, and before the answer of a connection that stays open.
  public func readContent() -> [UInt8] {
    connection.read(Int(request.field("Content-Length") ?? "") ?? 0, from: channel)
  }

  // MARK: Sending

  /// False when the peer is gone.
  @discardableResult public func send(_ bytes: [UInt8]) -> Bool {
    guard end == .open, !peerIsGone else { return false }
    let allowed = connection.take(bytes.count)
    peerIsGone = !bytes[..<allowed].withUnsafeBytes { channel.write($0) }
    if allowed == bytes.count { return !peerIsGone }
    connection.cut?.isReset == true ? reset() : closeWithoutNotify()
    return false
  }

  @discardableResult public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// A whole response of known length; the connection stays open unless the peer asked otherwise.
  public func reply(_ status: String, _ fields: [String] = [], content: [UInt8] = []) {
    let lines = ["HTTP/1.1 \(status)", "Content-Length: \(content.count)"] + fields
    send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    if request.method != "HEAD" { send(content) }
    if request.field("Connection")?.lowercased() != "close" { keepOpen() }
  }

  public func reply(_ status: String, _ fields: [String] = [], text: String) {
    reply(status, fields, content: Array(text.utf8))
  }

  public func redirect(to location: String, _ status: String = "302 Found") {
    reply(status, ["Location: \(location)"], text: "see \(location)")
  }

  /// Sends `bytes` in pieces of `count`, each delivered before the next is sent and followed by a
  /// short pause, so that the peer mostly meets them one by one.
  public func drip(_ bytes: [UInt8], pieces count: Int = 1, pause microseconds: UInt32 = 500) {
    for start in stride(from: 0, to: bytes.count, by: count) {
      guard send(Array(bytes[start..<min(start + count, bytes.count)])) else { return }
      awaitDelivery()
      usleep(microseconds)
    }
  }

  public func drip(_ text: String, pieces count: Int = 1) { drip(Array(text.utf8), pieces: count) }

  /// Sends `piece` again and again, until the peer is gone or the server stops.
  public func sendEndlessly(_ piece: [UInt8]) { while send(piece) {} }

  /// Returns when the peer's system holds all that was sent, or after 5 s.
  public func awaitDelivery() {
    var tries = 0  // of 0.1 ms
    while Socket.undelivered(connection.descriptor) > 0, tries < 50_000, !connection.state.isStopped {
      usleep(100)
      tries += 1
    }
  }

  /// Waits until the test opens the gate or the server stops.
  public func wait(at gate: Gate) {
    connection.state.willWait(at: gate)
    gate.wait()
  }

  /// Connects to a loopback port, says so, and carries bytes both ways until one side ends (RFC 9110 §9.3.6).
  public func tunnel(to port: UInt16, answering head: String = "HTTP/1.1 200 Connection established\r\n\r\n") {
    guard let upstream = Socket.connection(toPort: port) else { return reply("502 Bad Gateway") }
    defer { Socket.close(upstream) }
    send(head)
    var entries = [connection.descriptor, upstream].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while !peerIsGone, poll(&entries, 2, -1) > 0 {
      if entries[0].revents != 0 {
        guard let bytes = channel.read(upTo: 65_536) else { return }
        guard bytes.withUnsafeBytes({ Socket.write(upstream, $0) }) else { return }
      }
      if entries[1].revents != 0 {
        guard let bytes = Socket.read(upstream, upTo: 65_536) else { return }
        send(bytes)
      }
    }
  }

  // MARK: Ending: the first of these decides

  /// The connection stays for another request.
  public func keepOpen() { if end == .open { end = .keptOpen } }

  /// Says that nothing follows (close_notify inside TLS), then FIN.
  public func close() {
    guard end == .open else { return }
    if !peerIsGone { channel.announceEnd() }
    closeWithoutNotify()
  }

  /// FIN alone: inside TLS that is a truncated stream (RFC 8446 §6.1).
  public func closeWithoutNotify() {
    guard end == .open else { return }
    end = .finished
    Socket.shutDown(connection.descriptor, writingOnly: true)
  }

  /// RST, after what was sent has reached the peer's system.
  public func reset() {
    guard end == .open else { return }
    end = .gone
    awaitDelivery()
    Socket.resetOnClose(connection.descriptor)
    connection.state.close(connection: connection.number)
  }

  /// Neither sends nor closes until the peer does, or the server stops.
  public func stall() {
    guard end == .open else { return }
    connection.awaitPeer()
    end = .gone
  }
}
