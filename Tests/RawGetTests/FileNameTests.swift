import RawGet
import Testing

struct FileNameTests {
  struct Row: Sendable { let name: String, safe: String?, because: String }  // nil: nothing is left

  static let names = [
    Row(name: "report.pdf", safe: "report.pdf", because: "nothing to do"),
    Row(name: "12 片名 é.mov", safe: "12 片名 é.mov", because: "S4-5: readable names stay"),
    Row(name: "می\u{200C}خواهم.pdf", safe: "می\u{200C}خواهم.pdf", because: "Persian is spelt with U+200C"),
    Row(name: "a%2Fb", safe: "a%2Fb", because: "already decoded: once is enough"),
    Row(name: "/etc/cron.d/job", safe: "job", because: "an absolute path"),
    Row(name: "../../up.txt", safe: "up.txt", because: "T24: a way up"),
    Row(name: #"C:\dir\win.txt"#, safe: "win.txt", because: "the other separator"),
    Row(name: #"a/b\c/d"#, safe: "d", because: "both"),
    Row(name: ".profile", safe: "_.profile", because: "no hidden file"),
    Row(name: "\u{200E}\u{0}.profile", safe: "_.profile", because: "nor behind what is removed"),
    Row(name: " .profile", safe: "_.profile", because: "nor behind a space"),
    Row(name: "...x", safe: "_...x", because: "dots in front"),
    Row(name: "-rf", safe: "_-rf", because: "no option"),
    Row(name: "~root", safe: "_~root", because: "no home"),
    Row(name: "a\u{1B}[2Jb\u{7}\u{7F}.txt", safe: "a[2Jb.txt", because: "C0 and DEL"),
    Row(name: "a\r\nb\0c", safe: "abc", because: "line ends and NUL"),
    Row(name: "a\u{9B}2Jb", safe: "a2Jb", because: "C1: U+009B is an escape sequence too"),
    Row(name: "song\u{202E}3pm.exe", safe: "song3pm.exe", because: "a right-to-left override"),
    Row(name: "\u{200E}\u{200F}\u{202A}\u{2066}\u{2069}\u{061C}a", safe: "a", because: "marks and isolates"),
    Row(name: "a\u{FEFF}\u{200B}\u{2060}\u{2028}\u{2029}b", safe: "ab", because: "no width, no lines"),
    Row(name: "x.txt. . ", safe: "x.txt", because: "dots and spaces at the end"),
    Row(name: "  x  y  ", safe: "x  y", because: "spaces around"),
    Row(name: "x.part", safe: "x.part_", because: "the part file of x"),
    Row(name: "x.PART", safe: "x.PART_", because: "also where case means nothing"),
    Row(name: "x.part.meta", safe: "x.part.meta_", because: "the record of x"),
    Row(name: "x.part.", safe: "x.part_", because: "once the dot is cut"),
    Row(name: "x.part\u{202E}", safe: "x.part_", because: "once the override is removed"),
    Row(name: ".part", safe: "_.part_", because: "both rules"),
    Row(name: "x.meta", safe: "x.meta", because: "no state file"),
    Row(name: "xpart", safe: "xpart", because: "nor is this"),
    Row(name: "", safe: nil, because: "T24: empty"),
    Row(name: ".", safe: nil, because: "this directory"),
    Row(name: "..", safe: nil, because: "T24: the one above"),
    Row(name: "a/..", safe: nil, because: "at the end of a path"),
    Row(name: "a/", safe: nil, because: "T24: nothing behind the slash"),
    Row(name: #"a\"#, safe: nil, because: "nor behind the backslash"),
    Row(name: " . . ", safe: nil, because: "dots and spaces"),
    Row(name: "\u{202E}.\u{1}", safe: nil, because: "only what is removed"),
  ]

  @Test(arguments: names) func makesSafe(_ row: Row) {
    #expect(
      FileName.safe(Array(row.name.utf8)).map { String(decoding: $0, as: UTF8.self) } == row.safe, "\(row.because)")
  }

  struct Bytes: Sendable { let name: [UInt8], safe: String, because: String }

  static let invalid = [
    Bytes(name: [0x61, 0xFF, 0x62], safe: "a\u{FFFD}b", because: "no UTF-8 holds FF"),
    Bytes(name: [0x61, 0xE9], safe: "a\u{FFFD}", because: "Latin-1"),
    Bytes(name: [0xC0, 0xAF, 0x61], safe: "\u{FFFD}\u{FFFD}a", because: "an overlong slash is no slash"),
    Bytes(name: [0xED, 0xA0, 0x80, 0x61], safe: "\u{FFFD}\u{FFFD}\u{FFFD}a", because: "a surrogate"),
    Bytes(name: [0x61, 0xE2, 0x80], safe: "a\u{FFFD}", because: "cut short"),
  ]

  @Test(arguments: invalid) func replacesWhatIsNotUTF8(_ row: Bytes) {
    #expect(FileName.safe(row.name).map { String(decoding: $0, as: UTF8.self) } == row.safe, "\(row.because)")
  }

  struct Length: Sendable { let name: String, count: Int, suffix: String, because: String }

  static let lengths = [
    Length(name: String(repeating: "n", count: 245), count: 245, suffix: "n", because: "fits"),
    Length(name: String(repeating: "n", count: 246), count: 245, suffix: "n", because: "one too many"),
    Length(
      name: String(repeating: "n", count: 500) + ".tar.gz", count: 245, suffix: "n.gz", because: "the extension stays"),
    Length(
      name: String(repeating: "n", count: 500) + ".extension-of-15", count: 245, suffix: "n.extension-of-15",
      because: "of 16 bytes"),
    Length(
      name: String(repeating: "n", count: 500) + ".extension-of-016", count: 245, suffix: "nn", because: "not of 17"),
    Length(name: String(repeating: "€", count: 100), count: 243, suffix: "€", because: "cut between characters"),
    Length(
      name: String(repeating: "€", count: 100) + ".txt", count: 244, suffix: "€.txt",
      because: "before the extension as well"),
    Length(
      name: String(repeating: "n", count: 244) + ". x" + String(repeating: "y", count: 20), count: 244, suffix: "n",
      because: "no dot at the new end"),
    Length(
      name: String(repeating: "n", count: 500) + ".part", count: 245, suffix: "n.part_", because: "no part file either"),
    Length(
      name: String(repeating: "n", count: 240) + ".part" + String(repeating: "y", count: 20), count: 245,
      suffix: "n.part_", because: "nor by cutting"),
    Length(name: "." + String(repeating: "n", count: 245), count: 245, suffix: "n", because: "the underscore counts"),
  ]

  @Test(arguments: lengths) func leavesRoomForTheStateFiles(_ row: Length) {
    let safe = FileName.safe(Array(row.name.utf8)) ?? []
    #expect(safe.count == row.count, "\(row.because)")
    #expect(String(decoding: safe, as: UTF8.self).hasSuffix(row.suffix), "\(row.because)")
  }

  struct Suggestion: Sendable { let uri: String, disposition: String?, name: String, because: String }

  static let suggestions = [
    Suggestion(uri: "http://h/dir/a.txt", disposition: nil, name: "a.txt", because: "S2-3: the last segment"),
    Suggestion(
      uri: "http://h/a.txt?token=x/y#z", disposition: nil, name: "a.txt", because: "T24: no query, no fragment"),
    Suggestion(
      uri: "http://h/12 片名.mov", disposition: nil, name: "12 片名.mov", because: "S4-5: saved under the readable name"),
    Suggestion(
      uri: "http://h/12%20%E7%89%87.mov", disposition: nil, name: "12 片.mov", because: "S4-5: also when pasted encoded"),
    Suggestion(uri: "http://h/..%2F..%2Fa.txt", disposition: nil, name: "a.txt", because: "decoded, then made safe"),
    Suggestion(uri: "http://h/dir%5Ca.txt", disposition: nil, name: "a.txt", because: "a backslash, too"),
    Suggestion(uri: "http://h/%252e", disposition: nil, name: "%2e", because: "decoded once"),
    Suggestion(uri: "http://h/%E9.txt", disposition: nil, name: "\u{FFFD}.txt", because: "not UTF-8"),
    Suggestion(uri: "http://h/", disposition: nil, name: "download", because: "T24: no segment"),
    Suggestion(uri: "http://h?a=b.txt", disposition: nil, name: "download", because: "T24: only a query"),
    Suggestion(uri: "http://h/dir/", disposition: nil, name: "download", because: "T24: an empty segment"),
    Suggestion(uri: "http://h/%2e%2e", disposition: nil, name: "download", because: "T24: nothing safe in it"),
    Suggestion(uri: "http://h/%20%00", disposition: nil, name: "download", because: "nor here"),
    Suggestion(uri: "http://h/u", disposition: "attachment; filename=d", name: "d", because: "S1-2: the server's name"),
    Suggestion(
      uri: "http://h/u", disposition: "attachment; filename=p; filename*=UTF-8''%E7%89%87", name: "片",
      because: "S1-2: filename* first"),
    Suggestion(uri: "http://h/u", disposition: "attachment; filename=\"../../d\"", name: "d", because: "made safe"),
    Suggestion(
      uri: "http://h/u", disposition: "attachment; filename*=UTF-8''..%2F..%2Fd", name: "d",
      because: "made safe after decoding"),
    Suggestion(
      uri: "http://h/u", disposition: "attachment; filename=\"a%2Fd\"", name: "a%2Fd",
      because: "plain names are not decoded"),
    Suggestion(uri: "http://h/u", disposition: "attachment; filename=\"..\"", name: "u", because: "nothing safe in it"),
    Suggestion(
      uri: "http://h/u", disposition: "attachment; filename=\"d/\"", name: "u", because: "nothing behind the slash"),
    Suggestion(uri: "http://h/u", disposition: "attachment", name: "u", because: "no name"),
    Suggestion(uri: "http://h/u", disposition: "filename=d", name: "u", because: "unreadable"),
    Suggestion(
      uri: "http://h/", disposition: "attachment; filename=\" \"", name: "download", because: "nothing anywhere"),
  ]

  @Test(arguments: suggestions) func suggests(_ row: Suggestion) throws {
    let target = try TargetURI(text: Array(row.uri.utf8))
    let name = FileName.suggested(contentDisposition: row.disposition.map { Array($0.utf8) }, target: target)
    #expect(String(decoding: name, as: UTF8.self) == row.name, "\(row.because)")
  }

  /// T24: whatever bytes come in, every rule holds for what comes out, and a safe name comes out as it went in.
  @Test func everyNameIsSafe() {
    var generator = SplitMix(state: 6266)
    let pieces: [[UInt8]] =
      [
        "/", "\\", ".", "..", " ", "-", "~", "_", ".part", ".meta", ".PaRt", "a", "é", "片", "\u{202E}", "\u{85}",
        "\u{FEFF}", "\0",
      ]
      .map { Array($0.utf8) } + [[0xFF], [0xC0, 0xAF], [0xE2, 0x80]]
    var kept = 0
    for round in 0..<10_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...(round % 10 == 0 ? 300 : 12), using: &generator) {
        if Bool.random(using: &generator) {
          bytes += pieces[Int.random(in: pieces.indices, using: &generator)]
        } else {
          bytes.append(UInt8.random(in: 0...255, using: &generator))
        }
      }
      // Long names need a stretch without separators.
      if round % 10 == 0 { bytes = bytes.map { $0 == 0x2F || $0 == 0x5C ? 0x61 : $0 } }
      guard let name = FileName.safe(bytes) else { continue }
      kept += 1
      #expect(brokenRule(of: name) == nil, "\(bytes)")
      #expect(FileName.safe(name) == name, "\(bytes)")
    }
    #expect(kept > 5_000)
  }

  private func brokenRule(of name: [UInt8]) -> String? {
    guard let text = String(validating: name, as: UTF8.self) else { return "UTF-8" }
    let forbidden: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF...0xFEFF,
    ]
    if text.unicodeScalars.contains(where: { scalar in forbidden.contains { $0.contains(scalar.value) } }) {
      return "a control character"
    }
    if name.isEmpty || name.count > 255 - ".part.meta".utf8.count { return "length" }
    if name.contains(UInt8(ascii: "/")) || name.contains(UInt8(ascii: "\\")) { return "a separator" }
    if text.hasPrefix(".") || text.hasPrefix("-") || text.hasPrefix("~") || text.hasPrefix(" ") { return "its start" }
    if text.hasSuffix(".") || text.hasSuffix(" ") { return "its end" }
    let lower = text.lowercased()
    return lower.hasSuffix(".part") || lower.hasSuffix(".part.meta") ? "a state file" : nil
  }
}
