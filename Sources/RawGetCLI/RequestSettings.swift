internal import RawGet

/// What was said about all requests of a run, and is the same for each.
struct RequestSettings {
  static let contentLimit = 64 << 20  // bytes
  static let secretLimit = 16_384  // bytes of a file with a password or a token

  /// Like wget, and unlike curl, without being asked: a file of this name is there to be used. But an entry for all
  /// other hosts, which gives a password to whomever a URL names, counts only when the user points to the file.
  enum NetrcUse {
    /// Where it is usual, if it is there.
    case ifPresent
    case required
    case file([UInt8])
    case never
  }
  var method: CallerMethod?
  var content: [UInt8]?
  /// The content was read from standard input.
  var readsInput = false
  var credentials: Credentials?
  /// Who logs in, before the password is known.
  var user: [UInt8]?
  var netrcUse = NetrcUse.ifPresent
  var cookies = CookieJar()
  /// Without userinfo and fragment (RFC 9110 §10.1.3).
  var referer: [UInt8]?
  var skipsCaches = false
  /// Parts of each URL's target alone.
  var ranges: WantedRanges?
  var asksForRangesAtOnce = false
  private var netrc: Netrc?

  init() {}

  var isPlain: Bool { content == nil && (method ?? .get) == .get }

  /// Once all options are known: reads the netrc file, and asks for the password that is missing.
  mutating func prepare() throws(UsageError) {
    if let user, credentials == nil {
      guard let password = CommandSystem.askForSecret("password of ", user) else { throw .missingPassword }
      credentials = try RequestSettings.basic(user + [UInt8(ascii: ":")] + password, from: Array("--user".utf8))
    }
    switch netrcUse {
    case .never: return
    case .file(let path): netrc = try Netrc(path, usesDefault: true)
    case .required:
      guard let path = usualPath else { throw .at(Array("HOME".utf8), .malformed("it names no directory")) }
      netrc = try Netrc(path, usesDefault: true)
    case .ifPresent:
      guard let path = usualPath, isNamed || CommandInput.exists(path) else { return }
      netrc = try Netrc(path, usesDefault: false)
    }
  }

  /// By the environment: then it has to be there.
  private var isNamed: Bool { CommandSystem.variable("NETRC")?.isEmpty == false }

  private var usualPath: [UInt8]? {
    if isNamed { return CommandSystem.variable("NETRC") }
    guard let home = CommandSystem.variable("HOME"), !home.isEmpty else { return nil }
    return home + Array("/.netrc".utf8)
  }

  /// Puts it into a request. The credentials of an option are for all URLs; then come a URL's own, then the netrc file's.
  func complete(_ request: inout DownloadRequest) throws(UsageError) {
    if let method { request.method = method } else if content != nil { request.method = .post }
    request.content = content
    request.ranges = ranges
    request.ranges?.areAskedAtOnce = asksForRangesAtOnce
    request.cookies = cookies
    request.credentials = credentials
    if credentials == nil, request.target.userinfo == nil {
      request.credentials = try netrc?.credentials(for: request.target.host.bytes)
    }
    if let referer { RequestSettings.add("Referer: ", referer, to: &request) }
    if skipsCaches {
      RequestSettings.add("Cache-Control: ", Array("no-cache".utf8), to: &request)
      RequestSettings.add("Pragma: ", Array("no-cache".utf8), to: &request)
    }
  }

  private static func add(_ name: String, _ value: [UInt8], to request: inout DownloadRequest) {
    if let field = CallerField(text: Array(name.utf8) + value) { request.fields.append(field) }
  }

  /// `USER:PASSWORD`.
  static func basic(_ text: [UInt8], from place: [UInt8]) throws(UsageError) -> Credentials {
    let user = Array(text.prefix { $0 != UInt8(ascii: ":") })
    let password = Array(text.dropFirst(user.count + 1))
    guard user.count < text.count, let credentials = Credentials(user: user, password: password) else {
      throw .at(place, .malformed("not USER:PASSWORD without control characters"))
    }
    return credentials
  }

  /// The one line of a file that nobody else may read.
  static func secret(in path: [UInt8]) throws(UsageError) -> [UInt8] {
    var line = try CommandInput.contents(of: path, limit: secretLimit, mustBePrivate: true)
    if line.last == 0x0A { line.removeLast() }
    if line.last == 0x0D { line.removeLast() }
    return line
  }
}
