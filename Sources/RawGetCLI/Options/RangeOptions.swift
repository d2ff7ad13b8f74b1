internal import RawGet

extension CommandOption {
  /// Parts of a file in place of all of it.
  static var ranges: [CommandOption] {
    [
      CommandOption(
        .requests, nil, "range", "A-B,C-,-N", "these bytes alone: A to B, from C on, the last N; in this order"
      ) {
        (settings, value) throws(UsageError) in
        guard let ranges = WantedRanges(text: value.bytes) else {
          throw value.invalid("byte ranges such as 0-499,1000- or -500, counted from 0, without 'bytes='")
        }
        settings.requests.ranges = ranges
      },
      CommandOption(.requests, nil, "multipart", "ask for all of --range in one request") {
        $0.requests.asksForRangesAtOnce = true
      },
    ]
  }
}

extension Settings {
  /// Ranges are no beginning of a file, and nothing that only makes sense for one goes with them.
  func requireConsistentRanges() throws(UsageError) {
    guard requests.ranges != nil else {
      if requests.asksForRangesAtOnce { throw .missingCompanion(option: "multipart", needed: "range") }
      return
    }
    func refuse(_ isWished: Bool, _ other: Text) throws(UsageError) {
      if isWished { throw .conflict(option: "range", with: other) }
    }
    try refuse(!requests.isPlain, "--method or --body")
    try refuse(options.blockLength != nil, "--block-size")
    try refuse(options.connections != .exactly(1), "-x")
    try refuse(options.onlyExplains, "--explain")
    try refuse(options.onlyIfModified, "--if-modified")
    try refuse(options.existing == .resume, "--continue")
    try refuse(asking != nil, "--head, --probe or doctor")
  }
}
