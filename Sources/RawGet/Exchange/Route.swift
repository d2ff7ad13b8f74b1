/// The way to an origin: connections of one route may stand in for each other, those of two never.
struct Route: Equatable {
  let origin: Origin
  /// Whom to trust on the way; nil for http.
  let tls: TLSOptions?

  init(to origin: Origin, _ options: DownloadOptions) {
    self.origin = origin
    tls = origin.scheme == .https ? options.tls : nil
  }
}
