import Testing

@testable import RawGet

/// What the environment says of a terminal (FEATURES 3.1).
struct TerminalKindTests {
  private static func kind(_ variables: [String: String]) -> TerminalKind {
    TerminalKind { name in variables[name].map { Array($0.utf8) } }
  }

  @Test func anOrdinaryTerminal() {
    let kind = Self.kind(["TERM": "xterm-256color", "LANG": "de_DE.UTF-8"])
    #expect(kind.takesControls && kind.hasColors && kind.isUTF8)
    #expect(!kind.takesProgress && !kind.isContinuousIntegration)
  }

  static let controls: [(variables: [String: String], takes: Bool)] = [
    ([:], false), (["TERM": ""], false), (["TERM": "dumb"], false), (["TERM": "dumber"], true),
    (["TERM": "vt100"], true),
  ]
  @Test(arguments: controls) func readsControls(_ row: (variables: [String: String], takes: Bool)) {
    #expect(Self.kind(row.variables).takesControls == row.takes)
  }

  static let colors: [(variables: [String: String], has: Bool)] = [
    (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": ""], true), (["TERM": "xterm", "NO_COLOR": "1"], false),
    (["TERM": "xterm", "NO_COLOR": "0"], false), (["TERM": "dumb"], false),
  ]
  @Test(arguments: colors) func readsColors(_ row: (variables: [String: String], has: Bool)) {
    #expect(Self.kind(row.variables).hasColors == row.has)
  }

  static let locales: [(variables: [String: String], isUTF8: Bool)] = [
    ([:], false), (["LANG": "C"], false), (["LANG": "C.UTF-8"], true), (["LANG": "en_US.utf8"], true),
    (["LANG": "C.UTF-8", "LC_ALL": "C"], false), (["LANG": "C.UTF-8", "LC_ALL": ""], true),
    (["LANG": "C", "LC_CTYPE": "C.UTF-8"], true), (["LANG": "de_DE@euro"], false),
  ]
  @Test(arguments: locales) func readsEncodings(_ row: (variables: [String: String], isUTF8: Bool)) {
    #expect(Self.kind(row.variables).isUTF8 == row.isUTF8)
  }

  static let integration: [(variables: [String: String], isIt: Bool)] = [
    ([:], false), (["CI": ""], false), (["CI": "true"], true), (["CI": "1"], true), (["CI": "false"], false),
  ]
  @Test(arguments: integration) func continuousIntegration(_ row: (variables: [String: String], isIt: Bool)) {
    #expect(Self.kind(row.variables).isContinuousIntegration == row.isIt)
  }

  static let known: [(variables: [String: String], takes: Bool, because: String)] = [
    ([:], false, "an unknown terminal may print it"), (["WT_SESSION": "x"], true, "Windows Terminal"),
    (["WT_SESSION": ""], false, "empty is not set"), (["ConEmuANSI": "ON"], true, "ConEmu"),
    (["ConEmuANSI": "OFF"], false, "ConEmu without"), (["TERM_PROGRAM": "WezTerm"], true, "WezTerm"),
    (["TERM_PROGRAM": "ghostty"], true, "ghostty"), (["TERM_PROGRAM": "Apple_Terminal"], false, "another"),
    (["TERM_FEATURES": "T3LrMSc7UUw9Ts3BFGsSyHNoSxFP"], true, "iTerm2"),
    (["TERM_FEATURES": "FPBp"], true, "in the middle"),
    (["TERM_FEATURES": "FPoSy"], false, "another code that begins so"), (["TERM_FEATURES": "F"], false, "without it"),
    (["PTYXIS_VERSION": "48.1"], true, "Ptyxis"), (["PTYXIS_VERSION": "47.9"], false, "Ptyxis before"),
    (["PTYXIS_VERSION": "none"], false, "no version"), (["WT_SESSION": "x", "TMUX": "/tmp/t"], false, "inside tmux"),
    (["TERM_PROGRAM": "ghostty", "STY": "1.pts"], false, "inside screen"),
    (["WT_SESSION": "x", "TERM": "dumb"], false, "no controls, no sequence"),
  ]
  @Test(arguments: known)
  func outsideTheText(_ row: (variables: [String: String], takes: Bool, because: String)) {
    let kind = Self.kind(["TERM": "xterm"].merging(row.variables) { $1 })
    #expect(kind.takesProgress == row.takes, "\(row.because)")
  }

  @Test func sequences() {
    #expect(TerminalProgress.percent(42).sequence.bytes == Array("\u{1B}]9;4;1;42\u{1B}\\".utf8))
    #expect(TerminalProgress.none.sequence.bytes == Array("\u{1B}]9;4;0;0\u{1B}\\".utf8))
    #expect(TerminalProgress.unknown.sequence.bytes == Array("\u{1B}]9;4;3;0\u{1B}\\".utf8))
    #expect(TerminalProgress.waiting(9).sequence.bytes == Array("\u{1B}]9;4;4;9\u{1B}\\".utf8))
  }
}
