import Foundation

/// The arguments of one `posix_spawn`. The child gets default signal actions and an empty signal
/// mask, whatever the test runner itself has. `env -C` changes to the directory and becomes the
/// command, as a shell does that limits it first: the identifier stays.
struct Spawn {
  let path: String
  let arguments: [String]
  let environment: [String]
  let directory: String
  let standardInput: Int32?  // else the null device
  let standardOutput: Int32?  // else `outputFile`
  let outputFile: String
  let errorFile: String
  var openFiles: Int?  // as many as it may have; nil for what the test runner may

  func start() throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let creating = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, outputFile, creating, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errorFile, creating, 0o600)
    if let standardInput { posix_spawn_file_actions_adddup2(&actions, standardInput, 0) }
    if let standardOutput { posix_spawn_file_actions_adddup2(&actions, standardOutput, 1) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var process: pid_t = 0
    let command = openFiles.map { ["bash", "-c", Spawn.limiting(to: $0), path] } ?? [path]
    let code = withStrings(["env", "-C", directory] + command + arguments) { arguments in
      withStrings(environment) { posix_spawn(&process, "/usr/bin/env", &actions, &attributes, arguments, $0) }
    }
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    return process
  }

  /// What other tests have open is not the child's: it would count.
  private static func limiting(to openFiles: Int) -> String {
    """
    for fd in /proc/self/fd/*; do fd=${fd##*/}; ((fd < 3)) || eval "exec $fd>&-"; done
    ulimit -n \(openFiles)
    exec "$0" "$@"
    """
  }

  /// The NULL-terminated array of C strings that exec wants.
  private func withStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("never empty") }
      return body(base)
    }
  }
}
