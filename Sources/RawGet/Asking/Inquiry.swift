internal import HTTP1
internal import Posix

/// Asks servers small questions, one after the other, and waits for each answer; nothing on the disk is touched.
/// Redirects are followed, connections used again, and nothing is tried twice.
package struct Inquiry: ~Copyable {
  /// Read of an answer's content; what is longer costs the connection.
  static let contentLimit: Int64 = 65_536  // bytes
  /// For one answer, redirects and all, whatever its pace.
  static let timeLimit: Duration = .seconds(120)
  private static let receiveLimit = 65_536  // bytes at once

  /// The heads that came and went since someone last looked.
  private var events: [DownloadEvent] = []
  let options: DownloadOptions
  private var poller: Poller
  private var buffer = ReceiveBuffer(capacity: Inquiry.receiveLimit)
  private var services = Services()
  /// Ends a question; nil when nobody can.
  private let control: DownloadControl?

  package init(_ options: DownloadOptions) throws(DownloadError) { try self.init(options, nil) }

  init(_ options: DownloadOptions, _ control: DownloadControl?) throws(DownloadError) {
    self.options = options
    self.control = control
    do throws(SystemError) { poller = try Poller() } catch { throw .system(error) }
  }

  package mutating func takeEvents() -> [DownloadEvent] {
    defer { events = [] }
    return events
  }

  /// Connections at rest are closed: the next question may meet another machine behind the same name.
  mutating func forgetConnections() { services.connections = ConnectionPool() }

  /// The answer to one question. It is an answer whatever its status.
  mutating func ask(
    _ request: DownloadRequest, _ method: CallerMethod, _ range: RangeRequest? = nil
  ) throws(DownloadError) -> Answer {
    var request = request
    request.method = method
    request.content = nil
    return try answer(to: request, range, limit: Inquiry.contentLimit) { piece in _ = piece }
  }

  /// The answer to any request, whose content is handed over as it comes, up to `limit` bytes.
  mutating func answer(
    to request: DownloadRequest, _ range: RangeRequest? = nil, limit: Int64, keep: (Span<UInt8>) -> Void
  ) throws(DownloadError) -> Answer {
    let attempt = Attempt(
      for: DownloadOrder(request, options), at: request.target, range.map { .sample($0) } ?? .everything)
    let deadline = Instant.now() + (options.timeouts.total ?? Inquiry.timeLimit)
    var received: Int64 = 0
    while true {
      let now = Instant.now()
      guard now < deadline else { throw .timeLimit }
      if let end = control?.end { throw end }
      switch try attempt.advance(&services, buffer: &buffer, limit: Inquiry.receiveLimit, now: now) {
      case .wait: try wait(for: attempt, until: deadline)
      case .head: try didReceiveHead(attempt, now: now)
      case .content(let range):
        received += Int64(range.count)
        if received <= limit { keep(buffer.filled(range)) }
      case .complete:
        attempt.release(to: &services, now: now)
        return try Answer(attempt, received: received, isWhole: true)
      }
      if attempt.isTooMuch(received, limit) { return try Answer(attempt, received: received, isWhole: false) }
    }
  }

  private mutating func didReceiveHead(_ attempt: Attempt, now: Instant) throws(DownloadError) {
    guard let head = attempt.head else { return }
    events += [.requested(head: attempt.requestHead), .responded(head: head.text)]
    guard StatusClass(head.status) == .redirection else { return }
    events.append(.redirected(to: try attempt.follow(head, now: now)))
  }

  private mutating func wait(for attempt: Attempt, until deadline: Instant) throws(DownloadError) {
    var interests: [Interest] = []
    attempt.appendInterests(to: &interests)
    let waker = try control?.waker()
    do throws(SystemError) {
      for interest in interests { try poller.watch(interest.descriptor, for: interest.readiness, token: 0) }
      if let waker { try poller.watch(waker.raw, for: .readable, token: 0) }
      _ = try poller.wait(until: min(attempt.deadline, deadline))
    } catch {
      throw .system(error)
    }
    for interest in interests { poller.forget(interest.descriptor) }
    if let waker { poller.forget(waker.raw) }
  }
}

extension Attempt {
  /// The rest of its content is not worth the wait.
  fileprivate func isTooMuch(_ received: Int64, _ limit: Int64) -> Bool {
    guard let head, StatusClass(head.status) != .redirection else { return false }
    switch framing {
    case .length(let length): return length > limit
    case .chunked, .untilClose: return received > limit
    case .none, .tunnel: return false
    }
  }
}

/// What came back.
struct Answer {
  let head: ResponseHead
  let framing: Framing
  /// Where redirects led.
  let target: TargetURI
  /// Its connection had carried another exchange before.
  let isOnReusedConnection: Bool
  /// Bytes of content that came; all there is unless it was too much.
  let received: Int64
  let isWhole: Bool

  fileprivate init(_ attempt: Attempt, received: Int64, isWhole: Bool) throws(DownloadError) {
    guard let head = attempt.head else { throw .protocolViolation(.noResponse) }
    self.head = head
    framing = attempt.framing
    target = attempt.target
    isOnReusedConnection = attempt.isReused
    self.received = received
    self.isWhole = isWhole
  }

  /// What a `Content-Length` says: that of the answer to a HEAD as well.
  var announcedLength: Int64? {
    guard let value = head.fields.singleValue(of: .contentLength) else { return nil }
    return decimalValue(value)
  }
}
