internal import HTTP1
internal import Posix
internal import TLS

/// The way to an open connection: resolve the name, connect, and for https shake hands. Where a proxy is on the way, all
/// but the last of that is with the proxy, and a tunnel through it comes in between.
///
///     (resolving the origin ─▶) resolving ─▶ connecting ─▶ (securing the proxy ─▶) (tunnelling ─▶) (handshaking ─▶) open
///                  └────────────────┴─────────────┴─────────────────┴───────────────────┴──deadline or failure──▶ throws
///
/// An address literal begins at `connecting`, without a thread, and so does a name that was found a moment ago.
final class ConnectionOpening {
  private enum Stage {
    /// For a SOCKS server that is told an address.
    case resolvingOrigin
    case resolving
    case connecting
    case securingProxy(waitsFor: Readiness)
    case tunnelling(waitsFor: Readiness)
    case handshaking(waitsFor: Readiness)
  }

  /// A proxy on the way, and what is needed to speak with it.
  struct Hop {
    let proxy: Proxy
    /// For TLS with the proxy; nil for any but an https one.
    let context: TLSContext?
    let userAgent: [UInt8]?
  }

  private var stage = Stage.resolving
  private var lookup: AddressLookup?
  private var connector: Connector?
  private var connection: Connection?
  private var tunnel: ProxyTunnel?

  private let origin: Origin
  private let hop: Hop?
  private let timeouts: Timeouts
  private let dialing: Dialing
  private let context: TLSContext?
  private let deadlineInAll: Instant
  private let room: Int?
  private let book: AddressBook?
  private var lookupSerial: UInt64

  /// - Parameters:
  ///   - context: needed for an https origin.
  ///   - room: bytes that the system is to keep for us on the connection.
  ///   - book: where names may stand that need not be looked up again.
  init(
    to origin: Origin, via hop: Hop? = nil, dialing: Dialing = Dialing(), timeouts: Timeouts, context: TLSContext?,
    room: Int? = nil, book: AddressBook? = nil, now: Instant, serials: inout UInt64
  ) throws(DownloadError) {
    self.origin = origin
    self.hop = hop
    self.dialing = dialing
    self.timeouts = timeouts
    self.context = context
    self.room = room
    self.book = book
    deadlineInAll = now + timeouts.connectInAll
    serials += 1
    lookupSerial = serials
    if let hop {
      if hop.proxy.isSOCKS {
        if try !prepareSOCKS(hop.proxy) { return }
      } else if context != nil {
        tunnel = ProxyTunnel(connectingTo: origin, through: hop.proxy, userAgent: hop.userAgent)
        if tunnel == nil { throw .invalidRequest }
      }
    }
    try start(now)
  }

  /// Prepares the dialogue with a SOCKS server; false when the address that it is told has to be found first.
  private func prepareSOCKS(_ proxy: Proxy) throws(DownloadError) -> Bool {
    if let address = dialing.knownAddresses(of: origin.host, port: origin.port)?.first {
      tunnelSOCKS(to: .address(address.bytes), proxy)
    } else if proxy.kind == .socks5h {
      tunnelSOCKS(to: .name(origin.host.bytes), proxy)
    } else {
      try look(up: origin.host, port: origin.port)
      stage = .resolvingOrigin
      return false
    }
    return true
  }

  private func tunnelSOCKS(to destination: SOCKSDialogue.Destination, _ proxy: Proxy) {
    tunnel = ProxyTunnel(SOCKSDialogue(to: destination, port: origin.port, credentials: proxy.userinfo))
  }

  /// Begins the way to the next host: the proxy, or else the origin.
  private func start(_ now: Instant) throws(DownloadError) {
    let host = hop?.proxy.host ?? origin.host
    let port = hop?.proxy.port ?? origin.port
    var found = try dialing.connector(to: host, port: port, timeout: timeouts.connect, now: now)
    if found == nil, let addresses = book?.addresses(of: nextHop, now: now) {
      found = try dialing.connector(to: addresses, timeout: timeouts.connect, now: now)
    }
    if let found {
      connector = found
      connector?.room = room
      stage = .connecting
    } else {
      try look(up: host, port: port)
      stage = .resolving
    }
  }

  private var nextHop: AddressBook.Name {
    AddressBook.Name(
      host: (hop?.proxy.host ?? origin.host).lookupName, port: hop?.proxy.port ?? origin.port,
      family: dialing.lookupFamily)
  }

  private func look(up host: Host, port: UInt16) throws(DownloadError) {
    do throws(SystemError) {
      lookup = try AddressLookup.start(host: host.lookupName, port: port, family: dialing.lookupFamily)
    } catch {
      throw .system(error)
    }
  }

  /// The open connection; nil while there is something to wait for.
  func advance(now: Instant, serials: inout UInt64) throws(DownloadError) -> Connection? {
    do throws(DownloadError) {
      while let next = try step(now, &serials) { stage = next }
    } catch {
      book?.forget(nextHop)
      throw failure(error)
    }
    return isOpen ? connection.take() : nil
  }

  private var isOpen = false

  /// The stage after this one; nil while there is something to wait for, and when the connection is open.
  private func step(_ now: Instant, _ serials: inout UInt64) throws(DownloadError) -> Stage? {
    switch stage {
    case .resolvingOrigin:
      guard let addresses = try resolved(), let hop else { return try waiting(now, for: .resolution) }
      // A SOCKS server with IPv6 is rare: what it is told is an IPv4 address where there is one.
      guard let address = addresses.first(where: { $0.family == .v4 }) ?? addresses.first else {
        throw .resolution(.noAddress)
      }
      tunnelSOCKS(to: .address(address.bytes), hop.proxy)
      serials += 1
      lookupSerial = serials
      try start(now)
      return stage
    case .resolving:
      guard let addresses = try resolved() else { return try waiting(now, for: .resolution) }
      book?.keep(addresses, of: nextHop, now: now)
      connector = try dialing.connector(to: addresses, timeout: timeouts.connect, now: now)
      connector?.room = room
      return .connecting
    case .connecting:
      guard let open = try connector?.advance(to: origin, now: now, serials: &serials) else {
        return try waiting(now, for: .connection)
      }
      connector = nil
      connection = open
      guard let hop, let context = hop.context else { return try afterProxy() }
      try open.beginTLS(context, with: hop.proxy.host, port: hop.proxy.port)
      return .securingProxy(waitsFor: .writable)
    case .securingProxy:
      guard let readiness = try connection?.handshake() else { return try afterProxy() }
      stage = .securingProxy(waitsFor: readiness)
      return try waiting(now, for: .handshake)
    case .tunnelling:
      if let connection, let readiness = try tunnel?.advance(on: connection) {
        stage = .tunnelling(waitsFor: readiness)
        return try waiting(now, for: .response)
      }
      return try afterTunnel()
    case .handshaking:
      guard let readiness = try connection?.handshake() else { return opened() }
      stage = .handshaking(waitsFor: readiness)
      return try waiting(now, for: .handshake)
    }
  }

  /// Whoever is at the other end of the socket is reached.
  private func afterProxy() throws(DownloadError) -> Stage? {
    tunnel == nil ? try afterTunnel() : .tunnelling(waitsFor: .writable)
  }

  /// The bytes go to the origin, or to a proxy that gets the requests.
  private func afterTunnel() throws(DownloadError) -> Stage? {
    guard let context else { return opened() }
    try connection?.beginTLS(context, with: origin.host, port: origin.port)
    return .handshaking(waitsFor: .writable)
  }

  private func opened() -> Stage? {
    isOpen = true
    return nil
  }

  private func resolved() throws(DownloadError) -> [SocketAddress]? {
    do throws(LookupError) {
      guard let addresses = try lookup?.result() else { return nil }
      lookup = nil
      return addresses
    } catch {
      throw .resolution(error)
    }
  }

  private func waiting(_ now: Instant, for wait: DownloadError.Wait) throws(DownloadError) -> Stage? {
    if now >= deadlineInAll { throw .timedOut(wait) }
    return nil
  }

  /// The error, with the name of the proxy if it is about the proxy.
  private func failure(_ error: DownloadError) -> DownloadError {
    guard let hop else { return error }
    switch stage {
    case .resolvingOrigin, .handshaking: return error
    case .resolving, .connecting, .securingProxy, .tunnelling: return .proxy(hop.proxy.text, error)
    }
  }

  var deadline: Instant { min(deadlineInAll, connector?.deadline ?? .distantFuture) }

  func appendInterests(to interests: inout [Interest]) {
    switch stage {
    case .resolvingOrigin, .resolving:
      guard let raw = lookup?.raw else { return }
      interests.append(Interest(descriptor: raw, serial: lookupSerial, readiness: .readable))
    case .connecting: connector?.appendInterests(to: &interests)
    case .securingProxy(let readiness), .tunnelling(let readiness), .handshaking(let readiness):
      if let interest = connection?.interest(readiness) { interests.append(interest) }
    }
  }
}
