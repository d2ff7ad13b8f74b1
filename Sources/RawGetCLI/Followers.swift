internal import RawGet

/// The commands of `--exec` that run, a place in the batch for each.
struct Followers {
  static let exitStatus: Int32 = 17
  /// How often they are looked after.
  static let interval: Duration = .milliseconds(20)

  private var running: [FollowingCommand] = []

  var count: Int { running.count }

  /// Runs the command where a new file is. Gives back why it can't be run.
  mutating func follow(_ result: DownloadResult, of job: DownloadJob, _ settings: Settings) -> Text? {
    guard let command = settings.following, case .complete(let summary) = result else { return nil }
    do throws(DownloadError) {
      if let started = try FollowingCommand(command, after: summary, of: job.download.request) {
        running.append(started)
      }
      return nil
    } catch {
      var text = Followers.labelled(summary.path ?? [])
      text.add(foreign: command)
      text.add(": ")
      text.append(FailureSentences.cause(error))
      return text
    }
  }

  /// What there is to say of one that failed. Those that ended are no longer there.
  mutating func takeFailure() -> Text? {
    var index = 0
    while index < running.count {
      guard let status = running[index].status else {
        index += 1
        continue
      }
      let command = running.remove(at: index)
      if status == 0 { continue }
      var text = Followers.labelled(command.path)
      text.append("the command ended with \(status); the file is whole")
      return text
    }
    return nil
  }

  private static func labelled(_ path: [UInt8]) -> Text {
    var text = Text("\(ExitStatus.name(exitStatus)) (\(exitStatus)): ")
    text.add(foreign: path)
    text.add(": ")
    return text
  }
}
