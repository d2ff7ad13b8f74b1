import Testing

@testable import RawGet

/// What a line of progress looks like, in columns. Every row is a whole line.
struct ProgressLayoutTests {
  private static func line(
    _ name: String = "file.bin", _ kept: Int64 = 12_300_000, of length: Int64? = 20_000_000,
    speed: Int64? = 37_100_000, left: Duration? = .seconds(42), state: ProgressLine.State = .receiving,
    connections: Int = 1
  ) -> ProgressLine {
    var line = ProgressLine()
    line.name = Array(name.utf8)
    line.kept = kept
    line.completeLength = length
    line.speed = speed
    line.timeLeft = left
    line.state = state
    line.connections = connections
    return line
  }

  private static func shown(
    _ lines: [ProgressLine], columns: Int, total: ProgressLine? = nil, rows: Int = 24, colors: Bool = false
  ) -> [String] {
    var look = ProgressLook()
    look.hasColors = colors
    return ProgressBlock.lines(lines, total: total, columns: columns, rows: rows, look: look).map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
  }

  struct Row: Sendable { let line: ProgressLine, columns: Int, text: String, because: String }
  static let long = "ubuntu-26.04-desktop-amd64.iso"

  static let rows = [
    Row(
      line: line(), columns: 80,
      text: "file.bin   61%  ━━━━━━━━━━━━━━━━━───────────  12.3 of 20.0 MB  37.1 MB/s   0:42", because: "80 columns"),
    Row(line: line(), columns: 40, text: "file.bin   61%  37.1 MB/s   0:42", because: "40: no amount and bar"),
    Row(line: line(), columns: 20, text: "file.bin   61%", because: "20: the percentage stays"),
    Row(line: line(), columns: 9, text: "file.bin", because: "9: the name"),
    Row(line: line(), columns: 5, text: "fi…n", because: "5: some of it"),
    Row(line: line(), columns: 1, text: "", because: "1: nothing fits"),
    Row(
      line: line(long), columns: 40, text: "ubuntu-…d64.iso   61%  37.1 MB/s   0:42",
      because: "room that is left is the name's"),
    Row(
      line: line("片仮名平仮名片仮名平仮名.bin"), columns: 40, text: "片仮名…仮名.bin   61%  37.1 MB/s   0:42",
      because: "wide characters take two"),
    Row(line: line(left: nil), columns: 40, text: "file.bin   61%  37.1 MB/s", because: "no time is known"),
    Row(line: line(speed: nil), columns: 40, text: "file.bin   61%  stalled", because: "it stalls"),
    Row(
      line: line(state: .waiting(.milliseconds(3_200))), columns: 40, text: "file.bin   61%  waiting 4 s",
      because: "rounded up: never 0 while it waits"),
    Row(line: line(state: .waiting(.seconds(4))), columns: 40, text: "file.bin   61%  waiting 4 s", because: "exactly"),
    Row(line: line(state: .resuming), columns: 40, text: "file.bin   61%  resuming", because: "a request for the rest"),
    Row(line: line(state: .comparing), columns: 40, text: "file.bin   61%  comparing", because: "what is here"),
    Row(line: line(state: .verifying), columns: 40, text: "file.bin   61%  verifying", because: "a digest"),
    Row(line: line("x", 0, of: 0), columns: 40, text: "x        ━━━━━━━━━━━━  37.1 MB/s   0:42", because: "empty"),
    Row(
      line: line("x", 1_500, of: nil, left: nil), columns: 60,
      text: "x  ━━━───────────────────────────────    1.5 kB  37.1 MB/s",
      because: "unknown length"),
    Row(
      line: line("file.bin", 1_500, of: nil, left: nil), columns: 40, text: "file.bin    1.5 kB  37.1 MB/s",
      because: "40: the amount, where nothing says how much is left"),
    Row(line: line("x", 99, of: 100), columns: 20, text: "x   99%  ━━━━━━━━━╸", because: "below 100 until it is whole"),
    Row(line: line("x", 100, of: 100), columns: 20, text: "x  100%  ━━━━━━━━━━", because: "whole"),
    Row(
      line: line("x", 999_999_999, of: 1_000_000_000), columns: 20, text: "x   99%  ━━━━━━━━━╸",
      because: "floor, not round"),
    Row(line: line("x", .max, of: .max), columns: 20, text: "x  100%  ━━━━━━━━━━", because: "no sum overflows"),
    Row(
      line: line(connections: 4), columns: 40, text: "file.bin   61%  37.1 MB/s   0:42  x4", because: "more than one"),
    Row(
      line: line(connections: 4), columns: 80,
      text: "file.bin   61%  ━━━━━━━━━━━━━━╸─────────  12.3 of 20.0 MB  37.1 MB/s   0:42  x4",
      because: "takes from the bar"),
  ]

  @Test(arguments: rows) func isWhole(_ row: Row) {
    #expect(Self.shown([row.line], columns: row.columns) == [row.text], "\(row.because)")
  }

  @Test func aWideTerminalSaysAll() throws {
    let text = try #require(Self.shown([Self.line(Self.long)], columns: 200).first)
    #expect(text.hasPrefix(Self.long + "   61%  ━"))
    #expect(text.hasSuffix("─  12.3 of 20.0 MB  37.1 MB/s   0:42  1 connection"))
  }

  static let clocks: [(seconds: Int64, text: String)] = [
    (-1, "0:00"), (0, "0:00"), (9, "0:09"), (60, "1:00"), (3_599, "59:59"), (3_600, "1:00:00"), (86_399, "23:59:59"),
    (345_599, "95:59:59"), (345_600, "4 days"),
  ]

  @Test(arguments: clocks) func writesTime(_ row: (seconds: Int64, text: String)) {
    var text = Text()
    text.add(clock: .seconds(row.seconds))
    #expect(String(decoding: text.bytes, as: UTF8.self) == row.text)
  }

  @Test func aBarWithoutAnEndGoesToAndFro() {
    var line = Self.line("x", 1_500, of: nil, left: nil)
    var seen: Set<String> = []
    for turn in 0..<200 {
      line.turn = turn
      let text = Self.shown([line], columns: 80)[0]
      #expect(text.filter { $0 == "━" }.count == 3, "\(text)")
      seen.insert(text)
    }
    #expect(seen.count > 20)
  }

  /// The one thing that may never happen: a line that wraps.
  @Test func noLineIsTooLong() {
    var random = SeededGenerator(seed: 11)
    let states: [ProgressLine.State] = [
      .connecting, .resuming, .comparing, .receiving, .verifying, .waiting(.seconds(123_456)),
    ]
    let names = ["", "x", Self.long, "片仮名平仮名片仮名平仮名.bin", String(repeating: "e\u{301}", count: 90)]
    for _ in 0..<3_000 {
      let lines = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        Self.line(
          names.randomElement(using: &random) ?? "", Int64.random(in: 0...(.max), using: &random),
          of: Bool.random(using: &random) ? Int64.random(in: 0...(.max), using: &random) : nil,
          speed: Bool.random(using: &random) ? Int64.random(in: 0...(.max), using: &random) : nil,
          left: Bool.random(using: &random) ? .seconds(Int64.random(in: 0...100_000_000, using: &random)) : nil,
          state: states.randomElement(using: &random) ?? .receiving, connections: Int.random(in: 0...32, using: &random)
        )
      }
      let columns = Int.random(in: 1...220, using: &random)
      let colors = Bool.random(using: &random)
      for text in Self.shown(lines, columns: columns, total: lines[0], colors: colors) {
        #expect(TextWidth.columns(of: Array(text.utf8)) < max(columns, 8), "\(columns): \(text)")
      }
    }
  }

  @Test func linesStandInColumns() {
    let lines = [
      Self.line("a", 5, of: 10, speed: 1), Self.line("longer.bin", 12_300_000, of: 20_000_000),
      Self.line("片", 1, of: nil, speed: nil, state: .waiting(.seconds(100_000))),
    ]
    let shown = Self.shown(lines, columns: 80, total: Self.line("total, 3 done"))
    #expect(
      shown == [
        "a               50%  ━━━━━━━━━━━╸───────────        5 of 10 B      1 B/s   0:42",
        "longer.bin      61%  ━━━━━━━━━━━━━━─────────  12.3 of 20.0 MB  37.1 MB/s   0:42",
        "片                   ━━━────────────────────              1 B  waiting 100000 s",
        "total, 3 done   61%  ━━━━━━━━━━━━━━─────────  12.3 of 20.0 MB  37.1 MB/s   0:42",
      ])
  }

  static let heights: [(lines: Int, rows: Int, shown: Int, more: String?)] = [
    (3, 24, 4, nil), (22, 24, 23, nil), (23, 24, 23, "+2 more"), (1_000, 24, 23, "+979 more"), (5, 4, 3, "+4 more"),
    (5, 3, 2, "+5 more"), (5, 1, 2, "+5 more"),
  ]

  @Test(arguments: heights) func neverFillsTheScreen(_ row: (lines: Int, rows: Int, shown: Int, more: String?)) {
    let lines = (0..<row.lines).map { Self.line("file-\($0)") }
    let shown = Self.shown(lines, columns: 80, total: Self.line("total"), rows: row.rows)
    #expect(shown.count == row.shown)
    #expect(shown.last?.hasPrefix("total ") == true)
    #expect(shown.first { $0.hasPrefix("+") } == row.more)
  }

  @Test func coloursAreOnlyWhereTheyAreWelcome() {
    let plain = Self.shown([Self.line()], columns: 80)[0]
    let colored = Self.shown([Self.line()], columns: 80, colors: true)[0]
    #expect(!plain.contains("\u{1B}"))
    #expect(colored.contains("\u{1B}[36m━"))
    #expect(TextWidth.columns(of: Array(colored.utf8)) == TextWidth.columns(of: Array(plain.utf8)))
  }

  @Test func aTerminalWithoutLinesGetsASCII() {
    var look = ProgressLook()
    look.hasLines = false
    for name in ["file.bin", String(repeating: "long-", count: 40)] {
      let text = ProgressBlock.lines([Self.line(name)], total: nil, columns: 80, rows: 24, look: look)[0]
      #expect(text.bytes.allSatisfy { $0 < 0x80 }, "\(String(decoding: text.bytes, as: UTF8.self))")
    }
  }
}
