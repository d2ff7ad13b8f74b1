internal import CPosix

/// Bytes from the system's generator.
public enum Random {
  public static func bytes(_ count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableSpan
    let outcome = unsafe span.withUnsafeMutableBufferPointer { buffer in
      unsafe px_random_fill(buffer.baseAddress, buffer.count)
    }
    try SystemError.check(outcome, .random)
    return bytes
  }

  /// A number below `bound`, each as likely; 0 for a bound of 0. For jitter, not for secrets: where
  /// the system's generator fails, the clock's last bits take its place.
  public static func uniform(below bound: UInt64) -> UInt64 {
    guard bound > 1 else { return 0 }
    // The last, incomplete run of `bound` values is thrown away; 64 draws fail once in 2^64 times.
    let limit = UInt64.max - UInt64.max % bound
    for _ in 0..<64 {
      let number = word()
      if number < limit { return number % bound }
    }
    return 0
  }

  private static func word() -> UInt64 {
    var word: UInt64 = 0
    let outcome = unsafe px_random_fill(&word, 8)
    return outcome == 0 ? word : UInt64(truncatingIfNeeded: px_monotonic_nanoseconds())
  }
}
