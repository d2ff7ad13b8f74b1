import Foundation
import LoopbackServer
import Posix
import Testing

@testable import RawGet

/// Connections at rest (RFC 9112 §9.3): which one is taken, how many there are, and for how long.
struct ConnectionPoolTests {
  private static let start = Instant(nanoseconds: 1_000_000_000_000)
  private let server: LoopbackServer

  init() throws { server = try LoopbackServer { $0.stall() } }

  private func route(_ path: String = "/", _ change: (inout DownloadOptions) -> Void = { _ in }) throws -> Route {
    var options = DownloadOptions()
    change(&options)
    return Route(to: try TargetURI(text: Array(server.uri(path).utf8)).origin, options)
  }

  /// An open connection, by whose number it is known again.
  private func connection(_ serial: UInt64) throws -> Connection {
    let address = try #require(SocketAddress(literal: Array("127.0.0.1".utf8), port: server.port))
    let socket = try StreamSocket.connecting(to: address)
    var entry = pollfd(fd: socket.raw, events: Int16(POLLOUT), revents: 0)
    #expect(poll(&entry, 1, 30_000) == 1, "on loopback this is decided at once")
    #expect(try socket.connectOutcome())
    let origin = try TargetURI(text: Array(server.uri().utf8)).origin
    return Connection(socket: socket, to: origin, serial: serial)
  }

  @Test func theOneThatRestedLeastIsTaken() throws {
    var pool = ConnectionPool()
    let here = try route()
    for serial in 1...3 { pool.put(try connection(UInt64(serial)), on: here, now: Self.start) }
    let taken = (0..<4).map { _ in pool.take(here, now: Self.start)?.serial }
    #expect(taken == [3, 2, 1, nil])
  }

  @Test func ofAnotherRouteNone() throws {
    var pool = ConnectionPool()
    pool.put(try connection(1), on: try route(), now: Self.start)
    let proxy = try #require(Proxy(text: Array("http://127.0.0.1:3128".utf8)))
    let other = try route { $0.proxies = ProxyChoice(always: proxy) }
    #expect(pool.take(other, now: Self.start) == nil)
    #expect(pool.take(try route("/elsewhere"), now: Self.start)?.serial == 1, "a path is no other route")
  }

  @Test func theBound() throws {
    var pool = ConnectionPool(limit: 8)
    let here = try route()
    for serial in 0...8 { pool.put(try connection(UInt64(serial)), on: here, now: Self.start) }
    var taken: [UInt64] = []
    while let connection = pool.take(here, now: Self.start) { taken.append(connection.serial) }
    #expect(taken == (1...8).reversed().map { UInt64($0) }, "the one that rested longest made room")
  }

  @Test func noneRestsTooLong() throws {
    var pool = ConnectionPool()
    let here = try route()
    pool.put(try connection(1), on: here, now: Self.start)
    pool.put(try connection(2), on: here, now: Self.start + .seconds(20))
    let end = Self.start + ConnectionPool.restLimit
    #expect(pool.take(here, now: end + .nanoseconds(1))?.serial == 2)
    #expect(pool.take(here, now: end) == nil, "the other one was closed")
  }

  @Test func theOneThatItsServerClosedIsPassedOver() throws {
    var pool = ConnectionPool()
    let here = try route()
    pool.put(try connection(1), on: here, now: Self.start)
    server.stop()
    #expect(pool.take(here, now: Self.start) == nil)
  }
}
