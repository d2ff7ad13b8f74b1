#if TLS
  import Glibc
  import LoopbackServer
  import Testing

  @testable import TLS

  /// What a session holds when nothing is going on, and what may arrive then.
  struct IdleTests {
    let authority: TestAuthority
    let server: ServerTLS
    let meeting: Meeting

    init() throws {
      authority = try TestAuthority.shared()
      server = try ServerTLS(authority.good)
      meeting = try Meeting(trusting: authority.file)
    }

    @Test func knowsWhatAPollerCannotSee() throws {
      try meeting.run(server) { channel, _ in
        channel?.write(Array(repeating: 1, count: 100))
        channel?.write(Array(repeating: 2, count: 100))
        _ = channel?.read(upTo: 1)
      } client: { client in
        try client.handshake()
        var received: [UInt8] = []
        while received.count < 100 { received += try client.receive(upTo: 10).bytes }
        while received.count < 200 {
          // Either it is here, or the poller will tell.
          if !client.holdsBytes { try waitFor(POLLIN, on: client.descriptor) }
          received += try client.receiveOnce(upTo: 10).bytes
        }
        #expect(try client.receiveOnce().outcome == .wantsRead)
        #expect(!client.holdsBytes)
        try client.send(".")
      }
    }

    @Test func doesNotCallHalfARecordReady() throws {
      try meeting.run(server) { channel, end in
        channel?.write(Array("good".utf8))
        end.send([0x17, 3, 3, 0, 64, 1, 2, 3])
        end.swallow()
      } client: { client in
        try client.handshake()
        #expect(try client.receive().bytes == Array("good".utf8))
        var outcome = TLSReceived.closed
        repeat {
          outcome = try client.receiveOnce().outcome
          #expect(!client.holdsBytes, "the caller would turn in circles")
        } while outcome != .wantsRead
        #expect(client.bufferSize == 0)
        try client.send("enough")
      }
    }

    @Test func holdsNoBufferWhileItWaits() throws {
      try meeting.run(server) { channel, _ in
        channel?.write(Array(repeating: 1, count: 40_000))
        _ = channel?.read(upTo: 1)
      } client: { client in
        #expect(client.bufferSize == 0, "made without one")
        try client.handshake()
        var received = 0
        while received < 40_000 { received += try client.receive(upTo: 10_000).bytes.count }
        #expect(try client.receiveOnce().outcome == .wantsRead)
        #expect(client.bufferSize == 0, "what waits costs no buffer")
        try client.send(".")
      }
    }

    @Test func holdsTheRestOfARecord() throws {
      try meeting.run(server) { channel, _ in
        channel?.write(Array(repeating: 1, count: 40_000))
        channel?.announceEnd()
      } client: { client in
        try client.handshake()
        try client.awaitEnd()
        #expect(try client.receiveOnce(upTo: 10).bytes.count == 10)
        #expect(client.holdsBytes, "no poller knows of it")
        #expect(client.bufferSize == 0, "the records behind it are with the system")
        #expect(try client.receiveAll().bytes.count == 39_990)
        #expect(client.bufferSize == 0)
      }
    }

    enum Event: Sendable { case keyUpdate, content, partOfARecord, notify, end, reset }

    static let events: [(event: Event, staysIdle: Bool, because: String)] = [
      (.keyUpdate, true, "new keys may come at any time"),
      (.content, false, "content nobody asked for"),
      (.partOfARecord, false, "it may become content"),
      (.notify, false, "close_notify"),
      (.end, false, "FIN"),
      (.reset, false, "RST"),
    ]

    @Test(arguments: events) func absorbsOnlyWhatIsHarmless(
      _ row: (event: Event, staysIdle: Bool, because: String)
    ) throws {
      try meeting.run(server) { channel, end in
        if let bytes = channel?.read(upTo: 100) { channel?.write(bytes) }
        _ = channel?.read(upTo: 100)
        switch row.event {
        case .keyUpdate: channel?.updateKeys()
        case .content: channel?.write(Array("surplus".utf8))
        case .partOfARecord: end.send([0x17, 3, 3])
        case .notify: channel?.announceEnd()
        case .end: end.finish()
        case .reset:
          end.resetOnClose()
          return
        }
        while let bytes = channel?.read(upTo: 100) { channel?.write(bytes) }
      } client: { client in
        try client.handshake()
        try client.send("past the session tickets")
        _ = try client.receive()
        #expect(client.absorbIdle(), "nothing is harmless")
        try client.send("now")
        try waitFor(POLLIN, on: client.descriptor)
        #expect(client.absorbIdle() == row.staysIdle, "\(row.because)")
        guard row.staysIdle else { return }
        #expect(client.bufferSize == 0)
        try client.send("echo")
        #expect(try client.receive().bytes == Array("echo".utf8))
      }
    }

    /// After an idle session took the tickets, the next one is resumed with them.
    @Test func absorbsSessionTickets() throws {
      for isExpected in [false, true] {
        try meeting.run(server) { channel, _ in
          _ = channel?.read(upTo: 100)
        } client: { client in
          try client.handshake()
          #expect(client.isResumed == isExpected)
          try waitFor(POLLIN, on: client.descriptor)
          #expect(client.absorbIdle(), "session tickets come unasked")
          try client.send(".")
        }
      }
    }

    @Test func seesTheEndBehindSessionTickets() throws {
      try meeting.run(server) { client in
        try client.handshake()
        try client.awaitEnd()
        #expect(!client.absorbIdle())
      }
    }

    @Test func keepsSurplusForTheNextReceive() throws {
      try meeting.run(server) { channel, _ in
        channel?.write(Array("surplus".utf8))
      } client: { client in
        try client.handshake()
        try client.awaitEnd()
        #expect(!client.absorbIdle())
        #expect(try client.receive().bytes == Array("surplus".utf8), "looked at, not taken")
      }
    }
  }
#endif
