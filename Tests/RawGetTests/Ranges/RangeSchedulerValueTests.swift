import Testing

@testable import RawGet

/// What the scheduler says of itself, the ends of the numbers, and blocks of every size.
struct RangeSchedulerValueTests {
  @Test func tellsWhoIsHead() {
    var scheduler = RangeScheduler([0..<9], window: 9)
    #expect(scheduler.head == nil && scheduler.isStuck, "nobody has asked yet")
    _ = scheduler.assign(to: 4, length: 3)
    _ = scheduler.assign(to: 5, length: 3)
    #expect(scheduler.head == 4 && !scheduler.isStuck)
    scheduler.didDeliver(2)
    #expect(scheduler.head == 4, "one byte is left")
    scheduler.didDeliver(1)
    #expect(scheduler.head == 5)
    scheduler.release(5)
    #expect(scheduler.head == nil && scheduler.isStuck)
    _ = scheduler.assign(to: 4, length: 9)
    scheduler.didDeliver(6)
    #expect(scheduler.head == nil && !scheduler.isStuck && scheduler.isComplete, "complete is not stuck")
  }

  @Test func nothingIsCompleteAtOnce() {
    for pieces in [[], [0..<0], [7..<7, 7..<7]] as [[Range<Int64>]] {
      let scheduler = RangeScheduler(pieces, window: 1)
      #expect(scheduler.isComplete && !scheduler.isStuck && scheduler.head == nil && scheduler.outstanding == 0)
      #expect(scheduler.position == pieces.first?.lowerBound ?? 0)
    }
  }

  @Test func countsWhatIsOutstanding() {
    var scheduler = RangeScheduler([0..<9], window: 9)
    #expect(scheduler.outstanding == 0)
    _ = scheduler.assign(to: 0, length: 3)
    _ = scheduler.assign(to: 1, length: 4)
    #expect(scheduler.outstanding == 7)
    scheduler.didDeliver(2)
    #expect(scheduler.outstanding == 5, "delivered")
    scheduler.shorten(1, to: 5)
    #expect(scheduler.outstanding == 3, "free again")
    _ = scheduler.assign(to: 1, length: 4)
    scheduler.cut(1, to: 6)
    #expect(scheduler.outstanding == 4, "cut in its second block")
    scheduler.release(0)
    #expect(scheduler.outstanding == 3)
  }

  /// Whether any block could be had: what it may be good for depends on its length.
  @Test func knowsWorkOfAnyLength() {
    var scheduler = RangeScheduler([0..<9], window: 5)
    _ = scheduler.assign(to: 0, length: 3)
    #expect(scheduler.hasWork(for: nil) && scheduler.hasWork(for: 0) && scheduler.hasWork(for: 1))
    #expect(!scheduler.hasWork(for: nil, length: 3), "a sliver of it")
    _ = scheduler.assign(to: 1, length: 2)
    #expect(!scheduler.hasWork(for: nil), "the window is full")
    scheduler.release(0)
    #expect(scheduler.hasWork(for: nil) && scheduler.hasWork(for: 0), "what is free is before that of 1")
    #expect(!scheduler.hasWork(for: 1))
  }

  @Test(arguments: [1, 2, 1 << 40, .max - 1, .max] as [Int64]) func nothingOverflows(_ window: Int64) {
    var scheduler = RangeScheduler([0..<Int64.max], window: window)
    let first = scheduler.assign(to: 0, length: .max)
    #expect(first == 0..<window)
    scheduler.didDeliver(window - 1)
    #expect(scheduler.outstanding == 1)
    scheduler.cut(0, to: window - 1)
    let second = scheduler.assign(to: 1, length: .max)
    #expect(second?.lowerBound == window - 1)
    scheduler.release(1)
    #expect(scheduler.outstanding == 0 && scheduler.isStuck)
  }

  @Test(arguments: [1, 10, .max] as [Int64]) func theLastByteThereCanBe(_ window: Int64) {
    let (start, end) = (Int64.max - 10, Int64.max)
    var scheduler = RangeScheduler([start..<end - 4, end - 4..<end], window: window)
    while let block = scheduler.assign(to: 0, length: .max) {
      #expect(block.lowerBound == scheduler.position)
      scheduler.shorten(0, to: block.upperBound)
      scheduler.didDeliver(block.upperBound - block.lowerBound)
    }
    #expect(scheduler.isComplete && scheduler.position == end)
    scheduler.release(0)
    let isAdopted = scheduler.adopt(start..<end, on: 0)
    #expect(!isAdopted)
  }

  /// T2, S0-7: of each length in blocks of each size, with one request at a time and with several.
  @Test(arguments: [1, 2, 8]) func blocksCoverTheContentExactly(_ depth: Int) {
    var wrong: [String] = []
    for total in 0...300 as ClosedRange<Int64> {
      for size in 1...300 as ClosedRange<Int64> {
        let blocks = Self.blocks(total: total, size: size, depth: depth)
        let firsts = stride(from: 0, to: total, by: Int(size))
        if blocks != firsts.map({ $0..<min($0 + size, total) }) { wrong.append("\(total) by \(size): \(blocks)") }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(3))")
  }

  /// What one lane asks for that has `depth` requests on the wire.
  private static func blocks(total: Int64, size: Int64, depth: Int) -> [Range<Int64>] {
    var scheduler = RangeScheduler([0..<total], window: .max)
    var blocks: [Range<Int64>] = []
    var delivered = 0
    while true {
      while blocks.count - delivered < depth, let block = scheduler.assign(to: 0, length: size) { blocks.append(block) }
      if delivered == blocks.count { return blocks }
      scheduler.didDeliver(Int64(blocks[delivered].count))
      delivered += 1
    }
  }

  /// A driver that gets these wrong has lost count of its bytes: better no file than a mixed one.
  @Test func aLostCountStopsTheProcess() async {
    await #expect(processExitsWith: .failure, "more than the block") {
      var scheduler = RangeScheduler([0..<9], window: 9)
      _ = scheduler.assign(to: 0, length: 3)
      scheduler.didDeliver(4)
    }
    await #expect(processExitsWith: .failure, "bytes that nobody has") {
      var scheduler = RangeScheduler([0..<9], window: 9)
      scheduler.didDeliver(1)
    }
    await #expect(processExitsWith: .failure, "an end behind the block") {
      var scheduler = RangeScheduler([0..<9], window: 9)
      _ = scheduler.assign(to: 0, length: 3)
      scheduler.shorten(0, to: 4)
    }
    await #expect(processExitsWith: .failure, "an end before what is delivered") {
      var scheduler = RangeScheduler([0..<9], window: 9)
      _ = scheduler.assign(to: 0, length: 3)
      scheduler.didDeliver(2)
      scheduler.shorten(0, to: 1)
    }
    await #expect(processExitsWith: .failure, "an end of what nobody has") {
      var scheduler = RangeScheduler([0..<9], window: 9)
      scheduler.shorten(0, to: 0)
    }
  }
}
