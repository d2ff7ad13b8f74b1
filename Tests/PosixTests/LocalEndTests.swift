import Glibc
import Testing

@testable import Posix

/// Where connections leave from, and sockets of the file system.
struct LocalEndTests {
  static let rows: [(text: String, family: AddressFamily?, isRead: Bool)] = [
    ("127.0.0.1", .v4, true), ("::1", .v6, true), ("lo", nil, true), ("", nil, false), ("none0", nil, false),
    ("127.0.0.1:80", nil, false), ("lo\0", nil, false), ("127.0.0.256", nil, false), ("[::1]", nil, false),
  ]

  @Test(arguments: rows) func reads(_ row: (text: String, family: AddressFamily?, isRead: Bool)) {
    let end = LocalEnd(text: Array(row.text.utf8))
    #expect((end != nil) == row.isRead)
    #expect(end?.family == row.family)
  }

  /// A listening socket of 127.0.0.1, and its address.
  private func listening() throws -> (Int32, SocketAddress) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(listener >= 0 && listen(listener, 8) == 0)
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(listener, $0, &length) }
    }
    let port = UInt16(bigEndian: address.sin_port)
    return (listener, try #require(SocketAddress(literal: Array("127.0.0.1".utf8), port: port)))
  }

  private func localName(of socket: borrowing StreamSocket) -> String {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let raw = socket.raw
    _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(raw, $0, &length) }
    }
    return unsafe String(cString: inet_ntoa(address.sin_addr))
  }

  @Test func leavesFromAnAddress() throws {
    let (listener, address) = try listening()
    defer { close(listener) }
    let end = try #require(LocalEnd(text: Array("127.0.0.9".utf8)))
    let socket = try StreamSocket.connecting(to: address, from: end)
    #expect(localName(of: socket) == "127.0.0.9")
  }

  @Test func leavesThroughAnInterface() throws {
    let (listener, address) = try listening()
    defer { close(listener) }
    let socket = try StreamSocket.connecting(to: address, from: .interface(Array("lo".utf8)))
    var name = [UInt8](repeating: 0, count: 16)
    var length = socklen_t(name.count)
    let raw = socket.raw
    _ = unsafe getsockopt(raw, SOL_SOCKET, SO_BINDTODEVICE, &name, &length)
    let isBound = name.starts(with: Array("lo\0".utf8)) || localName(of: socket) == "127.0.0.1"
    #expect(isBound, "to the device where that is permitted, else to its address")
  }

  @Test func anAddressOfAnotherMachineIsRefused() throws {
    let (listener, address) = try listening()
    defer { close(listener) }
    let end = try #require(LocalEnd(text: Array("192.0.2.1".utf8)))
    #expect(throws: SystemError.self) {
      _ = try StreamSocket.connecting(to: address, from: end)
    }
  }

  @Test(arguments: [0, 1, 107, 108, 300]) func aPathHasItsBounds(_ count: Int) {
    #expect(throws: SystemError.self, "nothing is there, or the path does not fit") {
      _ = try StreamSocket.connecting(toPath: [UInt8](repeating: UInt8(ascii: "s"), count: count))
    }
  }
}
