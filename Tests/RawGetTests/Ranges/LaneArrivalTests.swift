import Posix
import Testing

@testable import RawGet

/// How far a lane's answers have come. Each has a head of 400 bytes, as long as is supposed before one was seen; what
/// is within 4,096 bytes of an answer's end counts as its end.
struct LaneArrivalTests {
  /// What happens, at a millisecond.
  enum Event: Sendable {
    case ask(Int64)
    /// Bytes of the first answer that were read, and bytes that wait. Then what it tells: bytes and milliseconds.
    case look(read: Int64 = 0, unread: Int64, Whole? = nil)
    /// The first answer was read to its end, in so many bytes.
    case end(Int64, Whole? = nil)
    case shorten(Int64)
    case cut(keeping: Int, last: Int64)
  }

  struct Whole: Equatable, Sendable {
    let bytes: Int64, milliseconds: Int
    init(_ bytes: Int64, in milliseconds: Int) { (self.bytes, self.milliseconds) = (bytes, milliseconds) }
  }

  struct Row: Sendable {
    let events: [(at: Int, Event)]
    let missing: Int64  // in the end, bytes
    /// Which answer arrives then; nil for none.
    let index: Int?
    let because: String

    init(_ events: [(at: Int, Event)], missing: Int64, index: Int?, _ because: String) {
      (self.events, self.missing, self.index, self.because) = (events, missing, index, because)
    }
  }

  static let nothing = [
    Row([], missing: 0, index: nil, "nothing was asked for"),
    Row([(0, .look(unread: 9))], missing: 0, index: nil, "nor is it, whatever comes"),
    Row([(0, .end(9)), (0, .shorten(9)), (0, .cut(keeping: 1, last: 9))], missing: 0, index: nil, "nor has it an end"),
    Row([(0, .ask(100_000))], missing: 100_400, index: 0, "all of it, with its head"),
    Row([(0, .ask(100_000)), (1, .ask(50_000))], missing: 150_800, index: 0, "two of them"),
  ]

  static let wholes = [
    Row(
      [(0, .ask(100_000)), (50, .look(unread: 5_000)), (150, .look(unread: 96_304, Whole(100_000, in: 100)))],
      missing: 4_096, index: nil, "near enough, and from the first byte that was seen"),
    Row(
      [(0, .ask(100_000)), (50, .look(unread: 5_000)), (150, .look(unread: 96_303))], missing: 4_097, index: 0,
      "not near enough"),
    Row(
      [(0, .ask(100_000)), (50, .look(unread: 4_096)), (150, .look(unread: 100_400))], missing: 0, index: nil,
      "so little may have been another's: nobody saw when its own began"),
    Row(
      [(0, .ask(100_000)), (50, .look(unread: 4_097)), (150, .look(unread: 100_400, Whole(100_000, in: 100)))],
      missing: 0, index: nil, "what was seen first was its own"),
    Row([(0, .ask(100_000)), (50, .look(unread: 100_400))], missing: 0, index: nil, "nobody saw how long it took"),
    Row(
      [
        (0, .ask(100_000)), (50, .look(unread: 5_000)), (150, .look(unread: 100_400, Whole(100_000, in: 100))),
        (250, .look(unread: 100_400)), (350, .end(100_400)),
      ], missing: 0, index: nil, "told once"),
    Row(
      [
        (0, .ask(100_000)), (50, .look(unread: 5_000)), (60, .look(read: 20_000, unread: 30_000)),
        (150, .look(read: 90_000, unread: 10_000, Whole(100_000, in: 100))),
      ], missing: 400, index: nil, "what was read has come as well"),
    Row(
      [
        (0, .ask(50_000)), (0, .ask(50_000)), (0, .ask(50_000)), (50, .look(unread: 10_000)),
        (150, .look(unread: 151_200, Whole(150_000, in: 100))),
      ], missing: 0, index: nil, "several in one look"),
    Row(
      [
        (0, .ask(50_000)), (0, .ask(50_000)), (50, .look(unread: 10_000)),
        (100, .look(unread: 60_000, Whole(50_000, in: 50))), (180, .look(unread: 100_800, Whole(50_000, in: 80))),
      ], missing: 0, index: nil, "one after the other: the second begins where the first was whole"),
    Row(
      [
        (0, .ask(50_000)), (0, .ask(50_000)), (50, .look(unread: 10_000)),
        (100, .look(unread: 54_496, Whole(50_000, in: 50))), (110, .look(unread: 54_497)),
        (180, .look(unread: 100_800, Whole(50_000, in: 70))),
      ], missing: 0, index: nil, "or later, when a byte of its own was seen"),
    Row(
      [
        (0, .ask(50_000)), (50, .look(unread: 10_000)), (100, .look(unread: 50_400, Whole(50_000, in: 50))),
        (200, .ask(50_000)), (300, .look(unread: 60_000)), (400, .look(unread: 100_800, Whole(50_000, in: 100))),
      ], missing: 0, index: nil, "the time without a request is not the second's"),
  ]

  static let ends = [
    Row(
      [(0, .ask(100_000)), (50, .look(unread: 5_000)), (130, .end(100_400, Whole(100_000, in: 80)))], missing: 0,
      index: nil, "read before a look noticed"),
    Row([(0, .ask(100_000)), (50, .end(100_400))], missing: 0, index: nil, "read before any look"),
    Row(
      [(0, .ask(100_000)), (0, .ask(50_000)), (50, .end(100_250))], missing: 50_250, index: 0,
      "the next one's head is as long as the last one"),
    Row(
      [(0, .ask(100_000)), (0, .ask(50_000)), (50, .end(99_000))], missing: 50_000, index: 0,
      "an answer shorter than its content has no head"),
    Row(
      [
        (0, .ask(50_000)), (0, .ask(50_000)), (50, .look(unread: 10_000)),
        (100, .look(unread: 70_000, Whole(50_000, in: 50))), (120, .end(50_400)),
        (150, .look(unread: 50_400, Whole(50_000, in: 50))),
      ], missing: 0, index: nil, "that the first is read changes nothing for the second"),
    Row(
      [
        (0, .ask(50_000)), (0, .ask(50_000)), (50, .look(unread: 10_000)), (90, .end(50_400, Whole(50_000, in: 40))),
        (100, .look(unread: 20_000)), (150, .look(unread: 50_400, Whole(50_000, in: 50))),
      ], missing: 0, index: nil, "nobody saw when the second began, until a look did"),
    Row(
      [
        (0, .ask(50_000)), (0, .ask(50_000)), (50, .look(unread: 10_000)),
        (100, .look(unread: 70_000, Whole(50_000, in: 50))), (120, .end(50_400)), (130, .look(unread: 19_600)),
      ], missing: 30_800, index: 0, "bytes are not counted twice"),
  ]

  static let changes = [
    Row(
      [
        (0, .ask(100_000)), (0, .ask(50_000)), (50, .look(unread: 5_000)), (60, .shorten(30_000)),
        (100, .look(unread: 31_000, Whole(30_000, in: 50))),
      ], missing: 49_800, index: 1, "shorter than it was asked for: only that much was received"),
    Row([(0, .ask(100_000)), (0, .shorten(30_000))], missing: 30_400, index: 0, "and only that much is missing"),
    Row(
      [(0, .ask(50_000)), (0, .ask(50_000)), (0, .ask(50_000)), (0, .cut(keeping: 2, last: 10_000))], missing: 60_800,
      index: 0, "the last is not wanted, of the second only a part"),
    Row(
      [(0, .ask(50_000)), (0, .ask(50_000)), (0, .cut(keeping: 3, last: 10_000))], missing: 60_800, index: 0,
      "not more than there are"),
    Row([(0, .ask(50_000)), (0, .ask(50_000)), (0, .cut(keeping: 0, last: 10_000))], missing: 0, index: nil, "none"),
    Row(
      [
        (0, .ask(50_000)), (0, .ask(50_000)), (0, .ask(50_000)), (50, .look(unread: 10_000)),
        (60, .look(unread: 110_000, Whole(100_000, in: 10))), (60, .cut(keeping: 1, last: 50_000)), (70, .ask(60_000)),
      ], missing: 800, index: 1, "two were whole, and one is left: the next is not"),
    Row(
      [
        (0, .ask(50_000)), (0, .ask(50_000)), (50, .look(unread: 10_000)),
        (60, .look(unread: 70_000, Whole(50_000, in: 10))), (70, .cut(keeping: 2, last: 20_000)),
        (80, .look(unread: 71_000, Whole(20_000, in: 20))),
      ], missing: 0, index: nil, "what is left of the second is there already"),
  ]

  @Test(arguments: nothing + wholes + ends + changes) func isToldOnce(_ row: Row) {
    var arrival = LaneArrival(now: Self.instant(0))
    for (time, event) in row.events { Self.take(event, at: time, &arrival, row) }
    #expect(arrival.missing == row.missing, "\(row.because)")
    #expect(arrival.sight(isFull: false, taken: nil, now: Self.instant(1_000))?.index == row.index, "\(row.because)")
  }

  /// Where the answers break off when the connection ends then, with how much of the content that is.
  struct End: Sendable {
    let events: [(at: Int, Event)]
    var usualHead: Int64?
    var isSecured = false
    let index: Int
    let received: Int64  // bytes
    let because: String
  }

  static let brokenOff = [
    End(events: [], index: 0, received: 0, because: "nothing was asked for"),
    End(events: [(0, .ask(100_000))], index: 0, received: 0, because: "nothing came"),
    End(
      events: [(0, .ask(100_000)), (9, .look(unread: 60_400))], index: 0, received: 59_600,
      because: "its head may be longer than is supposed, by as much again"),
    End(
      events: [(0, .ask(100_000)), (9, .look(unread: 100_000))], index: 1, received: 0,
      because: "or shorter: that is all of it"),
    End(
      events: [(0, .ask(100_000)), (0, .ask(100_000)), (9, .look(unread: 200_200))], index: 2, received: 0,
      because: "each of them may be"),
    End(
      events: [(0, .ask(100_000)), (9, .look(unread: 60_250))], usualHead: 250, index: 0, received: 59_968,
      because: "other lanes' heads tell"),
    End(
      events: [(0, .ask(100_000)), (0, .ask(100_000)), (9, .end(100_250)), (9, .look(unread: 60_250))], index: 0,
      received: 59_968, because: "the length of heads is known"),
    End(
      events: [(0, .ask(100_000)), (0, .ask(100_000)), (9, .end(100_250)), (9, .look(unread: 100_220))], index: 1,
      received: 0, because: "but for a digit or two"),
    End(
      events: [(0, .ask(100_000)), (0, .ask(100_000)), (9, .end(100_250)), (9, .look(unread: 100_217))], index: 0,
      received: 99_935, because: "a few bytes are missing"),
    End(
      events: [
        (0, .ask(100_000)), (0, .ask(100_000)), (0, .ask(9_000)), (9, .end(100_250)), (9, .look(unread: 104_500)),
      ], index: 1, received: 3_936, because: "the one behind it, and of that a part"),
    End(
      events: [(0, .ask(100_000)), (0, .ask(100_000)), (9, .end(100_250)), (9, .look(read: 30_000, unread: 30_250))],
      index: 0, received: 59_968, because: "what was read counts as well"),
    End(
      events: [(0, .ask(100_000)), (0, .ask(100_000)), (9, .end(100_250)), (9, .look(unread: 64_250))], isSecured: true,
      index: 0, received: 59_371, because: "records are longer than their content"),
  ]

  @Test(arguments: brokenOff) func tellsWhereItBreaksOff(_ row: End) {
    var arrival = LaneArrival(now: Self.instant(0))
    for (time, event) in row.events {
      Self.take(event, at: time, &arrival, Row([], missing: 0, index: nil, row.because))
    }
    let end = arrival.brokenOff(usualHead: row.usualHead, isSecured: row.isSecured)
    #expect(end.index == row.index && end.received == row.received, "\(row.because): \(end)")
  }

  private static func take(_ event: Event, at time: Int, _ arrival: inout LaneArrival, _ row: Row) {
    let now = instant(time)
    switch event {
    case .ask(let count): arrival.didAsk(for: count, now: now)
    case .look(let read, let unread, let expected):
      let whole = arrival.look(read: read, unread: unread, spell: .milliseconds(100), now: now)
      #expect(Self.whole(whole) == expected, "at \(time): \(row.because)")
    case .end(let count, let expected):
      let whole = arrival.didRead(all: count, now: now)
      #expect(Self.whole(whole) == expected, "at \(time): \(row.because)")
    case .shorten(let count): arrival.didShorten(to: count)
    case .cut(let count, let last): arrival.didCut(keeping: count, last: last)
    }
  }

  private static func whole(_ whole: (bytes: Int64, time: Duration)?) -> Whole? {
    whole.map { Whole($0.bytes, in: Int($0.time / .milliseconds(1))) }
  }

  static func instant(_ milliseconds: Int) -> Instant { Instant(nanoseconds: 0) + .milliseconds(milliseconds) }
}
