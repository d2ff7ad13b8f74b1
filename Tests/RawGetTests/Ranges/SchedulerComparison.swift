@testable import RawGet

/// The scheduler beside the one that looks at each byte: the same is done to both, and both must say the same.
struct SchedulerComparison {
  struct Counts {
    var assigned = 0, refused = 0, adopted = 0, cutInLater = 0, stuck = 0, complete = 0
  }
  private let lanes: Range<Int>
  private let length: Int64  // bytes
  private let start: Int64
  private let end: Int64
  private var scheduler: RangeScheduler
  private var model: BytewiseScheduler
  private var random: SeededGenerator
  private(set) var counts = Counts()
  private(set) var faults: [String] = []

  init(_ download: SimulatedDownload, random: SeededGenerator) {
    lanes = download.speeds.indices
    length = download.length
    start = download.pieces.first?.lowerBound ?? 0
    end = download.pieces.last?.upperBound ?? 0
    scheduler = RangeScheduler(download.pieces, window: download.window)
    model = BytewiseScheduler(download.pieces, window: download.window)
    self.random = random
  }

  mutating func run(steps: Int) {
    for step in 0..<steps where !model.isComplete && faults.isEmpty {
      advance()
      compare()
      if !faults.isEmpty { faults.append("step \(step)") }
    }
    counts.complete += model.isComplete ? 1 : 0
  }

  private mutating func advance() {
    let lane = Int.random(in: lanes, using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<9: assign(lane)
    case 9..<12: deliver()
    case 12: shorten(lane)
    case 13: cut(lane, .random(in: lanes, using: &random))
    case 14:
      scheduler.release(lane)
      for block in model.blocks(of: lane) { model.release(block) }
    default: adopt(lane)
    }
    counts.stuck += scheduler.isStuck ? 1 : 0
  }

  private mutating func assign(_ lane: Int) {
    let lengths: [Int64] = [1, 2, 7, .max, length, length, length, length]
    let length = lengths.randomElement(using: &random) ?? 1
    let expected = model.next(for: lane, length: length)
    check("work of \(length)", scheduler.hasWork(for: lane, length: length), expected != nil)
    check("work", scheduler.hasWork(for: lane), model.next(for: lane, length: 1) != nil)
    check("block", scheduler.assign(to: lane, length: length), expected)
    if let expected { model.give(expected, to: lane) }
    if expected == nil { counts.refused += 1 } else { counts.assigned += 1 }
  }

  private mutating func adopt(_ lane: Int) {
    let start = model.next(for: lane, length: 1)?.lowerBound ?? model.position
    let range = start..<start + .random(in: 0...min(9, .max - start), using: &random)
    let isAllowed = range.upperBound <= end && model.mayAdopt(range, on: lane)
    check("adopted", scheduler.adopt(range, on: lane), isAllowed)
    guard isAllowed else { return }
    model.give(range, to: lane)
    counts.adopted += 1
  }

  /// A part of the head's block, or all that is left of it.
  private mutating func deliver() {
    guard let head = model.head, let block = model.blocks(of: head).first else { return }
    let all = Int64(block.count)
    let count = Bool.random(using: &random) ? all : Int64.random(in: 0...all, using: &random)
    scheduler.didDeliver(count)
    model.didDeliver(count)
  }

  private mutating func shorten(_ lane: Int) {
    guard let first = model.blocks(of: lane).first else { return }
    let end = Int64.random(in: first.lowerBound...first.upperBound, using: &random)
    model.release(end..<first.upperBound)
    scheduler.shorten(lane, to: end)
  }

  /// Anywhere: in a block of the lane, between two, before what is delivered, or behind the end of all. Of two lanes the
  /// one with more blocks is cut, and behind its first if that can be.
  private mutating func cut(_ one: Int, _ other: Int) {
    let lane = model.blocks(of: one).count < model.blocks(of: other).count ? other : one
    let blocks = model.blocks(of: lane)
    var end = [0, .max, Int64.random(in: start...end, using: &random)].randomElement(using: &random) ?? 0
    if Int.random(in: 0..<4, using: &random) > 0, let block = blocks.suffix(2).randomElement(using: &random) {
      end = .random(in: block.lowerBound...block.upperBound, using: &random)
    }
    counts.cutInLater += blocks.dropFirst().contains { $0.lowerBound < end && end < $0.upperBound } ? 1 : 0
    model.cut(lane, to: end)
    scheduler.cut(lane, to: end)
  }

  private mutating func compare() {
    check("position", scheduler.position, model.position)
    check("complete", scheduler.isComplete, model.isComplete)
    check("head", scheduler.head, model.head)
    check("stuck", scheduler.isStuck, model.head == nil && !model.isComplete)
    check("outstanding", scheduler.outstanding, model.outstanding)
    for lane in lanes { check("blocks", scheduler.blocks(of: lane), model.blocks(of: lane)) }
  }

  private mutating func check<Value: Equatable>(_ name: String, _ value: Value, _ expected: Value) {
    if value != expected { faults.append("\(name): \(value), not \(expected)") }
  }
}
