import Foundation
import LoopbackServer
import Testing

/// The configuration file, and who has the last word.
struct ConfigurationTests {
  /// Runs with `$XDG_CONFIG_HOME/rawget/config` in the folder.
  private func run(
    _ arguments: [String], _ text: String, mode: mode_t = 0o600, environment: [String: String]? = nil
  ) throws -> Outcome {
    let folder = try Folder()
    try folder.makeFolder("rawget")
    try folder.write(text, to: "rawget/config")
    chmod(folder.path + "/rawget/config", mode)
    let environment = environment ?? ["XDG_CONFIG_HOME": folder.path]
    return try RunningCommand(arguments, in: folder, environment: environment).outcome()
  }

  private func hello() throws -> LoopbackServer { try LoopbackServer { $0.reply("200 OK", text: "hello") } }

  static let read: [(String, [String], String)] = [
    ("output from-config", [], "a value behind a blank"),
    ("output=from-config", [], "behind an equals sign"),
    ("output = from-config", [], "behind both"),
    ("  output\t from-config \r", [], "blanks around it"),
    ("# a comment\n\n   # another\noutput from-config\n", [], "comments and empty lines"),
    ("output other\noutput from-config", [], "the last word counts"),
    ("output other", ["-o", "from-config"], "the arguments have it"),
    ("output from-config\nno-remote-time", [], "an option without a value"),
  ]

  @Test(arguments: read) func isRead(_ row: (text: String, arguments: [String], because: String)) throws {
    let server = try hello()
    defer { server.stop() }
    let run = try run(["-q"] + row.arguments + [server.uri("/file.bin")], row.text)
    #expect(run.ending == .exited(0), "\(row.because): \(run.standardError)")
    #expect(try run.files["from-config"] == Summary("hello"), "\(row.because)")
  }

  @Test func listsAdd() throws {
    let server = try hello()
    defer { server.stop() }
    let run = try run(["-q", "-H", "X-Two: 2", server.uri("/file.bin")], "header X-One: 1=# not a comment\n")
    #expect(run.ending == .exited(0), "\(run.standardError)")
    #expect(server.requests.first?.field("X-One") == "1=# not a comment")
    #expect(server.requests.first?.field("X-Two") == "2")
  }

  @Test func isNotReadWhenTold() throws {
    let server = try hello()
    defer { server.stop() }
    for arguments in [["--no-config", server.uri("/a")], [server.uri("/a"), "--no-config"]] {
      let run = try run(["-q"] + arguments, "output from-config\nnonsense")
      #expect(try run.files["a"] == Summary("hello"), "\(run.standardError)")
    }
  }

  @Test func anotherIsRead() throws {
    let server = try hello()
    defer { server.stop() }
    let folder = try Folder()
    try folder.write("output named", to: "mine")
    let environment = ["XDG_CONFIG_HOME": folder.path]
    let run = try RunningCommand(["-q", "--config=mine", server.uri("/a")], in: folder, environment: environment)
    #expect(try run.outcome().files["named"] == Summary("hello"))
    let missing = try RunningCommand(
      ["-q", "--config", "none", server.uri("/a")], in: folder, environment: environment)
    let outcome = try missing.outcome()
    #expect(outcome.ending == .exited(ExitCode.usage.rawValue))
    #expect(outcome.standardError.contains("none"))
    outcome.expectOneLine()
  }

  /// Nothing is there, or nothing may be looked for.
  @Test(arguments: [[:], ["XDG_CONFIG_HOME": "/none"], ["XDG_CONFIG_HOME": ""], ["XDG_CONFIG_HOME": "."]])
  func needNotBe(_ environment: [String: String]) throws {
    let server = try hello()
    defer { server.stop() }
    let run = try run(["-q", server.uri("/a")], "nonsense", environment: environment)
    #expect(run.ending == .exited(0), "a relative one is ignored: \(run.standardError)")
  }

  @Test(arguments: ["--help", "--version", "-h"]) func helpDoesWithout(_ option: String) throws {
    #expect(try run([option], "nonsense").ending == .exited(0))
  }

  static let refused: [(text: String, line: Int, because: String)] = [
    ("nonsense", 1, "no option"), ("\n# c\nretry many", 3, "no number"), ("quiet yes", 1, "takes no value"),
    ("quiet=", 1, "takes no value"), ("retry", 1, "needs one"), ("retry =", 1, "needs one"), ("-q", 1, "a letter"),
    ("--quiet", 1, "with dashes"), ("Quiet", 1, "in another case"), ("help", 1, "only for arguments"),
    ("config other", 1, "only for arguments"), ("input list", 1, "only for arguments"), ("inspect x", 1, "a question"),
    ("http://127.0.0.1:9/", 1, "a URL"), ("header Host: x", 1, "what is not to be given"),
    ("range 0-1", 1, "what there is to download"), ("multipart", 1, "and how it is asked for"),
    ("quiet\nquiet\nmax-time 0", 3, "a value that is none"),
  ]

  @Test(arguments: refused) func refuses(_ row: (text: String, line: Int, because: String)) throws {
    let server = try hello()
    defer { server.stop() }
    let run = try run([server.uri("/file.bin")], row.text)
    #expect(run.ending == .exited(ExitCode.usage.rawValue), "\(row.because): \(run.standardError)")
    #expect(run.standardError.contains("rawget/config:\(row.line): "), "\(row.because): \(run.standardError)")
    run.expectOneLine(row.because)
    #expect(server.connectionCount == 0 && run.standardOutput.isEmpty)
    #expect(try run.files.count == 1, "the file alone")
  }

  @Test(arguments: [("header X-Key: secret", 0o640), ("exec true", 0o644), ("header X-Key: secret", 0o660)])
  func secretsArePrivate(_ row: (text: String, mode: UInt32)) throws {
    let server = try hello()
    defer { server.stop() }
    let run = try run(["-q", server.uri("/file.bin")], row.text, mode: row.mode)
    #expect(run.ending == .exited(ExitCode.usage.rawValue))
    #expect(run.standardError.contains("rawget/config") && !run.standardError.contains("secret:"))
    run.expectOneLine()
    #expect(server.connectionCount == 0)
    let harmless = try self.run(["-q", server.uri("/file.bin")], "retry 1", mode: row.mode)
    #expect(harmless.ending == .exited(0), "without a secret anybody may read it")
  }

  @Test func aLargeOneIsRefused() throws {
    let run = try run(["http://127.0.0.1:9/"], String(repeating: "# comment\n", count: 7_000))
    #expect(run.ending == .exited(ExitCode.usage.rawValue))
    run.expectOneLine()
  }
}
