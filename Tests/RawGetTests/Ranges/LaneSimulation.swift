@testable import RawGet

/// A download over lanes that are fast, slow, cut, answered with less and ended, without a network: each tick brings
/// each lane some bytes of its answers, which wait there until they are next for the sink.
struct LaneSimulation {
  /// A connection. It knows what it was asked for, not what the scheduler thinks that it has.
  private struct Lane {
    var answers: [Range<Int64>] = []  // the first without what was read
    var received: Int64 = 0  // unread bytes
    let speed: Int64  // bytes a tick
    var unread: Int64 { answers.reduce(0) { $0 + Int64($1.count) } }
  }
  private let download: SimulatedDownload
  private var scheduler: RangeScheduler
  private var lanes: [Lane]
  private var random: SeededGenerator
  private var disturbances = 0
  /// What the sink got, in its order.
  private(set) var sink: [Range<Int64>] = []
  private(set) var faults: [String] = []
  /// How often all lanes waited for a byte that none of them had, so that one had to end.
  private(set) var rescues = 0

  init(_ download: SimulatedDownload, random: SeededGenerator) {
    self.download = download
    self.random = random
    scheduler = RangeScheduler(download.pieces, window: download.window)
    lanes = download.speeds.map { Lane(speed: $0) }
  }

  /// Each tick delivers a byte, unless it brings a disturbance.
  mutating func run() {
    let total = download.pieces.reduce(Int64(0)) { $0 + Int64($1.count) }
    let bound = total + Int64(download.disturbances)
    var ticks: Int64 = 0
    while !scheduler.isComplete, faults.isEmpty {
      ask()
      for lane in lanes.indices {
        lanes[lane].received = min(lanes[lane].received + lanes[lane].speed, lanes[lane].unread)
      }
      if disturbances < download.disturbances, Int.random(in: 0..<4, using: &random) == 0 { disturb() }
      deliver()
      ticks += 1
      if ticks > bound { faults.append("no end after \(ticks) ticks") }
    }
  }

  private mutating func ask() {
    if scheduler.isStuck, lanes.allSatisfy({ !$0.answers.isEmpty }), let last = lanes.indices.max(by: isBefore) {
      end(last)
      rescues += 1
    }
    for lane in lanes.indices.shuffled(using: &random) {
      while lanes[lane].answers.count < download.depth,
        let block = scheduler.assign(to: lane, length: download.length)
      {
        if block.isEmpty || block.count > download.length { faults.append("\(block) is not of the length") }
        if block.upperBound - scheduler.position > download.window { faults.append("\(block) is behind the window") }
        if !download.pieces.contains(where: { $0.clamped(to: block) == block }) { faults.append("\(block) crosses") }
        lanes[lane].answers.append(block)
      }
    }
    if scheduler.isStuck { faults.append("nobody took the byte at \(scheduler.position)") }
  }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    (lanes[one].answers.first?.lowerBound ?? 0) < (lanes[other].answers.first?.lowerBound ?? 0)
  }

  /// As long as the next byte has come, whichever lane has it.
  private mutating func deliver() {
    while let head = scheduler.head, lanes[head].received > 0 {
      guard let answer = lanes[head].answers.first, answer.lowerBound == scheduler.position else {
        faults.append("the head \(head) would read \(lanes[head].answers), not \(scheduler.position)")
        return
      }
      let count = Int64.random(in: 1...min(lanes[head].received, Int64(answer.count)), using: &random)
      sink.append(answer.lowerBound..<answer.lowerBound + count)
      scheduler.didDeliver(count)
      lanes[head].received -= count
      lanes[head].answers[0] = answer.lowerBound + count..<answer.upperBound
      if lanes[head].answers[0].isEmpty { lanes[head].answers.removeFirst() }
    }
  }

  private mutating func disturb() {
    guard let lane = lanes.indices.filter({ !lanes[$0].answers.isEmpty }).randomElement(using: &random) else { return }
    disturbances += 1
    switch Int.random(in: 0..<3, using: &random) {
    case 0: end(lane)
    case 1: cut(lane)
    default:
      let answer = lanes[lane].answers[0]
      let end = Int64.random(in: answer.lowerBound...answer.upperBound, using: &random)
      scheduler.shorten(lane, to: end)
      lanes[lane].answers[0] = answer.lowerBound..<end
      if lanes[lane].answers[0].isEmpty { lanes[lane].answers.removeFirst() }
    }
    lanes[lane].received = min(lanes[lane].received, lanes[lane].unread)
  }

  /// A slow one: its rest is asked on another, and it closes after its part, which may be more than one answer.
  private mutating func cut(_ lane: Int) {
    let answers = lanes[lane].answers
    guard let first = answers.first, let last = answers.last else { return }
    let end = Int64.random(in: first.lowerBound...last.upperBound, using: &random)
    scheduler.cut(lane, to: end)
    lanes[lane].answers = answers.filter { $0.lowerBound < end }.map { $0.lowerBound..<min($0.upperBound, end) }
  }

  private mutating func end(_ lane: Int) {
    scheduler.release(lane)
    lanes[lane].answers = []
    lanes[lane].received = 0
  }
}
