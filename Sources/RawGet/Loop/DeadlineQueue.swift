internal import Posix

/// Until when each place waits, the earliest first: a binary heap that knows where in it each place is.
///
/// To set a deadline and to take the first one cost the logarithm of how many there are. It has room for every place
/// that ever was in it.
struct DeadlineQueue {
  private struct Entry {
    let place: Int
    var deadline: Instant
  }
  private var heap: [Entry] = []
  /// Where in the heap a place is; -1 for nowhere.
  private var indices: [Int] = []

  /// The earliest of all; nil when nothing is waited for.
  var first: Instant? { heap.first?.deadline }

  /// Sets or changes the deadline of a place.
  mutating func set(_ place: Int, to deadline: Instant) {
    while indices.count <= place { indices.append(-1) }
    var index = indices[place]
    if index < 0 {
      index = heap.count
      heap.append(Entry(place: place, deadline: deadline))
      indices[place] = index
    } else {
      heap[index].deadline = deadline
    }
    settle(index)
  }

  mutating func remove(_ place: Int) {
    guard place < indices.count, indices[place] >= 0 else { return }
    let index = indices[place]
    indices[place] = -1
    let last = heap.removeLast()
    guard index < heap.count else { return }  // it was the last one itself
    put(last, at: index)
    settle(index)
  }

  /// A place whose deadline has come, which is out of the queue then; nil when there is none.
  mutating func takeFirst(dueAt now: Instant) -> Int? {
    guard let first = heap.first, first.deadline <= now else { return nil }
    remove(first.place)
    return first.place
  }

  /// Moves the entry to where its deadline belongs: up as far as later ones are above it, else down below earlier ones.
  private mutating func settle(_ start: Int) {
    var index = start
    while index > 0, heap[index].deadline < heap[(index - 1) / 2].deadline {
      exchange(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
    while let child = earlierChild(of: index), heap[child].deadline < heap[index].deadline {
      exchange(index, child)
      index = child
    }
  }

  private func earlierChild(of index: Int) -> Int? {
    let (left, right) = (2 * index + 1, 2 * index + 2)
    guard left < heap.count else { return nil }
    return right < heap.count && heap[right].deadline < heap[left].deadline ? right : left
  }

  private mutating func exchange(_ one: Int, _ other: Int) {
    let entry = heap[one]
    put(heap[other], at: one)
    put(entry, at: other)
  }

  private mutating func put(_ entry: Entry, at index: Int) {
    heap[index] = entry
    indices[entry.place] = index
  }
}
