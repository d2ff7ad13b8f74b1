internal import CPosix

/// How many descriptors this process may have open (RLIMIT_NOFILE).
public enum DescriptorLimit {
  /// Raises the limit to `count` if it is lower, as far as that is allowed without privileges. Returns what it is then:
  /// no less than before, and `Int.max` where there is none.
  public static func raise(to count: Int) -> Int {
    Int(clamping: px_descriptor_limit_raise(Int64(clamping: count)))
  }
}
