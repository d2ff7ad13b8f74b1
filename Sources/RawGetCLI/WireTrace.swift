internal import RawGet

/// Heads as `-v` shows them: a line each, secrets masked, nothing that a terminal would obey.
///
/// Masked are the values of fields whose name speaks of a secret, and in the request line and in fields that hold a URI
/// whatever may be one: userinfo, and every query.
enum WireTrace {
  private static var secretWords: [String] {
    ["auth", "cookie", "credential", "jwt", "key", "passw", "secret", "session", "signature", "token"]
  }
  private static var fieldsWithURI: [String] { ["location", "content-location", "referer", "link", "refresh"] }

  /// Which way a request takes.
  static func route(to target: TargetURI, via proxy: Proxy?) -> Text {
    var text = Text("* ")
    text.add(foreign: target.host.fieldValue)
    text.add(proxy == nil ? ": without a proxy" : ": through ")
    if let proxy { text.add(foreign: proxy.text) }
    text.add("\n")
    return text
  }

  /// nil for what is not on the wire.
  static func text(_ event: DownloadEvent) -> Text? {
    switch event {
    case .requested(let head): lines(of: head, mark: "> ")
    case .responded(let head): lines(of: head, mark: "< ")
    case .routed(let target, let proxy): route(to: target, via: proxy)
    case .redirected, .mirrored, .joined, .left, .found, .replaced, .began, .interrupted, .progressed: nil
    }
  }

  static func lines(of head: [UInt8], mark: String) -> Text {
    var text = Text()
    var isFirst = true
    for line in head.split(separator: 0x0A) {
      let line = line.last == 0x0D ? line.dropLast() : line
      if line.isEmpty { continue }
      text.add(mark)
      text.add(foreign: isFirst ? startLine(Array(line)) : field(Array(line)))
      text.add("\n")
      isFirst = false
    }
    return text
  }

  /// A status line stays as it is.
  private static func startLine(_ line: [UInt8]) -> [UInt8] {
    line.starts(with: "HTTP/".utf8) ? line : withoutSecrets(line, endedBy: 0x20)
  }

  static func field(_ line: [UInt8]) -> [UInt8] {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return line }
    let name = lowercase(line[..<colon])
    if secretWords.contains(where: { contains(name, $0) }) { return line[...colon] + Array(" ***".utf8) }
    guard fieldsWithURI.contains(where: { name.elementsEqual($0.utf8) }) else { return line }
    return withoutSecrets(line, endedBy: name.elementsEqual("link".utf8) ? UInt8(ascii: ">") : nil)
  }

  /// The text with stars for each run behind a question mark, and for what stands before an `@` of an authority.
  private static func withoutSecrets(_ text: [UInt8], endedBy end: UInt8?) -> [UInt8] {
    var shown: [UInt8] = []
    var isQuery = false
    var authority: Int?
    for byte in text {
      switch byte {
      case _ where byte == end:
        isQuery = false
        authority = nil
      case _ where isQuery: continue
      case UInt8(ascii: "?"):
        isQuery = true
        shown += Array("?***".utf8)
        continue
      case UInt8(ascii: "/"): authority = shown.last == byte ? shown.count + 1 : nil
      case UInt8(ascii: "@"):
        guard let start = authority else { break }
        shown.replaceSubrange(start..., with: Array("***".utf8))
      default: break
      }
      shown.append(byte)
    }
    return shown
  }

  private static func lowercase(_ name: ArraySlice<UInt8>) -> [UInt8] {
    name.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
  }

  private static func contains(_ name: [UInt8], _ word: String) -> Bool {
    let word = Array(word.utf8)
    return name.indices.contains { name[$0...].starts(with: word) }
  }
}
