internal import Posix

/// What the command needs of the system and the engine does not: its module imports this one and no other.
package enum CommandSystem {
  package enum Stream {
    case output
    case error

    fileprivate var raw: Int32 {
      switch self {
      case .output: StandardStream.output
      case .error: StandardStream.error
      }
    }
  }

  /// Makes room for as many downloads at once as are wanted, and returns for how many there is: at least one.
  ///
  /// What the process may have open is raised no further than that needs: commands that follow inherit it.
  package static func makeRoom(for jobs: Int, _ connections: ConnectionChoice) -> Int {
    let ofOne = 2 + 2 * connections.most  // a directory, a part, and connections, of which as many may be at rest
    let ofAll = 16  // standard streams, the loop, a list, held directories; for a moment a record, a name's resolution
    let limit = DescriptorLimit.raise(to: ofAll + jobs * ofOne)
    return min(jobs, max((limit - ofAll) / ofOne, 1))
  }

  /// Without the name of the command.
  package static func arguments() -> [[UInt8]] { Arguments.all() }

  /// A closed pipe or a file size limit becomes an error of the write, not the end of the process.
  package static func ignoreBrokenPipe() { Signals.ignoreBrokenPipe() }

  /// SIGINT, SIGTERM and SIGHUP wake the loop; the first that came is `receivedSignal`.
  package static func watchTermination(waking loop: borrowing EventLoop) {
    Signals.watchTermination(waking: loop.wakeRaw)
  }

  /// SIGUSR1 and SIGCONT wake the loop that is watched for termination.
  package static func watchRequests() { Signals.watchRequests() }

  package static func takeRequests() -> (report: Bool, redraw: Bool) { Signals.takeRequests() }

  package static var receivedSignal: Int32? { Signals.received() }

  /// Ends the process by the signal, so that whoever waits for it sees what happened.
  package static func die(by signal: Int32) -> Never { Signals.dieBy(signal) }

  /// A variable of the environment; nil when it is not set.
  package static func variable(_ name: String) -> [UInt8]? { Environment.value(Array(name.utf8)) }

  package static func isTerminal(_ stream: Stream) -> Bool { Terminal.isTerminal(stream.raw) }

  /// As they are now: a window changes. What the terminal does not know is nil.
  package static func terminalSize(_ stream: Stream) -> (columns: Int?, rows: Int?) {
    (Terminal.columns(stream.raw), Terminal.rows(stream.raw))
  }

  package static func isForeground(_ stream: Stream) -> Bool { Terminal.isForeground(stream.raw) }

  /// Asks on the terminal, which does not show what is typed; nil when there is none.
  package static func askForSecret(_ words: String, _ foreign: [UInt8]) -> [UInt8]? {
    guard Terminal.isTerminal(0), isTerminal(.error) else { return nil }
    var text = Text(words)
    text.add(foreign: foreign)
    text.add(": ")
    return try? SecretPrompt.ask(text.bytes)
  }

  /// A file that the command reads from its start to its end.
  package struct Input: ~Copyable {
    private let file: InputFile

    /// nil is standard input.
    package init(_ path: [UInt8]?) throws(DownloadError) {
      guard let path else {
        file = .standardInput()
        return
      }
      do throws(SystemError) { file = try InputFile(path: path) } catch { throw .file(error) }
    }

    /// Something has this name, or that can't be told.
    package static func exists(_ path: [UInt8]) -> Bool { !InputFile.isMissing(path: path) }

    /// A file that can't be read a second time.
    package static func isStream(_ path: [UInt8]) -> Bool { InputFile.isStream(path: path) }

    package var isReady: Bool { file.isReady }

    /// Waits until there is something to read, or somebody wakes the loop.
    package func wait(orWoken loop: borrowing EventLoop) {
      try? file.wait(orReadable: loop.wakeDescriptorToRead)
    }

    /// Nobody but its owner may read it; false too where that can't be told.
    package var isPrivate: Bool { (try? file.isPrivate()) ?? false }

    /// Appends what one read brings; false at the end. A signal ends a read without any.
    package func read(into bytes: inout [UInt8], count: Int) throws(DownloadError) -> Bool {
      var piece = [UInt8](repeating: 0, count: count)
      var span = piece.mutableSpan
      do throws(SystemError) {
        let received = try file.read(into: &span)
        bytes += piece[..<received]
        return received > 0
      } catch {
        guard error.isInterrupted else { throw .file(error) }
        return true
      }
    }
  }

  /// What can't be written is lost: there is nowhere left to say so.
  package static func write(_ text: Text, to stream: Stream) {
    try? StandardStream.writeAll(text.bytes.span, to: stream.raw)
  }
}

/// Time that has passed since it was made.
package struct Stopwatch {
  private let begun = Instant.now()

  package init() {}

  package var elapsed: Duration { Instant.now() - begun }
}
