import Posix

@testable import RawGet

/// A lane whose answers have heads of 100 to 1,100 bytes, drawn by lot; what `LaneArrival` says of it is compared with
/// what came.
struct SimulatedArrival {
  private struct Answer {
    let head: Int64  // bytes
    var content: Int64  // bytes
    var length: Int64 { head + content }
  }
  private var arrival: LaneArrival
  private var answers: [Answer] = []
  private var read: Int64 = 0  // bytes of the first answer
  private var unread: Int64 = 0  // bytes
  private var now = Instant(nanoseconds: 0)
  private var random: SeededGenerator
  private var asked: Int64 = 0  // bytes of content, of all answers that were not taken back
  private var told: Int64 = 0  // bytes of content
  private(set) var toldCount = 0
  private(set) var faults: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    arrival = LaneArrival(now: now)
  }

  mutating func advance() {
    now = now + .milliseconds(Int.random(in: 0...30, using: &random))
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: ask()
    case 2..<6: come()
    case 6..<9: look()
    case 9, 10: readSome()
    default: Bool.random(using: &random) ? cut() : shorten()
    }
    check()
  }

  private var toCome: Int64 { answers.reduce(0) { $0 + $1.length } - read - unread }

  private mutating func ask() {
    guard answers.count < 8 else { return }
    let content = Int64.random(in: 20_000...500_000, using: &random)
    answers.append(Answer(head: .random(in: 100...1_100, using: &random), content: content))
    asked += content
    arrival.didAsk(for: content, now: now)
  }

  private mutating func come() { unread += .random(in: 0...min(toCome, 300_000), using: &random) }

  private mutating func look() {
    take(arrival.look(read: read, unread: unread, spell: .milliseconds(50), now: now))
    if arrival.arrived < read + unread { faults.append("\(arrival.arrived) are fewer than \(read) and \(unread)") }
    // Each head is at most 1,000 bytes longer or shorter than supposed.
    let (missing, error) = (arrival.missing, Int64(answers.count) * 1_000)
    if missing < max(toCome - error, 0) || missing > toCome + error { faults.append("\(missing) missing of \(toCome)") }
  }

  private mutating func readSome() {
    guard let first = answers.first else { return }
    let count = Bool.random(using: &random) ? min(unread, first.length - read) : min(unread, first.length - read) / 2
    unread -= count
    read += count
    guard read == first.length else { return }
    read = 0
    answers.removeFirst()
    take(arrival.didRead(all: first.length, now: now))
  }

  /// As when the head of the first answer says so: nothing else of it has come.
  private mutating func shorten() {
    guard answers.count > 0, read + unread <= answers[0].head else { return }
    let content = Int64.random(in: 1...answers[0].content, using: &random)
    asked -= answers[0].content - content
    answers[0].content = content
    arrival.didShorten(to: content)
  }

  /// The last answer is not wanted any more: as when nothing of it has come.
  private mutating func cut() {
    guard let last = answers.last, answers.count > 1, toCome >= last.length else { return }
    answers.removeLast()
    asked -= last.content
    arrival.didCut(keeping: answers.count, last: answers[answers.count - 1].content)
  }

  private mutating func take(_ whole: (bytes: Int64, time: Duration)?) {
    guard let whole else { return }
    told += whole.bytes
    toldCount += 1
    if whole.bytes <= 0 || whole.time < .zero { faults.append("\(whole)") }
    if told > asked { faults.append("\(told) of \(asked) bytes were told") }
  }

  private mutating func check() {
    guard let (index, sight) = arrival.sight(isFull: false, taken: nil, now: now) else { return }
    guard answers.indices.contains(index) else { return faults.append("answer \(index) of \(answers.count)") }
    if sight.received < 0 || sight.left < 0 || sight.received + sight.left != answers[index].content {
      faults.append("\(sight) of \(answers[index].content)")
    }
    if sight.rate < 0 || sight.since > now || sight.lastByte > now { faults.append("\(sight) at \(now)") }
  }
}
