import Testing

@testable import RawGet

/// Which place the next lane goes to.
struct LaneSpreadTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let wanted: Int
    let places: [LaneSpread.Place]
    let next: Int?
    let because: String
    var testDescription: String { because }
  }

  private static func open(_ lanes: Int, retiring: Int = 0, limit: Int = .max, slow: Int = 0) -> LaneSpread.Place {
    LaneSpread.Place(lanes: lanes, retiring: retiring, limit: limit, slow: slow)
  }

  private static let expected = LaneSpread.Place(state: .expected)
  private static let closed = LaneSpread.Place(state: .closed)

  static let alone = [
    Row(wanted: 4, places: [open(3)], next: 0, because: "one place: as many as are wanted"),
    Row(wanted: 4, places: [open(4)], next: nil, because: "and no more"),
    Row(wanted: 4, places: [open(5)], next: nil, because: "there are too many"),
    Row(wanted: 4, places: [open(3, retiring: 2)], next: 0, because: "one that is to end is replaced"),
    Row(wanted: 4, places: [closed], next: nil, because: "nobody is left"),
    Row(wanted: 4, places: [], next: nil, because: "nobody was there"),
    Row(wanted: 0, places: [open(0)], next: nil, because: "none is wanted"),
  ]

  static let several = [
    Row(wanted: 4, places: [open(1), open(0)], next: 1, because: "who has none"),
    Row(wanted: 4, places: [open(1), open(1)], next: 0, because: "equal: the first"),
    Row(wanted: 4, places: [open(2), open(1)], next: 1, because: "who has fewer"),
    Row(wanted: 4, places: [open(2), open(2)], next: nil, because: "there are enough"),
    Row(wanted: 4, places: [open(1), open(1), open(0)], next: 2, because: "three places"),
    Row(wanted: 2, places: [open(1), open(1), open(0)], next: nil, because: "more places than lanes"),
    Row(wanted: 4, places: [closed, open(3)], next: 1, because: "the first was given up"),
    Row(wanted: 8, places: [open(1), open(1), closed], next: 0, because: "one that is out has no share"),
    Row(wanted: 8, places: [open(2, limit: 2), open(3)], next: 1, because: "the first wants no more"),
    Row(
      wanted: 8, places: [open(1, retiring: 1, limit: 2), open(3)], next: 1,
      because: "its connections count until they are closed"),
    Row(wanted: 8, places: [open(2, limit: 2), open(3, limit: 3)], next: nil, because: "nobody wants more"),
    Row(wanted: 8, places: [open(2), open(1, slow: 2)], next: 0, because: "the other was too slow twice"),
    Row(wanted: 8, places: [open(3), open(1, slow: 1)], next: 1, because: "but it is no worse than that"),
    Row(wanted: 8, places: [open(0, slow: .max - 1), closed], next: 0, because: "slow is better than nothing"),
  ]

  static let expecting = [
    Row(wanted: 2, places: [open(1), expected], next: nil, because: "the other lane is for who is asked just now"),
    Row(wanted: 4, places: [open(1), expected], next: 0, because: "half of them are"),
    Row(wanted: 4, places: [open(2), expected], next: nil, because: "and the other half waits"),
    Row(wanted: 5, places: [open(2), expected], next: 0, because: "the odd one is the first's"),
    Row(wanted: 4, places: [open(1), expected, expected], next: 0, because: "two are asked"),
    Row(wanted: 3, places: [open(1), expected, expected], next: nil, because: "one for each"),
    Row(wanted: 4, places: [open(1), open(0), expected], next: 1, because: "who has answered"),
    Row(wanted: 2, places: [expected, expected], next: nil, because: "nobody has answered"),
  ]

  @Test(arguments: alone + several + expecting) func goesTo(_ row: Row) {
    #expect(LaneSpread.next(row.places, wanted: row.wanted) == row.next, "\(row.because)")
  }

  static let late = [
    Row(wanted: 4, places: [open(4), open(0)], next: 0, because: "it came when all were given away"),
    Row(wanted: 4, places: [open(3), open(0)], next: nil, because: "there is one to be opened"),
    Row(wanted: 4, places: [open(1), open(3), open(0)], next: 1, because: "who has most gives"),
    Row(wanted: 4, places: [open(3, retiring: 1), open(0)], next: nil, because: "one ends already"),
    Row(wanted: 2, places: [open(1), open(1), open(0)], next: nil, because: "nobody has two"),
    Row(wanted: 4, places: [open(4), open(0, slow: 1)], next: nil, because: "it had one, which was too slow"),
    Row(wanted: 4, places: [open(4), expected], next: nil, because: "it has not come"),
    Row(wanted: 4, places: [open(4), closed], next: nil, because: "it is out"),
    Row(wanted: 4, places: [open(4)], next: nil, because: "there is no other"),
  ]

  @Test(arguments: late) func givesWay(_ row: Row) {
    #expect(LaneSpread.surplus(row.places, wanted: row.wanted) == row.next, "\(row.because)")
  }

  /// Whatever the places are, opening ends with as many lanes as are wanted, or as may be, and no place has two more than
  /// another that could have had one.
  @Test(arguments: 0..<300 as Range<UInt64>) func fills(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let wanted = Int.random(in: 1...32, using: &generator)
    var places = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
      LaneSpread.Place(
        state: [.open, .open, .closed][Int.random(in: 0..<3, using: &generator)],
        limit: Bool.random(using: &generator) ? .max : Int.random(in: 1...4, using: &generator))
    }
    while let next = LaneSpread.next(places, wanted: wanted) {
      #expect(places[next].state == .open && places[next].lanes < places[next].limit)
      places[next].lanes += 1
    }
    let open = places.filter { $0.state == .open }
    let most = open.reduce(0) { $0 + min($1.limit, wanted) }
    #expect(places.reduce(0) { $0 + $1.lanes } == min(wanted, most))
    let free = open.filter { $0.lanes < $0.limit }.map(\.lanes)
    if let least = free.min() { #expect(open.allSatisfy { $0.lanes <= least + 1 }) }
  }
}
