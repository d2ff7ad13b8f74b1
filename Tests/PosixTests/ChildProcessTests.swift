import Glibc
import Testing

@testable import Posix

/// A program that is started with one argument.
struct ChildProcessTests {
  /// Looks every millisecond, for 10 s at most.
  private func status(of child: ChildProcess) throws -> Int32? {
    for _ in 0..<10_000 {
      if let status = try child.status() { return status }
      usleep(1_000)
    }
    return nil
  }

  static let rows: [(command: String, argument: String, status: Int32)] = [
    ("true", "x", 0), ("false", "x", 1), ("/bin/true", "", 0), ("test", "x", 0), ("test", "", 1),
  ]

  @Test(arguments: rows) func runs(_ row: (command: String, argument: String, status: Int32)) throws {
    let child = try ChildProcess(Array(row.command.utf8), argument: Array(row.argument.utf8), variables: [])
    #expect(try status(of: child) == row.status)
  }

  @Test(arguments: ["none-such-command", "/none/such", "", "/tmp", "true\0"]) func isNotRun(_ command: String) {
    #expect(throws: SystemError.self) {
      _ = try ChildProcess(Array(command.utf8), argument: Array("x".utf8), variables: [])
    }
  }

  /// The argument is a script's name, so that it can look at its environment.
  @Test(arguments: [("A=1", true), ("A=2", false), ("PATH=/nowhere", false)])
  func hasVariables(_ row: (variable: String, isAsExpected: Bool)) throws {
    let path = "/tmp/rawget-test-\(getpid())-\(row.variable.utf8.count)-\(row.isAsExpected)"
    let text = "test \"$A\" = 1 && test \"$PATH\" != /nowhere && test -z \"$(cat)\"\n"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    try #require(descriptor >= 0)
    defer { unlink(path) }
    _ = write(descriptor, text, text.utf8.count)
    close(descriptor)
    let child = try ChildProcess(Array("sh".utf8), argument: Array(path.utf8), variables: [Array(row.variable.utf8)])
    #expect((try status(of: child) == 0) == row.isAsExpected, "one of a name; the new one comes first")
  }
}
