/// A search that looks at eight bytes at a time: one that looks at each, checked, takes twice as long and more.
extension Span<UInt8> {
  /// The place of the first byte that is at most `bound`, itself below 0x7F, from `start` on; `count` when there is none.
  func firstIndex(ofAtMost bound: UInt8, from start: Int) -> Int {
    let each: UInt64 = 0x0101_0101_0101_0101
    let above = each &* UInt64(bound &+ 1)
    var index = start
    while count &- index >= 8 {
      let word = extracting(index..<(index &+ 8)).word
      // A byte from which too much is taken borrows of its highest bit. The first of these bits is right.
      let borrowed = (word &- above) & ~word & (each &* 0x80)
      if borrowed != 0 { return index &+ borrowed.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < count, self[index] > bound { index &+= 1 }
    return index
  }

  /// Of eight bytes, the first of them lowest. In this shape the compiler makes one load of it.
  private var word: UInt64 {
    UInt64(self[0]) | UInt64(self[1]) << 8 | UInt64(self[2]) << 16 | UInt64(self[3]) << 24
      | UInt64(self[4]) << 32 | UInt64(self[5]) << 40 | UInt64(self[6]) << 48 | UInt64(self[7]) << 56
  }
}
