import CLoopbackTLS

/// The server side of TLS, with a certificate of its own choosing: right, wrong or outdated.
///
///     let server = try LoopbackServer(tls: ServerTLS(TestAuthority.shared().good)) { … }
///
/// `@unchecked Sendable`: OpenSSL locks what the sessions of one server share, and nothing here
/// changes after `init`.
public final class ServerTLS: ChannelMaker, @unchecked Sendable {
  public enum Version: Int32, Sendable {
    case tls11 = 1
    case tls12, tls13
  }

  private let server: OpaquePointer

  /// With `version`, that one alone is spoken. With `clientAuthority`, a client must show a
  /// certificate from the authority in that file. Session tickets are on.
  public init(
    certificateFile: String, keyFile: String, clientAuthority: String? = nil, only version: Version? = nil
  ) throws {
    let made = loopback_tls_server_new(certificateFile, keyFile, clientAuthority, version?.rawValue ?? 0)
    guard let made else { throw SetupError("TLS server with \(certificateFile)", errno: 0) }
    server = made
  }

  public convenience init(
    _ credentials: TestCredentials, clientAuthority: String? = nil, only version: Version? = nil
  ) throws {
    try self.init(
      certificateFile: credentials.certificateFile, keyFile: credentials.keyFile, clientAuthority: clientAuthority,
      only: version)
  }

  deinit { loopback_tls_server_free(server) }

  public func accept(_ descriptor: Int32) -> (any Channel)? { handshake(descriptor) }

  /// A session over an accepted, blocking descriptor, which stays the caller's to close; nil if no
  /// handshake came about. SIGPIPE is ignored from here on, by the process.
  public func handshake(_ descriptor: Int32) -> TLSChannel? {
    loopback_tls_accept(server, descriptor).map { TLSChannel($0, of: self) }
  }
}

/// One session of a test server. Letting go of it without `announceEnd` is the abrupt close.
public final class TLSChannel: Channel {
  private let session: OpaquePointer
  private let server: ServerTLS

  /// The client said that nothing follows, before it went.
  public private(set) var sawNotify = false

  fileprivate init(_ session: OpaquePointer, of server: ServerTLS) {
    self.session = session
    self.server = server
  }

  deinit { loopback_tls_session_free(session) }

  public func read(upTo count: Int) -> [UInt8]? {
    var received = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      received = loopback_tls_read(session, buffer.baseAddress, count)
      initialized = max(received, 0)
    }
    sawNotify = received == 0
    return received > 0 ? bytes : nil
  }

  public func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    loopback_tls_write(session, bytes.baseAddress, bytes.count) == 1
  }

  @discardableResult public func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { write($0) }
  }

  public func announceEnd() { loopback_tls_close_notify(session) }

  /// Asks for new keys in both directions, in the midst of whatever goes on (TLS 1.3 only).
  @discardableResult public func updateKeys() -> Bool { loopback_tls_update_keys(session) == 1 }

  public var isResumed: Bool { loopback_tls_was_resumed(session) == 1 }

  /// The name the client asked for, if it did (RFC 6066 §3).
  public var serverName: String? { loopback_tls_server_name(session).map { String(cString: $0) } }

  /// What was agreed on by ALPN; empty if nothing was (RFC 7301).
  public var protocolName: String {
    var bytes = [UInt8](repeating: 0, count: 255)
    let count = loopback_tls_protocol(session, &bytes)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
