/// What a download was asked for, at one place for all that work for it: the two are 750 bytes, and whoever passes this
/// on passes a reference.
final class DownloadOrder: Sendable {
  let request: DownloadRequest
  let options: DownloadOptions
  /// Of the request: asked at every turn.
  let isPlain: Bool

  init(_ request: DownloadRequest, _ options: DownloadOptions) {
    self.request = request
    self.options = options
    isPlain = request.isPlain
  }
}
