import Foundation
import Posix
import Testing

struct PollerTests {
  /// What came, by token. The deadline of those who name none is there to fail rather than hang.
  private func events(
    _ poller: inout Poller, until deadline: Instant? = Instant.now() + .seconds(60)
  ) throws -> [UInt64: Readiness] {
    var found: [UInt64: Readiness] = [:]
    for index in 0..<(try poller.wait(until: deadline)) {
      let event = poller.event(index)
      found[event.token] = event.readiness
    }
    return found
  }

  private let past = Instant(nanoseconds: 0)

  @Test func tellsReadableFromWritable() throws {
    let pair = try ConnectedPair()
    var poller = try Poller()
    try poller.watch(pair.client.raw, for: [.readable, .writable], token: .max)
    var found = try events(&poller)
    #expect(found == [.max: .writable])
    pair.peerSends("x")
    found = try events(&poller)
    #expect(found == [.max: [.readable, .writable]])
    found = try events(&poller)
    #expect(found == [.max: [.readable, .writable]], "level-triggered: again as long as it is so")
  }

  @Test func watchingAgainChangesWhatIsWanted() throws {
    let pair = try ConnectedPair()
    var poller = try Poller()
    try poller.watch(pair.client.raw, for: .writable, token: 1)
    try poller.watch(pair.client.raw, for: .readable, token: 2)
    var found = try events(&poller, until: past)
    #expect(found.isEmpty)
    pair.peerSends("x")
    found = try events(&poller)
    #expect(found == [2: .readable])
  }

  @Test func forgottenIsSilent() throws {
    let one = try ConnectedPair()
    let other = try ConnectedPair()
    var poller = try Poller()
    try poller.watch(one.client.raw, for: .writable, token: 1)
    try poller.watch(other.client.raw, for: .writable, token: 2)
    poller.forget(one.client.raw)
    poller.forget(one.client.raw)
    let found = try events(&poller)
    #expect(found == [2: .writable])
  }

  @Test func theEndOfAStreamIsReadable() throws {
    let pair = try ConnectedPair()
    var poller = try Poller()
    try poller.watch(pair.client.raw, for: .readable, token: 1)
    pair.peerFinishes()
    let found = try events(&poller)
    #expect(found == [1: .readable])
  }

  @Test func aHangUpIsReadable() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { close(ends[0]) }
    var poller = try Poller()
    try poller.watch(ends[0], for: .readable, token: 1)
    close(ends[1])
    let found = try events(&poller)
    #expect(found == [1: .readable])
  }

  @Test func failureIsToldUnasked() throws {
    let pair = try ConnectedPair()
    var poller = try Poller()
    try poller.watch(pair.client.raw, for: .writable, token: 1)
    pair.peerResets()
    let found = try events(&poller)
    #expect(found[1]?.isSuperset(of: [.failed, .writable]) == true)
  }

  @Test func aDeadlineIsWaitedFor() throws {
    var poller = try Poller()
    for microseconds in [0, 1, 300, 2000] {
      let deadline = Instant.now() + .microseconds(microseconds)
      let count = try poller.wait(until: deadline)
      #expect(count == 0)
      #expect(Instant.now() >= deadline, "not before it, though it is under a millisecond away")
    }
  }

  @Test func aDeadlineLongPastOnlyLooks() throws {
    let wake = try WakeDescriptor()
    var poller = try Poller()
    try poller.watch(wake.raw, for: .readable, token: 1)
    var found = try events(&poller, until: Instant(nanoseconds: .min))
    #expect(found.isEmpty)
    wake.wake()
    found = try events(&poller, until: Instant(nanoseconds: .min))
    #expect(found == [1: .readable])
  }

  @Test(arguments: [nil, Instant.distantFuture]) func anotherThreadWakesIt(_ deadline: Instant?) throws {
    let wake = try WakeDescriptor()
    var poller = try Poller()
    try poller.watch(wake.raw, for: .readable, token: 9)
    let writing = wake.writeRaw
    let thread = Thread { WakeDescriptor.wake(writing) }
    thread.start()
    var found = try events(&poller, until: deadline)
    #expect(found == [9: .readable])
    wake.drain()
    found = try events(&poller, until: past)
    #expect(found.isEmpty)
    for _ in 0..<3 { wake.wake() }
    wake.drain()
    found = try events(&poller, until: past)
    #expect(found.isEmpty, "one drain for any number of wakes")
  }

  @Test func wakingNeverBlocks() throws {
    let wake = try WakeDescriptor()
    for _ in 0..<100_000 { wake.wake() }  // more than a pipe holds
    wake.drain()
    var poller = try Poller()
    try poller.watch(wake.raw, for: .readable, token: 1)
    let found = try events(&poller, until: past)
    #expect(found.isEmpty)
  }

  @Test func handsOverAtMost64EventsAndForgetsNone() throws {
    var poller = try Poller()
    var ends: [(Int32, Int32)] = []
    defer { for (reading, writing) in ends { close(reading); close(writing) } }
    for token in 0..<100 {
      var made: [Int32] = [0, 0]
      #expect(pipe(&made) == 0)
      ends.append((made[0], made[1]))
      _ = write(made[1], "x", 1)
      try poller.watch(made[0], for: .readable, token: UInt64(token))
    }
    var seen: Set<UInt64> = []
    for expected in [64, 36] {
      let found = try events(&poller)
      #expect(found.count == expected)
      for token in found.keys { poller.forget(ends[Int(token)].0) }
      seen.formUnion(found.keys)
    }
    #expect(seen.count == 100)
  }

  @Test func aDescriptorThatIsNoneIsRefused() throws {
    var poller = try Poller()
    let failure = code { () throws(SystemError) in try poller.watch(-1, for: .readable, token: 1) }
    #expect(failure == EBADF)
  }

  /// An embedder's own loop watches this one as a whole; with poll there is nothing to watch.
  @Test func anotherLoopCanWatchIt() throws {
    let wake = try WakeDescriptor()
    var inner = try Poller()
    try inner.watch(wake.raw, for: .readable, token: 1)
    guard inner.raw >= 0 else { return }
    var outer = try Poller()
    try outer.watch(inner.raw, for: .readable, token: 2)
    var found = try events(&outer, until: past)
    #expect(found.isEmpty)
    wake.wake()
    found = try events(&outer)
    #expect(found == [2: .readable])
  }
}
