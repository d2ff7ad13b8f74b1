internal import RawGet

extension CommandOption {
  /// Where content goes, and what is done with the file.
  static var files: [CommandOption] {
    [
      CommandOption(.files, "o", "output", "FILE", "write to FILE; - is standard output", completing: .file) {
        $0.destination = $1.bytes.elementsEqual("-".utf8) ? .standardOutput : .file($1.bytes)
      },
      CommandOption(
        .files, "P", "directory", "DIR", "write into DIR, under the name the server or the URL gives",
        completing: .directory
      ) {
        $0.destination = .directory($1.bytes)
      },
      CommandOption(
        .files, nil, "existing", "WHAT", "a taken name: fail, skip, resume, replace or rename (fail)",
        completing: .words(["fail", "skip", "resume", "replace", "rename"])
      ) { (settings, value) throws(UsageError) in
        settings.options.existing = try value.choice([
          ("fail", .fail), ("skip", .skip), ("resume", .resume), ("replace", .replace), ("rename", .rename),
        ])
      },
      CommandOption(.files, nil, "checksum", "ALGO=HEX", "sha-256 or sha-512 (weak: sha-1, md5) of the content") {
        (settings, value) throws(UsageError) in
        settings.options.checksum = try value.checksum()
      },
      CommandOption(.files, nil, "no-remote-time", "do not give the file the server's time") {
        $0.options.keepsRemoteTime = false
      },
      CommandOption(.files, nil, "create-dirs", "make directories that are missing") {
        $0.options.createsDirectories = true
      },
      CommandOption(.files, nil, "xattr", "note in the file's attributes where it came from, without secrets") {
        $0.options.recordsOrigin = true
      },
      CommandOption(.files, nil, "exec", "CMD", "run CMD with the path of each new file, once it is whole") {
        (settings, value) throws(UsageError) in
        if value.bytes.isEmpty { throw value.invalid("a command") }
        settings.following = value.bytes
      },
      CommandOption(.files, nil, "wait", "wait for another process on the same file") {
        $0.options.waitsForOthers = true
      },
    ]
  }
}
