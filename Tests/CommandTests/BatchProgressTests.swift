import Foundation
import LoopbackServer
import Testing

/// Several downloads at once: a line each and a total while they run, and a summary at the end.
struct BatchProgressTests {
  @Test func severalHaveALineEachAndATotal() throws {
    let goOn = Gate()
    let server = try ProgressTests.server(goOn)
    defer { server.stop() }
    let run = try TerminalCommand(["a.bin", "b.bin", "c.bin"].map { server.uri("/" + $0) }, in: Folder())
    #expect(
      run.command.wait {
        let text = run.screen().text
        return text.count == 4 && text.allSatisfy { $0.contains(" 61%  ") }
      }, "\(run.screen().text)")
    #expect(run.screen().text.last?.hasPrefix("total, 0 done   61%") == true)
    goOn.open()
    try run.expect(.ok)
    let text = run.screen().text
    #expect(text.count == 4 && text.allSatisfy { $0.hasPrefix("rawget: ") }, "\(text)")
    #expect(text.last?.hasPrefix("rawget: 3 downloaded; 3.0 MB in ") == true, "\(text)")
    #expect(!run.screen().hasWrapped && run.screen().strange.isEmpty, "\(run.screen().strange)")
  }

  /// One is whole, two were stopped: none of them failed.
  @Test func interruptedIsNotFailed() throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/a.bin" { return exchange.reply("200 OK", text: "x") }
      exchange.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 2\r\n\r\nx")
      exchange.stall()
    }
    defer { server.stop() }
    let folder = try Folder()
    let names = ["a.bin", "b.bin", "c.bin"]
    let command = try RunningCommand(names.map { server.uri("/" + $0) }, in: folder)
    let isHere = ["a.bin", "b.bin.part", "c.bin.part"]
    #expect(command.wait { isHere.allSatisfy { folder.size(of: $0) == 1 } })
    command.signal(SIGTERM)
    let run = try command.outcome()
    #expect(run.ending == .signalled(SIGTERM))
    let last = run.standardError.split(separator: "\n").last ?? ""
    #expect(last.hasPrefix("rawget: 1 downloaded, 2 interrupted; 3 B in "), "\(run.standardError)")
  }

  @Test func aLowScreenShowsSomeOfThem() throws {
    let goOn = Gate()
    let server = try ProgressTests.server(goOn)
    defer { server.stop() }
    let run = try TerminalCommand((1...8).map { server.uri("/\($0).bin") } + ["-j", "8"], in: Folder(), rows: 6)
    #expect(
      run.command.wait {
        let text = run.screen().text
        return text.count == 5 && text[3] == "+5 more" && text[4].contains(" 61%")
      }, "\(run.screen().text)")
    goOn.open()
    try run.expect(.ok)
    #expect(run.screen().text.count == 9)
  }

  @Test func linesOfABatchNameTheirDownload() throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target.hasPrefix("/gone") { return exchange.reply("404 Not Found", text: "no") }
      if exchange.request.target == "/cut.bin", exchange.request.field("Range") == nil {
        return ProgressTests.resource.respond(to: exchange, .dropping(after: 500_000))
      }
      ProgressTests.resource.respond(to: exchange)
    }
    defer { server.stop() }
    let secret = server.uri("/gone?token=secret").replacingOccurrences(of: "://", with: "://user:word@")
    let run = try Command.run(["-j", "1", server.uri("/cut.bin"), secret, server.uri("/here.bin")]) { folder in
      try Data(ProgressTests.resource.bytes).write(to: URL(fileURLWithPath: folder.path + "/here.bin"))
      let time = timespec(tv_sec: 1_774_085_400, tv_nsec: 0)  // Sat, 21 Mar 2026 09:30:00 GMT
      utimensat(AT_FDCWD, folder.path + "/here.bin", [time, time], 0)
    }
    let lines = run.standardError.split(separator: "\n").map(String.init)
    #expect(run.ending == .exited(ExitCode.server.rawValue), "\(run.standardError)")
    #expect(lines.contains { $0.hasPrefix("rawget: cut.bin: the connection broke") }, "\(lines)")
    #expect(
      lines.contains { $0.hasPrefix("rawget: server (8): ") && $0.contains("/gone") && $0.contains("404") }, "\(lines)")
    #expect(!run.standardError.contains("secret") && !run.standardError.contains("word"), "\(lines)")
    #expect(lines.last?.hasPrefix("rawget: 1 downloaded, 1 already complete, 1 failed; 1.0 MB in ") == true, "\(lines)")
  }

  @Test func oneDownloadHasNoSummaryAndNoPrefix() throws {
    let server = try LoopbackServer { $0.reply("404 Not Found", text: "no") }
    defer { server.stop() }
    let run = try Command.run([server.uri("/file.bin")])
    #expect(run.standardError.hasPrefix("rawget: server (8): the server answered 404"))
    run.expectOneLine()
  }
}
