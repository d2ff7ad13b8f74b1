/// Content whose end is known from Content-Length (RFC 9112 §6.3, rule 6).
///
///     receiving ──last byte──▶ complete
///         └──connection ends──▶ throws: an incomplete message (RFC 9112 §8)
public struct LengthDelimitedContent: ~Copyable {
  private var remaining: Int64  // bytes

  public init(length: Int64) {
    precondition(length >= 0, "a length is never negative")
    remaining = length
  }

  public var isComplete: Bool { remaining == 0 }

  /// Takes this content's bytes from the front of `count` that arrived; whatever follows is not ours.
  public mutating func didReceive(count: Int) -> Int {
    let taken = min(remaining, Int64(count))
    remaining -= taken
    return Int(taken)
  }

  public func connectionDidEnd() throws(ProtocolError) {
    if remaining > 0 { throw .incompleteContent(missing: remaining) }
  }
}
