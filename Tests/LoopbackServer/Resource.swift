import CLoopbackTLS

/// Content that is made, not stored: byte `i` follows from `seed` and `i` alone, so that any byte
/// range of any size can be served and checked without holding the rest.
public struct Resource: Sendable {
  public var length: Int64  // bytes
  public var seed: UInt64

  /// As the field value says it; nil for no such field.
  public var entityTag: String? = #""first""#
  public var lastModified: String? = "Sat, 21 Mar 2026 09:30:00 GMT"
  public var contentType: String? = "application/octet-stream"

  public init(length: Int64, seed: UInt64 = 1) {
    self.length = length
    self.seed = seed
  }

  /// The same length and name, other bytes, another validator.
  public func changed() -> Resource {
    var other = self
    other.seed += 1
    other.entityTag = entityTag.map { $0.dropLast() + #"-changed""# }
    other.lastModified = lastModified.map { _ in "Sun, 22 Mar 2026 09:30:00 GMT" }
    return other
  }

  public func bytes(in range: Range<Int64>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
      loopback_fill(seed, UInt64(range.lowerBound), buffer.baseAddress, buffer.count)
      initialized = range.count
    }
  }

  /// All of it, for lengths that fit in memory.
  public var bytes: [UInt8] { bytes(in: 0..<length) }

  /// The SHA-256 of all of it, in lower-case hexadecimal.
  public var digest: String {
    let digest = SHA256()
    for start in stride(from: 0, to: length, by: 1 << 20) {
      digest.update(bytes(in: start..<min(start + 1 << 20, length)))
    }
    return digest.finish()
  }
}
