/// Into which pieces an input is cut: these sizes, again and again. No sizes at all: it is shown whole.
struct Pieces {
  let sizes: [Int]  // bytes; 0 shows nothing, which must change nothing

  init(sizes: [Int]) { self.sizes = sizes.contains { $0 > 0 } ? sizes : [] }

  /// A decision below 0x80 is a size in bytes, above it counts 64 bytes: 0x80 stands for 64, 0xFF for 8,192.
  init(_ choices: inout Choices, count: Int) {
    self.init(
      sizes: (0..<count).map { _ in
        let byte = Int(choices.byte())
        return byte < 0x80 ? byte : (byte - 0x7F) * 64
      })
  }

  static let bytes = Pieces(sizes: [1])

  /// Up to this many bytes an input is also shown byte by byte.
  static let byteByByteLimit = 2_048

  /// Larger ones for long inputs, so that `count` bytes come in some thousands of pieces at most.
  func scaled(to count: Int) -> Pieces { Pieces(sizes: sizes.map { $0 * (1 + count / 4_096) }) }

  /// The sizes without end, or none.
  var cycle: some IteratorProtocol<Int> {
    let sizes = sizes
    return sequence(state: 0) { index in
      guard !sizes.isEmpty else { return nil }
      defer { index += 1 }
      return sizes[index % sizes.count]
    }
  }
}
