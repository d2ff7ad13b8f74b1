internal import RawGet

/// Heads as `-v` shows them: a line each, secrets masked, nothing that a terminal would obey.
enum WireTrace {
  private static var secrets: [String] { ["authorization", "cookie", "proxy-authorization", "set-cookie"] }

  static func lines(of head: [UInt8], mark: String) -> Text {
    var text = Text()
    for line in head.split(separator: 0x0A) {
      let line = line.last == 0x0D ? line.dropLast() : line
      if !line.isEmpty { addLine(mark, Array(line), to: &text) }
    }
    return text
  }

  private static func addLine(_ mark: String, _ line: [UInt8], to text: inout Text) {
    text.add(mark)
    if let colon = line.firstIndex(of: UInt8(ascii: ":")), isSecret(line[..<colon]) {
      text.add(foreign: Array(line[...colon]))
      text.add(" ***")
    } else {
      text.add(foreign: line)
    }
    text.add("\n")
  }

  /// Known names, and any other that says it holds a key or a token.
  private static func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
    let lower = name.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    if secrets.contains(where: { lower.elementsEqual($0.utf8) }) { return true }
    return ["token", "key", "secret", "password", "auth"].contains { word in
      let word = Array(word.utf8)
      return lower.indices.contains { lower[$0...].starts(with: word) }
    }
  }
}
