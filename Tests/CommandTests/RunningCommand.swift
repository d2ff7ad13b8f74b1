import Foundation
import LoopbackServer
import Testing

/// A started command. Its output goes to files outside the folder it runs in, or to a descriptor
/// of the test's. A watchdog kills what has not ended after 30 s; such a run is a failure.
final class RunningCommand: Sendable {
  private static let watchdog = 30  // seconds

  let folder: Folder
  private let output: Folder
  private let process: pid_t
  private let arguments: [String]
  private let errorFile: String
  private let hasEnded = Guarded(false)
  private let wasKilled = Guarded(false)

  /// The environment is empty but for PATH and what is given: no proxy, no certificate variable.
  ///
  /// - Parameter standardInput: a descriptor for it, which the command gets a copy of; nil for the null device.
  /// - Parameter standardError: a file in `folder` for it, where a test wants to read it meanwhile.
  /// - Parameter terminal: the device that is standard error instead; the outcome holds none of it then.
  /// - Parameter openFiles: how many files it may have open; nil for as many as this process.
  init(
    _ arguments: [String], in folder: Folder, environment: [String: String] = [:],
    standardInput: Int32? = nil, standardOutput: Int32? = nil, standardError: String? = nil,
    terminal: String? = nil, openFiles: Int? = nil
  ) throws {
    self.folder = folder
    self.arguments = arguments
    output = try Folder()
    errorFile = standardError.map { folder.path + "/" + $0 } ?? output.path + "/err"
    if terminal != nil { try Data().write(to: URL(fileURLWithPath: errorFile)) }
    process = try Spawn(
      path: Command.path, arguments: arguments,
      environment: ["PATH": "/usr/bin:/bin", "HOME": output.path].merging(environment) { $1 }.map { "\($0)=\($1)" },
      directory: folder.path, standardInput: standardInput, standardOutput: standardOutput,
      outputFile: output.path + "/out", errorFile: terminal ?? errorFile,
      openFiles: openFiles
    ).start()
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.watchdog)) { [weak self] in
      guard let self, self.signal(SIGKILL) else { return }
      self.wasKilled.withLock { $0 = true }
    }
  }

  deinit {
    if signal(SIGKILL) { waitpid(process, nil, 0) }
  }

  /// False if it has ended already.
  @discardableResult func signal(_ number: Int32) -> Bool {
    hasEnded.withLock { !$0 && kill(process, number) == 0 }
  }

  /// Waits for the end.
  func outcome() throws -> Outcome {
    var information = siginfo_t()
    // WNOWAIT keeps the identifier taken until the lock is held: nothing else can be signalled.
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    let status = hasEnded.withLock { hasEnded in
      var status: Int32 = 0
      waitpid(process, &status, 0)
      hasEnded = true
      return status
    }
    let errors = String(decoding: try Data(contentsOf: URL(fileURLWithPath: errorFile)), as: UTF8.self)
    if wasKilled.withLock({ $0 }) {
      Issue.record("rawget \(arguments) was still running after \(Self.watchdog) s: \(errors)")
    }
    return Outcome(
      ending: Ending(waitStatus: status), standardOutput: try output.bytes(of: "out"), standardError: errors,
      folder: folder)
  }

  /// What was resident at most so far, in kB; nil once it has ended.
  var peakMemory: Int? {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) }
  }

  /// Looks every millisecond until `condition` holds; false if it did not within 10 s.
  @discardableResult func wait(until condition: () -> Bool) -> Bool {
    for _ in 0..<10_000 {
      if condition() { return true }
      usleep(1_000)
    }
    return false
  }
}
