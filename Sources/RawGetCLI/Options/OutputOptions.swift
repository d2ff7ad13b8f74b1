extension CommandOption {
  /// What the command says.
  static var output: [CommandOption] {
    [
      CommandOption(.output, "q", "quiet", "print errors and warnings only") {
        $0.isQuiet = true
      },
      CommandOption(.output, "v", "verbose", "print requests and responses, secrets masked") {
        $0.isVerbose = true
      },
    ]
  }
}
