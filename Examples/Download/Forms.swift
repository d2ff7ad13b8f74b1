import RawGet

/// In memory, of which there is a bound.
func inMemory(_ target: TargetURI) -> [UInt8]? {
  let request = DownloadRequest(target: target, destination: .memory(limit: 1_000_000))
  guard case .complete(let summary) = Download(request).run() else { return nil }
  return summary.content
}

/// As it comes: every byte once, in order. `DownloadControl` ends it from any thread.
func stream(_ target: TargetURI, _ control: DownloadControl, to take: @escaping @Sendable (Span<UInt8>) -> Void) {
  let receiver = ContentReceiver { content in
    take(content)
    return .more
  }
  _ = Download(DownloadRequest(target: target, destination: .receiver(receiver))).run(control)
}

/// Only what is allowed: false leaves nothing behind.
func onlyArchives(_ target: TargetURI) -> DownloadResult {
  var options = DownloadOptions()
  options.allowsResponse = { response in
    response.completeLength.map { $0 < 1_000_000_000 } == true
      && response.field("Content-Type") == Array("application/zip".utf8)
  }
  return Download(DownloadRequest(target: target, destination: .directory(".")), options).run()
}

/// A small question, whose answer is one whatever its status.
func exists(_ target: TargetURI) throws(DownloadError) -> Bool {
  try fetch(FetchRequest(.head, target)).status != 404
}

/// For `async` code, on a thread of its own. To cancel the task cancels the download.
func asynchronously(_ target: TargetURI) async -> DownloadResult {
  let download = AsyncDownload(DownloadRequest(target: target, destination: .directory(".")))
  for await event in download.events {
    if case .progressed(let progress) = event { print(progress.kept) }
  }
  return await download.result
}
