internal import Posix

/// How far the answers on a lane have come, read or not: what the system holds unread counts as well. Pure.
///
/// Everything is counted in bytes of the wire. How long an answer will be is known but for its head, which is taken to
/// be as long as the last one.
struct LaneArrival {
  /// The head of an answer, until one was seen.
  static let firstHeadLength: Int64 = 400  // bytes
  /// What heads of different lengths, and the records of TLS, make uncertain.
  static let slack: Int64 = 4_096  // bytes

  /// By so much the heads of one server differ.
  private static let headSlack: Int64 = 32  // bytes

  /// Of the last answer that was read to its end.
  private(set) var headLength = LaneArrival.firstHeadLength
  /// Of answers that were read to their end.
  private var done: Int64 = 0
  /// Lengths of the content of answers not yet read to their end, in the order of the requests.
  private var pending: [Int64] = []
  /// Answers of `pending` whose last byte has arrived.
  private var wholeCount = 0
  /// Bytes arrived, at the last look.
  private(set) var arrived: Int64 = 0
  /// When the first byte of the answer under way was seen; nil while none was.
  private var begun: Instant?
  /// When a byte last came, or was asked for when none was to come.
  private(set) var lastByte: Instant
  /// Two earlier looks, a spell apart: what came since the older one is the rate of now.
  private var marks: (older: Mark, newer: Mark)

  private struct Mark {
    let time: Instant
    let arrived: Int64  // bytes
  }

  init(now: Instant) {
    lastByte = now
    let mark = Mark(time: now, arrived: 0)
    marks = (mark, mark)
  }

  mutating func didAsk(for count: Int64, now: Instant) {
    if isDone { lastByte = now }  // nothing was to come before
    pending.append(count)
  }

  /// The first answer was read to its end, in so many bytes in all. Returned as by `look` if that is news.
  mutating func didRead(all count: Int64, now: Instant) -> (bytes: Int64, time: Duration)? {
    guard !pending.isEmpty else { return nil }
    let length = pending.removeFirst()
    headLength = max(count - length, 0)
    done += count
    if wholeCount > 0 {
      wholeCount -= 1
      return nil
    }
    defer { begun = nil }
    arrived = max(arrived, done)
    return begun.map { (length, now - $0) }
  }

  /// The first answer is shorter than was asked for.
  mutating func didShorten(to count: Int64) {
    if !pending.isEmpty { pending[0] = count }
  }

  /// Only so many answers are still wanted, and of the last one only so much of its content.
  mutating func didCut(keeping count: Int, last length: Int64) {
    pending.removeSubrange(min(count, pending.count)...)
    if !pending.isEmpty { pending[pending.count - 1] = length }
    wholeCount = min(wholeCount, pending.count)
  }

  private var asked: Int64 {
    var sum = done
    for count in pending { sum += count + headLength }
    return sum
  }

  /// Bytes that were asked for and have not arrived.
  var missing: Int64 { max(asked - arrived, 0) }

  /// Takes a look: `read` bytes of the answer under way were read, `unread` wait. What became whole since the last look
  /// is returned: its bytes, and the time from its first byte to its last.
  ///
  /// - Parameter spell: how long what comes is counted to say at which rate it does.
  mutating func look(read: Int64, unread: Int64, spell: Duration, now: Instant) -> (bytes: Int64, time: Duration)? {
    let count = done + read + unread
    if count > arrived {
      arrived = count
      lastByte = now
    }
    if now - marks.newer.time >= spell { marks = (marks.newer, Mark(time: now, arrived: arrived)) }
    var end = done
    var whole = 0
    var bytes: Int64 = 0
    for (index, length) in pending.enumerated() {
      guard arrived + LaneArrival.slack >= end + length + headLength else { break }
      end += length + headLength
      whole = index + 1
      if whole > wholeCount { bytes += length }
    }
    let beginsNext = arrived > end + LaneArrival.slack
    guard whole > wholeCount else {
      if begun == nil, beginsNext { begun = now }
      return nil
    }
    wholeCount = whole
    let since = begun
    begun = beginsNext ? now : nil
    return since.map { (bytes, now - $0) }
  }

  /// Nothing more comes: the answer that breaks off, the first of which there is nothing included, and what is here of its
  /// content at the least; the answers before it are whole.
  ///
  /// - Parameters:
  ///   - usualHead: the length of an answer's head, as others have it; nil where none was seen.
  ///   - isSecured: records are counted as well, of which a full one is longer than its content by a seven hundredth,
  ///     and what came before the first answer.
  func brokenOff(usualHead: Int64?, isSecured: Bool) -> (index: Int, received: Int64) {
    let head = done > 0 ? headLength : usualHead ?? LaneArrival.firstHeadLength
    let isKnown = done > 0 || usualHead != nil
    var rest = arrived - done
    var slack = isSecured ? LaneArrival.slack + rest / 128 : 0
    for (index, length) in pending.enumerated() {
      rest -= head
      slack += isKnown ? LaneArrival.headSlack : LaneArrival.firstHeadLength
      guard rest >= length - slack else { return (index, max(rest - slack, 0)) }
      rest = max(rest - length, 0)
    }
    return (pending.count, 0)
  }

  /// Nothing is to come, as far as can be told.
  var isDone: Bool { missing <= LaneArrival.slack }

  /// The answer that arrives at present, or is to; nil when none is.
  ///
  /// - Parameter taken: content of the first answer that was read, if that is all that came: then it is the first that is
  ///   waited for, however little of it is missing.
  func sight(isFull: Bool, taken: Int64?, now: Instant) -> (index: Int, sight: LanePace.Sight)? {
    let index = taken == nil ? wholeCount : 0
    guard index < pending.count else { return nil }
    var start = done
    for length in pending[..<index] { start += length + headLength }
    let received = min(max(taken ?? arrived - start - headLength, 0), pending[index])
    // TCP begins slowly, and the lane may have had nothing to do: the better of the two is its rate.
    let whole = LaneArrival.rate(of: received, since: begun ?? lastByte, now: now)
    let recent = LaneArrival.rate(of: arrived - marks.older.arrived, since: marks.older.time, now: now)
    let sight = LanePace.Sight(
      since: begun ?? lastByte, lastByte: lastByte, received: received, left: pending[index] - received,
      rate: max(whole, recent), isFull: isFull)
    return (index, sight)
  }

  /// Of less time than a few looks nothing can be said.
  private static func rate(of bytes: Int64, since: Instant, now: Instant) -> Int64 {
    now - since < .milliseconds(50) ? 0 : Pace.rate(of: bytes, in: now - since)
  }
}
