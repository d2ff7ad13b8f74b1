internal import CRawGet
internal import RawGet

/// What a loop tells, with its texts as C has them.
struct LoopEvent {
  private let kind: rawget_event_kind
  private let download: DownloadObject?
  private var kept: Int64 = 0  // bytes
  private var completeLength: Int64?
  private var delay = Duration.zero
  private var status: Int32 = 0
  private var reason: CText?
  private var uri: CText?

  static var none: LoopEvent { LoopEvent(RAWGET_EVENT_NONE) }
  static var woken: LoopEvent { LoopEvent(RAWGET_EVENT_WOKEN) }
  var isNone: Bool { kind == RAWGET_EVENT_NONE }

  private init(_ kind: rawget_event_kind) {
    self.kind = kind
    download = nil
  }

  private init(_ kind: rawget_event_kind, of download: DownloadObject, _ progress: DownloadProgress? = nil) {
    self.kind = kind
    self.download = download
    let progress = progress ?? download.progress
    (kept, completeLength) = (progress.kept, progress.completeLength)
  }

  static func finished(_ download: DownloadObject) -> LoopEvent {
    var event = LoopEvent(RAWGET_EVENT_FINISHED, of: download)
    event.status = download.ending?.status ?? 0
    return event
  }

  /// nil for what a caller does not hear of.
  init?(_ event: DownloadEvent, of download: DownloadObject) {
    switch event {
    case .requested, .responded, .routed, .progressed: return nil
    case .redirected(let target): self.init(RAWGET_EVENT_REDIRECTED, of: download, to: target)
    case .mirrored(let target, let error): self.init(RAWGET_EVENT_MIRRORED, of: download, to: target, after: error)
    case .joined(let target): self.init(RAWGET_EVENT_JOINED, of: download, to: target)
    case .left(let target, let error): self.init(RAWGET_EVENT_LEFT, of: download, to: target, after: error)
    case .found(let progress, _): self.init(RAWGET_EVENT_FOUND, of: download, progress)
    case .began(let progress): self.init(RAWGET_EVENT_BEGAN, of: download, progress)
    case .replaced(let count):
      self.init(RAWGET_EVENT_REPLACED, of: download)
      kept = count
    case .interrupted(let error, let delay):
      self.init(RAWGET_EVENT_INTERRUPTED, of: download, after: error)
      self.delay = delay
    }
  }

  private init(
    _ kind: rawget_event_kind, of download: DownloadObject, to target: TargetURI? = nil,
    after error: DownloadError? = nil
  ) {
    self.init(kind, of: download)
    uri = target.map { CText($0.shown) }
    guard let error else { return }
    reason = CText(Array(error.code.utf8))
    status = error.exitCode(kept: kept)
  }

  /// Its texts live as long as this event does.
  var raw: rawget_event {
    var event = unsafe rawget_event()
    unsafe event.kind = Int32(kind.rawValue)
    unsafe event.download = download.map { unsafe handle(of: $0) }
    unsafe event.user_data = download?.userData
    unsafe event.status = status
    unsafe event.kept = kept
    unsafe event.complete_length = completeLength ?? -1
    let (seconds, attoseconds) = delay.components
    unsafe event.delay = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    unsafe event.reason = unsafe reason?.pointer
    unsafe event.uri = unsafe uri?.pointer
    return unsafe event
  }
}
