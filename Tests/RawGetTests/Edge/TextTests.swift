import Testing

@testable import RawGet

/// What is written for people: nothing of a server's or a file's name is obeyed by a terminal.
struct TextTests {
  struct Foreign: Sendable { let bytes: [UInt8], text: String, because: String }

  static let foreign = [
    Foreign(bytes: [0x1B, 0x5B, 0x32, 0x4A], text: #"\x1b[2J"#, because: "an escape sequence"),
    Foreign(bytes: [0x61, 0x0D, 0x0A, 0x62], text: #"a\x0d\x0ab"#, because: "one line stays one line"),
    Foreign(bytes: [0x00, 0x07, 0x7F, 0x09], text: #"\x00\x07\x7f\x09"#, because: "NUL, bell, DEL, HTAB"),
    Foreign(bytes: [0xC2, 0x9B, 0x32, 0x4A], text: #"\xc2\x9b2J"#, because: "C1: an escape sequence in one character"),
    Foreign(bytes: [0xC2, 0x80, 0xC2, 0x9F], text: #"\xc2\x80\xc2\x9f"#, because: "the first and the last of C1"),
    Foreign(bytes: Array("a b é 片 \u{A0}".utf8), text: "a b é 片 \u{A0}", because: "readable text stays"),
    Foreign(bytes: [], text: "", because: "nothing"),
  ]

  @Test(arguments: foreign) func makesHarmless(_ row: Foreign) {
    var text = Text("<")
    text.add(foreign: row.bytes)
    text.add(">")
    #expect(String(decoding: text.bytes, as: UTF8.self) == "<\(row.text)>", "\(row.because)")
  }

  @Test func noByteIsObeyed() {
    let all: [[UInt8]] = (UInt8.min...UInt8.max).flatMap { byte -> [[UInt8]] in [[byte], [0xC2, byte], [byte, 0xC2]] }
    for bytes in all {
      var text = Text()
      text.add(foreign: bytes)
      #expect(!text.bytes.contains { $0 < 0x20 || $0 == 0x7F })
      #expect(!zip(text.bytes, text.bytes.dropFirst()).contains { $0 == 0xC2 && (0x80..<0xA0).contains($1) })
    }
  }

  static let sizes: [(bytes: Int64, text: String)] = [
    (-1, "0 B"), (0, "0 B"), (1, "1 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_049, "1.0 kB"), (1_050, "1.0 kB"),
    (1_999, "1.9 kB"), (99_999, "99.9 kB"), (100_000, "100 kB"), (999_999, "999 kB"), (1_000_000, "1.0 MB"),
    (1_073_741_824, "1.0 GB"), (1_234_567_890_123, "1.2 TB"), (.max, "922 PB"),
  ]

  @Test(arguments: sizes) func writesSizes(_ row: (bytes: Int64, text: String)) {
    var text = Text()
    text.add(size: row.bytes)
    #expect(String(decoding: text.bytes, as: UTF8.self) == row.text)
  }

  static let durations: [(duration: Duration, text: String)] = [
    (.zero, "0.0 s"), (.milliseconds(99), "0.0 s"), (.milliseconds(100), "0.1 s"), (.milliseconds(1_999), "1.9 s"),
    (.seconds(300), "300.0 s"),
  ]

  @Test(arguments: durations) func writesSeconds(_ row: (duration: Duration, text: String)) {
    var text = Text()
    text.add(seconds: row.duration)
    #expect(String(decoding: text.bytes, as: UTF8.self) == row.text)
  }

  @Test func isMadeOfPieces() {
    let (word, inner) = ("word", Text("of \(3)"))
    let rows: [(text: Text, written: String)] = [
      ("", ""), ("words", "words"), ("\(word)", "word"), ("<\(word)>\(word)", "<word>word"),
      ("\(0) \(-1)", "0 -1"), ("\(Int64.min)\(Int64.max)", "\(Int64.min)\(Int64.max)"),
      ("\(Int32.min)", "\(Int32.min)"), ("2 \(inner)!", "2 of 3!"), (inner, "of 3"),
    ]
    for row in rows { #expect(String(decoding: row.text.bytes, as: UTF8.self) == row.written) }
  }
}
