import Foundation
import LoopbackServer

/// A server of one answer for each connection, on a socket in the file system or on 127.0.0.1, that notes who came.
final class TinyServer: Sendable {
  static let content = "hello"

  let port: UInt16
  private let listener: Int32
  private let noted = Guarded<[(peer: String, head: String)]>([])

  /// - Parameter path: nil for a loopback port of the system's choice.
  init(path: String? = nil) throws {
    listener = socket(path == nil ? AF_INET : AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    if let path {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      try Self.bind(listener, &address)
      port = 0
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      try Self.bind(listener, &address)
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = listener
      _ = withUnsafeMutablePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
      }
      port = UInt16(bigEndian: address.sin_port)
    }
    guard listen(listener, 8) == 0 else { throw POSIXError(.EIO) }
    let (listener, noted) = (listener, noted)
    Thread.detachNewThread { Self.serve(listener, noted) }
  }

  /// A thread in accept ends with it.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  var peers: [String] { noted.withLock { $0.map(\.peer) } }
  var heads: [String] { noted.withLock { $0.map(\.head) } }

  private static func bind<Address>(_ descriptor: Int32, _ address: inout Address) throws {
    let length = socklen_t(MemoryLayout<Address>.size)
    let outcome = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, length) }
    }
    guard outcome == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  private static func serve(_ listener: Int32, _ noted: Guarded<[(peer: String, head: String)]>) {
    while true {
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let peer = withUnsafeMutablePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(listener, $0, &length) }
      }
      guard peer >= 0 else { return }
      var head: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 4_096)
      while !String(decoding: head, as: UTF8.self).hasSuffix("\r\n\r\n") {
        let count = recv(peer, &piece, piece.count, 0)
        guard count > 0 else { break }
        head += piece[..<count]
      }
      let name = String(cString: inet_ntoa(address.sin_addr))
      noted.withLock { $0.append((name, String(decoding: head, as: UTF8.self))) }
      let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\n\(content)".utf8)
      _ = send(peer, answer, answer.count, Int32(MSG_NOSIGNAL))
      close(peer)
    }
  }
}
