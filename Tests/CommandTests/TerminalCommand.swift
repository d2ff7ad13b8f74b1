import Foundation
import LoopbackServer
import Testing

/// A command whose standard error is a pseudo-terminal of the test's. What it writes there is read as it comes.
final class TerminalCommand: Sendable {
  let command: RunningCommand
  private let main: Int32
  private let written = Guarded<[UInt8]>([])
  private let hasEnded = DispatchSemaphore(value: 0)

  /// - Parameter environment: besides `TERM=xterm` and a locale in UTF-8.
  /// - Parameter isInput: it is standard input too.
  init(
    _ arguments: [String], in folder: Folder, columns: UInt16 = 80, rows: UInt16 = 24,
    environment: [String: String] = [:], isInput: Bool = false
  ) throws {
    var (main, other): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var name = [CChar](repeating: 0, count: 128)
    try #require(openpty(&main, &other, &name, nil, &size) == 0)
    for descriptor in [main, other] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    self.main = main
    command = try RunningCommand(
      arguments, in: folder, environment: ["TERM": "xterm", "LANG": "C.UTF-8"].merging(environment) { $1 },
      standardInput: isInput ? other : nil,
      terminal: String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    let (written, hasEnded, reading, closing) = (written, hasEnded, main, other)
    Thread.detachNewThread {
      close(closing)  // the command has it open by now
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while case let count = read(reading, &buffer, buffer.count), count > 0 {
        written.withLock { $0 += buffer[..<count] }
      }
      hasEnded.signal()
    }
  }

  deinit { close(main) }

  func resize(columns: UInt16, rows: UInt16 = 24) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(main, UInt(TIOCSWINSZ), &size)
  }

  func type(_ text: String) { _ = write(main, text, text.utf8.count) }

  /// Everything so far.
  var bytes: [UInt8] { written.withLock { $0 } }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func screen(columns: Int = 80) -> TerminalScreen { TerminalScreen(columns: columns, bytes) }

  /// Waits until this is part of the last line on the screen; false if that did not come.
  @discardableResult func wait(for part: String, columns: Int = 80) -> Bool {
    command.wait { screen(columns: columns).text.last?.contains(part) == true }
  }

  /// Ends so, after everything that was written has been read.
  func expect(_ code: ExitCode) throws {
    let ending = try outcome().ending
    #expect(ending == .exited(code.rawValue), "\(text)")
  }

  func outcome() throws -> Outcome {
    let outcome = try command.outcome()
    hasEnded.wait()
    return outcome
  }
}
