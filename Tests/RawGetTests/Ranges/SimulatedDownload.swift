/// What is to be fetched, and with what: drawn by lot, the edges more often than the rest.
struct SimulatedDownload {
  let pieces: [Range<Int64>]
  let window: Int64  // bytes
  let length: Int64  // bytes, of a block
  let depth: Int  // requests on a lane
  let speeds: [Int64]  // bytes a tick, of each lane
  let disturbances: Int

  /// Contents of 0, 1, B-1, B, B+1 or some bytes, up to about `most`, in one piece or in several, which begin at 0 or
  /// end with the last byte that there can be.
  init(most: Int64, random: inout SeededGenerator) {
    let lengths: [Int64] = [1, 2, 7, .random(in: 1...most, using: &random), .max]
    length = lengths.randomElement(using: &random) ?? 1
    let near = min(length, most)
    let some = Int64.random(in: 0...most, using: &random)
    let totals: [Int64] = [0, 1, near - 1, near, near + 1, some, some, some]
    let total = totals.randomElement(using: &random) ?? 0
    let starts: [Int64] = [0, 1 << 32, .max - total]
    pieces = Self.pieces(from: starts.randomElement(using: &random) ?? 0, total: total, random: &random)
    let windows: [Int64] = [1, near, 2 * near, .random(in: 1...most, using: &random), .max]
    window = windows.randomElement(using: &random) ?? 1
    depth = .random(in: 1...8, using: &random)
    let lanes = Int.random(in: 1...(Bool.random(using: &random) ? 4 : 32), using: &random)
    speeds = (0..<lanes).map { _ in [1, 10, 100].randomElement(using: &random) ?? 1 }
    disturbances = .random(in: 0...40, using: &random)
  }

  private static func pieces(from start: Int64, total: Int64, random: inout SeededGenerator) -> [Range<Int64>] {
    let last = start + total
    var pieces = [start..<start]
    while let end = pieces.last?.upperBound, end < last {
      let count = Bool.random(using: &random) ? last - end : Int64.random(in: 0...last - end, using: &random)
      pieces.append(end..<end + count)
    }
    return pieces
  }
}
