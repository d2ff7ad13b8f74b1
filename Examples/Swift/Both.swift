// The package and the C library in one process, each with its own code: both FOLDER URL. For those who link a library
// that brings librawget.a along; a program of one's own needs only one of them.
import CRawGet
import RawGet

@main
struct Both {
  static func main() {
    guard CommandLine.arguments.count == 3 else { return print("usage: both FOLDER URL") }
    let (folder, url) = (CommandLine.arguments[1], CommandLine.arguments[2])
    let first = package(url, into: folder + "/of-the-package")
    let second = library(url, into: folder + "/of-the-library")
    print("\(first) \(second)")
  }

  private static func package(_ url: String, into file: String) -> String {
    do {
      let request = DownloadRequest(target: try TargetURI(text: Array(url.utf8)), destination: .file(Array(file.utf8)))
      var loop = try EventLoop()
      loop.add(DownloadJob(Download(request, DownloadOptions())))
      while true {
        guard case .finished(_, let result) = try loop.run(for: .seconds(60)) else { continue }
        guard case .complete(let summary) = result else { return "failed" }
        return "\(summary.length)"
      }
    } catch {
      return "\(error)"
    }
  }

  private static func library(_ url: String, into file: String) -> String {
    url.withCString { url in
      file.withCString { file in
        var options = rawget_options()
        options.size = MemoryLayout<rawget_options>.size
        (options.url, options.file) = (url, file)
        let download = rawget_download_create(&options)
        defer { rawget_download_free(download) }
        guard rawget_download_run(download) == 0 else { return "failed" }
        var result = rawget_result()
        result.size = MemoryLayout<rawget_result>.size
        rawget_download_result(download, &result)
        return "\(result.length)"
      }
    }
  }
}
