/// The places of jobs that have something to do, in the order in which they came to have it: so all have their turn.
///
/// A class, because a job that its owner cancels gets in line by itself. A place is in it at most once.
final class DueQueue {
  /// The front of the queue, of which so many have been taken, and what came after it: neither grows beyond the jobs.
  private var front: [Int] = []
  private var takenCount = 0
  private var back: [Int] = []

  var isEmpty: Bool { takenCount == front.count && back.isEmpty }

  func append(_ place: Int) { back.append(place) }

  /// The place that waited longest; nil when none waits.
  func takeFirst() -> Int? {
    if takenCount == front.count {
      takenCount = 0
      front.removeAll(keepingCapacity: true)
      swap(&front, &back)
    }
    guard takenCount < front.count else { return nil }
    takenCount += 1
    return front[takenCount - 1]
  }
}
