import Foundation
import Testing

/// A small terminal: what is on its screen after everything that was written to it. It knows the controls that a progress
/// display needs, and records any other.
struct TerminalScreen {
  let columns: Int
  private(set) var lines: [[Character]] = [[]]
  private var row = 0
  private var column = 0
  /// Sequences beginning with `ESC ]`, without their ends.
  private(set) var outside: [String] = []
  /// Controls that are not understood.
  private(set) var strange: [String] = []
  /// A character was written where no column was left.
  private(set) var hasWrapped = false

  init(columns: Int, _ bytes: [UInt8]) {
    self.columns = columns
    var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    while let scalar = scalars.popFirst() { take(scalar, &scalars) }
  }

  /// Without blanks at the ends of lines, and without empty lines at the end.
  var text: [String] {
    var text = lines.map { line in String(String(line).reversed().drop { $0 == " " }.reversed()) }
    while text.last == "" { text.removeLast() }
    return text
  }

  private mutating func take(_ scalar: Unicode.Scalar, _ rest: inout ArraySlice<Unicode.Scalar>) {
    switch scalar {
    case "\r": column = 0
    case "\n":
      row += 1
      if row == lines.count { lines.append([]) }
    case "\u{1B}": escape(&rest)
    case " "...: put(Character(scalar))
    default: strange.append("\(scalar.value)")
    }
  }

  private mutating func put(_ character: Character) {
    if column >= columns { hasWrapped = true }
    while lines[row].count <= column { lines[row].append(" ") }
    lines[row][column] = character
    column += 1
  }

  private mutating func escape(_ rest: inout ArraySlice<Unicode.Scalar>) {
    switch rest.popFirst() {
    case "[":
      var parameters = ""
      while let scalar = rest.popFirst() {
        if scalar.value >= 0x40 { return control(scalar, parameters) }
        parameters.unicodeScalars.append(scalar)
      }
    case "]":
      var text = ""
      while let scalar = rest.popFirst() {
        if scalar == "\u{1B}" {
          _ = rest.popFirst()
          return outside.append(text)
        }
        text.unicodeScalars.append(scalar)
      }
    case let other: strange.append("ESC \(String(describing: other))")
    }
  }

  private mutating func control(_ final: Unicode.Scalar, _ parameters: String) {
    switch final {
    case "A": row = max(row - (Int(parameters) ?? 1), 0)
    case "K" where parameters.isEmpty: lines[row] = Array(lines[row].prefix(column))
    case "J" where parameters.isEmpty:
      if row == 0, column == 0 { strange.append("the whole screen, which goes into the history") }
      lines[row] = Array(lines[row].prefix(column))
      lines.removeSubrange((row + 1)...)
    case "m": break
    default: strange.append("CSI \(parameters)\(final)")
    }
  }
}
