internal import CRawGet
internal import RawGet

/// What a caller wants, once its options were read.
struct Wish {
  let request: DownloadRequest
  let options: DownloadOptions

  init(_ caller: CallerOptions) throws(OptionError) {
    let destination: Destination = caller.file.map { .file($0) } ?? .directory(caller.directory ?? [])
    var request = DownloadRequest(target: try Wish.target(caller.url), destination: destination)
    if caller.mirrors.count > DownloadRequest.mirrorLimit { throw OptionError("there are too many mirrors") }
    for text in caller.mirrors { request.mirrors.append(try Wish.target(text)) }
    if caller.fields.count > CallerOptions.fieldLimit { throw OptionError("there are too many fields") }
    for text in caller.fields { request.fields.append(try Wish.field(text)) }
    self.request = request
    options = try caller.options
  }

  private static func target(_ text: [UInt8]?) throws(OptionError) -> TargetURI {
    guard let text else { throw OptionError("there is no URL") }
    do throws(TargetURIError) {
      return try TargetURI(text: text)
    } catch {
      throw OptionError(TargetSentences.sentence(error), status: error.exitCode)
    }
  }

  /// The text is not repeated: it may be a secret.
  private static func field(_ text: [UInt8]) throws(OptionError) -> CallerField {
    guard let field = CallerField(text: text) else {
      throw OptionError("a field is not a name, a colon and a value without control characters")
    }
    if field.isOwned {
      var message: Text = "the field "
      message.add(foreign: field.name)
      message.add(" is set by rawget itself and can't be given")
      throw OptionError(message)
    }
    return field
  }
}

extension CallerOptions {
  /// All that is not part of the request.
  fileprivate var options: DownloadOptions {
    get throws(OptionError) {
      var options = DownloadOptions()
      guard areFlagsKnown else {
        throw OptionError("a flag is newer than this version of rawget", status: OptionError.unsupported)
      }
      options.waitsForOthers = has(RAWGET_WAIT)
      options.createsDirectories = has(RAWGET_CREATE_DIRECTORIES)
      options.keepsRemoteTime = !has(RAWGET_NO_REMOTE_TIME)
      options.allowsDowngrade = has(RAWGET_ALLOW_DOWNGRADE)
      options.tls.verifiesPeer = !has(RAWGET_INSECURE)
      options.tls.authorityFile = authorityFile
      guard let policy = ExistingPolicy(existing) else { throw OptionError("existing is none of its values") }
      options.existing = policy
      try setTexts(of: &options)
      try setCounts(of: &options)
      try setBounds(of: &options)
      return options
    }
  }

  private func setTexts(of options: inout DownloadOptions) throws(OptionError) {
    if let text = checksum {
      guard let checksum = Checksum(text: text) else {
        throw OptionError("checksum", text, "an algorithm and its digest, sha-256=… say")
      }
      options.checksum = checksum
    }
    if let text = proxy {  // not repeated: there may be a password in it
      guard let proxy = Proxy(text: text) else {
        throw OptionError("proxy is no URL of a proxy, such as http://proxy:3128 or socks5h://127.0.0.1")
      }
      options.proxies = ProxyChoice(always: proxy)
    }
    if let text = userAgent {
      guard CallerField(text: Array("User-Agent: ".utf8) + text) != nil else {
        throw OptionError("user_agent", text, "without control characters")
      }
      options.userAgent = text
    }
  }

  private func setCounts(of options: inout DownloadOptions) throws(OptionError) {
    switch connections {
    case 0: break
    case RAWGET_CONNECTIONS_AUTO: options.connections = .automatic
    case 1...Int32(ConnectionChoice.limit): options.connections = .exactly(Int(connections))
    default: throw OptionError("connections are neither 1 to \(ConnectionChoice.limit) nor RAWGET_CONNECTIONS_AUTO")
    }
    switch retries {
    case 0: break
    case RAWGET_NO_RETRIES: options.retryLimit = 0
    case 1...: options.retryLimit = Int(retries)
    default: throw OptionError("retries are neither a count nor RAWGET_NO_RETRIES")
    }
  }

  private func setBounds(of options: inout DownloadOptions) throws(OptionError) {
    let bounds = [connectTimeout, responseTimeout, idleTimeout, totalTimeout, rateLimit, lengthLimit]
    guard bounds.allSatisfy({ $0 >= 0 }) else { throw OptionError("a timeout or a limit is negative") }
    if connectTimeout > 0 {
      options.timeouts.connectInAll = .milliseconds(connectTimeout)
      options.timeouts.connect = min(options.timeouts.connect, options.timeouts.connectInAll)
    }
    if responseTimeout > 0 { options.timeouts.response = .milliseconds(responseTimeout) }
    if idleTimeout > 0 { options.timeouts.idle = .milliseconds(idleTimeout) }
    if totalTimeout > 0 { options.timeouts.total = .milliseconds(totalTimeout) }
    if rateLimit > 0 { options.rateLimit = rateLimit }
    if lengthLimit > 0 { options.lengthLimit = lengthLimit }
  }
}

extension ExistingPolicy {
  fileprivate init?(_ raw: Int32) {
    guard raw >= 0 else { return nil }
    switch rawget_existing(rawValue: UInt32(raw)) {
    case RAWGET_EXISTING_FAIL: self = .fail
    case RAWGET_EXISTING_SKIP: self = .skip
    case RAWGET_EXISTING_RESUME: self = .resume
    case RAWGET_EXISTING_REPLACE: self = .replace
    case RAWGET_EXISTING_RENAME: self = .rename
    default: return nil
    }
  }
}
