internal import RawGet

extension CommandOption {
  /// Answers instead of downloads.
  static var asking: [CommandOption] {
    [
      CommandOption(
        .asking, nil, "inspect", "NAME", "say what is there of NAME and what a download would do, and exit",
        completing: .file
      ) {
        $0.mode = .inspect($1.bytes)
      },
      CommandOption(.asking, nil, "explain", "ask the server, say what would be done, and change nothing") {
        $0.options.onlyExplains = true
      },
    ]
  }
}
