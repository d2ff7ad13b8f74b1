internal import HTTP1
internal import Posix
internal import TLS

/// One walk from the original target to a response that is not followed further: connect, exchange, and redirects
/// with their connections. It decides nothing: `head` goes up, and `follow` or the next `advance` comes down.
///
///     opening ─▶ exchanging ──head──▶ exchanging ──content…──▶ complete
///        ▲            │ follow
///        └────────── draining (the redirect's own content, so that the connection can be used again)
final class Attempt {
  /// The content of a redirect is read past up to here; beyond it a new connection is cheaper.
  static let drainLimit: Int64 = 65_536  // bytes
  /// And no longer than this.
  static let drainTime: Duration = .seconds(1)

  enum Action: Equatable {
    case wait
    case head
    case content(Range<Int>)
    case complete
  }
  private enum Stage {
    case idle
    case opening
    case exchanging
    case draining(room: Int64, until: Instant)
  }

  /// What its requests ask for beyond their target.
  enum Asking {
    case everything
    case rest(RangePlan)
    case sample(RangeRequest)
    case selected(RangeRequest)
  }

  private let order: DownloadOrder
  private(set) var target: TargetURI
  private(set) var redirectCount = 0
  /// The chain left the origin it began at: the caller's secrets stay behind from there on.
  private(set) var leftOrigin = false
  /// The range that the request under way asked for.
  private(set) var asked: RangeRequest?
  /// The head of the request that is under way, for those who want to see it.
  private(set) var requestHead: [UInt8] = []
  private var stage = Stage.idle
  private var route: Route?
  private var opening: ConnectionOpening?
  private var connection: Connection?
  private var exchange: Exchange?
  private(set) var isReused = false
  /// That of the request under way: a redirect may change it.
  private var method: RequestMethod
  private var sendsContent: Bool
  private var cookies: CookieJar
  /// Only something newer is wanted, in seconds since 1970.
  private let modifiedSince: Int64?
  /// Something was sent that may not be sent twice (RFC 9110 §9.2.2).
  private var sentOnce = false
  private var waitsFor: Readiness = []
  /// While content comes.
  private var mark: ReceiveMark?
  /// When what lies below the mark is taken.
  private var markDeadline = Instant.distantFuture
  private let asking: Asking
  /// Where what is asked for ends, if it is a part; nil for the end of the representation.
  private let lastByte: Int64?
  /// What the system is to keep for us on its connections, in bytes; nil for what it does of itself.
  private let room: Int?

  /// - Parameter place: where it begins: the request's target, or a mirror of it.
  init(
    for order: DownloadOrder, at place: TargetURI, _ asking: Asking, upTo lastByte: Int64? = nil,
    modifiedSince: Int64? = nil, room: Int? = nil
  ) {
    self.order = order
    self.lastByte = lastByte
    self.room = room
    target = place
    leftOrigin = place.origin != order.request.target.origin
    method = order.request.method.method
    sendsContent = order.request.content != nil
    cookies = order.request.cookies
    self.asking = asking
    self.modifiedSince = modifiedSince
  }

  /// Whether the walk may begin anew.
  var isRepeatable: Bool { !sentOnce && (method.isIdempotent || exchange?.hasSent != true) }

  /// The request asked for what is newer alone.
  var isConditional: Bool { modifiedSince != nil && asked == nil }

  var head: ResponseHead? { exchange?.head }
  var hasConnection: Bool { connection != nil }
  var framing: Framing { exchange?.framing ?? .none }

  /// All content of so many bytes is in the loop's buffer already.
  func holdsAll(_ count: Int64) -> Bool { exchange?.holdsAll(count) ?? false }

  func advance(
    _ services: inout Services, buffer: inout ReceiveBuffer, limit: Int, now: Instant
  ) throws(DownloadError) -> Action {
    while true {
      switch stage {
      case .idle:
        try open(&services, now: now)
      case .opening:
        guard let open = try opening?.advance(now: now, serials: &services.serials) else { return .wait }
        opening = nil
        connection = open
        isReused = false
        try beginExchange(now: now)
      case .exchanging:
        guard let action = try exchange(&buffer, limit: limit, now: now) else {
          stage = .idle  // a reused connection was dead: once more on a new one
          continue
        }
        return action
      case .draining(let room, let until):
        guard try drain(room: room, until: until, &buffer, limit: limit, now: now) else { return .wait }
        if case .idle = stage { continue }
        try beginExchange(now: now)
      }
    }
  }

  private func open(_ services: inout Services, now: Instant) throws(DownloadError) {
    endMark()
    connection = nil
    exchange = nil
    route = Route(to: target.origin, order.options)
    if method.isIdempotent, let resting = takeResting(&services, now: now) {
      connection = resting
      isReused = true
      return try beginExchange(now: now)
    }
    opening = try newOpening(&services, room: room, now: now)
    stage = .opening
  }

  /// A connection to the present target that waits for a request; nil when there is none.
  func takeResting(_ services: inout Services, now: Instant) -> Connection? {
    guard let route else { return nil }
    return services.connections.take(route, now: now)
  }

  /// The way to a new one, on which the system is to keep `room` bytes for us.
  func newOpening(
    _ services: inout Services, room: Int?, now: Instant
  ) throws(DownloadError) -> ConnectionOpening {
    let options = order.options
    let context = target.scheme == .https ? try services.tlsContext(options.tls) : nil
    var hop: ConnectionOpening.Hop?
    if let proxy = route?.proxy {
      let context = proxy.kind == .https ? try services.tlsContext(options.tls.forProxy) : nil
      hop = ConnectionOpening.Hop(proxy: proxy, context: context, userAgent: options.namedAgent)
    }
    return try ConnectionOpening(
      to: target.origin, via: hop, dialing: options.dialing, timeouts: options.timeouts, context: context, room: room,
      book: services.addresses, now: now, serials: &services.serials)
  }

  private func beginExchange(now: Instant) throws(DownloadError) {
    switch asking {
    case .everything: asked = lastByte.map { RangeRequest(range: .closed(first: 0, last: $0), validator: nil) }
    case .rest(let plan): asked = plan.request(at: target, redirected: redirectCount > 0)?.ending(at: lastByte)
    case .sample(let range), .selected(let range): asked = range
    }
    requestHead = try head(asking: asked)
    exchange = Exchange(
      request: requestHead, content: sendsContent ? order.request.content ?? [] : [], method: method, now: now)
    stage = .exchanging
  }

  /// The head of a request for a range of the present target, or for all of it.
  func head(asking range: RangeRequest?) throws(DownloadError) -> [UInt8] {
    var particulars = RequestComposer.Particulars(method: method, range: range, proxy: route?.forwarder)
    if sendsContent || method.takesContent {
      particulars.contentLength = sendsContent ? order.request.content?.count ?? 0 : 0
    }
    if range == nil { particulars.modifiedSince = modifiedSince }
    particulars.cookies = cookies.fieldValue(
      for: target, leftOrigin: leftOrigin, now: WallClock.secondsSince1970())
    guard
      let bytes = RequestComposer.head(
        for: order.request, target: target, leftOrigin: leftOrigin, userAgent: order.options.namedAgent, particulars)
    else { throw .invalidRequest }
    return bytes
  }

  /// The connection, whose present answer somebody else reads from here on; this walk is over, and what it has found
  /// out stays.
  func handOver() -> (connection: Connection, exchange: Exchange)? {
    guard let connection, let exchange else { return nil }
    endMark()
    self.connection = nil
    stage = .idle
    return (connection, exchange)
  }

  /// One step of the exchange; nil when a reused connection turned out to be closed before it answered: the request is
  /// safe to send again on a new one (RFC 9112 §9.3.1), and no attempt is counted.
  private func exchange(
    _ buffer: inout ReceiveBuffer, limit: Int, now: Instant
  ) throws(DownloadError) -> Action? {
    do throws(DownloadError) {
      switch try step(&buffer, limit: limit, now: now) {
      case .wait(let readiness):
        waitsFor = readiness
        setMark(now: now)
        if let wait = exchange?.wait(order.options.timeouts), now >= wait.deadline { throw .timedOut(wait.reason) }
        return .wait
      case .head:
        mark = ReceiveMark(total: exchange?.receivedCount ?? 0, now: now)
        return .head
      case .content(let range): return .content(range)
      case .complete:
        endMark()
        if exchange?.leavesConnectionReusable != true { connection = nil }
        return .complete
      }
    } catch {
      if isReused && method.isIdempotent && exchange?.hasBegun != true && error.isTransient { return nil }
      throw error
    }
  }

  /// After all that was there has been taken.
  private func setMark(now: Instant) {
    guard let connection, let exchange, var mark else { return }
    let held = connection.isSecured ? ReceiveMark.heldBySession : 0
    mark.wait(total: exchange.receivedCount, left: exchange.leftAtLeast.map { $0 - held }, now: now)
    connection.setReceiveLowWater(mark.bytes)
    markDeadline = mark.deadline(now: now)
    self.mark = mark
  }

  /// The next answer's head may be short.
  private func endMark() {
    mark = nil
    markDeadline = .distantFuture
    connection?.setReceiveLowWater(1)
  }

  private func step(_ buffer: inout ReceiveBuffer, limit: Int, now: Instant) throws(DownloadError) -> Exchange.Action {
    guard let connection, let exchange else { return .wait([]) }
    return try exchange.advance(on: connection, buffer: &buffer, limit: limit, now: now)
  }

  /// The error that a status means: 407 is what a proxy says for itself (RFC 9110 §15.5.8).
  func refusal(_ status: Int, retryAfter: Int64?) -> DownloadError {
    let error = DownloadError.refused(status: status, retryAfter: retryAfter)
    guard status == 407, let proxy = route?.forwarder else { return error }
    return .proxy(proxy.text, error)
  }

  /// Gives the connection to whoever asks next, once the response is complete: one that can't be used again is gone then.
  func release(to services: inout Services, now: Instant) {
    guard let connection else { return }
    put(connection, &services, now: now)
    self.connection = nil
  }

  /// Gives a connection to the present target to whoever asks next.
  func put(_ connection: Connection, _ services: inout Services, now: Instant) {
    guard let route else { return }
    services.connections.put(connection, on: route, now: now)
  }

  /// Turns to where a redirect leads, whose head was just read. Returns the new target.
  func follow(_ head: ResponseHead, now: Instant) throws(DownloadError) -> TargetURI {
    do throws(RedirectionRefusal) {
      let next = try Redirection.next(
        after: head, from: target, count: redirectCount, limit: order.options.redirectLimit,
        allowsDowngrade: order.options.allowsDowngrade)
      let changed = method.afterRedirect(head.status)
      let isSame = changed == method
      if isSame, next.origin != target.origin, sendsContent || !method.isSafe { throw .unsafeElsewhere }
      cookies.receive(head.fields, from: target, now: WallClock.secondsSince1970())
      sentOnce = !isRepeatable
      sendsContent = sendsContent && isSame
      method = changed
      turn(to: next, now: now)
      return next
    } catch {
      throw .redirection(error)
    }
  }

  private func turn(to next: TargetURI, now: Instant) {
    if next.origin != target.origin { leftOrigin = true }
    redirectCount += 1
    target = next
    let room: Int64
    switch framing {
    case .length(let length): room = length <= Attempt.drainLimit ? length : -1
    case .chunked: room = Attempt.drainLimit
    case .none: room = 0
    case .untilClose, .tunnel: room = -1
    }
    let isUseful = room >= 0 && Route(to: next.origin, order.options) == route && method.isIdempotent
    stage = isUseful ? .draining(room: room, until: now + Attempt.drainTime) : .idle
  }

  /// Reads past the redirect's content; true when the next step is known: `idle` for a new connection, else this one.
  private func drain(
    room: Int64, until: Instant, _ buffer: inout ReceiveBuffer, limit: Int, now: Instant
  ) throws(DownloadError) -> Bool {
    var room = room
    do throws(DownloadError) {
      while true {
        switch try exchange(&buffer, limit: limit, now: now) {
        case .wait:
          if now >= until { break }
          stage = .draining(room: room, until: until)
          return false
        case .content(let range):
          room -= Int64(range.count)
          if room < 0 { break }
          continue
        case .head: continue
        case .complete:
          isReused = connection?.isQuiet() ?? false
          if isReused { return true }
        case nil: break
        }
        stage = .idle
        return true
      }
    } catch {
      stage = .idle  // where the redirect leads is known: how its content ended is of no interest
      return true
    }
  }

  /// Goes on with what comes, after nobody could take it.
  func resume(now: Instant) { exchange?.resume(now: now) }

  /// When `advance` has something to do though no descriptor became ready.
  var deadline: Instant {
    let timeouts = order.options.timeouts
    return switch stage {
    case .opening: opening?.deadline ?? .distantFuture
    case .exchanging: min(markDeadline, exchange?.wait(timeouts).deadline ?? .distantFuture)
    case .draining(_, let until): min(until, markDeadline, exchange?.wait(timeouts).deadline ?? .distantFuture)
    case .idle: .distantFuture
    }
  }

  func appendInterests(to interests: inout [Interest]) {
    switch stage {
    case .opening: opening?.appendInterests(to: &interests)
    case .exchanging, .draining:
      if let interest = connection?.interest(waitsFor) { interests.append(interest) }
    case .idle: break
    }
  }
}
