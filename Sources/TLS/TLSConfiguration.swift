/// Whom to trust, and who we are. Paths are bytes, as the system takes them; the files are PEM.
public struct TLSConfiguration: Sendable {
  public enum Version: Sendable {
    case tls12
    case tls13
  }

  /// `false`: any certificate will do, so anyone may be at the other end. Trust is then not even read.
  public var verifiesPeer = true

  /// Authorities in one file, or in a directory of hashed names. Either replaces the system's store.
  public var authorityFile: [UInt8]?
  public var authorityDirectory: [UInt8]?

  /// Client certificate followed by its chain, and its key. Without `keyFile` the key is in the same file.
  /// A key under a passphrase is refused.
  public var certificateFile: [UInt8]?
  public var keyFile: [UInt8]?

  /// The system's OpenSSL configuration may ask for more, never for less.
  public var minimumVersion = Version.tls12
  public var maximumVersion: Version?

  /// SHA-256 of the SubjectPublicKeyInfo (RFC 7469 §2.4) of the keys that a server may have, whatever else is verified.
  /// Empty: any key.
  public var pinnedKeys: [[UInt8]] = []

  public init() {}
}
