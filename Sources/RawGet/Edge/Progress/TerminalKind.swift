/// What the environment says about the terminal. A pure reading of variables: their values are asked for by name.
package struct TerminalKind: Equatable {
  /// Takes control sequences: `TERM` is neither absent nor `dumb`.
  package var takesControls = false
  /// Colours are welcome (no-color.org).
  package var hasColors = false
  /// Its encoding is UTF-8, as far as the locale tells.
  package var isUTF8 = false
  /// Shows progress outside its text, at a tab or a task bar, by OSC 9;4. Others may print such a sequence.
  package var takesProgress = false
  /// Nobody watches: a log is written.
  package var isContinuousIntegration = false

  package init(_ variable: (String) -> [UInt8]?) {
    func value(_ name: String) -> [UInt8]? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    let term = value("TERM")
    takesControls = term.map { !$0.elementsEqual("dumb".utf8) } ?? false
    hasColors = takesControls && value("NO_COLOR") == nil
    isContinuousIntegration = value("CI").map { !$0.elementsEqual("false".utf8) } ?? false
    let locale = value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? []
    let lower = locale.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    isUTF8 = ["utf-8", "utf8"].contains { lower.suffix($0.utf8.count).elementsEqual($0.utf8) }
    let isInside = value("TMUX") != nil || value("STY") != nil  // neither passes the sequence on
    takesProgress = takesControls && !isInside && TerminalKind.knowsProgress(value)
  }

  private static func knowsProgress(_ value: (String) -> [UInt8]?) -> Bool {
    if value("WT_SESSION") != nil { return true }
    if let answer = value("ConEmuANSI"), answer.elementsEqual("ON".utf8) { return true }
    if let program = value("TERM_PROGRAM") {
      if program.elementsEqual("WezTerm".utf8) || program.elementsEqual("ghostty".utf8) { return true }
    }
    if let features = value("TERM_FEATURES"), hasFeatureP(features) { return true }
    guard let version = value("PTYXIS_VERSION") else { return false }
    var major = 0
    for byte in version.prefix(4) {
      guard byte >= 0x30, byte <= 0x39 else { break }
      major = major * 10 + Int(byte - 0x30)
    }
    return major >= 48
  }

  /// Codes without separators, each a capital and what follows it in small letters and digits: `P` alone is progress.
  private static func hasFeatureP(_ features: [UInt8]) -> Bool {
    for (index, byte) in features.enumerated() where byte == UInt8(ascii: "P") {
      guard index + 1 < features.count else { return true }
      let next = features[index + 1]
      let goesOn = (next >= 0x61 && next <= 0x7A) || (next >= 0x30 && next <= 0x39)
      if !goesOn { return true }
    }
    return false
  }
}

/// The sequence that shows progress outside the text: `ESC ] 9 ; 4 ; STATE ; PERCENT ESC \`.
package enum TerminalProgress: Equatable {
  case none
  case percent(Int)
  case unknown
  case waiting(Int)

  package var sequence: Text {
    let parameters: Text =
      switch self {
      case .none: "0;0"
      case .percent(let percent): "1;\(percent)"
      case .unknown: "3;0"
      case .waiting(let percent): "4;\(percent)"
      }
    return Text("\u{1B}]9;4;\(parameters)\u{1B}\\")
  }
}
