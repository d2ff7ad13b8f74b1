internal import RawGet

/// The command: arguments in, one exit status out. Called by the C main.
@c(rawget_main)
public func rawgetMain() -> Int32 {
  CommandSystem.ignoreBrokenPipe()
  var settings = Settings()
  do throws(UsageError) {
    switch try settings.read(CommandSystem.arguments()) {
    case .help: CommandSystem.write(Help.text, to: .output)
    case .version: CommandSystem.write(Help.version, to: .output)
    case .inspect(let path): return Inspecting.run(path, settings)
    case .download(let request): return Command.run(request, settings)
    }
    return 0
  } catch {
    let status = UsageSentences.exitStatus(error)
    CommandSystem.write(Command.failureLine(status, UsageSentences.sentence(error)), to: .error)
    return status
  }
}

enum Command {
  static func run(_ request: DownloadRequest, _ settings: Settings) -> Int32 {
    var reporter = Reporter(settings)
    if !settings.options.tls.verifiesPeer {
      reporter.line(Text("WARNING: --insecure: anyone can pose as the server; nothing below is verified"))
    }
    do throws(DownloadError) {
      var loop = try EventLoop()
      CommandSystem.watchTermination(waking: loop)
      var download = Download(request, settings.options)
      let result = try drive(&download, &loop, &reporter)
      return conclude(result, &reporter)
    } catch {
      return conclude(.failed(DownloadFailure(error: error, kept: 0, partPath: nil)), &reporter)
    }
  }

  private static func drive(
    _ download: inout Download, _ loop: inout EventLoop, _ reporter: inout Reporter
  ) throws(DownloadError) -> DownloadResult {
    while true {
      switch try loop.run(&download, for: Reporter.redrawInterval) {
      case .event(let event): reporter.report(event, download)
      case .finished(let result): return result
      case .woken:
        if CommandSystem.receivedSignal != nil { download.cancel() }
      case .idle: reporter.redraw(download.progress)
      }
    }
  }

  /// Tells how it ended; a signal that ended it is let through now that everything is safe.
  private static func conclude(_ result: DownloadResult, _ reporter: inout Reporter) -> Int32 {
    switch result {
    case .complete(let summary):
      reporter.finish(summary)
      return 0
    case .failed(let failure):
      if case .outputClosed = failure.error { return failure.exitCode }
      let signal = CommandSystem.receivedSignal
      let name = signal == nil ? ExitStatus.name(failure.exitCode) : "signal"
      let status = signal.map { 128 + $0 } ?? failure.exitCode
      reporter.line(labelled(name, status, FailureSentences.sentence(failure)))
      if let signal { CommandSystem.die(by: signal) }
      return status
    }
  }

  /// `NAME (STATUS): …`, the stable part of every line about a failure.
  private static func labelled(_ name: String, _ status: Int32, _ sentence: Text) -> Text {
    var text = Text("\(name) (\(status)): ")
    text.append(sentence)
    return text
  }

  static func failureLine(_ status: Int32, _ sentence: Text) -> Text {
    var text = Text("rawget: ")
    text.append(labelled(ExitStatus.name(status), status, sentence))
    text.add("\n")
    return text
  }
}
