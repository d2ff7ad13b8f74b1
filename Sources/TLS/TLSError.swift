/// Why a session could not be made or has ended, other than in good order.
///
/// Reasons are printable ASCII, at most 512 bytes.
public enum TLSError: Error, Equatable, Sendable {
  /// This build has no TLS (the trait was off).
  case notBuilt
  /// The system has no OpenSSL of the version that this build needs; what the loader said.
  case notLoaded(reason: [UInt8])
  /// The certificate is not the one of the host that was asked for (RFC 9110 §4.3.4). `code` is OpenSSL's
  /// `X509_V_ERR` number, `reason` its text, such as "hostname mismatch" or "certificate has expired".
  case verification(code: Int, reason: [UInt8])
  /// The certificate's key is none of those that were pinned.
  case unpinned
  /// Both sides could not agree: an alert's text, or what was wrong with the peer's message (RFC 8446 §6.2).
  case handshake(reason: [UInt8])
  /// After the handshake: an alert, or a record that is not what it claims to be.
  case protocolFailure(reason: [UInt8])
  /// `errno` of the socket underneath.
  case connection(code: Int32)
  /// The peer closed before the handshake was done.
  case truncatedInHandshake
  /// A file or directory of certificates, a key or a host that cannot be used, by name; or where certificate
  /// authorities were looked for and not found.
  case configuration(reason: [UInt8])
}
