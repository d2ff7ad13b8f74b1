internal import HTTP1
internal import Posix

extension Download {
  /// Says in the file's extended attributes where it came from (freedesktop.org, Common Extended Attributes): the URI
  /// that was asked for and the caller's Referer, both without userinfo and query, which may hold secrets. Gives back
  /// why that could not be; the content is none the worse for it.
  func recordOrigin() -> DownloadError? {
    guard options.recordsOrigin, let file = sink?.part?.file else { return nil }
    do throws(SystemError) {
      try file.setAttribute(Array("user.xdg.origin.url".utf8), TargetIdentity(request.target).text)
      if let referrer {
        try file.setAttribute(Array("user.xdg.referrer.url".utf8), TargetIdentity(referrer).text)
      }
      return nil
    } catch {
      return .file(error)
    }
  }

  private var referrer: TargetURI? {
    let field = request.fields.last { $0.line.isNamed(FieldName("Referer")) }
    return field.flatMap { try? TargetURI(text: $0.line.value) }
  }
}
