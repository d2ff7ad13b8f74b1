/// A validator that names one representation: `"abc"`, or `W/"abc"` when it is weak (RFC 9110 §8.8.3).
public struct EntityTag: Equatable, Sendable {
  public let isWeak: Bool

  /// With its quotes; compared and sent back, never looked into.
  public let opaqueTag: [UInt8]

  /// Reads a whole `ETag` field value; nil if any byte of it falls outside the grammar.
  public init?(fieldValue: [UInt8]) {
    let isWeak = fieldValue.starts(with: "W/".utf8)
    let tag = Array(fieldValue.dropFirst(isWeak ? 2 : 0))
    let quote = UInt8(ascii: "\"")
    guard tag.count >= 2, tag.first == quote, tag.last == quote else { return nil }
    guard tag.dropFirst().dropLast().allSatisfy({ $0 > .space && $0 != quote && $0 != 0x7F }) else { return nil }
    self.isWeak = isWeak
    opaqueTag = tag
  }

  /// The field value that reads back equal.
  public var fieldValue: [UInt8] { isWeak ? Array("W/".utf8) + opaqueTag : opaqueTag }

  /// Strong comparison, the only one under which two responses may be joined (RFC 9110 §8.8.3.2, §13.1.5).
  public func provesSameBytes(as other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && opaqueTag == other.opaqueTag
  }
}
