internal import RawGet

/// What the command was told to do.
struct Settings {
  enum Action {
    case download(DownloadRequest)
    case inspect([UInt8])
    case help
    case version
  }
  var options = DownloadOptions()
  var isQuiet = false
  var isVerbose = false

  private var destination: Destination?
  private var fields: [CallerField] = []

  init() {}

  /// Reads the options; what is left to do is returned.
  mutating func read(_ arguments: [[UInt8]]) throws(UsageError) -> Action {
    let parsed = try ArgumentParser.parse(arguments)
    for occurrence in parsed.occurrences {
      switch occurrence.option.meaning {
      case .help: return .help
      case .version: return .version
      case .inspect: return .inspect(occurrence.value)
      default: try apply(occurrence.option, occurrence.value)
      }
    }
    guard let operand = parsed.operands.first else { throw .missingOperand }
    guard parsed.operands.count == 1 else { throw .tooManyOperands }
    let target: TargetURI
    do throws(TargetURIError) {
      target = try TargetURI(text: operand)
    } catch {
      throw .invalidTarget(error, operand)
    }
    var request = DownloadRequest(target: target, destination: destination ?? .directory([]))
    request.fields = fields
    return .download(request)
  }

  private mutating func apply(_ option: CommandOption, _ value: [UInt8]) throws(UsageError) {
    switch option.meaning {
    case .output: destination = value.elementsEqual("-".utf8) ? .standardOutput : .file(value)
    case .directory: destination = .directory(value)
    case .quiet: isQuiet = true
    case .verbose: isVerbose = true
    case .field: fields.append(try field(value, option))
    case .retry: options.retryLimit = Int(try number(value, option, below: 1_000_000))
    case .connectTimeout:
      let timeout = try duration(value, option)
      options.timeouts.connect = timeout
      options.timeouts.connectInAll = timeout * 6  // as 30 s are to 5
    case .responseTimeout: options.timeouts.response = try duration(value, option)
    case .idleTimeout: options.timeouts.idle = try duration(value, option)
    case .maxTime: options.timeouts.total = try duration(value, option)
    case .limitRate: options.rateLimit = try size(value, option)
    case .authorityFile: options.tls.authorityFile = value
    case .authorityDirectory: options.tls.authorityDirectory = value
    case .certificate: options.tls.certificateFile = value
    case .key: options.tls.keyFile = value
    case .insecure: options.tls.verifiesPeer = false
    case .allowDowngrade: options.allowsDowngrade = true
    case .retryMaxTime: options.retryTime = try duration(value, option)
    case .resume: options.existing = .resume
    case .existing: options.existing = try existing(value, option)
    case .noResume: options.resume.isOff = true
    case .overlap: options.resume.overlap = try size(value, option)
    case .paranoid: options.resume.isParanoid = true
    case .checksum: options.checksum = try checksum(value, option)
    case .wait: options.waitsForOthers = true
    case .noRemoteTime: options.keepsRemoteTime = false
    case .explain: options.onlyExplains = true
    case .connections: try requireConnections(value, option)
    case .inspect, .help, .version: break
    }
  }

  private func field(_ value: [UInt8], _ option: CommandOption) throws(UsageError) -> CallerField {
    guard let field = CallerField(text: value) else {
      throw .invalidValue(option: option.name, value: value, expected: "'Name: value' without control characters")
    }
    if field.isOwned { throw .ownedField(field.name) }
    return field
  }

  /// An upper bound, which one connection keeps.
  private func requireConnections(_ value: [UInt8], _ option: CommandOption) throws(UsageError) {
    guard let number = decimal(value), (1...32).contains(number) else {
      throw .invalidValue(option: option.name, value: value, expected: "a number from 1 to 32")
    }
  }

  private func existing(_ value: [UInt8], _ option: CommandOption) throws(UsageError) -> ExistingPolicy {
    let policies: [(String, ExistingPolicy)] = [
      ("fail", .fail), ("skip", .skip), ("resume", .resume), ("replace", .replace), ("rename", .rename),
    ]
    for (name, policy) in policies where value.elementsEqual(name.utf8) { return policy }
    throw .invalidValue(option: option.name, value: value, expected: "fail, skip, resume, replace or rename")
  }

  private func checksum(_ value: [UInt8], _ option: CommandOption) throws(UsageError) -> Checksum {
    guard let checksum = Checksum(text: value) else {
      throw .invalidValue(option: option.name, value: value, expected: "an algorithm and its digest, sha-256=… say")
    }
    return checksum
  }

  /// 1*DIGIT, below `bound`.
  private func number(_ value: [UInt8], _ option: CommandOption, below bound: Int64) throws(UsageError) -> Int64 {
    guard let number = decimal(value), number < bound else {
      throw .invalidValue(option: option.name, value: value, expected: "a whole number below \(bound)")
    }
    return number
  }

  /// Seconds, with up to three decimal places; more than 0, and at most a year.
  private func duration(_ value: [UInt8], _ option: CommandOption) throws(UsageError) -> Duration {
    let point = value.firstIndex(of: UInt8(ascii: ".")) ?? value.count
    let fraction = Array(value[min(point + 1, value.count)...])
    let thousandths = fraction.prefix(3) + [UInt8](repeating: UInt8(ascii: "0"), count: 3 - min(fraction.count, 3))
    guard let seconds = decimal(Array(value[..<point])), seconds <= 31_536_000,
      let milliseconds = decimal(Array(thousandths)), fraction.isEmpty || decimal(fraction) != nil,
      seconds > 0 || milliseconds > 0
    else {
      throw .invalidValue(option: option.name, value: value, expected: "seconds, such as 30 or 0.5")
    }
    return .seconds(seconds) + .milliseconds(milliseconds)
  }

  /// Bytes, with K, M or G for powers of 1024; more than 0.
  private func size(_ value: [UInt8], _ option: CommandOption) throws(UsageError) -> Int64 {
    var digits = value
    var shift: Int64 = 0
    switch value.last {
    case UInt8(ascii: "K"), UInt8(ascii: "k"): shift = 10
    case UInt8(ascii: "M"), UInt8(ascii: "m"): shift = 20
    case UInt8(ascii: "G"), UInt8(ascii: "g"): shift = 30
    default: break
    }
    if shift > 0 { digits.removeLast() }
    guard let number = decimal(digits), number > 0, number <= Int64.max >> shift else {
      throw .invalidValue(option: option.name, value: value, expected: "a number of bytes, such as 500K or 2M")
    }
    return number << shift
  }
}

/// 1*DIGIT, at most 18 of them, so that it fits.
func decimal(_ digits: [UInt8]) -> Int64? {
  guard !digits.isEmpty, digits.count <= 18 else { return nil }
  var value: Int64 = 0
  for digit in digits {
    guard digit >= 0x30, digit <= 0x39 else { return nil }
    value = value * 10 + Int64(digit - 0x30)
  }
  return value
}
