internal import RawGet

/// How progress is shown (`--progress`).
enum ProgressStyle {
  case automatic
  /// Lines that are drawn over themselves.
  case bar
  /// A line now and then, for logs.
  case plain
  /// Events instead of words.
  case json
  /// The end alone.
  case none

  /// What it amounts to where the command runs: a bar where somebody watches, on a terminal that can show it.
  func resolved(_ settings: Settings, _ terminal: TerminalKind) -> ProgressStyle {
    guard case .automatic = self else { return settings.isQuiet ? .none : self }
    if settings.isQuiet || settings.writesEvents { return .none }
    guard CommandSystem.isTerminal(.error), terminal.takesControls, !terminal.isContinuousIntegration else {
      return .plain
    }
    if case .standardOutput? = settings.destination, CommandSystem.isTerminal(.output) { return .none }
    return .bar
  }
}
