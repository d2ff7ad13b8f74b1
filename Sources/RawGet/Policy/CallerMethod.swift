internal import HTTP1

/// The method that a caller wants (RFC 9110 §9.3): anything but HEAD, whose answer has no content, CONNECT, which is for
/// proxies, and TRACE, which would have the server repeat what is secret.
public struct CallerMethod: Equatable, Sendable {
  let method: RequestMethod

  /// nil for the three, and for what is no token. Case matters: `get` is not GET.
  public init?(token: [UInt8]) {
    guard let method = RequestMethod(token) else { return nil }
    if ["HEAD", "CONNECT", "TRACE"].contains(where: { token.equals($0) }) { return nil }
    self.method = method
  }

  private init(_ method: RequestMethod) { self.method = method }

  /// RFC 9110 §9.3.1.
  public static var get: CallerMethod { CallerMethod(.get) }
  /// RFC 9110 §9.3.3. Never sent twice.
  public static var post: CallerMethod { CallerMethod(.post) }
  static var head: CallerMethod { CallerMethod(.head) }
}

extension RequestMethod {
  static var post: RequestMethod { RequestMethod(Array("POST".utf8)) ?? .get }

  private func isOne(of names: [String]) -> Bool { names.contains { token.equals($0) } }

  /// Asks for nothing to be changed (RFC 9110 §9.2.1).
  var isSafe: Bool { isOne(of: ["GET", "HEAD", "OPTIONS", "TRACE"]) }

  /// Twice is the same as once: only such a request is ever repeated (RFC 9110 §9.2.2).
  var isIdempotent: Bool { isSafe || isOne(of: ["PUT", "DELETE"]) }

  /// Content is expected, so that its absence is told as well (RFC 9110 §8.6).
  var takesContent: Bool { isOne(of: ["POST", "PUT", "PATCH"]) }

  /// That of the request that a redirect leads to (RFC 9110 §15.4).
  func afterRedirect(_ status: Int) -> RequestMethod {
    switch status {
    case 303: isOne(of: ["HEAD"]) ? self : .get
    case 301, 302: self == .post ? .get : self
    default: self
    }
  }
}
