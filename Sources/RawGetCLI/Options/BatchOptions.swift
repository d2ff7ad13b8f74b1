extension CommandOption {
  /// Several downloads in one run.
  static var batch: [CommandOption] {
    [
      CommandOption(
        .batch, "i", "input", "FILE", "download what FILE lists, - is standard input: URL, name, checksum by tabs",
        completing: .file
      ) {
        $0.lists.append($1.bytes)
      },
      CommandOption(.batch, "j", "jobs", "N", "downloads at once, 1 to 1024 (4)") {
        (settings, value) throws(UsageError) in
        settings.jobs = Int(try value.number(1...1_024))
      },
    ]
  }
}
