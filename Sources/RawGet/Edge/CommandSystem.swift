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

  /// Without the name of the command.
  package static func arguments() -> [[UInt8]] { Arguments.all() }

  /// A closed pipe or a file size limit becomes an error of the write, not the end of the process.
  package static func ignoreBrokenPipe() { Signals.ignoreBrokenPipe() }

  /// SIGINT, SIGTERM and SIGHUP wake the loop; the first that came is `receivedSignal`.
  package static func watchTermination(waking loop: borrowing EventLoop) {
    Signals.watchTermination(waking: loop.wakeRaw)
  }

  package static var receivedSignal: Int32? { Signals.received() }

  /// Ends the process by the signal, so that whoever waits for it sees what happened.
  package static func die(by signal: Int32) -> Never { Signals.dieBy(signal) }

  package static func isTerminal(_ stream: Stream) -> Bool { Terminal.isTerminal(stream.raw) }

  /// What can't be written is lost: there is nowhere left to say so.
  package static func write(_ text: Text, to stream: Stream) {
    _ = try? StandardStream.writeAll(text.bytes.span, to: stream.raw, deadline: nil, wake: -1)
  }
}

/// Time that has passed since it was made.
package struct Stopwatch {
  private let begun = Instant.now()

  package init() {}

  package var elapsed: Duration { Instant.now() - begun }
}
