internal import RawGet

/// What is said of a download, apart from failures.
enum Sentences {
  /// `found 61.42% (12.3 of 20.0 MB), resuming`, before any network traffic.
  static func found(_ progress: DownloadProgress, _ reason: ResumeReason) -> Text {
    var text = Text("found ")
    if let length = progress.completeLength, length > 0 {
      text.add(percentOf: progress.kept, length)
      text.add(" (")
      text.add(size: progress.kept, of: length)
      text.add(")")
    } else {
      text.add(size: progress.kept)
    }
    text.append(reason == .resume ? ", resuming" : ", resuming after a comparison [\(reason.code)]")
    return text
  }

  static func noRoom(for wanted: Int, only jobs: Int) -> Text {
    Text("warning: too few files may be open (ulimit -n) for \(wanted) downloads at once; there will be \(jobs)")
  }

  static func replaced(keeping offset: Int64) -> Text {
    var text = Text("changed (11): the server has another file than the part was begun from; a new part keeps ")
    text.add(size: offset)
    text.add(", the old one waits as .part.old until it is whole")
    return text
  }

  static func began(_ name: Text, _ progress: DownloadProgress) -> Text {
    var text = name
    if progress.kept > 0 {
      text.add(", from ")
      text.add(size: progress.kept)
    }
    text.add(", ")
    if let length = progress.completeLength { text.add(size: length) } else { text.add("length unknown") }
    return text
  }

  static func interrupted(_ error: DownloadError, _ delay: Duration) -> Text {
    var text = FailureSentences.cause(error)
    text.add(delay == .zero ? "; going on" : "; trying again in ")
    if delay != .zero { text.add(seconds: delay) }
    return text
  }

  static func mirrored(to target: TargetURI, _ error: DownloadError) -> Text {
    var text = FailureSentences.cause(error)
    text.add("; going on at the mirror ")
    text.add(foreign: target.shown)
    return text
  }

  static func joined(_ target: TargetURI) -> Text {
    var text = Text("receiving from the mirror ")
    text.add(foreign: target.shown)
    text.add(" as well")
    return text
  }

  static func left(_ target: TargetURI, _ error: DownloadError) -> Text {
    var text = FailureSentences.cause(error)
    text.add("; going on without the mirror ")
    text.add(foreign: target.shown)
    return text
  }

  /// `file.bin: 30.00% (6.0 of 20.0 MB), 3.1 MB/s, 0:42 left`
  static func underWay(_ line: ProgressLine) -> Text {
    var text = Text()
    text.add(foreign: line.name)
    text.add(": ")
    text.append(line.sentence)
    return text
  }

  static func complete(_ summary: DownloadSummary, received: Int64, _ elapsed: Duration) -> Text {
    var text = Text()
    if summary.note != .downloaded {
      text.add(foreign: summary.path ?? Array("standard output".utf8))
      switch summary.note {
      case .skipped: text.add(": exists, skipped")
      case .alreadyComplete: text.add(": already complete")
      case .notModified: text.add(": not modified")
      case .explained, .downloaded: break
      }
      return text
    }
    if let path = summary.path {
      text.add(foreign: path)
      text.add(": ")
    }
    text.add(size: summary.length)
    text.add(" in ")
    text.add(seconds: elapsed)
    text.add(", ")
    text.add(rate: received, over: elapsed)
    if !summary.isLengthProven { text.add(" (complete by close, length unproven)") }
    if summary.isPrefixSampled { text.add(" (prefix sampled)") }
    if let digest = summary.digest {
      text.add(", ")
      text.add(foreign: digest)
    }
    return text
  }
}
