#if TLS
  import LoopbackServer
  import Testing

  @testable import TLS

  /// Reconnects that cost no second proof of identity (RFC 8446 §2.2, RFC 5246 §7.3).
  struct ResumptionTests {
    let authority: TestAuthority

    init() throws { authority = try TestAuthority.shared() }

    /// One connection that is cut after some content; whether it was resumed, on both sides.
    private func connect(_ meeting: Meeting, _ server: ServerTLS) throws -> Bool {
      try meeting.run(server) { channel, _ in
        channel?.write(Array(channel?.isResumed == true ? "again".utf8 : "first".utf8))
      } client: { client in
        try client.handshake()
        let (end, said) = try client.receiveAll()
        #expect(end == .truncated)
        #expect(said == Array(client.isResumed ? "again".utf8 : "first".utf8))
        return client.isResumed
      }
    }

    @Test(arguments: [ServerTLS.Version.tls12, .tls13]) func resumesAfterADrop(_ version: ServerTLS.Version) throws {
      let server = try ServerTLS(authority.good, only: version)
      let meeting = try Meeting(trusting: authority.file)
      let isResumed = try (0..<4).map { _ in try connect(meeting, server) }
      #expect(isResumed == [false, true, true, true])
    }

    @Test func resumesOnlyTheSameOrigin() throws {
      let server = try ServerTLS(authority.good)
      var meeting = try Meeting(trusting: authority.file)
      #expect(try !connect(meeting, server))
      meeting.port = 8443
      #expect(try !connect(meeting, server), "another port")
      meeting.host = "127.0.0.1"
      meeting.isAddress = true
      #expect(try !connect(meeting, server), "another host: the name was never verified for it")
      meeting.context = try TLSContext(Meeting.configuration(trusting: authority.file))
      #expect(try !connect(meeting, server), "another context")
    }

    @Test func aWrongNameIsNotResumedInto() throws {
      let server = try ServerTLS(authority.wrongName)
      var meeting = try Meeting(trusting: authority.file)
      meeting.host = "elsewhere.example"
      #expect(try !connect(meeting, server))
      meeting.host = "localhost"
      let error = try meeting.run(server) { try $0.handshakeError() }
      #expect(error?.verificationCode == 62)
    }

    @Test func shakesHandsInFullWhereTheTicketIsStale() throws {
      let meeting = try Meeting(trusting: authority.file)
      #expect(try !connect(meeting, ServerTLS(authority.good)))
      #expect(try !connect(meeting, ServerTLS(authority.good)), "another server's ticket keys")
    }

    @Test func forgetsATicketAfterAFailedHandshake() throws {
      let server = try ServerTLS(authority.good)
      let meeting = try Meeting(trusting: authority.file)
      #expect(try !connect(meeting, server))
      let error = try meeting.runRaw { end in
        end.swallow()
        end.finish()
      } client: {
        try $0.handshakeError()
      }
      #expect(error != nil)
      #expect(try !connect(meeting, server), "the ticket may have been the reason")
    }

    @Test func keepsSixteenOrigins() throws {
      let server = try ServerTLS(authority.good)
      var meeting = try Meeting(trusting: authority.file)
      for port in UInt16(1)...17 {
        meeting.port = port
        #expect(try !connect(meeting, server))
      }
      for port in (UInt16(2)...17).reversed() {
        meeting.port = port
        #expect(try connect(meeting, server), "port \(port)")
      }
      meeting.port = 1
      #expect(try !connect(meeting, server), "the oldest had to go")
    }
  }
#endif
