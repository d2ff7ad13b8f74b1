internal import RawGet

extension CommandOption {
  /// How an earlier run's part is continued, and how often is tried.
  static var resuming: [CommandOption] {
    [
      CommandOption(.resuming, "c", "continue", "continue a file that another tool began, after comparing") {
        $0.options.existing = .resume
      },
      CommandOption(.resuming, nil, "no-resume", "fetch everything again, and compare") {
        $0.options.resume.isOff = true
      },
      CommandOption(.resuming, nil, "overlap", "SIZE", "bytes compared before a part is continued (64K)") {
        (settings, value) throws(UsageError) in
        settings.options.resume.overlap = try value.size()
      },
      CommandOption(.resuming, nil, "paranoid", "compare all of a part, not its end and samples") {
        $0.options.resume.isParanoid = true
      },
      CommandOption(.resuming, "t", "retry", "N", "attempts in a row without a new byte before giving up (10)") {
        (settings, value) throws(UsageError) in
        settings.options.retryLimit = Int(try value.number(0...999_999))
      },
      CommandOption(.resuming, nil, "retry-max-time", "S", "seconds after which no attempt begins (no limit)") {
        (settings, value) throws(UsageError) in
        settings.options.retryTime = try value.duration()
      },
    ]
  }
}
