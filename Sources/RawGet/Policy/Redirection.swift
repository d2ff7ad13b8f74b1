internal import HTTP1

/// Why a redirect is not followed.
public enum RedirectionRefusal: Error, Equatable, Sendable {
  /// More than the bound in one chain.
  case tooMany(limit: Int)
  /// From https to http, which was not allowed.
  case downgrade
  /// No `Location`, several that differ, or one that leads nowhere.
  case invalidLocation
  /// What is no plain question would be repeated at another origin, content and all.
  case unsafeElsewhere
}

/// Where a 301, 302, 303, 307 or 308 leads (RFC 9110 §10.2.2, §15.4): a GET stays a GET under all of them.
enum Redirection {
  static let limit = 20  // redirects in one chain

  /// The next target. `count` redirects were followed before this one.
  static func next(
    after head: ResponseHead, from target: TargetURI, count: Int, limit: Int = limit, allowsDowngrade: Bool
  ) throws(RedirectionRefusal) -> TargetURI {
    guard count < limit else { throw .tooMany(limit: limit) }
    guard let location = head.fields.singleValue(of: .location), !location.isEmpty else { throw .invalidLocation }
    let next: TargetURI
    do throws(TargetURIError) {
      next = try target.resolving(reference: location)
    } catch {
      throw .invalidLocation
    }
    if target.scheme == .https && next.scheme == .http && !allowsDowngrade { throw .downgrade }
    return next
  }
}
