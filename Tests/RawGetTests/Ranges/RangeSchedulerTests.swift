import Testing

@testable import RawGet

/// Who has which bytes after a few steps, as a picture of them.
struct RangeSchedulerTests {
  enum Step: Sendable {
    case assign(Int, Int64)
    /// Must be refused.
    case refuse(Int, Int64)
    case adopt(Range<Int64>, Int)
    case refuseAdoption(Range<Int64>, Int)
    case deliver(Int64)
    case shorten(Int, Int64)
    case cut(Int, Int64)
    case release(Int)
  }

  /// In a picture: `-` is delivered, `.` free, a letter the lane (0 is `a`), a capital the first byte of a block.
  struct Row: Sendable {
    let pieces: [Int64]  // bytes
    let window: Int64  // bytes
    let steps: [Step]
    let picture: String
    let because: String

    init(_ pieces: [Int64], window: Int64 = 100, _ steps: [Step], _ picture: String, _ because: String) {
      (self.pieces, self.window, self.steps, self.picture, self.because) = (pieces, window, steps, picture, because)
    }
  }

  static let assignments = [
    Row([10], [], "..........", "nobody has anything at first"),
    Row([10], [.assign(0, 4), .assign(1, 4), .assign(2, 4)], "AaaaBbbbCc", "T2: the last block ends with the content"),
    Row([8], [.assign(0, 4), .assign(1, 4), .refuse(2, 4)], "AaaaBbbb", "T2: and none begins behind it"),
    Row([8], [.assign(0, 9)], "Aaaaaaaa", "longer than all"),
    Row([8], [.assign(0, .max)], "Aaaaaaaa", "as long as can be"),
    Row([1], [.assign(0, 1), .refuse(0, 1)], "A", "one byte"),
    Row([], [.refuse(0, 1)], "", "no pieces"),
    Row([0, 0], [.refuse(0, 1)], "", "pieces of nothing"),
    Row(
      [9], [.assign(0, 2), .assign(1, 3), .assign(0, 4)], "AaBbbAaaa", "requests ahead are behind the lane's others"),
    Row(
      [4, 0, 5], [.assign(0, 6), .assign(1, 6), .refuse(2, 6)], "AaaaBbbbb", "no block crosses into the next piece"),
    Row(
      [4, 5], [.assign(0, 3), .assign(0, 3), .assign(0, 3)], "AaaAAaa..", "each piece begins with a block of its own"),
    Row([9], [.assign(7, 2), .deliver(2), .assign(7, 2)], "--Hh.....", "a block that is delivered is gone"),
    Row(
      [9], [.assign(0, 4), .deliver(1), .deliver(0), .deliver(2)], "---A.....", "bytes come one by one or none at all"),
  ]

  static let windows = [
    Row([9], window: 5, [.assign(0, 5), .refuse(1, 1)], "Aaaaa....", "full"),
    Row(
      [9], window: 5, [.assign(0, 3), .refuse(1, 3), .assign(1, 2)], "AaaBb....", "no slivers: what is left is not 3"),
    Row([9], window: 5, [.assign(0, 6), .refuse(1, 1)], "Aaaaa....", "at the position it may be cut"),
    Row([9], window: 1, [.assign(0, 9), .deliver(1), .assign(1, 9)], "-B.......", "always progress"),
    Row([9], window: 5, [.assign(0, 3), .deliver(1), .assign(1, 3)], "-AaBbb...", "moves with each byte delivered"),
    Row([5], window: 5, [.assign(0, 3), .assign(1, 3)], "AaaBb", "cut by the end, not by the window"),
    Row([5], window: 4, [.assign(0, 3), .refuse(1, 3)], "Aaa..", "cut by the window, and by the end later"),
    Row([9], window: .max, [.assign(0, 3), .deliver(3), .assign(1, .max)], "---Bbbbbb", "no window at all"),
    Row([9], window: 2, [.adopt(0..<6, 0), .refuse(1, 1)], "Aaaaaa...", "what was adopted is under way already"),
  ]

  static let adoptions = [
    Row([9], [.adopt(0..<4, 3), .assign(3, 2)], "DdddDd...", "the first response"),
    Row([9], [.adopt(0..<9, 0)], "Aaaaaaaaa", "all of it"),
    Row([9], [.refuseAdoption(0..<10, 0)], ".........", "behind the end"),
    Row([9], [.refuseAdoption(1..<4, 0)], ".........", "not at the front"),
    Row([9], [.refuseAdoption(0..<0, 0)], ".........", "nothing"),
    Row([4, 5], [.refuseAdoption(0..<5, 0)], ".........", "across pieces"),
    Row([4], [.adopt(0..<4, 0), .refuseAdoption(0..<4, 1)], "Aaaa", "not free"),
    Row([9], [.adopt(0..<4, 0), .adopt(4..<6, 1)], "AaaaBb...", "the front of what is free"),
    Row([9], [.adopt(0..<4, 0), .deliver(4), .refuseAdoption(0..<4, 0)], "----.....", "delivered"),
    Row(
      [9], [.assign(0, 2), .assign(1, 2), .release(0), .refuseAdoption(0..<2, 1)], "..Bb.....",
      "below what the lane has"),
    Row([], [.refuseAdoption(0..<1, 0)], "", "where there is nothing"),
  ]

  static let returns = [
    Row([9], [.assign(0, 6), .shorten(0, 2)], "Aa.......", "a server that sends less"),
    Row([9], [.assign(0, 6), .shorten(0, 6)], "Aaaaaa...", "shortened to its end"),
    Row([9], [.assign(0, 6), .shorten(0, 0)], ".........", "shortened to nothing"),
    Row([9], [.assign(0, 6), .deliver(2), .shorten(0, 2)], "--.......", "to what is delivered"),
    Row([9], [.assign(0, 3), .assign(0, 3), .shorten(0, 1)], "A..Aaa...", "what is asked for behind it still comes"),
    Row([9], [.assign(0, 3), .assign(0, 3), .shorten(0, 3)], "AaaAaa...", "where the next block begins"),
    Row([9], [.assign(0, 3), .assign(1, 3), .shorten(1, 4)], "AaaB.....", "not the head"),
    Row([9], [.assign(0, 3), .assign(1, 3), .assign(0, 3), .release(0)], "...Bbb...", "the head ended"),
    Row(
      [9], [.assign(0, 3), .deliver(1), .release(0), .assign(1, 4)], "-Bbbb....", "from the next byte on, and as one"),
    Row([9], [.assign(0, 3), .assign(1, 3), .release(1)], "Aaa......", "another ended"),
    Row([9], [.assign(0, 3), .release(1)], "Aaa......", "one that had nothing"),
    Row([3, 3], [.assign(0, 3), .assign(0, 3), .release(0), .assign(1, 6)], "Bbb...", "pieces do not become one"),
  ]

  /// `a` has two blocks, `b` one between them.
  private static let three: [Step] = [.assign(0, 3), .assign(1, 3), .assign(0, 3)]

  static let cuts = [
    Row([9], three + [.cut(0, 1)], "A..Bbb...", "in the first block: nothing of the other is kept"),
    Row([9], three + [.cut(0, 3)], "AaaBbb...", "where the first ends"),
    Row([9], three + [.cut(0, 5)], "AaaBbb...", "between its blocks"),
    Row([9], three + [.cut(0, 6)], "AaaBbb...", "where the second begins"),
    Row([9], three + [.cut(0, 7)], "AaaBbbA..", "in the second: all of the first is kept"),
    Row([9], three + [.cut(0, 9)], "AaaBbbAaa", "at the end of all"),
    Row([9], three + [.cut(0, .max)], "AaaBbbAaa", "behind the end of all"),
    Row([9], three + [.cut(0, 0)], "...Bbb...", "to nothing"),
    Row([9], three + [.deliver(2), .cut(0, 0)], "--.Bbb...", "before the position: to what is delivered"),
    Row([9], three + [.deliver(3), .cut(0, 4)], "---Bbb...", "behind the position, before what it has"),
    Row([9], three + [.cut(1, 4)], "AaaB..Aaa", "the one between them"),
    Row([9], three + [.cut(1, 1)], "Aaa...Aaa", "before all that it has"),
    Row([9], three + [.cut(2, 0)], "AaaBbbAaa", "one that has nothing"),
    Row([9], [.cut(0, 3)], ".........", "when nobody has anything"),
    Row([], [.cut(0, 0)], "", "where there is nothing"),
    Row([9], [.assign(0, 3), .assign(0, 3), .cut(0, 4)], "AaaA.....", "of two neighbours, in the second"),
    Row([9], [.assign(0, 3), .assign(0, 3), .cut(0, 2)], "Aa.......", "of two neighbours, in the first"),
    Row([9], three + [.cut(0, 7), .assign(0, 9)], "AaaBbbAAa", "it can be asked again, behind what it keeps"),
    Row([9], three + [.cut(0, 1), .assign(2, 9)], "ACcBbb...", "what is free before a block is a gap"),
    Row([9], three + [.cut(0, 1), .assign(1, 2)], "A..BbbBb.", "which is not for the lane behind it"),
    Row(
      [9], [.assign(0, 3), .deliver(1), .cut(0, 2), .assign(1, 9)], "-ABbbbbbb", "the rest is one with what follows"),
    Row([3, 6], [.assign(0, 3), .assign(0, 6), .cut(0, 2), .assign(1, 9)], "AaB......", "pieces do not become one"),
  ]

  static let orders = [
    Row(
      [9], [.assign(0, 3), .assign(1, 3), .release(0), .assign(1, 2)], "...BbbBb.",
      "the missing block is not for a lane that could not send it in time"),
    Row(
      [6], [.assign(0, 3), .assign(1, 3), .release(0), .refuse(1, 3), .assign(2, 3)], "CccBbb",
      "only a lane without blocks can help"),
    Row(
      [9], [.assign(0, 3), .assign(1, 3), .assign(2, 3), .release(1), .assign(0, 3)], "AaaAaaCcc",
      "one with lower blocks can, too"),
    Row(
      [9], [.assign(0, 3), .assign(1, 3), .shorten(0, 1), .assign(2, 9), .assign(0, 9)], "ACcBbbAaa",
      "a gap is filled with one block and no more"),
    Row(
      [9], window: 6, [.assign(0, 3), .assign(1, 3), .deliver(1), .release(0), .assign(2, 9)], "-CcBbb...",
      "whatever else is assigned in the window"),
  ]

  @Test(arguments: assignments + windows + adoptions + returns + cuts + orders) func hasThisPicture(_ row: Row) {
    var scheduler = RangeScheduler(Self.ranges(row.pieces), window: row.window)
    for step in row.steps { Self.take(step, &scheduler, row) }
    #expect(Self.picture(of: scheduler, count: row.pieces.reduce(0, +)) == row.picture, "\(row.because)")
  }

  private static func take(_ step: Step, _ scheduler: inout RangeScheduler, _ row: Row) {
    switch step {
    case .assign(let lane, let length):
      #expect(scheduler.hasWork(for: lane, length: length), "\(row.because)")
      let block = scheduler.assign(to: lane, length: length)
      #expect(block != nil, "\(row.because)")
    case .refuse(let lane, let length):
      #expect(!scheduler.hasWork(for: lane, length: length), "\(row.because)")
      let block = scheduler.assign(to: lane, length: length)
      #expect(block == nil, "\(row.because)")
    case .adopt(let range, let lane):
      let isAdopted = scheduler.adopt(range, on: lane)
      #expect(isAdopted, "\(row.because)")
    case .refuseAdoption(let range, let lane):
      let isAdopted = scheduler.adopt(range, on: lane)
      #expect(!isAdopted, "\(row.because)")
    case .deliver(let count): scheduler.didDeliver(count)
    case .shorten(let lane, let end): scheduler.shorten(lane, to: end)
    case .cut(let lane, let end): scheduler.cut(lane, to: end)
    case .release(let lane): scheduler.release(lane)
    }
  }

  private static func ranges(_ lengths: [Int64]) -> [Range<Int64>] {
    var end: Int64 = 0
    return lengths.map { length in
      defer { end += length }
      return end..<end + length
    }
  }

  private static func picture(of scheduler: RangeScheduler, count: Int64) -> String {
    var letters = (0..<count).map { $0 < scheduler.position ? "-" : "." }
    for (lane, letter) in "abcdefgh".enumerated() {
      for block in scheduler.blocks(of: lane) {
        for byte in block { letters[Int(byte)] = byte == block.lowerBound ? letter.uppercased() : String(letter) }
      }
    }
    return letters.joined()
  }
}
