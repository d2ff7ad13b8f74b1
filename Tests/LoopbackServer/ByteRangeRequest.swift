/// What a `Range` field asks of content of a known length (RFC 9110 §14.1.2), from the server's side.
enum ByteRangeRequest: Equatable {
  case satisfiable(Range<Int64>)
  case unsatisfiable

  /// nil: no range, another unit, or several ranges, all of which a server may ignore (RFC 9110 §14.2).
  init?(fieldValue: String, length: Int64) {
    guard fieldValue.hasPrefix("bytes="), !fieldValue.contains(",") else { return nil }
    let bounds = fieldValue.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return nil }
    switch (Int64(bounds[0]), Int64(bounds[1])) {
    case (let first?, let last?) where first <= last:
      self = first < length ? .satisfiable(first..<min(last, length - 1) + 1) : .unsatisfiable
    case (let first?, nil) where bounds[1].isEmpty:
      self = first < length ? .satisfiable(first..<length) : .unsatisfiable
    case (nil, let suffix?) where bounds[0].isEmpty:
      self = suffix > 0 && length > 0 ? .satisfiable(max(length - suffix, 0)..<length) : .unsatisfiable
    default:
      return nil
    }
  }
}
