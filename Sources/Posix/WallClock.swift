internal import CPosix

/// The time of day, which can jump: for dates in fields, never for deadlines (see ``Instant``).
public enum WallClock {
  public static func secondsSince1970() -> Int64 { px_seconds_since_1970() }
}
