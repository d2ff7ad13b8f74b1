internal import RawGet

/// The command: arguments in, one exit status out. Called by the C main.
@c(rawget_main)
public func rawgetMain() -> Int32 {
  CommandSystem.ignoreBrokenPipe()
  do throws(UsageError) {
    let settings = Settings()
    try settings.read(CommandSystem.arguments())
    switch settings.mode {
    case .help: CommandSystem.write(Help.text, to: .output)
    case .version: CommandSystem.write(Help.version, to: .output)
    case .completion(let shell): CommandSystem.write(Completion.text(for: shell), to: .output)
    case .inspect(let path): return Inspecting.run(path, settings)
    case .download:
      try ItemSource.check(settings)
      if let asking = settings.asking { return Questions.all(asking, settings) }
      return Run.all(settings)
    }
    return 0
  } catch {
    let status = UsageSentences.exitStatus(error)
    CommandSystem.write(FailureLine.text(status, UsageSentences.sentence(error)), to: .error)
    return status
  }
}

/// The line that tells of a failure. `NAME (STATUS): ` is its stable part.
enum FailureLine {
  static func labelled(_ name: String, _ status: Int32, _ sentence: Text) -> Text {
    var text = Text("\(name) (\(status)): ")
    text.append(sentence)
    return text
  }

  static var insecure: Text {
    Text("WARNING: --insecure: anyone can pose as the server; nothing below is verified")
  }

  static func text(_ status: Int32, _ sentence: Text) -> Text {
    var text = Text("rawget: ")
    text.append(labelled(ExitStatus.name(status), status, sentence))
    text.add("\n")
    return text
  }
}
