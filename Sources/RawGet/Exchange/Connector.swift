internal import Posix

/// Connects to the first of several addresses that answers (RFC 8305): attempts begin a little apart and run side by
/// side, so that an address family that hangs costs a quarter of a second and not a timeout.
///
///     waiting ──an attempt connects──▶ the socket
///        │ ▲──an attempt fails, or the stagger passed: the next address begins
///        └──no address is left and none is under way──▶ throws how the last one failed
final class Connector {
  static let stagger: Duration = .milliseconds(250)  // RFC 8305 §5
  static let addressLimit = 64

  /// One connect under way; closing it is dropping it.
  private final class Attempt {
    var socket: StreamSocket?
    let raw: Int32
    let serial: UInt64
    let deadline: Instant

    init(_ socket: consuming StreamSocket, serial: UInt64, deadline: Instant) {
      raw = socket.raw
      self.socket = consume socket
      self.serial = serial
      self.deadline = deadline
    }
  }

  private enum Place {
    case address(SocketAddress)
    /// A socket in the file system.
    case path([UInt8])
  }
  private let places: [Place]
  private let localEnd: LocalEnd?
  private var nextPlace = 0
  private var underWay: [Attempt] = []
  private var nextStart: Instant
  private let timeout: Duration
  /// Bytes that the system is to have room for on the connection; nil to leave it to the system.
  var room: Int?
  private var failure = DownloadError.timedOut(.connection)

  /// - Parameter localEnd: where connections leave this machine, unless the system is to choose.
  convenience init(to addresses: [SocketAddress], from localEnd: LocalEnd? = nil, timeout: Duration, now: Instant) {
    let order = Connector.interleaved(Array(addresses.prefix(Connector.addressLimit)))
    self.init(order.map { .address($0) }, localEnd, timeout, now)
  }

  /// To a socket in the file system.
  convenience init(toPath path: [UInt8], timeout: Duration, now: Instant) {
    self.init([.path(path)], nil, timeout, now)
  }

  private init(_ places: [Place], _ localEnd: LocalEnd?, _ timeout: Duration, _ now: Instant) {
    self.places = places
    self.localEnd = localEnd
    self.timeout = timeout
    nextStart = now
  }

  /// Alternates the families, beginning with that of the first address (RFC 8305 §4); the order within a family stays.
  static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let first = addresses.first else { return [] }
    let preferred = addresses.filter { $0.family == first.family }
    let others = addresses.filter { $0.family != first.family }
    var order: [SocketAddress] = []
    for index in 0..<max(preferred.count, others.count) {
      if index < preferred.count { order.append(preferred[index]) }
      if index < others.count { order.append(others[index]) }
    }
    return order
  }

  /// The connection; nil while there is none. Begins attempts that are due.
  func advance(to origin: Origin, now: Instant, serials: inout UInt64) throws(DownloadError) -> Connection? {
    var index = 0
    while index < underWay.count {
      switch outcome(of: underWay[index], now: now) {
      case .waiting: index += 1
      case .failed(let error):
        failure = error
        underWay.remove(at: index)
        nextStart = now
      case .connected:
        let attempt = underWay.remove(at: index)
        guard let socket = attempt.socket.take() else { continue }
        return Connection(socket: socket, to: origin, serial: attempt.serial)
      }
    }
    while nextPlace < places.count, nextStart <= now || underWay.isEmpty { beginNext(now: now, &serials) }
    if underWay.isEmpty { throw failure }
    return nil
  }

  private enum Outcome {
    case waiting
    case connected
    case failed(DownloadError)
  }

  private func outcome(of attempt: Attempt, now: Instant) -> Outcome {
    do throws(SystemError) {
      if try attempt.socket?.connectOutcome() == true { return .connected }
      return now >= attempt.deadline ? .failed(.timedOut(.connection)) : .waiting
    } catch {
      return .failed(.unreachable(error))
    }
  }

  private func beginNext(now: Instant, _ serials: inout UInt64) {
    let place = places[nextPlace]
    nextPlace += 1
    serials += 1
    do throws(SystemError) {
      underWay.append(Attempt(try connecting(to: place), serial: serials, deadline: now + timeout))
      nextStart = now + Connector.stagger
    } catch {
      failure = .unreachable(error)  // ENETUNREACH and the like: the next one begins at once
    }
  }

  private func connecting(to place: Place) throws(SystemError) -> StreamSocket {
    switch place {
    case .address(let address): try .connecting(to: address, from: localEnd, room: room)
    case .path(let path): try .connecting(toPath: path)
    }
  }

  /// When `advance` has something to do though no descriptor became ready.
  var deadline: Instant {
    var earliest = nextPlace < places.count ? nextStart : .distantFuture
    for attempt in underWay { earliest = min(earliest, attempt.deadline) }
    return earliest
  }

  func appendInterests(to interests: inout [Interest]) {
    for attempt in underWay {
      interests.append(Interest(descriptor: attempt.raw, serial: attempt.serial, readiness: .writable))
    }
  }
}
