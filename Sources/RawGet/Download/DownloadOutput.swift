internal import Posix

// A stream whose reader is slow (`OutputStream`): what came is written before anything else is received.
//
//     receiving ──the stream takes a part──▶ held up ──it is written──▶ receiving
//
// Held up, the download waits for the stream in place of its connections: what the server sends stays in the system, and
// the server is told so by TCP. Several lanes go on being opened and asked. Whatever ends a download ends it then too; how
// long the server is silent is not counted (`resume`). The content is not whole before its last byte is written, since
// that is found out by receiving.
extension Download {
  /// The reader has yet to take what is kept for it; writes what it takes now.
  ///
  /// The first time nothing is written: that the stream takes no more was seen in this turn.
  mutating func isHeldUp(_ services: inout Services, _ now: Instant) throws(DownloadError) -> Bool {
    guard let stream = sink?.stream, stream.isHeldUp else { return false }
    guard let since = heldUpSince else {
      heldUpSince = now
      stream.prepareWait(&services.serials)
      transfer?.holdUp()
      return true
    }
    guard try stream.flush() else { return true }
    heldUpSince = nil
    speedWatch?.pause(for: now - since)
    attempt?.resume(now: now)
    transfer?.resume(after: now - since, now: now)
    return false
  }

  /// Nothing is received; nil when there is more to do at once.
  mutating func waitForReader(
    _ now: Instant, _ buffer: inout ReceiveBuffer, _ services: inout Services
  ) throws(DownloadError) -> Step? {
    var next = nextFlush(now)
    if let transfer {
      guard let deadline = try advance(transfer, now, &buffer, &services, limit: buffer.capacity) else { return nil }
      next = min(next, deadline)
    }
    return .waiting(until: min(next, deadline))
  }

  /// When the stream is to be looked after though nothing says that it takes more.
  func nextFlush(_ now: Instant) -> Instant { sink?.stream?.delay.map { now + $0 } ?? .distantFuture }

  func appendInterestsHeldUp(to interests: inout [Interest]) {
    if let interest = sink?.stream?.interest { interests.append(interest) }
    transfer?.appendInterests(to: &interests)
  }

  /// The poller refuses to watch the stream; false where the interest is another's.
  func cannotWatch(_ interest: Interest) -> Bool {
    guard let stream = sink?.stream, stream.interest == interest else { return false }
    stream.cannotBeWatched()
    return true
  }

  /// A stream stays open until `closeOutput`: a poller that watched a duplicate can't be told to forget it once that is
  /// closed.
  mutating func letGoOfSink() {
    if let stream = sink?.stream { leaving = stream }
    sink = nil
    heldUpSince = nil
  }

  /// The loop has ceased to watch it.
  mutating func closeOutput() { leaving = nil }
}
