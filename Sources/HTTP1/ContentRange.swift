/// What a `Content-Range` field says in the unit `bytes` (RFC 9110 §14.4). Both positions are included.
public enum ContentRange: Equatable, Sendable {
  /// `bytes first-last/completeLength`; nil for `*`, an unknown complete length.
  case part(first: Int64, last: Int64, completeLength: Int64?)
  /// `bytes */completeLength`, which only a 416 may send.
  case unsatisfied(completeLength: Int64)

  /// Reads a whole field value; nil unless every byte fits the grammar and the numbers fit each other.
  public init?(fieldValue: [UInt8]) {
    let unit = "bytes "
    guard fieldValue.prefix(unit.utf8.count).equalsIgnoringCase(unit) else { return nil }
    let rest = fieldValue.dropFirst(unit.utf8.count)
    guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let (range, total) = (rest[..<slash], rest[(slash + 1)...])
    let completeLength = decimalValue(total)
    if completeLength == nil && !total.elementsEqual("*".utf8) { return nil }
    if range.elementsEqual("*".utf8) {
      guard let completeLength else { return nil }
      self = .unsatisfied(completeLength: completeLength)
      return
    }
    guard case .closed(let first, let last)? = ByteRange(text: Array(range)) else { return nil }
    if let completeLength, last >= completeLength { return nil }
    guard last < Int64.max else { return nil }  // so that last + 1 can be counted
    self = .part(first: first, last: last, completeLength: completeLength)
  }

  /// The field value that reads back equal.
  public var fieldValue: [UInt8] {
    switch self {
    case .part(let first, let last, let completeLength):
      let total = completeLength?.decimalDigits ?? Array("*".utf8)
      return Array("bytes ".utf8) + ByteRange.closed(first: first, last: last).text + Array("/".utf8) + total
    case .unsatisfied(let completeLength):
      return Array("bytes */".utf8) + completeLength.decimalDigits
    }
  }
}
