extension CommandOption {
  static var other: [CommandOption] {
    [
      CommandOption(.other, "h", "help", "print this and exit") {
        $0.mode = .help
      },
      CommandOption(.other, "V", "version", "print the version and exit") {
        $0.mode = .version
      },
    ]
  }
}
