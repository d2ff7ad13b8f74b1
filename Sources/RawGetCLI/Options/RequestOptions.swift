internal import RawGet

extension CommandOption {
  /// What the requests say.
  static var requests: [CommandOption] {
    says + credentials + contents + cookies
  }

  private static var says: [CommandOption] {
    [
      CommandOption(.requests, "H", "header", "FIELD", "send this field, 'Name: value'; may be repeated") {
        (settings, value) throws(UsageError) in
        settings.fields.append(try value.field())
      },
      CommandOption(.requests, "e", "referer", "URL", "the page that names the URL, sent to its origin") {
        (settings, value) throws(UsageError) in
        guard let referer = try? TargetURI(text: value.bytes) else { throw value.invalid("an http or https URL") }
        settings.requests.referer = referer.text
      },
      CommandOption(.requests, "A", "user-agent", "TEXT", "what rawget calls itself; an empty TEXT: nothing") {
        (settings, value) throws(UsageError) in
        guard CallerField(text: Array("User-Agent:".utf8) + value.bytes) != nil else {
          throw value.invalid("a text without control characters")
        }
        settings.options.userAgent = value.bytes
      },
      CommandOption(.requests, nil, "no-cache", "ask caches on the way to look at the server") {
        $0.requests.skipsCaches = true
      },
      CommandOption(.requests, nil, "if-modified", "only if newer than the file, which is replaced then") {
        $0.options.onlyIfModified = true
      },
      CommandOption(.requests, nil, "allow-downgrade", "follow redirects from https to http") {
        $0.options.allowsDowngrade = true
      },
    ]
  }

  /// Cookies of other programs, and of the chain of redirects alone.
  private static var cookies: [CommandOption] {
    [
      CommandOption(.requests, nil, "cookie", "PAIRS", "'NAME=VALUE; NAME=VALUE' for the URL's origin; may be repeated")
      {
        (settings, value) throws(UsageError) in
        guard let cookies = Cookie.pairs(value.bytes) else {
          throw .at(Array("--cookie".utf8), .malformed("not 'NAME=VALUE; NAME=VALUE'"))
        }
        settings.requests.cookies.ofTarget += cookies
      },
      CommandOption(
        .requests, nil, "cookies", "FILE", "send the cookies in FILE (Netscape format) where they are for",
        completing: .file
      ) { (settings, value) throws(UsageError) in
        settings.requests.cookies.given += try CookieFile.read(value.bytes)
      },
    ]
  }

  /// Who is asking. Credentials are for the origin of a URL and never leave it.
  private static var credentials: [CommandOption] {
    [
      CommandOption(.requests, "u", "user", "USER[:PASSWORD]", "log in (Basic); without PASSWORD it is asked for") {
        (settings, value) throws(UsageError) in
        settings.requests.credentials = nil
        settings.requests.user = value.bytes
        guard value.bytes.contains(UInt8(ascii: ":")) else { return }
        settings.requests.credentials = try RequestSettings.basic(value.bytes, from: Array("--user".utf8))
      },
      CommandOption(
        .requests, nil, "user-file", "FILE", "log in with the USER:PASSWORD in FILE, which must be private",
        completing: .file
      ) { (settings, value) throws(UsageError) in
        let secret = try RequestSettings.secret(in: value.bytes)
        settings.requests.credentials = try RequestSettings.basic(secret, from: value.bytes)
      },
      CommandOption(
        .requests, nil, "bearer-file", "FILE", "log in with the token in FILE, which must be private", completing: .file
      ) { (settings, value) throws(UsageError) in
        guard let credentials = Credentials(bearer: try RequestSettings.secret(in: value.bytes)) else {
          throw .at(value.bytes, .malformed("not one line with a token"))
        }
        settings.requests.credentials = credentials
      },
      CommandOption(.requests, nil, "netrc", "insist on the netrc file, and use its default entry too") {
        $0.requests.netrcUse = .required
      },
      CommandOption(
        .requests, nil, "netrc-file", "FILE", "read FILE in place of $NETRC or ~/.netrc", completing: .file
      ) {
        $0.requests.netrcUse = .file($1.bytes)
      },
      CommandOption(.requests, nil, "no-netrc", "read no netrc file") {
        $0.requests.netrcUse = .never
      },
    ]
  }

  /// What is to be done, and with what.
  private static var contents: [CommandOption] {
    [
      CommandOption(.requests, "X", "method", "METHOD", "GET, or POST with content, unless this says otherwise") {
        (settings, value) throws(UsageError) in
        guard let method = CallerMethod(token: value.bytes) else {
          throw value.invalid("a method for downloads; HEAD is --head")
        }
        settings.requests.method = method
      },
      CommandOption(.requests, nil, "body", "TEXT", "send TEXT as the content; -H Content-Type says what it is") {
        $0.requests.content = $1.bytes
        $0.requests.readsInput = false
      },
      CommandOption(
        .requests, nil, "body-file", "FILE", "send what FILE holds, at most 64 MiB; - is standard input",
        completing: .file
      ) { (settings, value) throws(UsageError) in
        settings.requests.content = try CommandInput.contents(of: value.bytes, limit: RequestSettings.contentLimit)
        settings.requests.readsInput = value.bytes.elementsEqual("-".utf8)
      },
    ]
  }
}
