import Glibc
import LoopbackServer

/// Two ends of one loopback connection: the client's does not block, the server's does.
struct TCPPair {
  let client: Int32
  let server: Int32

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try Self.connect(client, through: listener, &address)
    server = accept(listener, nil, nil)
    guard server >= 0 else { throw SetupError("accept") }
    _ = fcntl(client, F_SETFL, O_NONBLOCK)
    var bound: Int32 = 65_536  // bytes; small, so that sending meets a full socket
    setsockopt(client, SOL_SOCKET, SO_SNDBUF, &bound, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func connect(_ client: Int32, through listener: Int32, _ address: inout sockaddr_in) throws {
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutablePointer(to: &address) {
      try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(listener, address, size) == 0, listen(listener, 1) == 0 else { throw SetupError("listen") }
        guard getsockname(listener, address, &size) == 0 else { throw SetupError("getsockname") }
        guard Glibc.connect(client, address, size) == 0 else { throw SetupError("connect") }
      }
    }
  }
}

/// The server's end of a connection, for what TLS would not do by itself.
struct RawEnd {
  let descriptor: Int32

  func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  /// Waits for something from the client and throws it away.
  func swallow() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    _ = recv(descriptor, &bytes, bytes.count, 0)
  }

  /// FIN now, though the client may still send.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Makes the close that follows send RST.
  func resetOnClose() {
    var immediately = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &immediately, socklen_t(MemoryLayout<linger>.size))
  }
}

/// POLLRDHUP of Linux, which needs a feature macro elsewhere: the peer's FIN has arrived.
let pollPeerClosed: Int32 = 0x2000

/// A test that would otherwise hang.
struct NothingHappened: Error {}

/// Waits until one of `events` is reported, for at most 20 s.
func waitFor(_ events: Int32, on descriptor: Int32) throws {
  var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  var count: Int32
  repeat { count = poll(&entry, 1, 20_000) } while count < 0 && errno == EINTR
  if count == 0 { throw NothingHappened() }
}
