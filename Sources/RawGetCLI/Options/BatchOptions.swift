internal import RawGet

extension CommandOption {
  /// Several downloads in one run.
  static var batch: [CommandOption] {
    [
      CommandOption(
        .batch, "i", "input", "FILE", "download what FILE lists, - is standard input: URL, name, checksum by tabs",
        completing: .file
      ) { (settings, value) throws(UsageError) in
        if value.bytes.elementsEqual("-".utf8), settings.lists.contains(value.bytes) {
          throw value.invalid("to be read twice")
        }
        settings.lists.append(value.bytes)
      },
      CommandOption(.batch, "j", "jobs", "N", "downloads at once, 1 to 1024 (4)") {
        (settings, value) throws(UsageError) in
        settings.jobs = Int(try value.number(1...1_024))
      },
    ]
  }
}
