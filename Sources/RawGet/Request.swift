internal import HTTP1
internal import TLS

/// What to download and where to put it. A value: it is the same for every attempt.
public struct DownloadRequest: Sendable {
  /// The most `mirrors` that are of use: those behind them are left out.
  public static let mirrorLimit = MirrorList.limit
  /// Where every attempt begins, reconnects included.
  public var target: TargetURI
  /// Other places of the same file, tried in this order when the target fails (docs/MIRRORS.md): at most
  /// `mirrorLimit`, and for a plain GET alone. The caller's secrets go to none of another origin.
  public var mirrors: [TargetURI] = []
  /// The caller's own fields. None may be one that the engine owns (`CallerField.isOwned`).
  public var fields: [CallerField] = []
  /// The method of every attempt. Only a GET of the whole is continued by a later download.
  public var method = CallerMethod.get
  /// What is sent along, whole from memory (RFC 9110 §6.4); nil for nothing.
  public var content: [UInt8]?
  /// For the target's origin, in place of those in the target itself.
  public var credentials: Credentials?
  /// Cookies to begin with. What responses set is used along one chain of redirects, and kept nowhere (RFC 6265 §5.3).
  public var cookies = CookieJar()
  /// Where the content goes.
  public var destination: Destination
  /// Parts of the target in place of all of it. What is written then is no beginning of anything: nothing of it is
  /// continued by another run.
  public var ranges: WantedRanges?

  /// A GET of all of `target`, with no fields but the engine's own.
  public init(target: TargetURI, destination: Destination) {
    self.target = target
    self.destination = destination
  }

  /// Whether it is a GET of the whole and nothing else: only such a download is continued.
  var isPlain: Bool { method == .get && content == nil && ranges == nil }
}

/// A field that a caller adds to requests (RFC 9110 §5).
public struct CallerField: Sendable {
  let line: FieldLine

  /// Reads `Name: value`; nil when the name is no token, or the value holds a control character other than HTAB.
  public init?(text: [UInt8]) {
    guard let line = FieldLine(text: text) else { return nil }
    self.line = line
  }

  /// The field's name as it was given: its case is kept, and does not matter (RFC 9110 §5.1).
  public var name: [UInt8] { line.name }

  /// Whether the engine alone decides about this field: framing, ranges, codings and the connection.
  public var isOwned: Bool {
    let owned: [FieldName] = [
      .host, .range, .ifRange, .contentLength, .transferEncoding, .connection, .acceptEncoding, FieldName("TE"),
      FieldName("Trailer"), FieldName("Upgrade"), FieldName("Expect"), FieldName("Keep-Alive"),
      FieldName("Proxy-Connection"), FieldName("Proxy-Authorization"), FieldName("Content-Range"),
    ]
    return owned.contains { line.isNamed($0) }
  }
}

/// Where the content goes. Paths are bytes, as the system takes them.
public enum Destination: Sendable {
  /// A new file in this directory, named by the response or the target URI.
  case directory([UInt8])
  /// This file. A device or a FIFO that exists is written to as a stream.
  case file([UInt8])
  /// Written in order as it comes; nothing is created. Where a pipe's reader goes, the system raises SIGPIPE, which ends a
  /// process that has not chosen otherwise; the same holds for a FIFO. What SIGPIPE does is the program's to say.
  case standardOutput
  /// Kept in memory and handed over with the result (`DownloadSummary.content`). More than `limit` bytes are
  /// `DownloadError.tooLarge`, without a byte of it where the length is known before; what memory may take beside is as
  /// much again for a moment, where a server does not say how much there is.
  case memory(limit: Int64)
  /// Handed over as it comes.
  case receiver(ContentReceiver)

  /// A new file in this directory, whose path is text.
  public static func directory(_ path: String) -> Destination { .directory(Array(path.utf8)) }

  /// This file, whose path is text.
  public static func file(_ path: String) -> Destination { .file(Array(path.utf8)) }

  /// Handed over to `take` as it comes (`ContentReceiver`).
  public static func receiver(_ take: @escaping @Sendable (Span<UInt8>) -> ContentDecision) -> Destination {
    .receiver(ContentReceiver(take))
  }

  /// Whether a file could be at this path.
  package static func isFileName(_ path: [UInt8]) -> Bool { FilePlace(path: path) != nil }

  /// The path of a name that was chosen in this destination.
  func path(of name: [UInt8]) -> [UInt8] {
    switch self {
    case .standardOutput, .memory, .receiver: return name
    case .file(let path): return (FilePlace(path: path)?.directory ?? []) + name
    case .directory(let path):
      let slash = UInt8(ascii: "/")
      var whole: [UInt8] = []
      whole.reserveCapacity(path.count + 1 + name.count)
      whole += path
      if !path.isEmpty && path.last != slash { whole.append(slash) }
      whole += name
      return whole
    }
  }
}

/// Everything that can be chosen about a download and is not part of its meaning.
public struct DownloadOptions: Sendable {
  /// How long each wait may take.
  public var timeouts = Timeouts()
  /// Attempts without a single new byte, after the first, before giving up; any new byte refills it.
  public var retryLimit = 10
  /// Follows a redirect from https to http.
  public var allowsDowngrade = false
  /// Connections for one file.
  public var connections = ConnectionChoice.exactly(1)
  /// Bytes that one request asks for; nil leaves it to the engine.
  public var blockLength: Int64?
  /// Bytes that may wait in memory for those before them, where the system can't hold them for us.
  public var window: Int64 = 33_554_432
  /// Whether it can; nil: what the system says.
  var systemHolds: Bool?
  /// How connections are made.
  public var dialing = Dialing()
  /// Redirects followed in one chain.
  public var redirectLimit = Redirection.limit
  /// Allows or refuses a response by its head, after redirects and before a byte of it is kept or a file is made: false is
  /// `DownloadError.notAllowed`. Called on the thread that runs the download; again only for a response that is not proven
  /// to go on with what was allowed. nil: everything is allowed.
  public var allowsResponse: (@Sendable (DownloadResponse) -> Bool)?
  /// Bytes that a file may have; nil for no bound.
  public var lengthLimit: Int64?
  /// Where content comes slower, it is gone on with on another connection.
  public var speedFloor: SpeedFloor?
  /// Bytes of content in a second, on the average of every tenth of one; nil for no limit.
  public var rateLimit: Int64?
  /// How parts of earlier runs are continued.
  public var resume = ResumeOptions()
  /// What becomes of something that has the final name already.
  public var existing = ExistingPolicy.fail
  /// Waits for another process that downloads to the same name, instead of failing.
  public var waitsForOthers = false
  /// No attempt begins after this time, from the start; nil for no bound.
  public var retryTime: Duration?
  /// The file gets the time that the server says.
  public var keepsRemoteTime = true
  /// Makes directories of the destination that are missing, once there is content for them.
  public var createsDirectories = false
  /// The file says where it came from, in extended attributes.
  public var recordsOrigin = false
  /// Asks the server, says what would be done, and changes nothing.
  public var onlyExplains = false
  /// Nothing is done unless the server has something newer than the file of that name, which is replaced then.
  public var onlyIfModified = false
  /// `ALGORITHM=HEX` that the content must have.
  public var checksum: Checksum?
  /// The part is made durable after so many bytes.
  var syncBytes = PartFile.syncBytes
  /// The value of the User-Agent field (RFC 9110 §10.1.5), unless the request has one of its own; empty: origins are sent none.
  public var userAgent: [UInt8] = Array("rawget/".utf8) + Array(RawGetVersion.text.utf8)
  var namedAgent: [UInt8]? { userAgent.isEmpty ? nil : userAgent }
  /// Whom to trust under https, and who we are.
  public var tls = TLSOptions()
  /// The proxies that lead to origins. None as it is made: the environment is read by `ProxyChoice.init(_:)` alone.
  public var proxies = ProxyChoice()

  /// Those of the command without an option.
  public init() {}
}

/// Whom to trust under https, and who we are. Files are PEM; a path is bytes.
public struct TLSOptions: Equatable, Sendable {
  /// False: anyone may pose as the server.
  public var verifiesPeer = true
  /// Authorities in one file, which replace the system's.
  public var authorityFile: [UInt8]?
  /// Authorities in a directory, by hashed names as `openssl rehash` makes them, which replace the system's.
  public var authorityDirectory: [UInt8]?
  /// The client's certificate with its chain; nil: none is shown.
  public var certificateFile: [UInt8]?
  /// The key of `certificateFile`; nil: it is in the same file.
  public var keyFile: [UInt8]?
  /// The oldest that is spoken.
  public var minimumVersion = TLSVersion.tls12
  /// nil: the newest there is.
  public var maximumVersion: TLSVersion?
  /// SHA-256 of the keys that a server may have, one of which it must (RFC 7469 §2.4). Empty: any that is certified.
  public var pinnedKeys: [[UInt8]] = []

  /// The system's authorities, TLS 1.2 or later, and no certificate of ours.
  public init() {}

  /// Who we are, and which keys are expected, is between us and the origin.
  var forProxy: TLSOptions {
    var options = self
    (options.certificateFile, options.keyFile, options.pinnedKeys) = (nil, nil, [])
    return options
  }

  var configuration: TLSConfiguration {
    var configuration = TLSConfiguration()
    configuration.minimumVersion = minimumVersion == .tls13 ? .tls13 : .tls12
    configuration.maximumVersion = maximumVersion.map { $0 == .tls13 ? .tls13 : .tls12 }
    configuration.pinnedKeys = pinnedKeys
    configuration.verifiesPeer = verifiesPeer
    configuration.authorityFile = authorityFile
    configuration.authorityDirectory = authorityDirectory
    configuration.certificateFile = certificateFile
    configuration.keyFile = keyFile
    return configuration
  }
}

/// A version of TLS that may be spoken. Older ones never are.
public enum TLSVersion: Equatable, Sendable {
  /// RFC 5246.
  case tls12
  /// RFC 8446.
  case tls13
}

extension TLSOptions {
  /// Takes `sha256//BASE64[;sha256//BASE64]`; false if it does not read.
  public mutating func pin(_ text: [UInt8]) -> Bool {
    let scheme = Array("sha256//".utf8)
    for item in text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
      guard item.starts(with: scheme), let digest = base64Decoded(item.dropFirst(scheme.count)), digest.count == 32
      else { return false }
      pinnedKeys.append(digest)
    }
    return true
  }
}

/// How long the engine waits, and for what. Every wait has a bound.
public struct Timeouts: Sendable {
  /// For one address to answer; the next one is tried before that (RFC 8305).
  public var connect: Duration = .seconds(5)
  /// For name resolution, all addresses and the TLS handshake together.
  public var connectInAll: Duration = .seconds(30)
  /// From the last byte of the request to the last byte of the final head.
  public var response: Duration = .seconds(60)
  /// Without a byte, in a head or in content.
  public var idle: Duration = .seconds(30)
  /// For everything, pauses and retries included; nil for no bound.
  public var total: Duration?

  /// Those that are written here.
  public init() {}
}
