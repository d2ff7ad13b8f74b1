internal import CPosix

/// A program that was started, and runs beside this one.
public struct ChildProcess: Sendable {
  private let number: Int32

  /// Starts `command`, which is looked for in PATH unless there is a slash in it, with one argument. It has nothing to
  /// read, and `NAME=VALUE` variables besides this process's.
  public init(_ command: [UInt8], argument: [UInt8], variables: [[UInt8]]) throws(SystemError) {
    var additions: [UInt8] = []
    for variable in variables where !variable.isEmpty && !variable.contains(0) { additions += variable + [0] }
    additions.append(0)
    let outcome = withTerminated(command) { command in
      withTerminated(argument) { argument in
        unsafe additions.span.withUnsafeBufferPointer { additions in
          unsafe px_spawn(command, argument, additions.baseAddress)
        }
      }
    }
    number = try SystemError.check(outcome, .spawn)
  }

  /// Its exit status, 128 and the signal's number if one ended it; nil while it runs. Asked no more after it was told.
  public func status() throws(SystemError) -> Int32? {
    let status = px_child_status(number)
    if status == -px_EAGAIN || status == -px_EINTR { return nil }
    return try SystemError.check(status, .spawn)
  }
}
