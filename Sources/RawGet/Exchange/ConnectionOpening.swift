internal import Posix
internal import TLS

/// The way to an open connection: resolve the name, connect, and for https shake hands.
///
///     resolving ─▶ connecting ─▶ (handshaking ─▶) open
///         └─────────────┴──────────────┴──deadline or failure──▶ throws
///
/// An address literal begins at `connecting`, without a thread.
final class ConnectionOpening {
  private enum Stage {
    case resolving
    case connecting
    case handshaking(waitsFor: Readiness)
  }
  private var stage: Stage
  private var lookup: AddressLookup?
  private var connector: Connector?
  private var connection: Connection?

  private let origin: Origin
  private let timeouts: Timeouts
  private let context: TLSContext?
  private let deadlineInAll: Instant
  private let lookupSerial: UInt64

  /// `context` is needed for an https origin.
  init(
    to origin: Origin, timeouts: Timeouts, context: TLSContext?, now: Instant, serials: inout UInt64
  ) throws(DownloadError) {
    self.origin = origin
    self.timeouts = timeouts
    self.context = context
    deadlineInAll = now + timeouts.connectInAll
    serials += 1
    lookupSerial = serials
    if let address = SocketAddress(literal: origin.host.lookupName, port: origin.port) {
      connector = Connector(to: [address], timeout: timeouts.connect, now: now)
      stage = .connecting
      return
    }
    do throws(SystemError) {
      lookup = try AddressLookup.start(host: origin.host.lookupName, port: origin.port)
    } catch {
      throw .system(error)
    }
    stage = .resolving
  }

  /// The open connection; nil while there is something to wait for.
  func advance(now: Instant, serials: inout UInt64) throws(DownloadError) -> Connection? {
    while true {
      switch stage {
      case .resolving:
        guard let addresses = try resolved() else { return try waiting(now, for: .resolution) }
        connector = Connector(to: addresses, timeout: timeouts.connect, now: now)
        stage = .connecting
      case .connecting:
        guard try connect(now: now, serials: &serials) else { return try waiting(now, for: .connection) }
        guard context != nil else { return connection.take() }
        stage = .handshaking(waitsFor: .writable)
      case .handshaking:
        guard let readiness = try connection?.handshake() else { return connection.take() }
        stage = .handshaking(waitsFor: readiness)
        return try waiting(now, for: .handshake)
      }
    }
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

  private func connect(now: Instant, serials: inout UInt64) throws(DownloadError) -> Bool {
    guard let open = try connector?.advance(to: origin, now: now, serials: &serials) else { return false }
    connector = nil
    if let context { try open.beginTLS(context) }
    connection = open
    return true
  }

  private func waiting(_ now: Instant, for wait: DownloadError.Wait) throws(DownloadError) -> Connection? {
    if now >= deadlineInAll { throw .timedOut(wait) }
    return nil
  }

  var deadline: Instant { min(deadlineInAll, connector?.deadline ?? .distantFuture) }

  func appendInterests(to interests: inout [Interest]) {
    switch stage {
    case .resolving:
      guard let raw = lookup?.raw else { return }
      interests.append(Interest(descriptor: raw, serial: lookupSerial, readiness: .readable))
    case .connecting: connector?.appendInterests(to: &interests)
    case .handshaking(let readiness):
      if let interest = connection?.interest(readiness) { interests.append(interest) }
    }
  }
}
