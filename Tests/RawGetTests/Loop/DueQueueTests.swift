import Testing

@testable import RawGet

/// Turns: first come, first served, whoever comes again goes to the end.
struct DueQueueTests {
  @Test func theirTurnIsInTheOrderInWhichTheyCame() {
    let queue = DueQueue()
    for place in [4, 1, 3] { queue.append(place) }
    #expect(queue.takeFirst() == 4)
    queue.append(4)
    queue.append(0)
    #expect((0..<4).map { _ in queue.takeFirst() } == [1, 3, 4, 0])
    #expect(queue.takeFirst() == nil)
  }

  @Test("nobody waits for longer than all others have one turn", arguments: 0..<50)
  func isFair(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let queue = DueQueue()
    var model: [Int] = []
    for _ in 0..<500 {
      let place = Int.random(in: 0..<20, using: &generator)
      if Bool.random(using: &generator), !model.contains(place) {
        queue.append(place)
        model.append(place)
      } else {
        #expect(queue.takeFirst() == (model.isEmpty ? nil : model.removeFirst()), "seed \(seed)")
      }
    }
  }
}
