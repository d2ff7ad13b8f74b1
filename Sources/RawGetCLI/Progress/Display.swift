internal import RawGet

/// Standard error as the place where progress is drawn over itself, and lines are printed that stay.
///
/// The cursor rests at the beginning of the last line that is drawn: what a terminal echoes there (`^C`) can't wrap.
struct Display {
  private let terminal: TerminalKind
  private let look: ProgressLook
  /// The lines that are on the screen, and in what width.
  private var drawn: [Text] = []
  private var drawnColumns = 0
  /// What was last shown outside the text.
  private var outside = TerminalProgress.none

  init(_ terminal: TerminalKind) {
    self.terminal = terminal
    var look = ProgressLook()
    look.hasColors = terminal.hasColors
    look.hasLines = terminal.isUTF8
    self.look = look
  }

  /// Draws these in place of those that were drawn before. A job in the background leaves the screen to others.
  mutating func draw(_ lines: [ProgressLine], total: ProgressLine?) {
    guard CommandSystem.isForeground(.error) else { return }
    let (columns, rows) = size
    var text = home(columns)
    drawn = ProgressBlock.lines(lines, total: total, columns: columns, rows: rows, look: look)
    drawnColumns = columns
    addDrawn(to: &text)
    if let line = total ?? lines.first { text.append(showOutside(line.outside)) }
    CommandSystem.write(text, to: .error)
  }

  /// A line that stays, above those that are drawn.
  mutating func print(_ line: Text) {
    let columns = size.columns
    if columns != drawnColumns { clear() }
    var text = Text()
    if !drawn.isEmpty {
      text = home(columns)
      text.add(Display.erasure)
    }
    text.append(line)
    addDrawn(to: &text)
    CommandSystem.write(text, to: .error)
  }

  /// Everything from the cursor's row on. From the first character of the screen on, some terminals would keep what is
  /// erased in their history: a blank before it.
  private static let erasure = " \u{1B}[J\r"

  /// Leaves nothing on the screen but lines that stay.
  mutating func end() {
    clear()
    let text = showOutside(.none)
    if !text.bytes.isEmpty { CommandSystem.write(text, to: .error) }
  }

  /// The process was stopped meanwhile: the screen is another one.
  mutating func forget() { drawn = [] }

  private mutating func clear() {
    if drawn.isEmpty { return }
    var text = home(size.columns)
    text.add(Display.erasure)
    CommandSystem.write(text, to: .error)
    drawn = []
  }

  /// From the first line's beginning to the last line's.
  private func addDrawn(to text: inout Text) {
    if drawn.isEmpty { return }
    for (index, line) in drawn.enumerated() {
      if index > 0 { text.add("\u{1B}[K\r\n") }
      text.append(line)
    }
    text.add("\u{1B}[J\r")
  }

  /// To the first of the drawn lines. A terminal that became narrower has wrapped them.
  private func home(_ columns: Int) -> Text {
    var rows = 0
    for line in drawn.dropLast() {
      rows += max((TextWidth.columns(of: line.bytes) + columns - 1) / columns, 1)
    }
    return rows > 0 ? "\r\u{1B}[\(rows)A" : "\r"
  }

  private mutating func showOutside(_ progress: TerminalProgress) -> Text {
    guard terminal.takesProgress, progress != outside else { return Text() }
    outside = progress
    return progress.sequence
  }

  private var size: (columns: Int, rows: Int) {
    let (columns, rows) = CommandSystem.terminalSize(.error)
    let told = CommandSystem.variable("COLUMNS").flatMap { decimal($0) } ?? 80
    return (max(columns ?? Int(min(told, 1_000)), 1), max(rows ?? 24, 1))
  }
}
