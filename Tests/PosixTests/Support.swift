import Foundation
import Posix

/// A listening TCP socket on a loopback address, made without the module under test.
final class Listener {
  let descriptor: Int32
  let address: SocketAddress

  init(_ family: AddressFamily = .v4, backlog: Int32 = 16) throws {
    (descriptor, address) = try bound(family)
    guard listen(descriptor, backlog) == 0 else { throw SystemFault(errno) }
  }

  deinit { close(descriptor) }

  /// Waits for the next connection; its descriptor blocks.
  func accept() throws -> Descriptor {
    let raw = Glibc.accept(descriptor, nil, nil)
    guard raw >= 0 else { throw SystemFault(errno) }
    return Descriptor(adopting: raw)
  }
}

struct SystemFault: Error {
  let code: Int32
  init(_ code: Int32) { self.code = code }
}

/// A TCP socket with a port of its own that nobody listens at yet.
func bound(_ family: AddressFamily) throws -> (descriptor: Int32, address: SocketAddress) {
  let raw = socket(family == .v4 ? AF_INET : AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
  guard raw >= 0 else { throw SystemFault(errno) }
  var storage = sockaddr_storage()
  var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
  let port: UInt16? = withUnsafeMutablePointer(to: &storage) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      address.pointee.sa_family = sa_family_t(family == .v4 ? AF_INET : AF_INET6)
      if family == .v4 {
        pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          $0.pointee.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        }
      } else {
        pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee.sin6_addr = in6addr_loopback }
      }
      guard bind(raw, address, length) == 0, getsockname(raw, address, &length) == 0 else { return nil }
      // The port is at the same place in both kinds of address.
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }
  }
  let literal = family == .v4 ? "127.0.0.1" : "::1"
  guard let port, let address = SocketAddress(literal: Array(literal.utf8), port: port) else {
    throw SystemFault(errno)
  }
  return (raw, address)
}

/// A connection under test and the other end of it.
struct ConnectedPair: ~Copyable {
  let client: StreamSocket
  let peer: Descriptor

  init(_ family: AddressFamily = .v4) throws {
    let listener = try Listener(family)
    let client = try StreamSocket.connecting(to: listener.address)
    peer = try listener.accept()
    waitFor(client.raw, POLLOUT)
    self.client = client
  }

  /// Lets the other end write, and waits until the first byte is here.
  func peerSends(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(peer.raw, bytes, bytes.count)
    waitFor(client.raw, POLLIN)
  }

  /// Lets the other end break the connection with a reset, and waits until that is here.
  func peerResets() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(peer.raw, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    // The number stays ours, so that nobody else's socket gets it meanwhile.
    let other = open("/dev/null", O_RDONLY)
    dup2(other, peer.raw)
    close(other)
    waitFor(client.raw, POLLIN)
  }

  /// Lets the other end finish its direction.
  func peerFinishes() {
    shutdown(peer.raw, Int32(SHUT_WR))
    waitFor(client.raw, POLLIN)
  }
}

/// Waits for readiness by the system's own means. After a minute it gives up, so that what never comes fails a
/// test and does not hang it.
@discardableResult
func waitFor(_ descriptor: Int32, _ events: Int32) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  return poll(&entry, 1, 60_000) == 1
}

/// Whether the other end of a pipe or a connection gets closed.
func ends(_ descriptor: Int32) -> Bool {
  var byte: UInt8 = 0
  return waitFor(descriptor, POLLIN) && read(descriptor, &byte, 1) == 0
}

/// Receives once, at most `capacity` bytes.
func receive(_ socket: borrowing StreamSocket, capacity: Int = 64) throws -> (outcome: Received, text: String) {
  var bytes = [UInt8](repeating: 0, count: capacity)
  var span = bytes.mutableSpan
  let outcome = try socket.receive(into: &span)
  guard case .bytes(let count) = outcome else { return (outcome, "") }
  return (outcome, String(decoding: bytes[..<count], as: UTF8.self))
}

/// The errno that `body` threw; `nil` if it did not.
func code(of body: () throws(SystemError) -> Void) -> Int32? {
  do {
    try body()
    return nil
  } catch {
    return error.code
  }
}

/// A folder of its own that goes with the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/posix-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func directory() throws -> Directory { try Directory(path: Array(path.utf8)) }

  func put(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: false)
  }

  func makeFIFO(_ name: String) { mkfifo(path + "/" + name, 0o600) }

  /// The content of a file; `nil` if there is none.
  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
  }

  func attribute(_ key: FileAttributeKey, of name: String) throws -> Any? {
    try FileManager.default.attributesOfItem(atPath: path + "/" + name)[key]
  }
}

/// The flags of an open descriptor, as /proc tells them.
func flags(of descriptor: Int32) throws -> Int32 {
  let text = try String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)
  let line = text.split(separator: "\n").first { $0.hasPrefix("flags:") } ?? ""
  return Int32(line.split(separator: "\t").last ?? "", radix: 8) ?? 0
}

extension String {
  var bytes: [UInt8] { Array(utf8) }
}
