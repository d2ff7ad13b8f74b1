import Foundation

/// An HTTP/1.1 server for tests, as well- or ill-behaved as its script says.
///
/// It listens on a loopback port of the system's choice and runs one blocking thread for each
/// connection. Each request head that arrives is recorded and handed to the script:
///
///     let server = try LoopbackServer { exchange in
///       exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
///       exchange.reset()
///     }
///     defer { server.stop() }
public final class LoopbackServer: Sendable {
  public typealias Script = @Sendable (ServerExchange) -> Void

  /// The loopback address to listen on.
  public enum Family: Sendable {
    case v4, v6

    /// As a URI writes it (RFC 3986 §3.2.2).
    public var host: String { self == .v4 ? "127.0.0.1" : "[::1]" }
  }

  /// What the way to the server does to a connection after so many bytes from the server: 0 for as soon as it is there.
  public struct Cut: Sendable {
    public var after: Int  // bytes inside TLS
    public var isReset: Bool

    public init(after: Int, isReset: Bool = true) {
      self.after = after
      self.isReset = isReset
    }
  }

  public let family: Family
  public let port: UInt16
  private let scheme: String
  private let listener: Int32
  private let state = ServerState()
  private let hasStopped = Guarded(false)

  /// Listens from now on. Without `tls`, plain http.
  ///
  /// - Parameters:
  ///   - gate: what every connection begins with, for plain http behind it.
  ///   - cut: of a connection, by its number.
  public init(
    family: Family = .v4, tls: (any ChannelMaker)? = nil, gate: SOCKSGate? = nil,
    cut: @escaping @Sendable (Int) -> Cut? = { _ in nil }, script: @escaping Script
  ) throws {
    self.family = family
    scheme = tls == nil ? "http" : "https"
    (listener, port) = try Socket.listen(family)
    startAccepting(channels: gate ?? tls ?? PlainChannelMaker(), cut, script: script)
  }

  deinit { stop() }

  /// `http://127.0.0.1:PORT` and what follows; for https the test authority names both `localhost`
  /// and the addresses.
  public func uri(_ path: String = "/") -> String { "\(origin)\(path)" }

  public var origin: String { "\(scheme)://\(family.host):\(port)" }

  /// The requests so far, in order of arrival.
  public var requests: [RecordedRequest] { state.requests }

  /// The connections accepted so far, those without a request or a handshake included.
  public var connectionCount: Int { state.connectionCount }

  /// The numbers of those that neither end has closed, as far as their threads have noticed.
  public var openConnections: Set<Int> { state.openConnections }

  /// Ends every connection and thread; returns when none is left. May be called again.
  public func stop() {
    hasStopped.withLock { hasStopped in
      guard !hasStopped else { return }
      hasStopped = true
      state.stop(listener: listener)
      Socket.close(listener)
    }
  }

  private func startAccepting(
    channels: any ChannelMaker, _ cut: @escaping @Sendable (Int) -> Cut?, script: @escaping Script
  ) {
    let (listener, state) = (listener, state)
    state.threads.enter()
    Thread.detachNewThread {
      while let descriptor = Socket.accept(listener) {
        guard let number = state.admit(descriptor) else { break }
        state.threads.enter()
        Thread.detachNewThread {
          ServerConnection(state: state, number: number, descriptor: descriptor, cut: cut(number))
            .serve(channels, script)
          state.threads.leave()
        }
      }
      state.threads.leave()
    }
  }
}
