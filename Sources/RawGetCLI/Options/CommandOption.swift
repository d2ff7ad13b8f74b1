/// One option of the command: its names, what it is called in texts, and its effect. The table of all of them
/// (`CommandOption.table`) is the one source of parsing, `--help`, the manual and the completions.
struct CommandOption {
  typealias Effect = (Settings, OptionValue) throws(UsageError) -> Void

  /// The headings of `--help` and the manual, in their order.
  enum Section: CaseIterable {
    case files, resuming, requests, network, trust, batch, output, asking, other

    var title: String {
      switch self {
      case .files: "Files"
      case .resuming: "Resuming and retrying"
      case .requests: "Requests"
      case .network: "Network"
      case .trust: "Trust"
      case .batch: "Several downloads"
      case .output: "Output"
      case .asking: "Asking without downloading"
      case .other: "Other"
      }
    }
  }

  /// What a shell may offer for the argument.
  enum Completion {
    case nothing
    case file
    case directory
    case words([String])
  }

  let section: Section
  let letter: UInt8?
  let name: String
  /// What the argument is called; nil for an option without one.
  let argument: String?
  let completion: Completion
  let help: String
  let effect: Effect

  /// An option with an argument.
  init(
    _ section: Section, _ letter: Unicode.Scalar?, _ name: String, _ argument: String, _ help: String,
    completing completion: Completion = .nothing, _ effect: @escaping Effect
  ) {
    self.section = section
    self.letter = letter.map { UInt8(ascii: $0) }
    self.name = name
    self.argument = argument
    self.completion = completion
    self.help = help
    self.effect = effect
  }

  /// One without.
  init(
    _ section: Section, _ letter: Unicode.Scalar?, _ name: String, _ help: String,
    _ effect: @escaping (Settings) -> Void
  ) {
    self.section = section
    self.letter = letter.map { UInt8(ascii: $0) }
    self.name = name
    argument = nil
    completion = .nothing
    self.help = help
    self.effect = { (settings, _) throws(UsageError) in effect(settings) }
  }

  /// Every option there is.
  static var table: [CommandOption] {
    files + resuming + requests + ranges + network + dialing + trust + batch + output + asking + other
  }
}
