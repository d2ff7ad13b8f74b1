import Foundation
import LoopbackServer
import Testing

/// What a person sees: on a terminal a display that is drawn over itself and leaves lines that stay; in a log few lines.
struct ProgressTests {
  static let resource = Resource(length: 1_000_000)

  /// Delivers 61 %, and goes on when `goOn` opens.
  static func server(_ goOn: Gate) throws -> LoopbackServer {
    try LoopbackServer { exchange in
      let bytes = resource.bytes
      exchange.send("HTTP/1.1 200 OK\r\nETag: \"first\"\r\nContent-Length: \(bytes.count)\r\n\r\n")
      exchange.send(Array(bytes[..<614_200]))
      exchange.wait(at: goOn)
      exchange.send(Array(bytes[614_200...]))
    }
  }

  static let widths: [(columns: UInt16, shown: String)] = [
    (40, "file.bin   61%  "), (80, "file.bin   61%  ━━━━━━━━━━━━━━"), (200, "614 kB of 1.0 MB"),
  ]

  @Test("a bar, drawn in place and cleared at the end", arguments: widths)
  func aBarIsDrawnInPlace(_ row: (columns: UInt16, shown: String)) throws {
    let goOn = Gate()
    let server = try Self.server(goOn)
    defer { server.stop() }
    let columns = Int(row.columns)
    let run = try TerminalCommand([server.uri("/file.bin")], in: Folder(), columns: row.columns)
    #expect(run.wait(for: row.shown, columns: columns), "\(run.text)")
    #expect(run.screen(columns: columns).text.count == 1)
    goOn.open()
    try run.expect(.ok)
    let screen = run.screen(columns: columns)
    #expect(screen.text.count == 1 && screen.text[0].hasPrefix("rawget: file.bin: 1.0 MB in "), "\(screen.text)")
    #expect(
      (columns < 80 || !screen.hasWrapped) && screen.strange.isEmpty && screen.outside.isEmpty, "\(screen.strange)")
  }

  @Test func aNewWidthIsSeenAtOnce() throws {
    let goOn = Gate()
    let server = try Self.server(goOn)
    defer { server.stop() }
    let run = try TerminalCommand([server.uri("/file.bin")], in: Folder(), columns: 120)
    #expect(run.wait(for: "1 connection", columns: 120))
    let before = run.bytes.count
    run.resize(columns: 30)
    #expect(
      run.command.wait {
        let line = TerminalScreen(columns: 120, Array(run.bytes[before...])).text.last ?? ""
        return line.contains("file.bin   61%") && line.count < 30
      }, "\(run.text)")
    goOn.open()
    try run.expect(.ok)
  }

  @Test func aWideNameKeepsItsColumns() throws {
    let goOn = Gate()
    let server = try Self.server(goOn)
    defer { server.stop() }
    let name = String(repeating: "片仮名", count: 12) + ".bin"
    let run = try TerminalCommand(["-o", name, server.uri("/file.bin")], in: Folder(), columns: 40)
    #expect(run.wait(for: "…", columns: 80), "\(run.text)")
    #expect(run.wait(for: " 61%", columns: 80))
    goOn.open()
    try run.expect(.ok)
  }

  @Test func unknownLengthHasNoPercentage() throws {
    let goOn = Gate()
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
      exchange.wait(at: goOn)
      exchange.send("0\r\n\r\n")
    }
    defer { server.stop() }
    let run = try TerminalCommand([server.uri("/file.bin")], in: Folder())
    #expect(run.wait(for: "5 B"), "\(run.text)")
    #expect(run.screen().text.last?.contains("%") == false)
    goOn.open()
    try run.expect(.ok)
  }

  @Test("waiting and resuming are said, and lines between leave no rubbish") func aRetryIsSaid() throws {
    let goOn = Gate()
    let server = try LoopbackServer { exchange in
      if exchange.requestNumber == 1 { return Self.resource.respond(to: exchange, .dropping(after: 500_000)) }
      if exchange.requestNumber == 2 { return exchange.reply("503 Busy", ["Retry-After: 2"]) }
      exchange.wait(at: goOn)
      Self.resource.respond(to: exchange)
    }
    defer { server.stop() }
    let run = try TerminalCommand([server.uri("/file.bin")], in: Folder())
    #expect(run.wait(for: "waiting "), "\(run.text)")
    #expect(run.wait(for: "resuming"), "\(run.text)")
    goOn.open()
    try run.expect(.ok)
    let text = run.screen().text
    #expect(text.count == 3, "\(text)")
    #expect(text.allSatisfy { $0.hasPrefix("rawget: ") }, "\(text)")
    #expect(text.contains { $0.contains("trying again in 2.") || $0.contains("trying again in 3.") }, "\(text)")
  }

  @Test("every end leaves the screen clean", arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalLeavesACleanScreen(_ signal: Int32) throws {
    let goOn = Gate()
    let server = try Self.server(goOn)
    defer { server.stop() }
    let run = try TerminalCommand(
      [server.uri("/file.bin")], in: Folder(), environment: ["WT_SESSION": "1"])
    #expect(run.wait(for: " 61%"))
    run.command.signal(signal)
    #expect(try run.outcome().ending == .signalled(signal))
    let screen = run.screen()
    #expect(screen.text.count == 1 && screen.text[0].hasPrefix("rawget: signal ("), "\(screen.text)")
    #expect(screen.outside.contains("9;4;1;61") && screen.outside.last == "9;4;0;0", "\(screen.outside)")
  }

  @Test func anErrorLeavesACleanScreen() throws {
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
      exchange.stall()
    }
    defer { server.stop() }
    let run = try TerminalCommand(
      ["--retry", "0", "--idle-timeout", "1", server.uri("/file.bin")], in: Folder(),
      environment: ["TERM_PROGRAM": "ghostty"])
    try run.expect(.incomplete)
    let screen = run.screen()
    #expect(screen.text.count == 1 && screen.text[0].hasPrefix("rawget: incomplete (9): "), "\(screen.text)")
    #expect(screen.outside.contains("9;4;1;50") && screen.outside.last == "9;4;0;0", "\(screen.outside)")
  }

  @Test("NO_COLOR, and colours without it", arguments: [false, true]) func colours(_ isRefused: Bool) throws {
    let goOn = Gate()
    let server = try Self.server(goOn)
    defer { server.stop() }
    let run = try TerminalCommand(
      [server.uri("/file.bin")], in: Folder(), environment: isRefused ? ["NO_COLOR": "1"] : [:])
    #expect(run.wait(for: " 61%"))
    #expect(run.text.contains("\u{1B}[36m") != isRefused)
    goOn.open()
    try run.expect(.ok)
  }

  struct Kind: Sendable { let environment: [String: String], arguments: [String], because: String }
  static let withoutBar = [
    Kind(environment: ["TERM": "dumb"], arguments: [], because: "a dumb terminal"),
    Kind(environment: ["CI": "true"], arguments: [], because: "continuous integration"),
    Kind(environment: [:], arguments: ["--progress=plain"], because: "asked for"),
  ]

  @Test(arguments: withoutBar) func plainLinesOnATerminal(_ row: Kind) throws {
    let goOn = Gate()
    let server = try Self.server(goOn)
    defer { server.stop() }
    let run = try TerminalCommand(
      row.arguments + [server.uri("/file.bin")], in: Folder(), environment: row.environment)
    #expect(run.wait(for: "61.42% (614 kB of 1.0 MB)"), "\(row.because): \(run.text)")
    goOn.open()
    try run.expect(.ok)
    let lines = run.text.split(separator: "\r\n")
    #expect(lines.first == "rawget: file.bin, 1.0 MB", "\(row.because)")
    #expect(lines.count == 3 && !run.text.contains("\u{1B}"), "\(row.because): \(run.text)")
  }

  static let silent: [(arguments: [String], lines: Int, because: String)] = [
    (["-q"], 0, "nothing"), (["--progress=none"], 1, "the end alone"), (["-q", "--progress=bar"], 0, "-q is stronger"),
  ]

  @Test(arguments: silent) func silence(_ row: (arguments: [String], lines: Int, because: String)) throws {
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
      exchange.drip([UInt8](repeating: 7, count: 1_000), pieces: 100, pause: 30_000)  // for some drawings
    }
    defer { server.stop() }
    let run = try TerminalCommand(row.arguments + [server.uri("/file.bin")], in: Folder())
    try run.expect(.ok)
    #expect(run.screen().text.count == row.lines, "\(row.because)")
    #expect(!run.text.contains("\u{1B}"))
  }

  @Test func aBarCanBeAskedForInAFile() throws {
    let goOn = Gate()
    let server = try Self.server(goOn)
    defer { server.stop() }
    let folder = try Folder()
    let run = try RunningCommand(
      ["--progress", "bar", server.uri("/file.bin")], in: folder, environment: ["COLUMNS": "30"], standardError: "log")
    let text = { String(decoding: (try? folder.bytes(of: "log")) ?? [], as: UTF8.self) }
    #expect(run.wait { text().contains("file.bin   61%  #######------\u{1B}[J") }, "\(text())")
    goOn.open()
    _ = try run.outcome()
  }

  @Test("SIGUSR1 prints one line, however quiet", arguments: [[], ["-q"], ["--progress=none"]])
  func aSignalAsks(_ options: [String]) throws {
    let goOn = Gate()
    let server = try Self.server(goOn)
    defer { server.stop() }
    let folder = try Folder()
    let run = try RunningCommand(options + [server.uri("/file.bin")], in: folder, standardError: "log")
    run.wait { folder.size(of: "file.bin.part") == 614_200 }
    run.signal(SIGUSR1)
    let text = { String(decoding: (try? folder.bytes(of: "log")) ?? [], as: UTF8.self) }
    #expect(run.wait { text().contains("rawget: file.bin: 61.42% (614 kB of 1.0 MB), ") }, "\(options): \(text())")
    goOn.open()
    #expect(try run.outcome().ending == .exited(0))
  }

  @Test func aLogOfAnEvenDownloadIsShort() throws {
    let server = try LoopbackServer { Resource(length: 60_000_000).respond(to: $0) }
    defer { server.stop() }
    let run = try Command.run(["--limit-rate", "20M", server.uri("/file.bin")])
    let lines = run.standardError.split(separator: "\n")
    #expect((3...15).contains(lines.count), "\(run.standardError)")
    #expect(lines.first == "rawget: file.bin, 60.0 MB")
    #expect(lines.last?.hasPrefix("rawget: file.bin: 60.0 MB in ") == true)
    #expect(lines.dropFirst().dropLast().allSatisfy { $0.contains("% (") && $0.contains("/s") }, "\(lines)")
  }

  static let refused = ["--progress", "--progress=", "--progress=bars", "--progress=Bar"]
  @Test(arguments: refused) func otherWordsAreRefused(_ option: String) throws {
    let run = try Command.run([option])
    #expect(run.ending == .exited(ExitCode.usage.rawValue), "\(option): \(run.standardError)")
    run.expectOneLine()
  }
}
