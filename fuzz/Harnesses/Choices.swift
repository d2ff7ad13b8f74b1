/// The end of an input, taken as decisions: where to cut, which method, how the connection ends. What comes before it
/// stays what it is, so that a seed is readable text with a few bytes behind it.
///
/// Decisions that the input is too short for are zeros.
struct Choices {
  /// The input without the decisions.
  let text: [UInt8]
  private var decisions: ArraySlice<UInt8>
  private var next: Int

  init(_ input: [UInt8], count: Int) {
    text = Array(input.dropLast(count))
    decisions = input.suffix(count)
    next = decisions.startIndex
  }

  /// The next byte; they repeat from the first when all were taken.
  mutating func byte() -> UInt8 {
    guard !decisions.isEmpty else { return 0 }
    if next == decisions.endIndex { next = decisions.startIndex }
    defer { next += 1 }
    return decisions[next]
  }

  /// 0 to `bound` - 1.
  mutating func number(below bound: Int) -> Int { Int(byte()) % bound }

  mutating func flag() -> Bool { byte() & 1 == 1 }

  /// Eight bytes, the highest first.
  mutating func int64() -> Int64 { (0..<8).reduce(0) { value, _ in value << 8 | Int64(byte()) } }
}
