/// One accepted connection, on its own thread: reads heads, runs the script, closes.
final class ServerConnection {
  /// A head larger than this is not a request: nobody answers.
  private static let headBound = 1 << 20  // bytes

  let state: ServerState
  let number: Int
  let descriptor: Int32
  private var received: [UInt8] = []
  private(set) var requestCount = 0
  let cut: LoopbackServer.Cut?
  private var sentCount = 0  // bytes

  init(state: ServerState, number: Int, descriptor: Int32, cut: LoopbackServer.Cut?) {
    self.cut = cut
    self.state = state
    self.number = number
    self.descriptor = descriptor
  }

  func serve(_ channels: any ChannelMaker, _ script: LoopbackServer.Script) {
    defer { state.close(connection: number) }
    if let cut, cut.after == 0 {
      if cut.isReset { Socket.resetOnClose(descriptor) }
      return
    }
    guard let channel = channels.accept(descriptor) else { return }
    while let head = nextHead(from: channel) {
      requestCount += 1
      let request = state.record(head: head, connection: number)
      let exchange = ServerExchange(request, on: self, channel)
      script(exchange)
      if exchange.end == .keptOpen { continue }
      if exchange.end == .open { exchange.close() }
      if exchange.end == .finished { awaitPeer() }
      return
    }
  }

  /// How many of `count` bytes may still be sent before the cut, which are taken as sent.
  func take(_ count: Int) -> Int {
    let allowed = min(count, max((cut?.after ?? .max) - sentCount, 0))
    sentCount += allowed
    return allowed
  }

  /// Bytes of the peer are here that no script has seen; inside TLS, perhaps only those of its records.
  var hasMore: Bool { !received.isEmpty || Socket.unread(descriptor) > 0 }

  func forgetMore(from channel: any Channel) {
    while Socket.unread(descriptor) > 0, channel.read(upTo: 65_536) != nil {}
    received = []
  }

  /// The next head, its empty line included, cut from the front of `received`; nil when the peer
  /// ends first. Content is the script's to read.
  private func nextHead(from channel: any Channel) -> [UInt8]? {
    var searched = 0
    while received.count < Self.headBound {
      if let end = endOfHead(in: received, from: searched) {
        defer { received.removeFirst(end) }
        return Array(received[..<end])
      }
      searched = max(received.count - 3, 0)
      guard let more = channel.read(upTo: 65_536) else { return nil }
      received += more
    }
    return nil
  }

  /// The next bytes, as many of `count` as come before the peer ends.
  func read(_ count: Int, from channel: any Channel) -> [UInt8] {
    while received.count < count, let more = channel.read(upTo: 65_536) { received += more }
    let content = Array(received.prefix(count))
    received.removeFirst(content.count)
    return content
  }

  private func endOfHead(in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= 4 else { return nil }
    let first = (start...max(start, bytes.count - 4)).first { bytes[$0...].starts(with: "\r\n\r\n".utf8) }
    return first.map { $0 + 4 }
  }

  /// Lets whatever the peer still sends go by until it ends too: closing over unread bytes would
  /// send RST and could destroy what the peer has not read (RFC 9112 §9.6).
  func awaitPeer() {
    while Socket.read(descriptor, upTo: 65_536) != nil {}
  }
}
