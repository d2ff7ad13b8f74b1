internal import RawGet

extension CommandOption {
  /// What the requests say.
  static var requests: [CommandOption] {
    [
      CommandOption(.requests, "H", "header", "FIELD", "send this field, 'Name: value'; may be repeated") {
        (settings, value) throws(UsageError) in
        settings.fields.append(try value.field())
      },
      CommandOption(.requests, nil, "allow-downgrade", "follow redirects from https to http") {
        $0.options.allowsDowngrade = true
      },
    ]
  }
}
