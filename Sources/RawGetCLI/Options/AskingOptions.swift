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
      CommandOption(.asking, nil, "head", "print the head that answers a HEAD request, secrets masked") {
        $0.asking = .head
      },
      CommandOption(.asking, nil, "probe", "say how large a file is, what it is, and whether it can be resumed") {
        $0.asking = .probe
      },
    ]
  }
}
