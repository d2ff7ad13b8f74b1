internal import Posix

/// A command that is run once a file is whole and has its name, with the file's path as its one argument.
///
/// In its environment are RAWGET_PATH, RAWGET_URL (without userinfo and query) and, if the content was verified with it,
/// RAWGET_SHA256.
package struct FollowingCommand {
  package let path: [UInt8]
  private let process: ChildProcess

  /// nil where there is no new file.
  package init?(_ command: [UInt8], after summary: DownloadSummary, of request: DownloadRequest) throws(DownloadError) {
    guard summary.note == .downloaded, let path = summary.path else { return nil }
    self.path = path
    // What looks like an option to the command is a path all the same.
    let argument = path.first == UInt8(ascii: "-") ? Array("./".utf8) + path : path
    var variables = [
      Array("RAWGET_PATH=".utf8) + argument, Array("RAWGET_URL=".utf8) + TargetIdentity(request.target).text,
    ]
    let algorithm = Array("sha-256=".utf8)
    if let digest = summary.digests.first(where: { $0.starts(with: algorithm) }) {
      variables.append(Array("RAWGET_SHA256=".utf8) + digest.dropFirst(algorithm.count))
    }
    do throws(SystemError) {
      process = try ChildProcess(command, argument: argument, variables: variables)
    } catch {
      throw .file(error)
    }
  }

  /// nil while it runs.
  package var status: Int32? {
    do throws(SystemError) { return try process.status() } catch { return 127 }  // nobody will ever know
  }
}
