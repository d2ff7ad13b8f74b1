import Posix
import Testing

@testable import RawGet

/// Too little content for too long, on a clock that the test moves.
struct SpeedWatchTests {
  private static let start = Instant(nanoseconds: 1_000_000_000)

  enum Step {
    /// Seconds since the start, bytes, seconds in which nobody took any.
    case receive(Double, Int, paused: Double = 0)
    case restart
  }
  /// Floor: 100 bytes a second over 10 s, which is 1,000 bytes.
  static let rows: [(steps: [Step], asked: [Double], below: [Bool], because: String)] = [
    ([], [0, 9, 1_000], [false, false, false], "before the first byte another bound holds"),
    ([.receive(0, 1)], [9.9, 10], [false, true], "the time has to pass"),
    ([.receive(0, 5_000)], [10], [true], "what opens a spell is not counted in it"),
    ([.receive(0, 1), .receive(5, 999)], [10], [true], "a byte too few"),
    ([.receive(0, 1), .receive(5, 1_000)], [10, 19, 20], [false, false, true], "enough, and then another spell"),
    (
      [.receive(0, 1), .receive(9, 999, paused: 3)], [12, 13], [false, true], "the reader's pause is not the server's"
    ),
    ([.receive(0, 1), .restart], [10, 1_000], [false, false], "another connection, another chance"),
    ([.receive(0, 1), .restart, .receive(8, 1)], [17, 18], [false, true], "which begins with its first byte"),
  ]

  @Test(arguments: rows)
  func holdsContentAgainstTheFloor(_ row: (steps: [Step], asked: [Double], below: [Bool], because: String)) {
    var watch = SpeedWatch(SpeedFloor(rate: 100, time: .seconds(10)))
    for step in row.steps {
      switch step {
      case .receive(let time, let count, let paused):
        watch.didReceive(count, paused: .seconds(paused), now: Self.start + .seconds(time))
      case .restart: watch.restart()
      }
    }
    #expect(row.asked.map { watch.isBelow(now: Self.start + .seconds($0)) } == row.below, "\(row.because)")
  }

  @Test func aFloorBeyondAllCountsIsNeverMet() {
    var watch = SpeedWatch(SpeedFloor(rate: .max, time: .seconds(30)))
    watch.didReceive(1, paused: .zero, now: Self.start)
    watch.didReceive(.max, paused: .zero, now: Self.start)
    #expect(watch.isBelow(now: Self.start + .seconds(30)) == false, "it counts as the most that can be counted")
    #expect(watch.deadline == Self.start + .seconds(60))
  }
}
