@testable import RawGet

/// What `RangeScheduler` must do, said of each byte by itself: for contents so small that each can have an owner.
struct BytewiseScheduler {
  struct Owner: Equatable {
    let lane: Int
    let request: Int  // two blocks of one lane differ in it
  }
  private let first: Int64
  private let window: Int64
  private let pieces: [Int]  // of each byte
  private var owners: [Owner?]
  private var requests = 0
  private var delivered = 0

  init(_ pieces: [Range<Int64>], window: Int64) {
    first = pieces.first?.lowerBound ?? 0
    self.window = window
    self.pieces = pieces.enumerated().flatMap { [Int](repeating: $0.offset, count: $0.element.count) }
    owners = [Owner?](repeating: nil, count: self.pieces.count)
  }

  var position: Int64 { first + Int64(delivered) }
  var isComplete: Bool { delivered == owners.count }
  var head: Int? { isComplete ? nil : owners[delivered]?.lane }
  var outstanding: Int64 { Int64(owners[delivered...].count { $0 != nil }) }

  func blocks(of lane: Int) -> [Range<Int64>] {
    var blocks: [Range<Int64>] = []
    var last: Owner?
    for index in delivered..<owners.count where owners[index]?.lane == lane {
      let byte = first + Int64(index)
      if let block = blocks.last, last == owners[index] {
        blocks[blocks.count - 1] = block.lowerBound..<byte + 1
      } else {
        blocks.append(byte..<byte + 1)
      }
      last = owners[index]
    }
    return blocks
  }

  /// What `assign` must answer.
  func next(for lane: Int, length: Int64) -> Range<Int64>? {
    let behind = owners.lastIndex { $0?.lane == lane }.map { $0 + 1 } ?? 0
    guard let start = (max(behind, delivered)..<owners.count).first(where: { owners[$0] == nil }) else { return nil }
    var (wanted, allowed) = (0, 0)
    while wanted < length, start + wanted < owners.count, owners[start + wanted] == nil,
      pieces[start + wanted] == pieces[start]
    {
      if Int64(start + wanted - delivered) < window { allowed += 1 }
      wanted += 1
    }
    guard allowed == wanted || start == delivered else { return nil }
    return first + Int64(start)..<first + Int64(start + allowed)
  }

  /// What `adopt` must answer.
  func mayAdopt(_ range: Range<Int64>, on lane: Int) -> Bool {
    guard let start = owners[delivered...].firstIndex(of: nil), range.lowerBound == first + Int64(start),
      !range.isEmpty, range.count <= owners.count - start
    else { return false }
    let taken = start..<start + range.count
    return owners[taken].allSatisfy { $0 == nil } && pieces[taken].allSatisfy { $0 == pieces[start] }
      && !owners[taken.upperBound...].contains { $0?.lane == lane }
  }

  mutating func give(_ range: Range<Int64>, to lane: Int) {
    requests += 1
    for byte in range { owners[Int(byte - first)] = Owner(lane: lane, request: requests) }
  }

  mutating func didDeliver(_ count: Int64) { delivered += Int(count) }

  /// All of `lane` from `end` on is free again; what is delivered is nobody's.
  mutating func cut(_ lane: Int, to end: Int64) {
    for index in delivered..<owners.count where owners[index]?.lane == lane && first + Int64(index) >= end {
      owners[index] = nil
    }
  }

  mutating func release(_ range: Range<Int64>) {
    for byte in range { owners[Int(byte - first)] = nil }
  }
}
