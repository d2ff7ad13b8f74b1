import Glibc
import Posix
import Testing

struct StreamSocketTests {
  @Test(arguments: [AddressFamily.v4, .v6]) func connects(_ family: AddressFamily) throws {
    let listener = try Listener(family)
    let client = try StreamSocket.connecting(to: listener.address)
    _ = try listener.accept()
    waitFor(client.raw, POLLOUT)
    let isConnected = try client.connectOutcome()
    #expect(isConnected)
    let reached = client.peerAddress()
    #expect(reached == listener.address)
  }

  @Test func refusalIsAnError() throws {
    let (silent, address) = try bound(.v4)
    defer { close(silent) }
    let refusal = code { () throws(SystemError) in
      let client = try StreamSocket.connecting(to: address)
      waitFor(client.raw, POLLOUT)
      _ = try client.connectOutcome()
    }
    #expect(refusal == ECONNREFUSED)
  }

  /// A listener whose queue is full lets further connects hang, as a silent network does.
  @Test func aConnectThatHangsIsStillInProgress() throws {
    let listener = try Listener(backlog: 0)
    let queued = try [connectForever(to: listener.address), connectForever(to: listener.address)]
    defer { for raw in queued { close(raw) } }
    let client = try StreamSocket.connecting(to: listener.address)
    let isConnected = try client.connectOutcome()
    #expect(!isConnected)
    let reached = client.peerAddress()
    #expect(reached == nil)
  }

  private func connectForever(to address: SocketAddress) throws -> Int32 {
    let client = try StreamSocket.connecting(to: address)
    return dup(client.raw)
  }

  @Test func carriesBytesBothWays() throws {
    let pair = try ConnectedPair()
    let sent = try pair.client.send("hello".bytes.span)
    #expect(sent == .bytes(5))
    var echo = [UInt8](repeating: 0, count: 5)
    #expect(recv(pair.peer.raw, &echo, 5, Int32(MSG_WAITALL)) == 5)
    #expect(echo == "hello".bytes)

    pair.peerSends("goodbye")
    let first = try receive(pair.client, capacity: 4)
    #expect(first.outcome == .bytes(4) && first.text == "good")
    let second = try receive(pair.client)
    #expect(second.text == "bye")
  }

  @Test func nothingToReceiveIsAValue() throws {
    let pair = try ConnectedPair()
    let nothing = try receive(pair.client)
    #expect(nothing.outcome == .wouldBlock)
  }

  @Test func theEndComesAfterTheBytes() throws {
    let pair = try ConnectedPair()
    pair.peerSends("last")
    pair.peerFinishes()
    let bytes = try receive(pair.client)
    #expect(bytes.text == "last")
    let end = try receive(pair.client)
    #expect(end.outcome == .endOfStream)
    let sent = try pair.client.send("still open this way".bytes.span)
    #expect(sent == .bytes(19))
  }

  @Test func aResetIsAnErrorNotAnEnd() throws {
    let pair = try ConnectedPair()
    pair.peerResets()
    let failure = code { () throws(SystemError) in
      var bytes = [UInt8](repeating: 0, count: 8)
      var span = bytes.mutableSpan
      _ = try pair.client.receive(into: &span)
    }
    #expect(failure == ECONNRESET)
  }

  /// That the process lives to tell is the point.
  @Test func sendingToAPeerThatLeftRaisesNoSignal() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let pair = try ConnectedPair()
      pair.peerResets()
      let failures = (0..<3).map { _ in
        code { () throws(SystemError) in _ = try pair.client.send("x".bytes.span) }
      }
      #expect(failures == [ECONNRESET, EPIPE, EPIPE] || failures == [EPIPE, EPIPE, EPIPE])
    }
  }

  @Test func aFullNetworkIsAValueAndSendingNothingIsToo() throws {
    let pair = try ConnectedPair()
    let block = [UInt8](repeating: 7, count: 1 << 20)
    var total = 0
    var outcome = Sent.bytes(0)
    for _ in 0..<10_000 {
      outcome = try pair.client.send(block.span)
      guard case .bytes(let count) = outcome else { break }
      total += count
    }
    #expect(outcome == .wouldBlock)
    #expect(total > 0)
    let nothing = try pair.client.send("".bytes.span)
    #expect(nothing == .bytes(0))
  }

  @Test func quietUntilAnythingArrives() throws {
    let bytes = try ConnectedPair()
    let before = bytes.client.isQuiet()
    #expect(before)
    bytes.peerSends("?")
    let after = bytes.client.isQuiet()
    #expect(!after, "surplus bytes")
    let kept = try receive(bytes.client)
    #expect(kept.text == "?", "looking takes nothing away")

    let finished = try ConnectedPair()
    finished.peerFinishes()
    let afterEnd = finished.client.isQuiet()
    #expect(!afterEnd, "closed by the peer")

    let reset = try ConnectedPair()
    reset.peerResets()
    let afterReset = reset.client.isQuiet()
    #expect(!afterReset, "reset by the peer")
  }

  @Test func lowWaterHoldsBackTheWakeButNotTheBytes() throws {
    let pair = try ConnectedPair()
    pair.client.setReceiveLowWater(4)
    var poller = try Poller()
    try poller.watch(pair.client.raw, for: .readable, token: 1)
    _ = write(pair.peer.raw, "abc", 3)
    for _ in 0..<1_000_000 where pair.client.isQuiet() { sched_yield() }
    let early = try poller.wait(until: Instant(nanoseconds: 0))
    #expect(early == 0)
    _ = write(pair.peer.raw, "d", 1)
    let enough = try poller.wait(until: Instant.now() + .seconds(60))
    #expect(enough == 1)

    pair.client.setReceiveLowWater(64)
    let all = try receive(pair.client)
    #expect(all.text == "abcd", "a receive takes what lies below the mark")
    pair.peerFinishes()
    let end = try poller.wait(until: Instant.now() + .seconds(60))
    #expect(end == 1, "the end wakes below the mark")
  }

  @Test func closesWhenItGoes() throws {
    let listener = try Listener()
    do {
      _ = try StreamSocket.connecting(to: listener.address)
    }
    let peer = try listener.accept()
    let isClosed = ends(peer.raw)
    #expect(isClosed)
  }

  @Test func receivingIntoNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      let pair = try ConnectedPair()
      var nothing: [UInt8] = []
      var span = nothing.mutableSpan
      _ = try pair.client.receive(into: &span)
    }
  }
}
