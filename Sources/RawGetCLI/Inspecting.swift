internal import RawGet

/// `--inspect NAME`: what is on the disk, for standard output.
enum Inspecting {
  static func run(_ path: [UInt8], _ settings: Settings) -> Int32 {
    do throws(DownloadError) {
      guard let found = try Inspection.of(path, settings.options.resume) else {
        CommandSystem.write(Text("part: none\nverdict: fresh\n"), to: .output)
        return 0
      }
      CommandSystem.write(text(found), to: .output)
      return 0
    } catch {
      let failure = DownloadFailure(error: error, kept: 0, partPath: nil)
      let line = FailureLine.text(failure.exitCode, FailureSentences.sentence(failure))
      CommandSystem.write(line, to: .error)
      return failure.exitCode
    }
  }

  private static func text(_ found: Inspection) -> Text {
    var text = Text("part: \(found.kept) bytes, \(found.durable) of them durable\n")
    if let length = found.completeLength { text.append("complete length: \(length) bytes\n") }
    add("target", found.target, to: &text)
    add("validator", found.validator, to: &text)
    text.append("verdict: \(found.reason.code)\n")
    return text
  }

  private static func add(_ label: String, _ value: [UInt8]?, to text: inout Text) {
    guard let value else { return }
    text.append("\(label): ")
    text.add(foreign: value)
    text.add("\n")
  }
}

/// `--explain URL`: what the server's answer would lead to, for standard output.
enum Explaining {
  static func text(_ verdict: Verdict, _ summary: DownloadSummary) -> Text {
    var text = Text("verdict: \(verdict.code)\n")
    if summary.length > 0 { text.append("kept: \(summary.length) bytes\n") }
    text.append("meaning: \(meaning(verdict))\n")
    return text
  }

  private static func meaning(_ verdict: Verdict) -> String {
    switch verdict {
    case .planned(.fresh): "nothing is here; everything would be downloaded"
    case .planned(.resume): "the rest would be appended after a comparison of the part's end"
    case .planned(.noValidator), .planned(.noRecord):
      "samples of the part and its end would be compared, then the rest appended"
    case .planned(.otherTarget): "the part was begun from another URL; its end would be compared, or all of it"
    case .planned(.mixed):
      "the part is of several places, and no digest speaks for it; everything would be fetched and compared"
    case .planned(.short), .planned(.paranoid), .planned(.optedOut):
      "everything would be fetched and compared with the part"
    case .planned(.notContinued): "the server does not continue the part; everything would be fetched and compared"
    case .rangesIgnored: "the server sends everything; it would be compared with the part, and the rest appended"
    case .changed: "the server has another file; a new part would begin, and the old one wait until it is whole"
    case .complete: "everything is here"
    case .loginPage: "the server sends something else; the part would be left alone"
    }
  }
}
