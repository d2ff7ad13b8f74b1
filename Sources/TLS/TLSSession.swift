#if TLS
  internal import COpenSSL

  /// TLS over a connected, non-blocking TCP socket that stays the caller's (RFC 8446, RFC 5246).
  ///
  ///     handshaking ──done──▶ open ──close_notify──▶ closed
  ///          └──── error ───────┴──── error, end ──▶ over: every later call says the same again
  ///
  /// Ciphertext is received 256 KiB at once into a buffer that exists only while it holds something. What is in it
  /// is invisible to a poller: ask `holdsBytes` before waiting. Waiting must be level-triggered.
  @safe public struct TLSSession: ~Copyable {
    private let handle: OpaquePointer
    private let context: TLSContext  // outlives the handle, as does:
    private let outer: Outer?

    /// Another session, through which the bytes of this one travel. A class, since no structure can hold its own kind.
    private final class Outer {
      let session: TLSSession
      init(_ session: consuming TLSSession) { self.session = session }
    }

    /// The server must prove to be `host`: a DNS name, or an IP address literal (no brackets) if `isAddress`.
    /// A final dot or an address's zone is our notation, not part of what is in a certificate.
    ///
    /// - Parameter outer: an open session over the same descriptor, which ends at a proxy (RFC 9110 §9.3.6).
    public init(
      _ context: TLSContext, descriptor: Int32, inside outer: consuming TLSSession? = nil, host: [UInt8],
      isAddress: Bool, port: UInt16
    ) throws(TLSError) {
      let enclosing: Outer?
      switch consume outer {
      case .some(let session): enclosing = Outer(session)
      case nil: enclosing = nil
      }
      let carrier: OpaquePointer? = unsafe enclosing?.session.handle
      let name = Self.certifiedName(of: host, isAddress: isAddress)
      let made = unsafe ossl_session_new(
        context.handle, descriptor, carrier, name, name.count, isAddress ? 1 : 0, port)
      guard let made = unsafe made else { throw .configuration(reason: context.failureReason) }
      unsafe handle = made
      self.context = context
      self.outer = enclosing
    }

    deinit { unsafe ossl_session_free(handle) }

    private static func certifiedName(of host: [UInt8], isAddress: Bool) -> [UInt8] {
      if isAddress { return Array(host.prefix { $0 != UInt8(ascii: "%") }) }
      return host.last == UInt8(ascii: ".") ? Array(host.dropLast()) : host
    }

    /// Name and chain are verified when this is `.done`; nothing was sent or received for the caller before.
    public mutating func handshake() throws(TLSError) -> TLSProgress {
      let status = unsafe ossl_session_handshake(handle)
      switch status {
      case 0:
        guard isPinned else { throw .unpinned }
        return .done
      case ossl_WANTS_READ: return .wantsRead
      case ossl_WANTS_WRITE: return .wantsWrite
      case ossl_CLOSED, ossl_TRUNCATED: throw .truncatedInHandshake
      case ossl_PROTOCOL: throw .handshake(reason: failureReason)
      default: throw error(for: status)
      }
    }

    /// A resumed session has the certificate of the one before it.
    private var isPinned: Bool {
      if context.pinnedKeys.isEmpty { return true }
      let digest = unsafe text(capacity: 32) { room, _ in unsafe ossl_session_key_digest(handle, room) }
      return context.pinnedKeys.contains(digest)
    }

    /// Decrypts whole records until none is left or `bytes` (not empty) is full. What comes after some bytes, an
    /// end or an error, is the outcome of the next call.
    public mutating func receive(into bytes: inout MutableSpan<UInt8>) throws(TLSError) -> TLSReceived {
      precondition(!bytes.isEmpty)
      let status = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return 0 }
        return unsafe ossl_session_receive(handle, base, buffer.count)
      }
      switch Int32(clamping: status) {
      case 1...: return .bytes(status)
      case ossl_WANTS_READ: return .wantsRead
      case ossl_WANTS_WRITE: return .wantsWrite
      case ossl_CLOSED: return .closed
      case ossl_TRUNCATED: return .truncated
      case let status: throw error(for: status)
      }
    }

    /// Sends from the front of `bytes` (not empty). After a wish to wait, the same bytes must be offered again.
    public mutating func send(_ bytes: Span<UInt8>) throws(TLSError) -> TLSSent {
      precondition(!bytes.isEmpty)
      let status = unsafe bytes.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return 0 }
        return unsafe ossl_session_send(handle, base, buffer.count)
      }
      switch Int32(clamping: status) {
      case 1...: return .bytes(status)
      case ossl_WANTS_READ: return .wantsRead
      case ossl_WANTS_WRITE: return .wantsWrite
      case let status: throw error(for: status)
      }
    }

    /// Says goodbye (close_notify), in one attempt that never blocks, to the proxy as well; the socket stays open.
    public mutating func close() { unsafe ossl_session_close(handle) }

    /// Processes what arrived while nothing was asked for, such as session tickets: `true` if the connection may
    /// still be used, `false` if content, part of a record, an end or an error arrived.
    public mutating func absorbIdle() -> Bool { unsafe ossl_session_stays_idle(handle) == 1 }

    /// The next `receive` may succeed although nothing more arrives at the socket.
    public var holdsBytes: Bool { unsafe ossl_session_holds_bytes(handle) == 1 }

    /// The server took up an earlier session: no certificate was sent, the earlier verification stands.
    public var isResumed: Bool { unsafe ossl_session_is_resumed(handle) == 1 }

    /// Version and cipher suite, such as "TLSv1.3 TLS_AES_128_GCM_SHA256"; at most 128 bytes.
    public var summary: [UInt8] {
      unsafe text(capacity: 128) { unsafe ossl_session_description(handle, $0, $1) }
    }

    /// What this session holds to receive into now, in bytes; 0 while it waits.
    var receiveBufferSize: Int { unsafe ossl_session_buffer_size(handle) }

    private var failureReason: [UInt8] {
      unsafe text(capacity: ossl_FAILURE_CAPACITY) { unsafe ossl_session_failure(handle, $0, $1) }
    }

    private func error(for status: Int32) -> TLSError {
      let code = unsafe ossl_session_failure_code(handle)
      switch status {
      case ossl_UNVERIFIED: return .verification(code: Int(code), reason: failureReason)
      case ossl_CONNECTION: return .connection(code: code)
      default: return .protocolFailure(reason: failureReason)
      }
    }
  }
#endif
