/// How the bytes of one accepted connection travel: plain, or inside TLS.
public protocol Channel: AnyObject {
  /// What has arrived, waiting for the first byte; nil at the end or after an error.
  func read(upTo count: Int) -> [UInt8]?

  /// Sends all of `bytes`; false when the peer is gone.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool

  /// Says that nothing follows: close_notify inside TLS (RFC 8446 §6.1), nothing otherwise.
  func announceEnd()
}

/// Makes the channel of each connection: the handshake, for TLS.
public protocol ChannelMaker: Sendable {
  /// The channel over an accepted descriptor, which stays the server's to close; nil if no
  /// handshake came about.
  func accept(_ descriptor: Int32) -> (any Channel)?
}

/// Plain http.
struct PlainChannelMaker: ChannelMaker {
  func accept(_ descriptor: Int32) -> (any Channel)? { PlainChannel(descriptor) }
}

private final class PlainChannel: Channel {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func read(upTo count: Int) -> [UInt8]? { Socket.read(descriptor, upTo: count) }
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool { Socket.write(descriptor, bytes) }
  func announceEnd() {}
}
