import Foundation
import LoopbackServer
import Testing

/// `--exec`: what is run once a file is whole.
struct ExecTests {
  static let execFailed: Int32 = 17

  /// A script in the folder that notes what it was given.
  private static func script(_ folder: Folder, _ lines: String = "") throws {
    let text = """
      #!/bin/sh
      printf '%s\\n' "$#" "$1" "$RAWGET_PATH" "$RAWGET_URL" "$RAWGET_SHA256" >>noted
      cat >>noted
      \(lines)
      """
    try folder.write(text, to: "text")
    // A file that this process wrote itself may still be open in a child of another test, and then can't be run.
    let install = Process()
    install.executableURL = URL(fileURLWithPath: "/usr/bin/install")
    install.arguments = ["-m", "755", folder.path + "/text", folder.path + "/note"]
    try install.run()
    install.waitUntilExit()
  }

  private func hello() throws -> LoopbackServer { try LoopbackServer { $0.reply("200 OK", text: "hello") } }

  private func noted(_ run: Outcome) throws -> [String] {
    try String(decoding: run.folder.bytes(of: "noted"), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast().map(String.init)
  }

  @Test func runsOnTheWholeFile() throws {
    let server = try hello()
    defer { server.stop() }
    let digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    let checksum = Command.hasTLS ? ["--checksum", "sha-256=" + digest] : []
    let uri = "http://user:password@127.0.0.1:\(server.port)/file.bin?key=secret"
    let run = try Command.run(["-q", "--exec", "./note"] + checksum + [uri]) {
      try Self.script($0, "test \"$(cat \"$1\")\" = hello && test ! -e file.bin.part")
    }
    #expect(run.ending == .exited(0), "\(run.standardError)")
    #expect(run.standardError.isEmpty)
    let bare = "http://127.0.0.1:\(server.port)/file.bin"
    let expected = ["1", "file.bin", "file.bin", bare, checksum.isEmpty ? "" : digest]
    #expect(try noted(run) == expected, "S0-16: one argument, no secret, nothing to read")
  }

  static let names: [(String, String)] = [
    ("a b'c\"$(touch hacked)", "a b'c\"$(touch hacked)"), (";touch hacked", ";touch hacked"), ("-rf", "./-rf"),
  ]

  /// No shell ever reads it.
  @Test(arguments: names) func theNameIsOneArgument(_ row: (name: String, argument: String)) throws {
    let server = try hello()
    defer { server.stop() }
    let run = try Command.run(["-q", "--exec", "./note", "-o", row.name, server.uri("/file.bin")]) {
      try Self.script($0)
    }
    #expect(run.ending == .exited(0), "\(run.standardError)")
    #expect(try Array(noted(run).prefix(3)) == ["1", row.argument, row.argument])
    #expect(try run.files["hacked"] == nil)
  }

  @Test func aCommandIsNoShellLine() throws {
    let server = try hello()
    defer { server.stop() }
    let run = try Command.run(["-q", "--exec", "touch hacked; true", server.uri("/file.bin")])
    #expect(run.ending == .exited(Self.execFailed), "there is no command of that name")
    #expect(try run.files == ["file.bin": Summary("hello")])
    run.expectOneLine()
  }

  @Test(arguments: ["exit 3", "kill -TERM $$"]) func itsFailureIsTold(_ end: String) throws {
    let server = try hello()
    defer { server.stop() }
    let run = try Command.run(["-q", "--exec", "./note", server.uri("/file.bin")]) { try Self.script($0, end) }
    #expect(run.ending == .exited(Self.execFailed))
    run.expectOneLine()
    #expect(run.standardError.contains(end == "exit 3" ? "with 3" : "with 143"), "\(run.standardError)")
    #expect(run.standardError.contains("exec (17)"))
    #expect(try run.files["file.bin"] == Summary("hello"), "the file stays")
  }

  /// Nothing new: nothing is run.
  @Test func isOnlyRunOnNewFiles() throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/missing" { return exchange.reply("404 Not Found", text: "no") }
      Resource(length: 10).respond(to: exchange)
    }
    defer { server.stop() }
    let folder = try Folder()
    try Self.script(folder)
    for target in ["/missing", "/file.bin", "/file.bin"] {
      _ = try RunningCommand(["-q", "--exec", "./note", server.uri(target)], in: folder).outcome()
    }
    let run = try RunningCommand(["-q", "--exec", "./note", "-o", "/dev/null", server.uri("/file.bin")], in: folder)
    let last = try run.outcome()
    #expect(last.ending == .exited(0))
    #expect(try noted(last).count == 5, "once, for the file that was new")
  }

  @Test func aBatchWaitsForAll() throws {
    let server = try hello()
    defer { server.stop() }
    let uris = (1...5).map { server.uri("/file\($0)") }
    let run = try Command.run(["-q", "-j", "2", "--exec", "./note"] + uris) { try Self.script($0, "test $1 != file3") }
    #expect(run.ending == .exited(Self.execFailed))
    run.expectOneLine()
    #expect(run.standardError.contains("file3"))
    #expect(try noted(run).count == 25, "each of them was run to its end")
  }

  static let refused: [([String], String)] = [
    (["--exec", ""], "no command"), (["--exec", "true", "-o", "-"], "a stream has no file"), (["--exec"], "nothing"),
  ]

  @Test(arguments: refused) func refuses(_ row: (arguments: [String], because: String)) throws {
    let run = try Command.run(["http://127.0.0.1:9/"] + row.arguments)
    try run.expect(.usage, leaving: [:], row.because)
    #expect(!run.standardError.contains("there is no option"), "\(row.because): \(run.standardError)")
  }
}
