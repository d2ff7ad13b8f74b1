import Posix
import Testing

@testable import RawGet

/// Which deadline is the next one, held against a plain list.
struct DeadlineQueueTests {
  private static func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

  /// What can happen to the queue. A deadline may be set anew, earlier or later; equal ones come in any order.
  enum Step {
    case set(Int, Int64)
    case remove(Int)
    case take(Int64)

    static func random(_ generator: inout SeededGenerator) -> Step {
      let place = Int.random(in: 0..<12, using: &generator)
      let time = Int64.random(in: 0..<20, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: return .remove(place)
      case 1: return .take(time)
      default: return .set(place, time)
      }
    }
  }

  @Test(arguments: 0..<200) func isWhatAListWouldBe(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var queue = DeadlineQueue()
    var list: [Int: Int64] = [:]
    for _ in 0..<300 {
      switch Step.random(&generator) {
      case .set(let place, let time):
        queue.set(place, to: Self.at(time))
        list[place] = time
      case .remove(let place):
        queue.remove(place)
        list[place] = nil
      case .take(let time):
        let taken = queue.takeFirst(dueAt: Self.at(time))
        if let least = list.values.min(), least <= time {
          guard let taken else {
            Issue.record("seed \(seed): \(least) is due at \(time)")
            return
          }
          #expect(list[taken] == least, "seed \(seed): the earliest first")
          list[taken] = nil
        } else {
          #expect(taken == nil, "seed \(seed): nothing is due")
        }
      }
      #expect(queue.first?.nanoseconds == list.values.min(), "seed \(seed)")
    }
  }

  @Test func comeInTheOrderOfTheirTime() {
    var queue = DeadlineQueue()
    for place in 0..<1_000 { queue.set(place, to: Self.at(Int64(place * 7_919 % 1_000))) }
    for place in stride(from: 0, to: 1_000, by: 2) { queue.set(place, to: .distantFuture) }
    var taken: [Int] = []
    while let place = queue.takeFirst(dueAt: Self.at(1_000)) { taken.append(place) }
    let expected = stride(from: 1, to: 1_000, by: 2).sorted { $0 * 7_919 % 1_000 < $1 * 7_919 % 1_000 }
    #expect(taken == expected)
    #expect(queue.first == .distantFuture, "those that never come are still in it")
  }

  @Test func anEmptyOneHasNothing() {
    var queue = DeadlineQueue()
    #expect(queue.first == nil)
    #expect(queue.takeFirst(dueAt: .distantFuture) == nil)
    queue.remove(3)
    queue.set(3, to: Self.at(5))
    queue.remove(3)
    #expect(queue.first == nil)
  }
}
