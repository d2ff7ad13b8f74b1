internal import RawGet

/// What the command was told to do: by its configuration, then by its arguments, of which the last word counts.
struct Settings {
  enum Mode {
    case download
    case inspect([UInt8])
    case help
    case version
  }
  var mode = Mode.download
  var options = DownloadOptions()
  var destination: Destination?
  var fields: [CallerField] = []
  /// Files with a download a line.
  var lists: [[UInt8]] = []
  /// Downloads at once.
  var jobs = 4
  var isQuiet = false
  var isVerbose = false
  /// URLs, in the order in which they were given.
  private(set) var operands: [[UInt8]] = []

  init() {}

  /// Reads the arguments. The first option that asks for another mode than a download is all that counts.
  mutating func read(_ arguments: [[UInt8]]) throws(UsageError) {
    let parsed = try ArgumentParser.parse(arguments)
    operands = parsed.operands
    for occurrence in parsed.occurrences {
      try apply(occurrence)
      if case .download = mode { continue }
      return
    }
    if operands.isEmpty && lists.isEmpty { throw .missingOperand }
    if case .file? = destination, operands.count > 1 || !lists.isEmpty { throw .oneNameForMany }
  }

  private mutating func apply(_ occurrence: ParsedArguments.Occurrence) throws(UsageError) {
    try occurrence.option.effect(&self, OptionValue(option: occurrence.option.name, bytes: occurrence.value))
  }

  /// The request for one URL, as all that was said about requests makes it.
  func request(for target: TargetURI, named name: [UInt8]? = nil) -> DownloadRequest {
    var destination = self.destination ?? .directory([])
    if let name { destination = destination.naming(name) }
    var request = DownloadRequest(target: target, destination: destination)
    request.fields = fields
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
