/// One range of a `Range` field in the unit `bytes` (RFC 9110 §14.1.2). Positions count from 0, both ends included.
public enum ByteRange: Equatable, Sendable {
  /// `first-last`, `first` <= `last`.
  case closed(first: Int64, last: Int64)
  /// `first-`: to the end.
  case from(Int64)
  /// `-length`: the last `length` bytes, which is not "from the start to byte `length`".
  case suffix(length: Int64)

  /// Reads `x-y`, `x-` or `-y`; nil for anything else, and for a last position before the first.
  public init?(text: [UInt8]) {
    guard let dash = text.firstIndex(of: UInt8(ascii: "-")) else { return nil }
    let (before, after) = (text[..<dash], text[(dash + 1)...])
    switch (decimalValue(before), decimalValue(after)) {
    case (let first?, let last?) where first <= last: self = .closed(first: first, last: last)
    case (let first?, nil) where after.isEmpty: self = .from(first)
    case (nil, let length?) where before.isEmpty: self = .suffix(length: length)
    default: return nil
    }
  }

  /// The bytes that the range takes; nil when its end is not known without the complete length, or the count
  /// is beyond 2^63-1.
  public var count: Int64? {
    switch self {
    case .closed(let first, let last):
      guard first >= 0, first <= last, last - first < Int64.max else { return nil }
      return last - first + 1
    case .from, .suffix: return nil
    }
  }

  /// `x-y`, `x-` or `-y`.
  public var text: [UInt8] {
    let dash = UInt8(ascii: "-")
    return switch self {
    case .closed(let first, let last): first.decimalDigits + [dash] + last.decimalDigits
    case .from(let first): first.decimalDigits + [dash]
    case .suffix(let length): [dash] + length.decimalDigits
    }
  }

  /// The value of a `Range` field with this range alone. The unit is written in lower case: some servers compare it so.
  public var fieldValue: [UInt8] { Array("bytes=".utf8) + text }
}
