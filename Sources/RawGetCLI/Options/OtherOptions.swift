extension CommandOption {
  static var other: [CommandOption] {
    [
      CommandOption(
        .other, nil, "config", "FILE", "read options from FILE, not from the usual place", completing: .file
      ) { (_, _) throws(UsageError) in
        // Read before the arguments (`Configuration`).
      },
      CommandOption(.other, nil, "no-config", "read no configuration file") { _ in },
      CommandOption(
        .other, nil, "completion", "SHELL", "print what bash, zsh or fish needs to complete options, and exit",
        completing: .words(["bash", "zsh", "fish"])
      ) { (settings, value) throws(UsageError) in
        settings.mode = .completion(try value.choice([("bash", .bash), ("zsh", .zsh), ("fish", .fish)]))
      },
      CommandOption(.other, "h", "help", "print this and exit") {
        $0.mode = .help
      },
      CommandOption(.other, "V", "version", "print the version and exit") {
        $0.mode = .version
      },
    ]
  }
}
