/// The way to an origin: connections of one route may stand in for each other, those of two never.
final class Route: Equatable, Sendable {
  /// nil for those of all http origins that an HTTP proxy answers for.
  let origin: Origin?
  /// Whom to trust on the way; nil for http.
  let tls: TLSOptions?
  let proxy: Proxy?
  let dialing: Dialing

  init(to origin: Origin, _ options: borrowing DownloadOptions) {
    proxy = options.dialing.socketPath == nil ? options.proxies.proxy(for: origin) : nil
    let isForwarded = proxy.map { !$0.isSOCKS } ?? false && origin.scheme == .http
    self.origin = isForwarded ? nil : origin
    dialing = options.dialing
    tls = origin.scheme == .https || proxy?.kind == .https ? options.tls : nil
  }

  static func == (left: Route, right: Route) -> Bool {
    left === right
      || left.origin == right.origin && left.tls == right.tls && left.proxy == right.proxy
        && left.dialing == right.dialing
  }

  /// The proxy that gets the requests themselves, in absolute-form (RFC 9112 §3.2.2).
  var forwarder: Proxy? { origin == nil ? proxy : nil }
}
