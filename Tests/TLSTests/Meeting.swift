#if TLS
  import Foundation
  import Glibc
  import LoopbackServer

  @testable import TLS

  /// The client's side of a connection: the session, waited for where it wants to wait.
  final class Client {
    var session: TLSSession
    let descriptor: Int32

    init(session: consuming TLSSession, descriptor: Int32) {
      self.session = session
      self.descriptor = descriptor
    }

    // What `#expect` can ask: a noncopyable value it cannot.
    var holdsBytes: Bool { session.holdsBytes }
    var isResumed: Bool { session.isResumed }
    var bufferSize: Int { session.receiveBufferSize }
    /// Bytes of ciphertext that wait in the system.
    var unread: Int {
      var count: Int32 = 0
      _ = ioctl(descriptor, UInt(FIONREAD), &count)
      return Int(count)
    }
    func absorbIdle() -> Bool { session.absorbIdle() }

    func handshake() throws {
      while true {
        switch try session.handshake() {
        case .done: return
        case .wantsRead: try waitFor(POLLIN, on: descriptor)
        case .wantsWrite: try waitFor(POLLOUT, on: descriptor)
        }
      }
    }

    /// Why the handshake failed; nil if it did not.
    func handshakeError() throws -> TLSError? {
      do {
        try handshake()
        return nil
      } catch let error as TLSError {
        return error
      }
    }

    /// Why a receive failed, after those that brought bytes; nil at an end.
    func receiveError() throws -> TLSError? {
      do {
        _ = try receiveAll()
        return nil
      } catch let error as TLSError {
        return error
      }
    }

    /// One receive that does not have to wait, and what it brought.
    func receive(upTo capacity: Int = 500_000) throws -> (outcome: TLSReceived, bytes: [UInt8]) {
      while true {
        let (outcome, bytes) = try receiveOnce(upTo: capacity)
        switch outcome {
        case .wantsRead: try waitFor(POLLIN, on: descriptor)
        case .wantsWrite: try waitFor(POLLOUT, on: descriptor)
        case .bytes, .closed, .truncated: return (outcome, bytes)
        }
      }
    }

    func receiveOnce(upTo capacity: Int = 500_000) throws -> (outcome: TLSReceived, bytes: [UInt8]) {
      var room = [UInt8](repeating: 0, count: capacity)
      var span = room.mutableSpan
      let outcome = try session.receive(into: &span)
      guard case .bytes(let count) = outcome else { return (outcome, []) }
      return (outcome, Array(room.prefix(count)))
    }

    /// Everything up to the end, and which end.
    func receiveAll(upTo capacity: Int = 500_000) throws -> (end: TLSReceived, bytes: [UInt8]) {
      var all: [UInt8] = []
      while true {
        let (outcome, bytes) = try receive(upTo: capacity)
        guard case .bytes = outcome else { return (outcome, all) }
        all += bytes
      }
    }

    func send(_ text: String) throws {
      var rest = Array(text.utf8)
      while !rest.isEmpty {
        switch try session.send(rest.span) {
        case .bytes(let count): rest.removeFirst(count)
        case .wantsRead: try waitFor(POLLIN, on: descriptor)
        case .wantsWrite: try waitFor(POLLOUT, on: descriptor)
        }
      }
    }

    /// Waits for the server's FIN, behind which nothing can arrive any more.
    func awaitEnd() throws { try waitFor(pollPeerClosed, on: descriptor) }
  }

  extension TLSError {
    var verificationCode: Int? {
      guard case .verification(let code, _) = self else { return nil }
      return code
    }

    var isConfiguration: Bool { configurationReason != nil }

    var configurationReason: String? {
      guard case .configuration(let reason) = self else { return nil }
      return String(decoding: reason, as: UTF8.self)
    }

    /// The text, if the peer's records or alerts are to blame, in or after the handshake.
    var protocolReason: String? {
      switch self {
      case .handshake(let reason), .protocolFailure(let reason): String(decoding: reason, as: UTF8.self)
      default: nil
      }
    }
  }

  /// One connection between a client and a server's script, which runs on a thread of its own.
  struct Meeting {
    var context: TLSContext
    var host = "localhost"
    var isAddress = false
    var port: UInt16 = 443

    init(trusting file: String) throws {
      context = try TLSContext(Self.configuration(trusting: file))
    }

    init(_ context: TLSContext) { self.context = context }

    static func configuration(trusting file: String) -> TLSConfiguration {
      var configuration = TLSConfiguration()
      configuration.authorityFile = Array(file.utf8)
      return configuration
    }

    /// The script gets what the handshake came to, and the connection below. The connection ends
    /// when both are done.
    func run<Result>(
      _ server: ServerTLS, script: @escaping @Sendable (TLSChannel?, RawEnd) -> Void = { _, _ in },
      client body: (Client) throws -> Result
    ) throws -> Result {
      try runRaw(script: { script(server.handshake($0.descriptor), $0) }, client: body)
    }

    func runRaw<Result>(
      script: @escaping @Sendable (RawEnd) -> Void, client body: (Client) throws -> Result
    ) throws -> Result {
      let pair = try TCPPair()
      let isOver = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        script(RawEnd(descriptor: pair.server))
        close(pair.server)
        isOver.signal()
      }
      defer {
        close(pair.client)
        isOver.wait()
      }
      let session = try TLSSession(
        context, descriptor: pair.client, host: Array(host.utf8), isAddress: isAddress, port: port)
      return try body(Client(session: session, descriptor: pair.client))
    }
  }
#endif
