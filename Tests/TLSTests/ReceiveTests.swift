#if TLS
  import Dispatch
  import Glibc
  import LoopbackServer
  import Testing

  @testable import TLS

  struct ReceiveTests {
    let authority: TestAuthority
    let server: ServerTLS
    let meeting: Meeting

    init() throws {
      authority = try TestAuthority.shared()
      server = try ServerTLS(authority.good)
      meeting = try Meeting(trusting: authority.file)
    }

    static let content = Resource(length: 5_000_000).bytes

    /// Bytes of content, and of the span they are received into.
    static let arrivals = [
      (40_000, 1), (200_000, 7), (5_000_000, 1000), (5_000_000, 16_383), (5_000_000, 16_384), (5_000_000, 16_385),
      (5_000_000, 262_144), (5_000_000, 512_000), (5_000_000, 6_000_000),
    ]

    @Test(arguments: arrivals) func receivesIdenticalBytes(count: Int, capacity: Int) throws {
      let content = Array(Self.content.prefix(count))
      let (end, received) = try meeting.run(server) { channel, _ in
        channel?.write(content)
        channel?.announceEnd()
      } client: { client in
        try client.handshake()
        return try client.receiveAll(upTo: capacity)
      }
      #expect(end == .closed)
      #expect(received == content)
    }

    @Test(arguments: [ServerTLS.Version.tls12, .tls13]) func echoesThroughFullBuffers(
      _ version: ServerTLS.Version
    ) throws {
      let content = Self.content
      let echoed = try meeting.run(ServerTLS(authority.good, only: version)) { channel, _ in
        while let bytes = channel?.read(upTo: 50_000), channel?.write(bytes) == true {}
      } client: { client in
        try client.handshake()
        return try Self.echo(content, client)
      }
      #expect(echoed == content)
    }

    /// Sends all it can, receives all it can, and waits for both. What is offered again is never where it was.
    static func echo(_ content: [UInt8], _ client: Client) throws -> [UInt8] {
      var (sent, echoed) = (0, [UInt8]())
      var offered: [UInt8] = []
      while echoed.count < content.count {
        var isSending = true
        while isSending, sent < content.count {
          let piece = Array(content[sent..<min(sent + 100_000, content.count)])
          let outcome = try client.session.send(piece.span)
          if case .bytes(let count) = outcome { sent += count } else { isSending = false }
          offered = piece
        }
        let (outcome, bytes) = try client.receiveOnce(upTo: 30_000)
        echoed += bytes
        if outcome == .wantsRead {
          try waitFor(sent < content.count ? POLLIN | POLLOUT : POLLIN, on: client.descriptor)
        }
      }
      #expect(!offered.isEmpty)
      return echoed
    }

    @Test func sendsWhatTheSocketTakes() throws {
      let content = Self.content
      let canRead = DispatchSemaphore(value: 0)
      try meeting.run(server) { channel, _ in
        canRead.wait()
        while channel?.read(upTo: 100_000) != nil {}
      } client: { client in
        try client.handshake()
        let outcome = try client.session.send(content.span)
        canRead.signal()
        guard case .bytes(1..<content.count) = outcome else {
          Issue.record("\(outcome)")
          return
        }
      }
    }

    /// Others wait for their turn, however fast this one's bytes come.
    @Test func receivesABoundedAmountInOneCall() throws {
      let content = Self.content
      try meeting.run(server) { channel, _ in
        for _ in 0..<4 { channel?.write(content) }
      } client: { client in
        try client.handshake()
        var largest = 0
        while true {
          let (outcome, bytes) = try client.receive(upTo: 3_000_000)
          guard case .bytes = outcome else { break }
          largest = max(largest, bytes.count)
        }
        #expect(largest <= 1_048_576 + 16_384, "a turn of ciphertext, and a record begun before")
      }
    }

    static let pieces = [1, 10, 1_000, 16_383, 16_384, 16_385, 40_000, 50_000, 500_000]  // bytes

    /// What is not wanted yet stays with the system, which has a bound for it, and no buffer of ours is kept for it. Full
    /// records carry 16,384 bytes (RFC 8446 §5.1).
    @Test(arguments: pieces) func takesNoRecordThatItDoesNotNeed(capacity: Int) throws {
      let content = Array(Self.content.prefix(50_000))
      try meeting.run(server) { channel, _ in
        channel?.write(content)
        channel?.announceEnd()
      } client: { client in
        try client.handshake()
        try client.awaitEnd()
        var received: [UInt8] = []
        while received.count < content.count {
          let bytes = try client.receiveOnce(upTo: capacity).bytes
          let wanted = min(capacity, content.count - received.count)
          received += bytes
          let behind = content.count - min((received.count + 16_383) / 16_384 * 16_384, content.count)
          let isHeld = client.bufferSize > 0 && received.count < content.count
          guard bytes.count == wanted, client.unread >= behind, !isHeld else {
            Issue.record(
              "\(bytes.count) bytes, \(received.count) in all, \(client.unread) unread, \(client.bufferSize)")
            return
          }
        }
        #expect(received == content)
        #expect(try client.receiveOnce().outcome == .closed)
      }
    }

    @Test func tellsCloseFromTruncation() throws {
      for isAnnounced in [true, false] {
        try meeting.run(server) { channel, _ in
          channel?.write(Array("content".utf8))
          if isAnnounced { channel?.announceEnd() }
        } client: { client in
          try client.handshake()
          let (end, bytes) = try client.receiveAll()
          #expect(end == (isAnnounced ? .closed : .truncated), "RFC 9112 §9.8")
          #expect(bytes == Array("content".utf8))
          #expect(try client.receive().outcome == end, "an end is repeated")
          #expect(client.holdsBytes, "and known without waiting")
        }
      }
    }

    @Test func givesBytesBeforeWhatFollowsThem() throws {
      try meeting.run(server) { channel, _ in
        channel?.write(Array("one".utf8))
        channel?.write(Array("two".utf8))
        channel?.announceEnd()
      } client: { client in
        try client.handshake()
        try client.awaitEnd()
        #expect(try client.receiveOnce().bytes == Array("onetwo".utf8), "all records of one arrival")
        #expect(client.holdsBytes, "the end was received too")
        #expect(try client.receiveOnce().outcome == .closed)
      }
    }

    @Test func ignoresWhatFollowsTheEnd() throws {
      try meeting.run(server) { channel, end in
        channel?.announceEnd()
        end.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
      } client: { client in
        try client.handshake()
        try client.awaitEnd()
        #expect(try client.receive().outcome == .closed)
        #expect(try client.receive().outcome == .closed)
      }
    }

    /// What a server sends raw after one good record; each must end the session, after the record.
    static let broken: [(bytes: [UInt8], because: String)] = [
      (Array("HTTP/1.1 200 OK\r\n\r\n".utf8), "not a record"),
      ([0x17, 3, 3, 0, 3, 1, 2, 3], "too short to be sealed"),
      ([0x17, 3, 3, 0, 32] + Array(repeating: 7, count: 32), "sealed by nobody"),
      ([0x17, 3, 3, 0xFF, 0xFF], "longer than a record can be (RFC 8446 §5.2)"),
      ([0x17, 9, 9, 0, 32] + Array(repeating: 7, count: 32), "no such version"),
    ]

    @Test(arguments: broken) func refusesBrokenRecords(_ row: (bytes: [UInt8], because: String)) throws {
      try meeting.run(server) { channel, end in
        channel?.write(Array("good".utf8))
        end.send(row.bytes)
        end.finish()
        end.swallow()
      } client: { client in
        try client.handshake()
        try client.awaitEnd()
        #expect(try client.receiveOnce().bytes == Array("good".utf8))
        #expect(client.holdsBytes)
        for _ in 0..<2 {
          let error = try client.receiveError()
          #expect(error?.protocolReason != nil, "\(row.because): \(String(describing: error))")
        }
      }
    }

    @Test(arguments: [1, 4, 5, 6, 20]) func partOfARecordIsTruncated(length: Int) throws {
      let record: [UInt8] = [0x17, 3, 3, 0, 64] + Array(repeating: 0, count: 64)
      try meeting.run(server) { channel, end in
        channel?.write(Array("good".utf8))
        end.send(Array(record.prefix(length)))
      } client: { client in
        try client.handshake()
        let (end, bytes) = try client.receiveAll()
        #expect(end == .truncated)
        #expect(bytes == Array("good".utf8))
        #expect(throws: TLSError.connection(code: EPIPE)) { try client.send("more") }
      }
    }

    @Test func namesResetOfTheConnection() throws {
      try meeting.run(server) { channel, end in
        channel?.write(Array("good".utf8))
        end.swallow()
        end.resetOnClose()
      } client: { client in
        try client.handshake()
        #expect(try client.receive().bytes == Array("good".utf8))
        try client.send("now")
        #expect(try client.receiveError() == .connection(code: ECONNRESET))
        #expect(try client.receiveError() == .connection(code: ECONNRESET), "an error is repeated")
      }
    }

    @Test func saysGoodbye() throws {
      let heard = try meeting.run(server) { channel, end in
        let ended = channel?.read(upTo: 10)
        channel?.write(Array((ended == nil && channel?.sawNotify == true ? "closed" : "cut").utf8))
      } client: { client in
        try client.handshake()
        client.session.close()
        return try client.receive().bytes
      }
      #expect(heard == Array("closed".utf8))
    }

    @Test func goodbyeTakesNothingAway() throws {
      try meeting.run(server) { channel, end in
        channel?.write(Array("still coming".utf8))
        end.finish()
        while channel?.read(upTo: 10) != nil {}
      } client: { client in
        try client.handshake()
        try client.awaitEnd()
        client.session.close()
        client.session.close()
        #expect(try client.receive().bytes == Array("still coming".utf8))
      }
    }
  }
#endif
