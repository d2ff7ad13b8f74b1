/// The hash functions that prove content (FIPS 180-4; the two weak ones only find accidents).
public enum DigestAlgorithm: Sendable {
  case sha256
  case sha512
  case sha1
  case md5

  /// Of the digest, in bytes.
  public var byteCount: Int {
    switch self {
    case .sha256: 32
    case .sha512: 64
    case .sha1: 20
    case .md5: 16
    }
  }

  /// Somebody can make other content with the same digest: no protection against whoever wants to deceive
  /// (RFC 9530 §5).
  public var isWeak: Bool {
    switch self {
    case .sha256, .sha512: false
    case .sha1, .md5: true
    }
  }

  /// As people write it.
  public var name: String {
    switch self {
    case .sha256: "sha-256"
    case .sha512: "sha-512"
    case .sha1: "sha-1"
    case .md5: "md5"
    }
  }
}

#if TLS
  internal import COpenSSL

  /// A digest over bytes as they pass. It belongs to one thread at a time.
  ///
  ///     open ──finalize──▶ final: nothing more may be asked of it
  ///
  /// What was hashed up to a point can be kept by a copy: a prefix needs to be read only once.
  @safe public final class MessageDigest {
    private let handle: OpaquePointer
    private let byteCount: Int
    private var isFinal = false

    /// Throws `.notLoaded` if there is no libcrypto, and `.configuration` if OpenSSL's own configuration leaves the
    /// algorithm out, as FIPS does with MD5.
    public init(_ algorithm: DigestAlgorithm) throws(TLSError) {
      guard let made = unsafe ossl_digest_new(Self.number(of: algorithm)) else {
        let missing = unsafe text(capacity: ossl_FAILURE_CAPACITY) { unsafe ossl_digest_missing($0, $1) }
        if !missing.isEmpty { throw .notLoaded(reason: missing) }
        throw .configuration(reason: Array("OpenSSL does not offer ".utf8) + Array(algorithm.name.utf8))
      }
      unsafe handle = made
      byteCount = algorithm.byteCount
    }

    private init(copyOf other: MessageDigest) throws(TLSError) {
      precondition(!other.isFinal)
      guard let made = unsafe ossl_digest_copy(other.handle) else {
        throw .configuration(reason: Array("out of memory".utf8))
      }
      unsafe handle = made
      byteCount = other.byteCount
    }

    deinit { unsafe ossl_digest_free(handle) }

    private static func number(of algorithm: DigestAlgorithm) -> Int32 {
      switch algorithm {
      case .sha256: ossl_SHA256
      case .sha512: ossl_SHA512
      case .sha1: ossl_SHA1
      case .md5: ossl_MD5
      }
    }

    public func update(_ bytes: Span<UInt8>) {
      precondition(!isFinal)
      unsafe bytes.withUnsafeBufferPointer { unsafe ossl_digest_update(handle, $0.baseAddress, $0.count) }
    }

    /// Another digest in the same state; each goes on without the other.
    public func copy() throws(TLSError) -> MessageDigest { try MessageDigest(copyOf: self) }

    /// The digest of everything that was given, once. Empty, and so equal to no digest, if OpenSSL failed underneath.
    public func finalize() -> [UInt8] {
      precondition(!isFinal)
      isFinal = true
      return unsafe text(capacity: byteCount) { unsafe ossl_digest_finish(handle, $0, $1) }
    }
  }
#endif
