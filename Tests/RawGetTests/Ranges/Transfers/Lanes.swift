import Foundation
import LoopbackServer
import Posix
import Testing

@testable import RawGet

/// The numbers of connections that a transfer is tried with.
let laneChoices: [ConnectionChoice] = [.exactly(2), .exactly(4), .exactly(8), .automatic]

extension Run {
  /// Over several connections, into the folder.
  init(
    _ uri: String, over connections: ConnectionChoice, in folder: Folder,
    _ change: (inout DownloadOptions) -> Void = { _ in }
  ) throws {
    try self.init(uri, in: folder) {
      $0.connections = connections
      change(&$0)
    }
  }
}

extension LoopbackServer {
  /// For http, or https with the certificate that the tests trust.
  convenience init(
    isSecure: Bool, cut: @escaping @Sendable (Int) -> Cut? = { _ in nil }, script: @escaping Script
  ) throws {
    try self.init(tls: isSecure ? ServerTLS(TestAuthority.shared().good) : nil, cut: cut, script: script)
  }

  /// One to it that stands.
  func connection() throws -> Connection {
    let address = try #require(SocketAddress(literal: Array("127.0.0.1".utf8), port: port))
    let socket = try StreamSocket.connecting(to: address)
    var entry = pollfd(fd: socket.raw, events: Int16(POLLOUT), revents: 0)
    #expect(poll(&entry, 1, 30_000) == 1)
    #expect(try socket.connectOutcome())
    return Connection(socket: socket, to: try TargetURI(text: Array(uri().utf8)).origin, serial: 1)
  }

  /// Connections that brought a request.
  var usedConnections: Set<Int> { Set(requests.map(\.connection)) }

  /// What the requests asked for, in the order of arrival, as the field has it.
  var ranges: [String?] { requests.map { $0.field("Range") } }
}

/// A FIFO that is read on a thread, as standard output is at the end of a pipe.
final class ReadFIFO {
  let path: [UInt8]
  private let folder: Folder
  private let bytes = Guarded([UInt8]())
  private let hasEnded = DispatchSemaphore(value: 0)

  init() throws {
    folder = try Folder()
    path = folder.path(of: "pipe")
    let name = folder.path + "/pipe"
    try #require(mkfifo(name, 0o600) == 0)
    let descriptor = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(descriptor >= 0)
    let (bytes, hasEnded) = (bytes, hasEnded)
    Thread.detachNewThread {
      ReadFIFO.readAll(descriptor, into: bytes)
      close(descriptor)
      hasEnded.signal()
    }
  }

  private static func readAll(_ descriptor: Int32, into all: Guarded<[UInt8]>) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, -1) >= 0 {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return }  // every writer has gone
      if count > 0 { all.withLock { $0 += buffer[..<count] } }
    }
  }

  /// All that was written, once the writers have gone.
  func content() -> Content {
    let last = open(folder.path + "/pipe", O_WRONLY | O_NONBLOCK | O_CLOEXEC)  // so that there was one
    if last >= 0 { close(last) }
    hasEnded.wait()
    return bytes.withLock { Content($0) }
  }
}
