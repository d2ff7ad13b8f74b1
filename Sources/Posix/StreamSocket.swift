internal import CPosix

public enum Received: Equatable, Sendable {
  case bytes(Int)  // more than 0
  case wouldBlock
  case endOfStream
}

public enum Sent: Equatable, Sendable {
  case bytes(Int)  // perhaps fewer than were given
  case wouldBlock
}

/// A TCP connection that never waits and never raises SIGPIPE. Close-on-exec, TCP_NODELAY; the
/// receive buffer's size is left to the system, which tunes it better than a number from here.
public struct StreamSocket: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// `descriptor` must be a non-blocking stream socket.
  public init(adopting descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// Starts connecting; once writable, ``connectOutcome()`` tells what came of it.
  ///
  /// - Parameter room: bytes that the system is to keep for us from the beginning; nil to leave it to the system. The
  ///   window that a peer sees grows with it, which later it hardly does.
  public static func connecting(
    to address: SocketAddress, from local: LocalEnd? = nil, room: Int? = nil
  ) throws(SystemError) -> StreamSocket {
    let native = address.native
    let socket = try opened(native.version)
    if let room {
      socket.setReceiveLowWater(room)  // makes the room,
      socket.setReceiveLowWater(1)  // which stays
    }
    switch local {
    case .address(let local)?: try SystemError.check(px_socket_bind(socket.raw, local.native), .connect)
    case .interface(let name)?:
      let raw = socket.raw
      let outcome = withTerminated(name) { unsafe px_socket_bind_to_interface(raw, $0, native.version) }
      try SystemError.check(outcome, .connect)
    case nil: break
    }
    try SystemError.check(px_socket_connect(socket.raw, native), .connect)
    return socket
  }

  /// The same, to a socket in the file system.
  public static func connecting(toPath path: [UInt8]) throws(SystemError) -> StreamSocket {
    let socket = try opened(0)
    let raw = socket.raw
    try SystemError.check(withTerminated(path) { unsafe px_socket_connect_local(raw, $0) }, .connect)
    return socket
  }

  private static func opened(_ version: UInt8) throws(SystemError) -> StreamSocket {
    StreamSocket(adopting: Descriptor(adopting: try SystemError.check(px_socket_open(version), .openSocket)))
  }

  public var raw: Int32 { descriptor.raw }

  /// Whether the connection stands; `false`: it is still being made. Throws why it failed.
  public func connectOutcome() throws(SystemError) -> Bool {
    try SystemError.check(px_socket_connect_outcome(raw), .connect) == 1
  }

  /// Receives what is there, at most what fits. `buffer` has room for a byte at least, since to
  /// receive nothing would look like the end of the stream.
  public func receive(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Received {
    precondition(!buffer.isEmpty)
    let count = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
      unsafe px_socket_receive(raw, bytes.baseAddress, bytes.count)
    }
    if count > 0 { return .bytes(count) }
    if count == 0 { return .endOfStream }
    let error = SystemError(code: Int32(truncatingIfNeeded: -count), operation: .receive)
    guard error.isWouldBlock else { throw error }
    return .wouldBlock
  }

  public func send(_ bytes: Span<UInt8>) throws(SystemError) -> Sent {
    guard !bytes.isEmpty else { return .bytes(0) }
    let count = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe px_socket_send(raw, bytes.baseAddress, bytes.count)
    }
    if count >= 0 { return .bytes(count) }
    let error = SystemError(code: Int32(truncatingIfNeeded: -count), operation: .send)
    guard error.isWouldBlock else { throw error }
    return .wouldBlock
  }

  /// Whether nothing can be read and the peer has not closed. An idle connection that is not quiet
  /// must not carry another request (RFC 9112 §9.3).
  public func isQuiet() -> Bool { px_socket_is_quiet(raw) }

  /// Asks to become readable only when so many bytes wait, or the stream ends (SO_RCVLOWAT). Best
  /// effort: where it is not known, every byte wakes.
  public func setReceiveLowWater(_ bytes: Int) {
    px_socket_set_receive_low_water(raw, Int32(clamping: max(bytes, 1)))
  }

  /// Bytes that wait to be received (FIONREAD); 0 where that can't be told.
  public var unread: Int64 { px_socket_unread(raw) }

  /// Whether the peer has ended the connection: no more comes than what waits. `false` where that can't be told without
  /// reading (TCP_INFO).
  public var hasEnded: Bool { px_socket_has_ended(raw) }

  /// The most memory that the system gives to a receive buffer, in bytes, its own bookkeeping included; `nil` where
  /// that can't be told.
  public static var receiveLimit: Int64? {
    let limit = px_socket_receive_limit()
    return limit > 0 ? limit : nil
  }

  /// The other end; `nil` when it is not connected any more.
  public func peerAddress() -> SocketAddress? {
    var address = px_address()
    guard unsafe px_socket_peer(raw, &address) == 0 else { return nil }
    return SocketAddress(address)
  }
}
