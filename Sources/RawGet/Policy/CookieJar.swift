internal import HTTP1

/// The cookies that a chain of redirects may use: those that the caller gave, and those that were set on the way. It
/// ends with the chain: nothing is kept for later.
public struct CookieJar: Sendable {
  static let limit = 50  // cookies set on the way; the oldest makes room

  /// From a file: sent wherever they are for.
  public var given: [Cookie] = []
  /// The caller's own, without a domain: like credentials they stay at the origin of the target.
  public var ofTarget: [Cookie] = []
  private var received: [Cookie] = []

  /// No cookie.
  public init() {}

  /// Takes what a response sets (RFC 6265 §5.3). One that has expired stays, so that it hides what was given.
  mutating func receive(_ fields: Fields, from target: TargetURI, now: Int64) {
    for index in 0..<fields.count where fields.name(at: index).equalsIgnoringCase("Set-Cookie") {
      guard let cookie = Cookie(setBy: fields.value(at: index), from: target, now: now) else { continue }
      let isGuarded = (received + given).contains { $0.isSecure && cookie.replaces($0) }
      if isGuarded && target.scheme != .https { continue }  // plain http may not overrule https
      received.removeAll { cookie.replaces($0) }
      if received.count == CookieJar.limit { received.removeFirst() }
      received.append(cookie)
    }
  }

  /// The value of the one Cookie field for `target`: longer paths first, then older cookies (RFC 6265 §5.4); nil for
  /// none.
  func fieldValue(for target: TargetURI, leftOrigin: Bool, now: Int64) -> [UInt8]? {
    var older = leftOrigin ? [] : ofTarget
    for index in older.indices { older[index].domain = target.host.bytes }
    older += given
    let all = older.filter { old in !received.contains { $0.replaces(old) } } + received
    let chosen = all.filter { $0.isFor(target, now: now) }
    if chosen.isEmpty { return nil }
    var ordered: [Cookie] = []
    for cookie in chosen {
      ordered.insert(cookie, at: ordered.firstIndex { $0.path.count < cookie.path.count } ?? ordered.count)
    }
    var text: [UInt8] = []
    for cookie in ordered {
      text += (text.isEmpty ? [] : Array("; ".utf8)) + cookie.name + [UInt8(ascii: "=")] + cookie.value
    }
    return text
  }
}
