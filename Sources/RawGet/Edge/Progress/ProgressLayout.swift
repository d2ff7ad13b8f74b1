/// What a terminal can show.
package struct ProgressLook {
  package var hasColors = false
  /// Line drawing characters, and an ellipsis, beyond ASCII.
  package var hasLines = true

  var ellipsis: [UInt8] { Array((hasLines ? "…" : "~").utf8) }

  package init() {}
}

/// Lines of a progress display side by side in one width: the same fields in the same columns, of which a narrow terminal
/// loses the least important ones.
///
///     ubuntu-26.04-….iso   61%  ━━━━━━━━━━━╸──────  12.3 of 20.0 MB   37.1 MB/s   0:42  4 connections
package struct ProgressLayout {
  private static let gap = 2  // columns
  private static let nameMinimum = 8  // columns
  private static let barMinimum = 8  // columns
  private static let barLimit = 60  // columns
  private static let statusMinimum = 16  // columns: speed and time left keep their places
  private static let amountMinimum = 15  // columns
  /// Where no line knows its end there is no percent and no time left: they leave their columns to the amount.
  private static let statusMinimumWithoutEnd = 10  // columns
  private static let amountMinimumWithoutEnd = 8  // columns
  private static let longFrom = 120  // columns: from here on words are written out

  private let width: Int
  private let look: ProgressLook
  private var name = 0
  private var percent = 0
  private var bar = 0
  private var amount = 0
  private var status = 0
  private var connections = 0

  /// For a terminal of so many columns. The last one stays free: a character there wraps on some terminals.
  package init(_ lines: [ProgressLine], columns: Int, look: ProgressLook) {
    width = max(columns - 1, 0)
    self.look = look
    let isLong = columns >= ProgressLayout.longFrom
    let isMeasured = lines.contains { $0.completeLength != nil }
    var wanted = (name: 0, amount: 0, status: 0, connections: 0)
    wanted.amount = isMeasured ? ProgressLayout.amountMinimum : ProgressLayout.amountMinimumWithoutEnd
    wanted.status = isMeasured ? ProgressLayout.statusMinimum : ProgressLayout.statusMinimumWithoutEnd
    for line in lines {
      wanted.name = max(wanted.name, TextWidth.columns(of: line.name))
      wanted.amount = max(wanted.amount, line.amount.bytes.count)
      wanted.status = max(wanted.status, line.status.bytes.count)
      wanted.connections = max(wanted.connections, ProgressLayout.connections(line, isLong: isLong).bytes.count)
    }
    name = min(wanted.name, ProgressLayout.nameMinimum, width)
    var room = width - name
    percent = isMeasured ? ProgressLayout.take(4, from: &room) : 0
    status = ProgressLayout.take(wanted.status, from: &room)
    amount = ProgressLayout.take(wanted.amount, from: &room)
    bar = ProgressLayout.take(ProgressLayout.barMinimum, from: &room)
    connections = ProgressLayout.take(wanted.connections, from: &room)
    let longer = min(wanted.name - name, bar > 0 ? max(width / 4 - name, 0) : room)
    name += min(longer, room)
    room -= min(longer, room)
    if bar > 0 {
      let wider = min(room, ProgressLayout.barLimit - bar)
      bar += wider
      name += min(room - wider, wanted.name - name)
    }
  }

  private static func take(_ columns: Int, from room: inout Int) -> Int {
    guard columns > 0, room >= columns + gap else { return 0 }
    room -= columns + gap
    return columns
  }

  package func text(_ line: ProgressLine) -> Text {
    var text = Text()
    let shown = TextWidth.shortened(line.name, to: name, look.ellipsis)
    text.add(foreign: shown)
    text.add(blanks: name - TextWidth.columns(of: shown))
    add(line.percent.rightAligned(in: percent), percent, to: &text)
    if bar > 0 {
      text.add(blanks: ProgressLayout.gap)
      addBar(line, to: &text)
    }
    add(line.amount.rightAligned(in: amount), amount, to: &text)
    add(line.status, status, to: &text)
    let isLong = width + 1 >= ProgressLayout.longFrom
    add(ProgressLayout.connections(line, isLong: isLong), connections, to: &text)
    text.trim()
    return text
  }

  private func add(_ field: Text, _ columns: Int, to text: inout Text) {
    guard columns > 0 else { return }
    text.add(blanks: ProgressLayout.gap)
    text.append(field)
    text.add(blanks: columns - field.bytes.count)
  }

  /// One connection is what everybody expects: only a wide line spends columns on it.
  private static func connections(_ line: ProgressLine, isLong: Bool) -> Text {
    if isLong { return Text("\(line.connections) connection\(line.connections == 1 ? "" : "s")") }
    return line.connections > 1 ? "x\(line.connections)" : Text()
  }

  // MARK: The bar

  private func addBar(_ line: ProgressLine, to text: inout Text) {
    let halves = bar * 2
    var (from, to) = (0, 0)
    if let length = line.completeLength {
      let part = min(max(line.kept, 0), length)
      let filled = length == 0 ? 0 : length.dividingFullWidth(part.multipliedFullWidth(by: Int64(halves))).quotient
      to = length == 0 ? halves : Int(filled)
    } else {
      let way = bar - 3  // there and back
      let place = line.turn % (way * 2)
      from = (place < way ? place : way * 2 - place) * 2
      to = from + 6
    }
    let isWaiting = if case .waiting = line.state { true } else { false }
    addCells(from / 2, color: "2", mark: "─", "-", to: &text)
    addCells((to - from) / 2, color: isWaiting ? "33" : "36", mark: "━", "#", to: &text)
    var rest = bar - to / 2
    if to % 2 == 1 {
      addCells(1, color: isWaiting ? "33" : "36", mark: "╸", "-", to: &text)
      rest -= 1
    }
    addCells(rest, color: "2", mark: "─", "-", to: &text)
  }

  private func addCells(_ count: Int, color: String, mark: String, _ plain: String, to text: inout Text) {
    guard count > 0 else { return }
    if look.hasColors { text.append("\u{1B}[\(color)m") }
    for _ in 0..<count { text.add(look.hasLines ? mark : plain) }
    if look.hasColors { text.add("\u{1B}[0m") }
  }
}
