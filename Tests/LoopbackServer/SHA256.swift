import CLoopbackTLS

/// SHA-256 for tests, which have no other source of it on Linux.
public final class SHA256 {
  private let context = loopback_digest_new()

  public init() {}
  deinit { loopback_digest_free(context) }

  public func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { loopback_digest_update(context, $0.baseAddress, $0.count) }
  }

  /// The digest in lower-case hexadecimal; nothing may follow.
  public func finish() -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    loopback_digest_finish(context, &digest)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  public static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digest = SHA256()
    digest.update(bytes)
    return digest.finish()
  }
}
