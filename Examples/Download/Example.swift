import RawGet

@main struct Example {
  static func main() throws {
    let target = try TargetURI(CommandLine.arguments.last ?? "")
    let request = DownloadRequest(target: target, destination: .directory("."))
    let result = Download(request).run { event in
      switch event {
      case .progressed(let progress): print("\(progress.kept) bytes so far")
      case .interrupted(let error, _): print("\(error.message); it goes on by itself")
      default: break
      }
    }
    switch result {
    case .complete(let summary): print("\(summary.length) bytes are here")
    case .failed(let failure): print("\(failure.error.code): \(failure.error.message)")
    }
  }
}
