import Foundation
import Glibc
import Posix
import Testing

/// What the system keeps of a connection that nobody reads: how much waits, and how much may.
struct ReceiveRoomTests {
  @Test func unreadIsWhatAReceiveWouldFind() throws {
    let pair = try ConnectedPair()
    let before = pair.client.unread
    #expect(before == 0)
    pair.peerSends("hello")
    let all = pair.client.unread
    #expect(all == 5)
    let again = pair.client.unread
    #expect(again == 5, "looking takes nothing away")
    _ = try receive(pair.client, capacity: 2)
    let rest = pair.client.unread
    #expect(rest == 3)
    _ = try receive(pair.client)
    let after = pair.client.unread
    #expect(after == 0)
  }

  @Test func anEndIsNotAByte() throws {
    let pair = try ConnectedPair()
    pair.peerSends("last")
    pair.peerFinishes()
    pair.peerHasLeft()
    let unread = pair.client.unread
    #expect(unread == 4)
    _ = try receive(pair.client)
    let after = pair.client.unread
    #expect(after == 0)
  }

  @Test func nothingIsUnreadWhereNothingCanBe() throws {
    let listener = try Listener()
    let connecting = try StreamSocket.connecting(to: listener.address)
    let unread = connecting.unread
    #expect(unread == 0, "not connected yet, or just so")
    let other = StreamSocket(adopting: Descriptor(adopting: open("/dev/null", O_RDONLY | O_CLOEXEC)))
    let none = other.unread
    #expect(none == 0, "no socket")
  }

  /// In bytes, as the system tells it.
  private func option(_ name: Int32, of descriptor: Int32) -> Int {
    var value: Int32 = -1
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, name, &value, &length)
    return Int(value)
  }

  /// 2 MiB, or what the system allows: half of its limit is for its own bookkeeping.
  private static var room: Int { min(2 << 20, Int((StreamSocket.receiveLimit ?? 2 << 20) / 2)) }

  @Test(.enabled(if: StreamSocket.receiveLimit != nil)) func roomIsThereBeforeItConnects() throws {
    let listener = try Listener(backlog: 16)
    let client = try StreamSocket.connecting(to: listener.address, room: Self.room)
    let size = option(SO_RCVBUF, of: client.raw)
    #expect(size >= Self.room)
    let mark = option(SO_RCVLOWAT, of: client.raw)
    #expect(mark == 1, "any byte wakes")
  }

  /// All of it fits while nobody reads.
  @Test(.enabled(if: StreamSocket.receiveLimit != nil)) func roomHoldsSoManyBytes() throws {
    let listener = try Listener()
    let client = try StreamSocket.connecting(to: listener.address, room: Self.room)
    let peer = try listener.accept()
    waitFor(client.raw, POLLOUT)
    var least: Int32 = 4_608  // bytes: what is sent has to be there, not here
    setsockopt(peer.raw, SOL_SOCKET, SO_SNDBUF, &least, socklen_t(MemoryLayout<Int32>.size))
    let wanted = Self.room * 3 / 4
    let block = [UInt8](repeating: 7, count: 65_536)
    var sent = 0
    while sent < wanted, waitFor(peer.raw, POLLOUT) {
      let count = send(peer.raw, block, min(block.count, wanted - sent), Int32(MSG_DONTWAIT))
      guard count > 0 else { break }
      sent += count
    }
    #expect(sent == wanted)
    shutdown(peer.raw, Int32(SHUT_WR))
    waitFor(client.raw, pollPeerClosed)
    let unread = client.unread
    #expect(unread == Int64(wanted))
  }

  @Test func theLimitIsTheSystems() throws {
    let path = "/proc/sys/net/ipv4/tcp_rmem"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      #expect(StreamSocket.receiveLimit == nil)
      return
    }
    let numbers = text.split(whereSeparator: \.isWhitespace).map(String.init)
    #expect(numbers.count == 3)
    #expect(StreamSocket.receiveLimit == Int64(numbers[2]), "the greatest of three")
  }
}

/// POLLRDHUP of Linux, which needs a feature macro elsewhere: the peer's FIN has arrived.
private let pollPeerClosed: Int32 = 0x2000

extension ConnectedPair {
  /// Waits until the peer's FIN is here, behind what it sent.
  fileprivate func peerHasLeft() { waitFor(client.raw, pollPeerClosed) }
}
