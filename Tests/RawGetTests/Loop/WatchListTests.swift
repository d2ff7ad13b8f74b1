import Foundation
import Posix
import Testing

@testable import RawGet

/// What the loop's poller is told, and whom its events are for.
struct WatchListTests {
  /// Two ends of a connection, closed with the last reference to them.
  private final class Pair {
    let here: Int32
    let there: Int32
    private var isThereOpen = true

    init() {
      var ends: [Int32] = [-1, -1]
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      (here, there) = (ends[0], ends[1])
    }

    deinit {
      close(here)
      closeThere()
    }

    func send() { #expect(write(there, "x", 1) == 1) }

    func closeThere() {
      if isThereOpen { close(there) }
      isThereOpen = false
    }
  }

  private func interest(_ pair: Pair, serial: UInt64 = 1, _ readiness: Readiness = .readable) -> Interest {
    Interest(descriptor: pair.here, serial: serial, readiness: readiness)
  }

  /// What the next wait brings. A bound for a broken test: an event that is expected is there already.
  private func events(_ list: inout WatchList, expected: Int = 1) throws -> [String] {
    let count = try list.wait(until: .now() + (expected > 0 ? .seconds(60) : .zero))
    return (0..<count).map { number in
      switch list.event(number) {
      case .woken: "woken"
      case .ready(let place): "\(place)"
      case .none: "none"
      }
    }
  }

  @Test func anEventIsForThePlaceThatWatches() throws {
    let (wake, pair) = (Pair(), Pair())
    var list = try WatchList(wake: wake.here)
    try list.watch(interest(pair), for: 3)
    pair.send()
    #expect(try events(&list) == ["3"])
    #expect(try events(&list) == ["3"], "as long as it waits")
    wake.send()
    #expect(try Set(events(&list, expected: 2)) == ["3", "woken"])
  }

  @Test func whatChangesIsToldToThePoller() throws {
    let (wake, pair) = (Pair(), Pair())
    var list = try WatchList(wake: wake.here)
    try list.watch(interest(pair), for: 0)
    #expect(try events(&list, expected: 0) == [])
    try list.watch(interest(pair, .writable), for: 0)
    #expect(try events(&list) == ["0"])
    try list.watch(interest(pair), for: 0)
    #expect(try events(&list, expected: 0) == [])
  }

  @Test func aFileCannotBeWaitedFor() throws {
    let wake = Pair()
    var list = try WatchList(wake: wake.here)
    let descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var isSaid = false
    do throws(SystemError) {
      try list.watch(Interest(descriptor: descriptor, serial: 1, readiness: .writable), for: 0)
    } catch {
      isSaid = error.isUnwatchable
    }
    #expect(isSaid)
  }

  @Test func whatIsReleasedIsWatchedNoMore() throws {
    let (wake, pair) = (Pair(), Pair())
    var list = try WatchList(wake: wake.here)
    try list.watch(interest(pair), for: 0)
    list.release(interest(pair), isAtRest: false)
    pair.send()
    #expect(try events(&list, expected: 0) == [])
    try list.watch(interest(pair), for: 1)
    #expect(try events(&list) == ["1"], "and can be again")
  }

  @Test func aConnectionAtRestIsForWhoeverTakesIt() throws {
    let (wake, pair) = (Pair(), Pair())
    var list = try WatchList(wake: wake.here)
    try list.watch(interest(pair), for: 0)
    list.release(interest(pair), isAtRest: true)
    try list.watch(interest(pair), for: 5)
    pair.send()
    #expect(try events(&list) == ["5"])
  }

  @Test("nobody is woken for it, and the loop does not spin", arguments: [false, true])
  func whatComesOnAConnectionAtRestConcernsNobody(_ isClosed: Bool) throws {
    let (wake, pair) = (Pair(), Pair())
    var list = try WatchList(wake: wake.here)
    try list.watch(interest(pair), for: 0)
    list.release(interest(pair), isAtRest: true)
    if isClosed { pair.closeThere() } else { pair.send() }
    #expect(try events(&list) == ["none"])
    #expect(try events(&list, expected: 0) == [], "once")
    try list.watch(interest(pair), for: 1)
    #expect(try events(&list) == ["1"], "whoever takes it all the same has to know")
  }

  /// A connection at rest was closed, and the next socket got its descriptor: in one step here, since a number that is
  /// free for a moment may become another test's.
  @Test func aDescriptorMayComeAgain() throws {
    let (wake, first, next) = (Pair(), Pair(), Pair())
    var list = try WatchList(wake: wake.here)
    let gone = interest(first)
    try list.watch(gone, for: 0)
    list.release(gone, isAtRest: true)
    #expect(dup2(next.here, first.here) == first.here)
    try list.watch(interest(first, serial: 2), for: 4)
    list.release(gone, isAtRest: false)
    next.send()
    #expect(try events(&list) == ["4"], "who had it before has no say")
  }
}
