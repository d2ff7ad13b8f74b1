/// How long a server asks to be left alone (RFC 9110 §10.2.3).
public enum RetryAfter: Equatable, Sendable {
  case seconds(Int64)
  case date(HTTPDate)

  /// Reads a whole field value; nil for anything but 1*DIGIT within 2^63-1 and an HTTP-date.
  public init?(fieldValue: [UInt8], now: Int64) {
    if let seconds = decimalValue(fieldValue) {
      self = .seconds(seconds)
    } else if let date = HTTPDate(fieldValue: fieldValue, now: now) {
      self = .date(date)
    } else {
      return nil
    }
  }

  /// Seconds from `now` on, 0 for a date that has passed. As long as the server likes: the caller caps it.
  public func delay(now: Int64) -> Int64 {
    switch self {
    case .seconds(let seconds): return seconds
    case .date(let date):
      guard date.secondsSince1970 > now else { return 0 }
      let (difference, overflowed) = date.secondsSince1970.subtractingReportingOverflow(now)
      return overflowed ? Int64.max : difference
    }
  }
}

extension Fields {
  /// Seconds that Retry-After asks for; nil where there is none, and where several lines differ.
  public func retryDelay(now: Int64) -> Int64? {
    singleValue(of: .retryAfter).flatMap { RetryAfter(fieldValue: $0, now: now)?.delay(now: now) }
  }
}
