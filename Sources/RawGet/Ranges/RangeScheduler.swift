/// Who fetches which byte range (RFC 9110 §14.1.2) of one download, so that content reaches the sink only in order.
///
/// A *lane* is one of the connections of the download, a *block* what one request asks for; `position` is the next
/// byte for the sink. What is not yet delivered is a row of segments, each with its lane or free:
///
///     free ──assign, adopt──▶ a lane's block ──didDeliver──▶ gone
///       ▲                           │
///       └──shorten, cut, release────┘
///
/// A lane's answers come in the order of its requests (RFC 9112 §9.3.2), and are read only once `position` is in them.
/// So a lane never gets a block before one that it has: its answer would wait for bytes that wait for it.
struct RangeScheduler {
  private struct Segment {
    let piece: Int
    var lane: Int?  // nil: free
    var range: Range<Int64>  // never empty
    var isFree: Bool { lane == nil }
  }
  /// All from `position` to the end. Free neighbours of one piece are one segment: there are at most as many as
  /// pieces and twice the blocks.
  private var segments: [Segment] = []
  private let window: Int64  // bytes

  /// The next byte for the sink; all before it is delivered.
  private(set) var position: Int64

  /// - Parameters:
  ///   - pieces: What is to be fetched, each from where the one before it ends. No block crosses from one to the next.
  ///   - window: In bytes, at least 1. No block is assigned that ends further than this behind `position`.
  init(_ pieces: [Range<Int64>], window: Int64) {
    precondition(window > 0)
    self.window = window
    position = pieces.first?.lowerBound ?? 0
    precondition(position >= 0)
    var end = position
    for (index, piece) in pieces.enumerated() {
      precondition(piece.lowerBound == end)
      end = piece.upperBound
      if !piece.isEmpty { segments.append(Segment(piece: index, lane: nil, range: piece)) }
    }
  }

  var isComplete: Bool { segments.isEmpty }

  /// The lane whose first block holds `position`; nil when nobody has it.
  var head: Int? { segments.first?.lane }

  /// Nobody has the next byte, though it is missing. Only a lane without blocks can help: all others are behind.
  var isStuck: Bool { segments.first?.isFree ?? false }

  /// Handed out and not delivered, in bytes.
  var outstanding: Int64 {
    segments.reduce(0) { $1.isFree ? $0 : $0 + ($1.range.upperBound - $1.range.lowerBound) }
  }

  /// In order; of the one at `position`, only what is not delivered.
  func blocks(of lane: Int) -> [Range<Int64>] { segments.filter { $0.lane == lane }.map { $0.range } }

  /// Whether `assign` would have a block for `lane`, or for one without blocks (nil).
  func hasWork(for lane: Int?, length: Int64 = 1) -> Bool { next(for: lane, length: length) != nil }

  /// The next block for `lane`: the lowest free bytes behind its last block, at most `length` (> 0).
  /// nil when there are none, or the window would cut the block short: that makes a request of a few bytes out of each
  /// delivery. At `position` it may, so that there is always progress.
  mutating func assign(to lane: Int, length: Int64) -> Range<Int64>? {
    guard let (index, block) = next(for: lane, length: length) else { return nil }
    take(block, at: index, for: lane)
    return block
  }

  /// The first response was asked for before there was a scheduler: `lane` has `range`, whatever the window.
  /// False, and nothing done, unless it is at the front of the free bytes and inside one piece.
  mutating func adopt(_ range: Range<Int64>, on lane: Int) -> Bool {
    guard !range.isEmpty, let index = firstFree(for: nil), index == firstFree(for: lane),
      range.lowerBound == segments[index].range.lowerBound, range.upperBound <= segments[index].range.upperBound
    else { return false }
    take(range, at: index, for: lane)
    return true
  }

  /// The sink has `count` bytes more: of the head's first block, and no more than that.
  mutating func didDeliver(_ count: Int64) {
    guard let first = segments.first, !first.isFree else { preconditionFailure() }
    precondition(count >= 0 && count <= first.range.upperBound - position)
    position += count
    segments[0].range = position..<first.range.upperBound
    if segments[0].range.isEmpty { segments.removeFirst() }
  }

  /// The lane's first block ends at `end`: a server may send less than it was asked for (RFC 9110 §15.3.7).
  /// The rest is free again; the blocks behind it stay.
  mutating func shorten(_ lane: Int, to end: Int64) {
    free(end..<firstBlock(of: lane, endingAt: end).upperBound, of: lane)
  }

  /// A slow lane keeps what it has before `end`: the rest is free again.
  mutating func cut(_ lane: Int, to end: Int64) { free(max(end, position)..<Int64.max, of: lane) }

  /// The lane ended: whatever it had and did not deliver is free again.
  mutating func release(_ lane: Int) { free(position..<Int64.max, of: lane) }

  /// The first free segment behind the last block of `lane`; of all, for one without blocks (nil).
  private func firstFree(for lane: Int?) -> Int? {
    var start = 0
    if let lane, let last = segments.lastIndex(where: { $0.lane == lane }) { start = last + 1 }
    return segments[start...].firstIndex { $0.isFree }
  }

  private func next(for lane: Int?, length: Int64) -> (index: Int, block: Range<Int64>)? {
    precondition(length > 0)
    guard let index = firstFree(for: lane) else { return nil }
    let range = segments[index].range
    let windowEnd = position + min(window, Int64.max - position)
    let end = range.lowerBound + min(length, range.upperBound - range.lowerBound)
    if end <= windowEnd { return (index, range.lowerBound..<end) }
    return range.lowerBound == position ? (index, position..<windowEnd) : nil
  }

  /// The front of a free segment becomes a block.
  private mutating func take(_ block: Range<Int64>, at index: Int, for lane: Int) {
    let segment = segments[index]
    let rest = block.upperBound..<segment.range.upperBound
    segments[index] = Segment(piece: segment.piece, lane: lane, range: block)
    if !rest.isEmpty { segments.insert(Segment(piece: segment.piece, lane: nil, range: rest), at: index + 1) }
  }

  private func firstBlock(of lane: Int, endingAt end: Int64) -> Range<Int64> {
    guard let block = segments.first(where: { $0.lane == lane })?.range else { preconditionFailure() }
    precondition(end >= block.lowerBound && end <= block.upperBound)
    return block
  }

  /// Takes from `lane` what it has in `freed`, which ends with a block or behind all.
  private mutating func free(_ freed: Range<Int64>, of lane: Int) {
    let before = segments
    segments.removeAll(keepingCapacity: true)
    for segment in before {
      guard segment.lane == lane, segment.range.overlaps(freed) else {
        append(segment)
        continue
      }
      let start = max(segment.range.lowerBound, freed.lowerBound)
      append(Segment(piece: segment.piece, lane: lane, range: segment.range.lowerBound..<start))
      append(Segment(piece: segment.piece, lane: nil, range: start..<segment.range.upperBound))
    }
  }

  /// To the last segment, if both are free and in one piece.
  private mutating func append(_ segment: Segment) {
    if segment.range.isEmpty { return }
    if let last = segments.last, last.isFree, segment.isFree, last.piece == segment.piece {
      segments[segments.count - 1].range = last.range.lowerBound..<segment.range.upperBound
    } else {
      segments.append(segment)
    }
  }
}
