internal import HTTP1
internal import Posix
internal import TLS

/// A byte stream to one origin: a socket, under TLS when the origin's scheme is https.
///
/// Its memory is the socket and, for https, one session; nothing received is kept here.
final class Connection {
  enum Received {
    case bytes(Int)
    case wait(Readiness)
    case ended(ResponseReader.ConnectionEnd)
  }
  enum Sent {
    case bytes(Int)
    case wait(Readiness)
  }

  let origin: Origin
  let serial: UInt64
  private let socket: StreamSocket
  private var session: TLSSession?
  private var isEncrypted = false
  /// So many bytes wake who waits for it.
  private(set) var lowWater = 1

  init(socket: consuming StreamSocket, to origin: Origin, serial: UInt64) {
    self.socket = socket
    self.origin = origin
    self.serial = serial
  }

  func interest(_ readiness: Readiness) -> Interest {
    Interest(descriptor: socket.raw, serial: serial, readiness: readiness)
  }

  /// Puts TLS on the socket, or inside the TLS that is there already, which ends at a proxy; `handshake` must be done
  /// before anything is sent.
  func beginTLS(_ context: TLSContext, with host: Host, port: UInt16) throws(DownloadError) {
    do throws(TLSError) {
      session = try TLSSession(
        context, descriptor: socket.raw, inside: session.take(), host: host.certificateName, isAddress: host.isAddress,
        port: port)
      isEncrypted = true
    } catch {
      throw .tls(error)
    }
  }

  /// What to wait for; nil once the handshake is done.
  func handshake() throws(DownloadError) -> Readiness? {
    do throws(TLSError) {
      switch try session?.handshake() {
      case .done, nil: return nil
      case .wantsRead: return .readable
      case .wantsWrite: return .writable
      }
    } catch {
      throw .tls(error)
    }
  }

  /// Bytes are here already that a poller knows nothing of.
  var holdsBytes: Bool {
    switch session {
    case .some(let session): session.holdsBytes
    case .none: false
    }
  }

  func receive(into buffer: inout MutableSpan<UInt8>) throws(DownloadError) -> Received {
    guard isEncrypted else { return try receivePlain(into: &buffer) }
    do throws(TLSError) {
      switch try session?.receive(into: &buffer) {
      case .bytes(let count): return .bytes(count)
      case .wantsRead, nil: return .wait(.readable)
      case .wantsWrite: return .wait(.writable)
      case .closed: return .ended(.orderly)
      case .truncated: return .ended(.abrupt)
      }
    } catch {
      throw .tls(error)
    }
  }

  private func receivePlain(into buffer: inout MutableSpan<UInt8>) throws(DownloadError) -> Received {
    do throws(SystemError) {
      switch try socket.receive(into: &buffer) {
      case .bytes(let count): return .bytes(count)
      case .wouldBlock: return .wait(.readable)
      case .endOfStream: return .ended(.orderly)
      }
    } catch {
      throw .connectionLost(error)
    }
  }

  func send(_ bytes: Span<UInt8>) throws(DownloadError) -> Sent {
    guard isEncrypted else { return try sendPlain(bytes) }
    do throws(TLSError) {
      switch try session?.send(bytes) {
      case .bytes(let count): return .bytes(count)
      case .wantsRead: return .wait(.readable)
      case .wantsWrite, nil: return .wait(.writable)
      }
    } catch {
      throw .tls(error)
    }
  }

  private func sendPlain(_ bytes: Span<UInt8>) throws(DownloadError) -> Sent {
    do throws(SystemError) {
      switch try socket.send(bytes) {
      case .bytes(let count): return .bytes(count)
      case .wouldBlock: return .wait(.writable)
      }
    } catch {
      throw .connectionLost(error)
    }
  }

  /// Whether a connection at rest may carry another request: it is open and nothing unasked has come (RFC 9112 §9.2).
  func isQuiet() -> Bool { session?.absorbIdle() ?? socket.isQuiet() }

  /// What waits in the system is ciphertext: how many bytes it comes to is not known.
  var isSecured: Bool { isEncrypted }

  /// Bytes that wait in the system, ciphertext under TLS.
  var unread: Int64 { socket.unread }

  /// The peer has gone: nothing more comes than what waits in the system.
  var hasEnded: Bool { socket.hasEnded }

  /// Readable when so many bytes wait, or the end does; the system makes room for that many. 1 at first.
  func setReceiveLowWater(_ bytes: Int) {
    if bytes == lowWater { return }
    lowWater = bytes
    socket.setReceiveLowWater(bytes)
  }

  /// Says goodbye under TLS, whatever led here (RFC 8446 §6.1); never waits.
  deinit { session?.close() }
}
