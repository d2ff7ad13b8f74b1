public import HTTP1

/// Byte ranges of the target that a caller wants in place of all of it, one behind the other in the order given: they
/// may overlap and repeat (RFC 9110 §14.1.2).
public struct WantedRanges: Equatable, Sendable {
  /// The most ranges that one request may want.
  public static let limit = 10_000

  /// 1 to `limit`; none is empty, and each end can be counted on from.
  public let ranges: [ByteRange]
  /// Several are asked for in one request, which is answered by multipart/byteranges (RFC 9110 §14.6).
  public var areAskedAtOnce = false

  /// nil for no range, too many, and for one that can't be.
  public init?(_ ranges: [ByteRange]) {
    guard (1...WantedRanges.limit).contains(ranges.count), ranges.allSatisfy(WantedRanges.isUsable) else { return nil }
    self.ranges = ranges
  }

  /// Reads `A-B,C-,-N`: from A to B, from C to the end, the last N bytes.
  public init?(text: [UInt8]) {
    var ranges: [ByteRange] = []
    for item in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      guard ranges.count < WantedRanges.limit, let range = ByteRange(text: Array(item)) else { return nil }
      ranges.append(range)
    }
    self.init(ranges)
  }

  private static func isUsable(_ range: ByteRange) -> Bool {
    switch range {
    case .closed(let first, let last): first >= 0 && first <= last && last < Int64.max
    case .from(let first): first >= 0 && first < Int64.max
    case .suffix(let length): length > 0
    }
  }
}
