import Foundation
import LoopbackServer
import Posix
import Testing

@testable import RawGet

/// The first of several addresses that answers (RFC 8305), on a clock that the test moves.
struct ConnectorTests {
  private let silent: SilentPort
  private let refusing: RefusingPort
  private let server: LoopbackServer

  init() throws {
    silent = try SilentPort()
    refusing = try RefusingPort()
    server = try LoopbackServer { $0.stall() }
  }

  private static func address(_ text: String, _ port: UInt16) throws -> SocketAddress {
    try #require(SocketAddress(literal: Array(text.utf8), port: port))
  }

  /// A connector to loopback ports, and what its turns come to.
  private final class Race {
    static let start = Instant(nanoseconds: 1_000_000_000_000)
    let connector: Connector
    private let origin: Origin
    private(set) var serials: UInt64 = 0
    private(set) var connection: Connection?

    init(_ addresses: [SocketAddress]) throws {
      connector = Connector(to: addresses, timeout: .seconds(5), now: Race.start)
      origin = try TargetURI(text: Array("http://127.0.0.1/".utf8)).origin
    }

    convenience init(ports: [UInt16]) throws {
      try self.init(ports.map { try ConnectorTests.address("127.0.0.1", $0) })
    }

    /// `waiting`, `connected`, or the name of the error.
    func advance(after time: Duration) -> String {
      do throws(DownloadError) {
        connection = try connector.advance(to: origin, now: Race.start + time, serials: &serials)
        return connection == nil ? "waiting" : "connected"
      } catch {
        return name(of: error)
      }
    }

    /// Advances until the attempts under way are decided, at one moment.
    func decide(after time: Duration) -> String {
      while true {
        let outcome = advance(after: time)
        if outcome != "waiting" { return outcome }
        waitForLast()
      }
    }

    /// Waits until the last attempt is decided, by the system's own means.
    func waitForLast() {
      guard let last = underWay.last else { return }
      var entry = pollfd(fd: last.descriptor, events: Int16(POLLOUT), revents: 0)
      #expect(poll(&entry, 1, 30_000) == 1, "on loopback this is decided at once")
    }

    var underWay: [Interest] {
      var interests: [Interest] = []
      connector.appendInterests(to: &interests)
      return interests
    }

    /// Since the start; nil when there is nothing to wait for.
    var deadline: Duration? { connector.deadline == .distantFuture ? nil : connector.deadline - Race.start }

    var openSockets: Set<String> { Set(underWay.compactMap { OpenDescriptors.name(of: $0.descriptor) }) }
  }

  // MARK: The order

  static let orders: [(given: String, order: String, because: String)] = [
    ("", "", "nothing"), ("4a", "4a", "one"), ("4a 4b", "4a 4b", "one family stays in its order"),
    ("6a 6b 4a 4b", "6a 4a 6b 4b", "RFC 8305 §4"), ("4a 4b 6a", "4a 6a 4b", "the family of the first leads"),
    ("6a 6b 6c 4a", "6a 4a 6b 6c", "the rest follows"), ("4a 6a 6b 6c", "4a 6a 6b 6c", "and also behind"),
    ("6a 4a 4b 6b 4c", "6a 4a 6b 4b 4c", "whatever the mixture"),
  ]

  @Test(arguments: orders) func familiesAlternate(_ row: (given: String, order: String, because: String)) throws {
    let read = { (text: String) in
      try text.split(separator: " ").map { name in
        try Self.address(name.first == "4" ? "127.0.0.1" : "::1", UInt16(name.utf8.last ?? 0))
      }
    }
    #expect(Connector.interleaved(try read(row.given)) == (try read(row.order)), "\(row.because)")
  }

  // MARK: Failures

  @Test func withoutAddressesItFails() throws {
    #expect(try Race([]).advance(after: .zero) == "timedOut.connection")
  }

  @Test func whenAllRefuseTheLastReasonIsTold() throws {
    let race = try Race(ports: [refusing.port, refusing.port, refusing.port])
    #expect(race.decide(after: .zero) == "unreachable")
    #expect(race.serials == 3, "each once, without a wait between them")
  }

  @Test func noMoreThanTheBoundAreTried() throws {
    let race = try Race(ports: [UInt16](repeating: refusing.port, count: 100))
    #expect(race.decide(after: .zero) == "unreachable")
    #expect(race.serials == 64)
  }

  @Test("S0-11: 5 s for an address, and not a nanosecond less") func theDeadlineIsExact() throws {
    let race = try Race(ports: [silent.port])
    let times: [Duration] = [.zero, .milliseconds(250), .seconds(5) - .nanoseconds(1), .seconds(5)]
    #expect(times.map { race.advance(after: $0) } == ["waiting", "waiting", "waiting", "timedOut.connection"])
    #expect(race.deadline == nil, "nothing is left to wait for")
  }

  @Test func eachAddressHasItsOwnDeadline() throws {
    let race = try Race(ports: [silent.port, silent.port])
    let underWay = [0, 249, 250, 4_999, 5_000, 5_249].map { time in
      #expect(race.advance(after: .milliseconds(time)) == "waiting")
      return race.underWay.count
    }
    #expect(underWay == [1, 1, 2, 2, 1, 1])
    #expect(race.deadline == .milliseconds(5_250))
  }

  // MARK: Success

  @Test("RFC 8305 §5: an address that hangs costs a quarter of a second") func aSilentOneIsOvertaken() throws {
    let race = try Race(ports: [silent.port, server.port])
    #expect(race.advance(after: .zero) == "waiting")
    #expect(race.deadline == .milliseconds(250))
    #expect(race.advance(after: .milliseconds(250) - .nanoseconds(1)) == "waiting")
    #expect(race.serials == 1, "not yet")
    #expect(race.decide(after: .milliseconds(250)) == "connected")
    #expect(race.connection?.serial == 2)
    #expect(race.underWay.count == 1, "the silent one was not given up")
  }

  @Test func bothAreUnderWayUntilOneAnswers() throws {
    let race = try Race(ports: [silent.port, silent.port, server.port])
    #expect(race.advance(after: .zero) == "waiting")
    #expect(race.advance(after: .milliseconds(250)) == "waiting")
    #expect(race.underWay.count == 2)
    #expect(race.deadline == .milliseconds(500))
    #expect(race.decide(after: .milliseconds(500)) == "connected")
  }

  @Test func theLosersAreClosed() throws {
    var hanging: Set<String> = []
    do {
      let race = try Race(ports: [silent.port, silent.port, silent.port])
      for time in [0, 250, 500] { #expect(race.advance(after: .milliseconds(time)) == "waiting") }
      hanging = race.openSockets
      #expect(hanging.count == 3 && OpenDescriptors.stillOpen(of: hanging).count == 3)
    }
    #expect(OpenDescriptors.stillOpen(of: hanging) == [], "S2-11")
  }

  @Test func aRefusalStartsTheNextAtOnce() throws {
    let race = try Race(ports: [refusing.port, silent.port, server.port])
    _ = race.advance(after: .zero)
    race.waitForLast()
    #expect(race.advance(after: .milliseconds(1)) == "waiting")
    #expect(race.serials == 2, "no stagger after a failure")
    #expect(race.deadline == .milliseconds(251), "but one before the third")
  }

  @Test func soDoesOneBesideASilentOne() throws {
    let race = try Race(ports: [silent.port, refusing.port, silent.port, server.port])
    #expect(race.advance(after: .zero) == "waiting")
    #expect(race.advance(after: .milliseconds(250)) == "waiting")
    race.waitForLast()
    #expect(race.advance(after: .milliseconds(251)) == "waiting")
    #expect(race.serials == 3, "250 ms after the first, and not 250 ms later again")
    #expect(race.deadline == .milliseconds(501))
  }

  @Test func whatCannotBeReachedAtAllIsSkippedAtOnce() throws {
    let nowhere = try Self.address("255.255.255.255", 80)  // no stream leads there, and no packet leaves
    let race = try Race([nowhere, Self.address("127.0.0.1", server.port)])
    _ = race.advance(after: .zero)
    #expect(race.serials == 2, "in the same turn")
    if race.connection == nil { #expect(race.decide(after: .zero) == "connected") }
  }
}
