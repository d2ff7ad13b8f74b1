import LoopbackServer
import Testing

/// The command line itself.
struct UsageTests {
  @Test(arguments: ["--help", "--version"]) func isAnswered(_ option: String) throws {
    let run = try Command.run([option])
    #expect(run.ending == .exited(0))
    #expect(run.standardError.isEmpty)
    let said = String(decoding: run.standardOutput, as: UTF8.self)
    #expect(said.contains("rawget") && said.hasSuffix("\n"))
    if option == "--help" {
      for name in ["-o", "-P", "-q", "-v", "-H", "--retry", "--max-time", "--cacert", "--insecure"] {
        #expect(said.contains(name), "\(name) is explained")
      }
    }
  }

  /// URI stands for a server's.
  static let refused: [([String], String)] = [
    ([], "no URI"),
    (["-q"], "only options"),
    (["--none", "URI"], "an unknown option"),
    (["-Z", "URI"], "an unknown letter"),
    (["-O", "x", "URI"], "a letter that means two things elsewhere"),
    (["URI", "-o"], "no value"),
    (["--retry", "many", "URI"], "no number"),
    (["--retry", "-1", "URI"], "a negative number"),
    (["--max-time", "", "URI"], "an empty number"),
    (["--idle-timeout", "99999999999999999999", "URI"], "a number that overflows"),
    (["-o", "", "URI"], "an empty name"),
    (["--existing", "keep", "URI"], "none of the five policies"),
    (["--existing=", "URI"], "no policy"),
    (["-x", "0", "URI"], "no connection"),
    (["-x33", "URI"], "more than 32"),
    (["-x", "x", "URI"], "no number"),
    (["-x", "", "URI"], "an empty number"),
    (["-x", "-1", "URI"], "a negative number"),
    (["-x", "4.0", "URI"], "no whole number"),
    (["-x", "18446744073709551617", "URI"], "a number that overflows to 1"),
    (["-x", "AUTO", "URI"], "no such word"),
    (["--connections=automatic", "URI"], "no such word"),
    (["--block-size", "0", "URI"], "nothing to ask for"),
    (["--block-size", "auto", "URI"], "no size"),
    (["--block-size", "-1K", "URI"], "a negative size"),
    (["--block-size=8589934592G", "URI"], "a size that overflows"),
    (["--window", "0", "URI"], "no room at all"),
    (["--window=32MB", "URI"], "no unit of ours"),
    (["--limit-rate", "0", "URI"], "no byte a second"),
    (["--limit-rate", "K", "URI"], "a unit without a number"),
    (["--limit-rate=1.5M", "URI"], "no whole number"),
    (["--connect-timeout", "0.0", "URI"], "no time at all"),
    (["--max-time", "1e3", "URI"], "no plain number"),
    (["--quiet=x", "URI"], "an argument where none belongs"),
    (["--overlap", "0", "URI"], "nothing to compare"),
    (["--overlap", "9999999999999999999", "URI"], "a size that overflows"),
    (["--retry-max-time", "0", "URI"], "no time at all"),
    (["--paranoid=yes", "URI"], "an argument where none belongs"),
    (["--inspect"], "no name"),
    (["--explain"], "no URI to explain"),
    (["-H", "no colon", "URI"], "a field without a colon"),
    (["-H", ": value", "URI"], "a field without a name"),
    (["-H", "na me: value", "URI"], "a blank in the name"),
    (["-H", "name : value", "URI"], "a blank before the colon"),
    (["-H", "Name: a\r\nHost: b", "URI"], "a second line in the value"),
    (["-H", "Name: a\u{1}b", "URI"], "a control character in the value"),
    (["-H", "Host: example.com", "URI"], "S0-21 Host is the engine's"),
    (["-H", "range: bytes=0-1", "URI"], "S0-21 Range is the engine's, in any case"),
    (["-H", "If-Range: \"x\"", "URI"], "S0-21 If-Range is the engine's"),
    (["-H", "Content-Length: 0", "URI"], "S0-21 Content-Length is the engine's"),
    (["-H", "Connection: close", "URI"], "S0-21 Connection is the engine's"),
    (["-H", "Transfer-Encoding: chunked", "URI"], "S0-21 framing is the engine's"),
  ]

  @Test(arguments: refused)
  func refuses(_ row: (arguments: [String], because: String)) throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let arguments = row.arguments.map { $0 == "URI" ? server.uri("/file.bin") : $0 }
    let run = try Command.run(arguments)
    #expect(run.ending == .exited(ExitCode.usage.rawValue), "\(row.because): \(run.ending)")
    #expect(!run.standardError.isEmpty && run.standardOutput.isEmpty, "\(row.because)")
    #expect(server.connectionCount == 0, "\(row.because)")
    #expect(try run.folder.files.isEmpty, "\(row.because)")
  }

  @Test func aRefusedFieldIsNamed() throws {
    let run = try Command.run(["-q", "-H", "Range: bytes=0-1", "http://127.0.0.1:9/"])
    #expect(run.standardError.contains("Range"), "S0-21 \(run.standardError)")
  }

  /// Different ways to write the same thing, and what is accepted without effect.
  static let accepted: [[String]] = [
    ["-q", "-o", "x", "URI"], ["URI", "-q", "-o", "x"], ["-qo", "x", "URI"], ["-q", "-ox", "URI"],
    ["-q", "-c", "-o", "x", "URI"], ["-q", "-o", "x", "--", "URI"], ["-q", "--retry=0", "-o", "x", "URI"],
    [
      "-q", "--retry", "3", "--connect-timeout", "5", "--response-timeout", "5", "--idle-timeout", "5", "--max-time",
      "20",
      "-o", "x", "URI",
    ],
    ["-q", "-x", "1", "-o", "x", "URI"], ["-q", "-x32", "-o", "x", "URI"], ["-qx", "auto", "-o", "x", "URI"],
    ["-q", "--connections=auto", "-o", "x", "URI"], ["-q", "--block-size", "1", "-o", "x", "URI"],
    ["-q", "--block-size=2m", "--window", "1", "-x4", "-o", "x", "URI"],
  ]

  @Test(arguments: accepted) func accepts(_ arguments: [String]) throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(arguments.map { $0 == "URI" ? server.uri("/file.bin") : $0 })
    try run.expect(.ok, leaving: ["x": Summary("hello")], "\(arguments)")
  }

  @Test func fieldsAreSentAsGiven() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let options = ["-H", "X-One: 1", "-H", "x-two:  a b ", "-H", "Accept: text/plain"]
    try Command.run(["-q"] + options + [server.uri("/file.bin")])
      .expect(.ok, leaving: ["file.bin": Summary("hello")])
    let request = try #require(server.requests.first)
    #expect(request.field("X-One") == "1", "S0-21")
    #expect(request.field("x-two").map { $0.trimmingPrefix(" ") } == "a b", "blanks around a value are not part of it")
    #expect(request.values("Accept") == ["text/plain"], "in place of the engine's own")
    #expect(request.values("Content-Length").isEmpty && request.values("Transfer-Encoding").isEmpty)
  }
}
