import Glibc

/// A step that failed while a test was being set up; 0 when the system gave no reason.
public struct SetupError: Error, CustomStringConvertible {
  public let description: String

  public init(_ step: String, errno code: Int32 = errno) {
    description = code == 0 ? step : "\(step): \(String(cString: strerror(code)))"
  }
}

/// The few system calls of a blocking server that only loopback can reach. Descriptors are
/// close-on-exec, so that a command under test inherits none.
enum Socket {
  /// Listens on a port of the system's choice.
  static func listen(
    _ family: LoopbackServer.Family, backlog: Int32 = 128
  ) throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = try open(family, SOCK_CLOEXEC)
    do {
      try withAddress(family, port: 0) { address, size in
        guard bind(descriptor, address, size) == 0 else { throw SetupError("bind") }
      }
      guard Glibc.listen(descriptor, backlog) == 0 else { throw SetupError("listen") }
      return (descriptor, try port(of: descriptor))
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  /// Sends the first SYN and returns.
  static func startConnecting(_ family: LoopbackServer.Family, _ port: UInt16) throws -> Int32 {
    let descriptor = try open(family, SOCK_CLOEXEC, SOCK_NONBLOCK)
    withAddress(family, port: port) { address, size in _ = Glibc.connect(descriptor, address, size) }
    return descriptor
  }

  /// A connection to a port of 127.0.0.1; nil if nobody listens there.
  static func connection(toPort port: UInt16) -> Int32? {
    guard let descriptor = try? open(.v4, SOCK_CLOEXEC) else { return nil }
    var isConnected = false
    withAddress(.v4, port: port) { address, size in
      isConnected = Glibc.connect(descriptor, address, size) == 0
    }
    if isConnected { return descriptor }
    Glibc.close(descriptor)
    return nil
  }

  private static func open(_ family: LoopbackServer.Family, _ flags: __socket_type...) throws -> Int32 {
    let type = flags.reduce(SOCK_STREAM.rawValue) { $0 | $1.rawValue }
    let descriptor = socket(family == .v4 ? AF_INET : AF_INET6, Int32(type), 0)
    guard descriptor >= 0 else { throw SetupError("socket") }
    return descriptor
  }

  private static func withAddress<Failure: Error>(
    _ family: LoopbackServer.Family, port: UInt16,
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Void
  ) throws(Failure) {
    var v4 = sockaddr_in()
    v4.sin_family = sa_family_t(AF_INET)
    v4.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    v4.sin_port = port.bigEndian
    var v6 = sockaddr_in6()
    v6.sin6_family = sa_family_t(AF_INET6)
    v6.sin6_addr = in6addr_loopback
    v6.sin6_port = port.bigEndian
    switch family {
    case .v4: try rebound(&v4, body)
    case .v6: try rebound(&v6, body)
    }
  }

  private static func rebound<Address, Failure: Error>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Void
  ) throws(Failure) {
    let size = socklen_t(MemoryLayout<Address>.size)
    try withUnsafePointer(to: &address) { (pointer) throws(Failure) in
      try body(UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), size)
    }
  }

  private static func port(of descriptor: Int32) throws -> UInt16 {
    var address = sockaddr_in6()  // the port lies at the same place in both families
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard result == 0 else { throw SetupError("getsockname") }
    return UInt16(bigEndian: address.sin6_port)
  }

  /// The next connection; nil once `shutDown` was called on the listener.
  static func accept(_ listener: Int32) -> Int32? {
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        return descriptor
      }
      guard errno == EINTR || errno == ECONNABORTED else { return nil }
    }
  }

  /// What has arrived, waiting for the first byte; nil at the end of the stream or after an error.
  static func read(_ descriptor: Int32, upTo count: Int) -> [UInt8]? {
    var received = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      repeat { received = recv(descriptor, buffer.baseAddress, count, 0) } while received < 0 && errno == EINTR
      initialized = max(received, 0)
    }
    return received > 0 ? bytes : nil
  }

  /// Sends all of `bytes`; false when the peer is gone.
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let buffer = UnsafeRawBufferPointer(rebasing: rest)
      let sent = send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      if sent < 0 && errno == EINTR { continue }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  /// Bytes sent that the peer's system has not acknowledged.
  static func undelivered(_ descriptor: Int32) -> Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
  }

  /// Bytes received that were not read.
  static func unread(_ descriptor: Int32) -> Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Makes the next `close` send RST in place of FIN.
  static func resetOnClose(_ descriptor: Int32) {
    setOption(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
  }

  /// Wakes whoever waits on the descriptor; FIN on a connection.
  static func shutDown(_ descriptor: Int32, writingOnly: Bool = false) {
    shutdown(descriptor, Int32(writingOnly ? SHUT_WR : SHUT_RDWR))
  }

  static func close(_ descriptor: Int32) { Glibc.close(descriptor) }

  private static func setOption<Value>(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Value) {
    withUnsafePointer(to: value) {
      _ = setsockopt(descriptor, level, name, $0, socklen_t(MemoryLayout<Value>.size))
    }
  }
}
