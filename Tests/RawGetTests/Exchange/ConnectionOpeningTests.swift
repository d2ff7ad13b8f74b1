import Foundation
import LoopbackServer
import Posix
import TLS
import Testing

@testable import RawGet

/// Name, addresses, handshake: each with an end (docs/PROMISES.md, 6).
struct ConnectionOpeningTests {
  /// An opening, and what its turns come to, on a clock that the test moves.
  private final class Way {
    static let start = Instant(nanoseconds: 1_000_000_000_000)
    let opening: ConnectionOpening
    private(set) var serials: UInt64 = 0
    private(set) var connection: Connection?

    /// With TLS when there is an authority to trust.
    init(
      to uri: String, _ timeouts: Timeouts = Timeouts(), trusting authority: String? = nil, book: AddressBook? = nil
    ) throws {
      let context = try authority.map { file in
        var configuration = TLSConfiguration()
        configuration.authorityFile = Array(file.utf8)
        return try TLSContext(configuration)
      }
      let origin = try TargetURI(text: Array(uri.utf8)).origin
      opening = try ConnectionOpening(
        to: origin, timeouts: timeouts, context: context, book: book, now: Way.start, serials: &serials)
    }

    /// `waiting`, `open`, or the name of the error.
    func advance(after time: Duration = .zero) -> String {
      do throws(DownloadError) {
        connection = try opening.advance(now: Way.start + time, serials: &serials)
        return connection == nil ? "waiting" : "open"
      } catch {
        return name(of: error)
      }
    }

    /// Advances at one moment, waiting for descriptors only, until it is decided.
    func decide(until isEnough: (Way) -> Bool = { _ in false }) -> String {
      while true {
        let outcome = advance()
        if outcome != "waiting" || isEnough(self) { return outcome }
        var entries = interests.map {
          pollfd(fd: $0.descriptor, events: Int16($0.readiness == .readable ? POLLIN : POLLOUT), revents: 0)
        }
        guard poll(&entries, nfds_t(entries.count), 30_000) > 0 else { return "nothing happened" }
      }
    }

    var interests: [Interest] {
      var interests: [Interest] = []
      opening.appendInterests(to: &interests)
      return interests
    }

    var deadline: Duration { opening.deadline - Way.start }
  }

  @Test func aLiteralNeedsNoLookup() throws {
    let server = try LoopbackServer { $0.stall() }
    defer { server.stop() }
    let way = try Way(to: server.uri())
    #expect(way.interests.isEmpty, "nothing has begun")
    #expect(way.decide() == "open")
    #expect(way.connection?.serial == 2, "the first number is the lookup's, whether there is one or not")
  }

  @Test("S4-8: an IPv6 literal") func aLiteralOfTheOtherFamily() throws {
    let server = try LoopbackServer(family: .v6) { $0.stall() }
    defer { server.stop() }
    #expect(try Way(to: server.uri()).decide() == "open")
  }

  /// The name exists in the book alone.
  @Test func aNameFoundAMomentAgoIsNotLookedUpAgain() throws {
    let server = try LoopbackServer { $0.stall() }
    defer { server.stop() }
    let book = AddressBook()
    let name = AddressBook.Name(host: Array("files.invalid".utf8), port: server.port, family: nil)
    let literal = try #require(SocketAddress(literal: Array("127.0.0.1".utf8), port: server.port))
    book.keep([literal], of: name, now: Way.start)
    #expect(try Way(to: "http://files.invalid:\(server.port)/", book: book).decide() == "open")
    #expect(book.addresses(of: name, now: Way.start) == [literal])
  }

  /// Where nobody answers, the next try asks the name servers.
  @Test func aNameThatLedNowhereIsForgotten() throws {
    let server = try LoopbackServer { $0.stall() }
    let port = server.port
    server.stop()
    let book = AddressBook()
    let name = AddressBook.Name(host: Array("localhost".utf8), port: port, family: nil)
    let way = try Way(to: "http://localhost:\(port)/", book: book)
    #expect(way.decide { _ in book.addresses(of: name, now: Way.start) != nil } == "waiting", "it is found")
    #expect(way.decide() == "unreachable")
    #expect(book.addresses(of: name, now: Way.start) == nil)
  }

  /// `localhost` may be ::1 first, where this server is not: then its refusal leads on.
  @Test func aNameIsLookedUp() throws {
    let server = try LoopbackServer { $0.stall() }
    defer { server.stop() }
    let way = try Way(to: "http://localhost:\(server.port)/")
    #expect(way.interests.map(\.readiness) == [.readable])
    #expect(way.decide() == "open")
  }

  @Test func anAbandonedLookupLeavesNothingHere() throws {
    var waited: Set<String> = []
    do {
      let way = try Way(to: "http://localhost:9/")
      waited = Set(way.interests.compactMap { OpenDescriptors.name(of: $0.descriptor) })
      #expect(OpenDescriptors.stillOpen(of: waited).count == 1)
    }
    #expect(OpenDescriptors.stillOpen(of: waited) == [], "S2-11; the thread ends by itself")
  }

  // MARK: Deadlines

  @Test func allTogetherHaveOneDeadline() throws {
    let silent = try SilentPort()
    var timeouts = Timeouts()
    timeouts.connect = .seconds(60)
    let way = try Way(to: "http://127.0.0.1:\(silent.port)/", timeouts)
    let times: [Duration] = [.zero, .seconds(30) - .nanoseconds(1), .seconds(30)]
    #expect(times.map { way.advance(after: $0) } == ["waiting", "waiting", "timedOut.connection"])
    #expect(way.deadline == .seconds(30))
  }

  @Test("S0-11") func oneAddressHasAnEarlierOne() throws {
    let silent = try SilentPort()
    let way = try Way(to: "http://127.0.0.1:\(silent.port)/")
    #expect(way.advance() == "waiting")
    #expect(way.deadline == .seconds(5))
  }

  /// Whether the name is known by then or not, it has taken too long.
  @Test func resolutionIsWithinIt() throws {
    let silent = try SilentPort()
    let way = try Way(to: "http://localhost:\(silent.port)/")
    #expect(way.deadline == .seconds(30))
    let late = way.advance(after: .seconds(30))
    #expect(["timedOut.resolution", "timedOut.connection"].contains(late))
  }

  @Test(.enabled(if: RawGetVersion.hasTLS)) func soIsTheHandshake() throws {
    let server = try LoopbackServer { _ in }  // waits for a request head, and is sent a ClientHello
    defer { server.stop() }
    let way = try Way(to: "https://127.0.0.1:\(server.port)/", trusting: TestAuthority.shared().file)
    #expect(way.decide { $0.interests.map(\.readiness) == [.readable] } == "waiting")
    let times: [Duration] = [.zero, .seconds(30) - .nanoseconds(1), .seconds(30)]
    #expect(times.map { way.advance(after: $0) } == ["waiting", "waiting", "timedOut.handshake"])
  }

  // MARK: Handshakes

  @Test(.enabled(if: RawGetVersion.hasTLS), arguments: ["127.0.0.1", "localhost"])
  func theHandshakeIsDoneWhenItIsOpen(_ host: String) throws {
    let authority = try TestAuthority.shared()
    let server = try LoopbackServer(tls: ServerTLS(authority.good)) { $0.stall() }
    defer { server.stop() }
    #expect(try Way(to: "https://\(host):\(server.port)/", trusting: authority.file).decide() == "open")
  }

  @Test(.enabled(if: RawGetVersion.hasTLS)) func aWrongNameIsNobody() throws {
    let authority = try TestAuthority.shared()
    let server = try LoopbackServer(tls: ServerTLS(authority.wrongName)) { $0.stall() }
    defer { server.stop() }
    #expect(try Way(to: server.uri(), trusting: authority.file).decide() == "tls.verification")
  }
}
