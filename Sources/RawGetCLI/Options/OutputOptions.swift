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
      CommandOption(
        .output, nil, "progress", "HOW", "auto, bar, plain, json or none (auto: a bar on a terminal, else plain lines)",
        completing: .words(["auto", "bar", "plain", "json", "none"])
      ) { (settings, value) throws(UsageError) in
        settings.progress = try value.choice([
          ("auto", .automatic), ("bar", .bar), ("plain", .plain), ("json", .json), ("none", .none),
        ])
        if settings.progress == .json { settings.writesEvents = true }
      },
      CommandOption(.output, nil, "json", "print what happens as JSON, an object a line (docs/EVENTS.md)") {
        $0.writesEvents = true
      },
    ]
  }
}
