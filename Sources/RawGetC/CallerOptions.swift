internal import CRawGet
internal import RawGet

/// A `rawget_options` as values of Swift: all that it points to is copied.
struct CallerOptions {
  let url, file, directory, checksum, authorityFile, proxy, userAgent: [UInt8]?
  let mirrors, fields: [[UInt8]]
  let existing, connections, retries: Int32
  private let flags: UInt32
  /// In milliseconds.
  let connectTimeout, responseTimeout, idleTimeout, totalTimeout: Int64
  let rateLimit, lengthLimit: Int64  // bytes a second, bytes
  static let fieldLimit = 1_000

  init(_ raw: rawget_options) {
    url = unsafe bytes(at: raw.url)
    file = unsafe bytes(at: raw.file)
    directory = unsafe bytes(at: raw.directory)
    mirrors = unsafe list(at: raw.mirrors, limit: DownloadRequest.mirrorLimit)
    fields = unsafe list(at: raw.fields, limit: CallerOptions.fieldLimit)
    checksum = unsafe bytes(at: raw.checksum)
    authorityFile = unsafe bytes(at: raw.ca_file)
    proxy = unsafe bytes(at: raw.proxy)
    userAgent = unsafe bytes(at: raw.user_agent)
    flags = unsafe raw.flags
    existing = unsafe raw.existing
    connections = unsafe raw.connections
    retries = unsafe raw.retries
    connectTimeout = unsafe raw.connect_timeout
    responseTimeout = unsafe raw.response_timeout
    idleTimeout = unsafe raw.idle_timeout
    totalTimeout = unsafe raw.total_timeout
    rateLimit = unsafe raw.rate_limit
    lengthLimit = unsafe raw.length_limit
  }

  func has(_ flag: rawget_flags) -> Bool { flags & flag.rawValue != 0 }

  /// None that came after this version.
  var areFlagsKnown: Bool {
    let known =
      RAWGET_INSECURE.rawValue | RAWGET_WAIT.rawValue | RAWGET_CREATE_DIRECTORIES.rawValue
      | RAWGET_NO_REMOTE_TIME.rawValue | RAWGET_ALLOW_DOWNGRADE.rawValue
    return flags & ~known == 0
  }
}
