internal import RawGet

/// What the command was told to do: by its configuration, then by its arguments, of which the last word counts.
/// One for a run, which everybody reads and nobody copies.
final class Settings {
  enum Mode {
    case download
    case inspect([UInt8])
    case completion(Completion.Shell)
    case help
    case version
  }
  var mode = Mode.download
  var options = DownloadOptions()
  var destination: Destination?
  var fields: [CallerField] = []
  var requests = RequestSettings()
  /// Other places of the one file that is asked for.
  var mirrors: [TargetURI] = []
  /// Files with a download a line.
  var lists: [[UInt8]] = []
  /// A command to run on every new file.
  var following: [UInt8]?
  /// Downloads at once.
  var jobs = 4
  /// nil: what the environment says.
  var proxies: ProxyChoice?
  var proxyUser: Userinfo?
  var isQuiet = false
  var isVerbose = false
  var progress = ProgressStyle.automatic
  /// An object a line for what happens, in place of words.
  var writesEvents = false
  /// Answers instead of downloads.
  var asking: Asking?
  /// URLs, in the order in which they were given.
  private(set) var operands: [[UInt8]] = []

  init() {}

  /// Reads the arguments. The first option that asks for another mode than a download is all that counts.
  func read(_ arguments: [[UInt8]]) throws(UsageError) {
    let parsed = try ArgumentParser.parse(arguments)
    operands = parsed.operands
    for entry in try Configuration.entries(parsed) {
      do throws(UsageError) { try apply(entry.occurrence) } catch { throw .at(entry.place, error) }
    }
    for occurrence in parsed.occurrences {
      try apply(occurrence)
      if case .download = mode { continue }
      return
    }
    if let first = operands.first, first.elementsEqual("doctor".utf8) {  // no URL, which has a scheme
      operands.removeFirst()
      asking = .doctor
    }
    if operands.isEmpty && lists.isEmpty { throw .missingOperand }
    try requireConsistency()
    if operands.count > 1 || !lists.isEmpty {
      switch destination {
      case .file?, .standardOutput?, .memory?, .receiver?: throw .oneNameForMany
      case .directory?, nil: break
      }
    }
    try readProxies()
    try requests.prepare()
  }

  /// After the arguments, which go before the environment.
  private func readProxies() throws(UsageError) {
    do throws(ProxyChoice.InvalidVariable) {
      if let proxies {
        options.proxies = proxies
      } else {
        options.proxies = try ProxyChoice { CommandSystem.variable($0) }
      }
    } catch {
      throw .at(Array(error.name.utf8), error.isList ? .invalidProxyList : .invalidProxy)
    }
    if let proxyUser { options.proxies.logIn(as: proxyUser) }
  }

  private func requireConsistency() throws(UsageError) {
    if options.tls.minimumVersion == .tls13, options.tls.maximumVersion == .tls12 {
      throw .conflict(option: "tls-min", with: "--tls-max 1.2")
    }
    if let floor = options.speedFloor, let rate = options.rateLimit, rate <= floor.rate {
      throw .conflict(option: "min-speed", with: "a --limit-rate below it")
    }
    if options.onlyExplains, !requests.isPlain { throw .conflict(option: "explain", with: "--method or --body") }
    try requireConsistentRanges()
    if requests.readsInput, lists.contains(where: { $0.elementsEqual("-".utf8) }) {
      throw .conflict(option: "body-file", with: "--input, both of which read standard input")
    }
    if !mirrors.isEmpty {
      if operands.count != 1 || !lists.isEmpty { throw .conflict(option: "mirror", with: "more than one download") }
      if !requests.isPlain { throw .conflict(option: "mirror", with: "--method or --body") }
      if mirrors.count > DownloadRequest.mirrorLimit {
        throw .conflict(option: "mirror", with: "more than \(DownloadRequest.mirrorLimit) of them")
      }
    }
    if case .standardOutput? = destination, following != nil { throw .conflict(option: "exec", with: "-o -") }
  }

  private func apply(_ occurrence: ParsedArguments.Occurrence) throws(UsageError) {
    try occurrence.option.effect(self, OptionValue(option: occurrence.option.name, bytes: occurrence.value))
  }

  /// As they are for all, but for what the item says itself.
  func options(for item: Item) -> DownloadOptions {
    guard let checksum = item.checksum else { return options }
    var options = options
    options.checksum = checksum
    return options
  }

  /// The request for one URL, as all that was said about requests makes it.
  func request(for target: TargetURI, named name: [UInt8]? = nil) throws(UsageError) -> DownloadRequest {
    var destination = self.destination ?? .directory([])
    if let name { destination = destination.naming(name) }
    var request = DownloadRequest(target: target, destination: destination)
    request.fields = fields
    request.mirrors = mirrors
    try requests.complete(&request)
    return request
  }
}

extension Destination {
  /// The same place, under this name.
  fileprivate func naming(_ name: [UInt8]) -> Destination {
    let slash = UInt8(ascii: "/")
    guard case .directory(let path) = self, !path.isEmpty, name.first != slash else { return .file(name) }
    return .file(path + (path.last == slash ? [] : [slash]) + name)
  }
}
