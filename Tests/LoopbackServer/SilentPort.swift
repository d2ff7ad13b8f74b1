import Glibc

/// A port where a connection is never established: its queue is full and nobody accepts, so that
/// Linux drops each further SYN. A client must give up by itself.
public final class SilentPort: Sendable {
  public let port: UInt16
  private let descriptors: [Int32]

  public init(family: LoopbackServer.Family = .v4) throws {
    let (listener, port) = try Socket.listen(family, backlog: 0)
    self.port = port
    descriptors = [listener] + (try Self.fill(family, port))
  }

  deinit { for descriptor in descriptors { Socket.close(descriptor) } }

  /// Connects without waiting, more often than a queue of length 0 holds.
  private static func fill(_ family: LoopbackServer.Family, _ port: UInt16) throws -> [Int32] {
    try (0..<4).map { _ in try Socket.startConnecting(family, port) }
  }
}
