/// The lines of several downloads at once: those that fit, how many more there are, and a total.
package enum ProgressBlock {
  /// - Parameter rows: of the whole screen. Fewer are filled: what scrolled away can't be drawn over.
  package static func lines(
    _ lines: [ProgressLine], total: ProgressLine?, columns: Int, rows: Int, look: ProgressLook
  ) -> [Text] {
    guard let total else {
      let layout = ProgressLayout(lines, columns: columns, look: look)
      return lines.prefix(max(rows - 1, 1)).map { layout.text($0) }
    }
    let room = max(rows - 2, 1)
    let fitting = lines.count <= room ? lines.count : max(room - 1, 0)
    let layout = ProgressLayout(lines[..<fitting] + [total], columns: columns, look: look)
    var texts = lines[..<fitting].map { layout.text($0) }
    if fitting < lines.count { texts.append(Text("+\(lines.count - fitting) more")) }
    texts.append(layout.text(total))
    return texts
  }
}
