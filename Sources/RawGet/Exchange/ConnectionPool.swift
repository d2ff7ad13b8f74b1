internal import Posix

/// Connections at rest, for the next request on the same route (RFC 9112 §9.3): of any download of the loop.
struct ConnectionPool: ~Copyable {
  static let most = 1_024  // connections; one under TLS has some 40 KB of memory
  /// As many as all downloads of a loop have: more are not left behind when they end at once.
  let limit: Int  // connections
  /// Servers close an idle connection after 5 s (Apache) to 75 s (nginx); one that rested longer than this is hardly
  /// worth a try.
  static let restLimit: Duration = .seconds(30)

  private struct Resting {
    let connection: Connection
    let route: Route
    let since: Instant
  }
  /// In the order in which they came to rest.
  private var resting: [Resting] = []

  init(limit: Int = 64) { self.limit = min(limit, ConnectionPool.most) }

  /// That of the connection which came to rest last; nil when none rests.
  var lastSerial: UInt64? { resting.last?.connection.serial }

  /// Keeps a connection whose last exchange left it reusable; the one that rested longest makes room.
  mutating func put(_ connection: Connection, on route: Route, now: Instant) {
    removeOld(now)
    if resting.count >= limit, !resting.isEmpty { resting.removeFirst() }
    resting.append(Resting(connection: connection, route: route, since: now))
  }

  /// The one that rested least, if it is open and nothing unasked has come on it (RFC 9112 §9.2).
  mutating func take(_ route: Route, now: Instant) -> Connection? {
    removeOld(now)
    while let index = resting.lastIndex(where: { $0.route == route }) {
      let connection = resting.remove(at: index).connection
      if connection.isQuiet() { return connection }
    }
    return nil
  }

  private mutating func removeOld(_ now: Instant) {
    while let first = resting.first, now - first.since > ConnectionPool.restLimit { resting.removeFirst() }
  }
}
