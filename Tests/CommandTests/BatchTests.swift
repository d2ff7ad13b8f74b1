import Foundation
import LoopbackServer
import Testing

/// Several downloads in one run: operands and lists (issue: batch).
struct BatchTests {
  /// Answers with what was asked for: `/a` is the content `/a`, `/missing…` is not there.
  static func server() throws -> LoopbackServer {
    try LoopbackServer { exchange in
      let target = exchange.request.target
      if target.hasPrefix("/missing") { return exchange.reply("404 Not Found", text: "no") }
      if target.hasPrefix("/private") { return exchange.reply("401 Unauthorized", text: "no") }
      exchange.reply("200 OK", ["Content-Type: application/octet-stream"], text: target)
    }
  }

  private static let digest = Summary("/sum").digest

  /// A list, and what it leaves. SERVER stands for the origin.
  struct Row {
    let list: String, files: [String: String], because: String
    var options: [String] = []
  }

  static let rows = [
    Row(list: "", files: [:], because: "nothing to do is no failure"),
    Row(list: "SERVER/a\n", files: ["a": "/a"], because: "one line"),
    Row(list: "SERVER/a\nSERVER/b", files: ["a": "/a", "b": "/b"], because: "the last line need not end"),
    Row(list: "# SERVER/x\n\nSERVER/a\n#\n\n", files: ["a": "/a"], because: "comments and empty lines"),
    Row(list: "SERVER/a\r\n\r\nSERVER/b\r\n", files: ["a": "/a", "b": "/b"], because: "CRLF"),
    Row(list: "SERVER/a\tname of mine\n", files: ["name of mine": "/a"], because: "a name, blanks and all"),
    Row(list: "SERVER/a\tdir/x\n", files: ["dir/x": "/a"], because: "a name in a folder that is there"),
    Row(list: "SERVER/a\t\t\n", files: ["a": "/a"], because: "columns may be empty"),
    Row(list: "SERVER/sum\t\tsha-256=\(digest)\n", files: ["sum": "/sum"], because: "a checksum without a name"),
    Row(list: "SERVER/sum\tn\tsha-256=\(digest)\r\n", files: ["n": "/sum"], because: "and with one, before CRLF"),
    Row(
      list: "SERVER/a\nSERVER/b\tn\n", files: ["dir/a": "/a", "dir/n": "/b"], because: "-P is for names too",
      options: ["-P", "dir"]),
    Row(
      list: "SERVER/a\n", files: ["a": "/a", "b": "/b", "c": "/c"], because: "operands and a list",
      options: ["SERVER/b", "SERVER/c"]),
    Row(list: "SERVER/a\n", files: ["a": "/a"], because: "one after the other", options: ["-j1"]),
  ]

  @Test(arguments: rows, ["list", "-"]) func downloads(_ row: Row, _ source: String) throws {
    if !Command.hasTLS && row.list.contains("sha-256") { return }
    let server = try Self.server()
    defer { server.stop() }
    let folder = try Folder()
    try folder.makeFolder("dir")
    let text = row.list.replacing("SERVER", with: server.origin)
    try folder.write(text, to: "list")
    let options = row.options.map { $0.replacing("SERVER", with: server.origin) }
    let input = try InputPipe()
    let command = try RunningCommand(
      ["-q", "-i", source] + options, in: folder, standardInput: source == "-" ? input.reading : nil)
    input.write(text)
    input.close()
    let expected = row.files.mapValues { Summary($0) }
    try command.outcome().expect(.ok, leaving: expected.merging(["list": Summary(text)]) { $1 }, row.because)
  }

  /// Lists with one line that does not read, at the place given. GOOD stands for a line that does.
  static let refused: [(list: String, place: Int, because: String)] = [
    ("GOOD\nnonsense\nGOOD\n", 2, "no URL"),
    ("nonsense", 1, "no URL, and no end of line"),
    ("GOOD\n\n# c\n http://127.0.0.1/\u{1}\n", 4, "a control character, counted with empty lines and comments"),
    ("GOOD\r\nhttp://\r\n", 2, "no host"),
    ("GOOD\nhttp://127.0.0.1:99999/a\n", 2, "no port"),
    ("GOOD\n\tname\n", 2, "a name without a URL"),
    ("GOOD\nSERVER/a\tx\t\ty\n", 2, "four columns"),
    ("GOOD\nSERVER/a\tx\tsha-256=00\n", 2, "half a checksum"),
    ("GOOD\nSERVER/a\tx\tcrc=00\n", 2, "an algorithm that nobody knows"),
    ("GOOD\nSERVER/a\tdir/\n", 2, "a folder for a name"),
    ("GOOD\nSERVER/a\t..\n", 2, "no name that a file could have"),
    ("GOOD\nSERVER/a\tx\u{0}y\n", 2, "a NUL in the name"),
    ("GOOD\nhttp://x/" + String(repeating: "y", count: 70_000) + "\n", 2, "a line without end"),
    (String(repeating: "GOOD\n", count: 5_000) + "nonsense\n", 5_001, "far behind, where a run could have begun"),
  ]

  @Test(arguments: refused) func aBadLineOfAFileBeginsNothing(_ row: (list: String, place: Int, because: String)) throws
  {
    let server = try Self.server()
    defer { server.stop() }
    let text = row.list.replacing("GOOD", with: server.uri("/a")).replacing("SERVER", with: server.origin)
    let run = try Command.run(["-q", server.uri("/b"), "-i", "list"]) { try $0.write(text, to: "list") }
    try run.expect(.usage, leaving: ["list": Summary(text)], row.because)
    #expect(run.standardError.contains("list:\(row.place): "), "\(row.because): \(run.standardError)")
    #expect(server.connectionCount == 0, "\(row.because)")
  }

  @Test func aBadLineOfStandardInputIsPassedOver() throws {
    let server = try Self.server()
    defer { server.stop() }
    let folder = try Folder()
    let input = try InputPipe()
    let command = try RunningCommand(["-q", "-i", "-"], in: folder, standardInput: input.reading)
    input.write("\(server.uri("/a"))\nnonsense\n\(server.uri("/b"))\n")
    input.close()
    try command.outcome().expect(.usage, leaving: ["a": Summary("/a"), "b": Summary("/b")])
  }

  /// What can be read once only is read once.
  @Test func aFIFOIsAListToo() throws {
    let server = try Self.server()
    defer { server.stop() }
    let folder = try Folder()
    #expect(mkfifo(folder.path + "/list", 0o600) == 0)
    let command = try RunningCommand(["-q", server.uri("/b"), "-i", "list"], in: folder)
    #expect(command.wait { folder.size(of: "b") == 2 }, "nobody waits for the writer of the list")
    let list = try #require(FileHandle(forWritingAtPath: folder.path + "/list"))
    try list.write(contentsOf: Data(server.uri("/a").utf8))
    try list.close()
    let run = try command.outcome()
    try FileManager.default.removeItem(atPath: folder.path + "/list")
    try run.expect(.ok, leaving: ["a": Summary("/a"), "b": Summary("/b")])
  }

  static let invocations: [(arguments: [String], because: String)] = [
    (["-i", "none"], "no such list"),
    (["-i", "dir"], "a folder is no list"),
    (["-i", "-", "-i", "-"], "standard input can't be read twice"),
    (["-i", "list", "-o", "x"], "one name for many"),
    (["-i", "list", "-o", "-"], "what would be joined in one stream"),
    (["URI", "URI", "-o", "-"], "the same, of operands"),
    (["URI", "URI", "-ox"], "one name for two"),
    (["URI", "nonsense"], "a good operand before a bad one"),
    (["-i", "list", "-j", "0"], "none at once"),
    (["-i", "list", "-j1025"], "too many at once"),
    (["-i", "list", "--jobs="], "no number"),
    (["-i"], "no name of a list"),
    (["-i", ""], "an empty name of a list"),
  ]

  @Test(arguments: invocations) func refuses(_ row: (arguments: [String], because: String)) throws {
    let server = try Self.server()
    defer { server.stop() }
    let arguments = row.arguments.map { $0 == "URI" ? server.uri("/a") : $0 }
    let list = server.uri("/a") + "\n"
    let run = try Command.run(arguments) {
      try $0.makeFolder("dir")
      try $0.write(list, to: "list")
    }
    try run.expect(.usage, leaving: ["list": Summary(list)], row.because)
    #expect(server.connectionCount == 0, "\(row.because)")
  }

  /// Downloads that end differently, and the one status that is left.
  static let worst: [(paths: [String], code: ExitCode, files: [String])] = [
    (["/missing", "/a"], .server, ["a"]),
    (["/a", "/missing", "/b"], .server, ["a", "b"]),
    (["/private", "/missing", "/a"], .authorization, ["a"]),
    (["/missing", "/private", "/a"], .authorization, ["a"]),
  ]

  @Test(arguments: worst, [1, 4])
  func theWorstCounts(_ row: (paths: [String], code: ExitCode, files: [String]), _ jobs: Int) throws {
    let server = try Self.server()
    defer { server.stop() }
    let run = try Command.run(["-q", "-j\(jobs)"] + row.paths.map { server.uri($0) })
    #expect(run.ending == .exited(row.code.rawValue), "\(row.paths): \(run.standardError)")
    #expect(try run.files == Dictionary(uniqueKeysWithValues: row.files.map { ($0, Summary("/" + $0)) }))
    let lines = run.standardError.split(separator: "\n").count
    #expect(lines == row.paths.count - row.files.count, "a line for each that failed: \(run.standardError)")
  }

  @Test func aChecksumIsThatOfItsLine() throws {
    guard Command.hasTLS else { return }
    let server = try Self.server()
    defer { server.stop() }
    let list = "\(server.uri("/sum"))\t\tsha-256=\(Self.digest)\n\(server.uri("/a"))\t\tsha-256=\(Self.digest)\n"
    let run = try Command.run(["-q", "-i", "list"]) { try $0.write(list, to: "list") }
    #expect(run.ending == .exited(ExitCode.integrity.rawValue))
    #expect(try run.files == ["list": Summary(list), "sum": Summary("/sum"), "a.bad": Summary("/a")])
  }

  @Test(arguments: [1, 2, 4]) func twoLinesWithOneNameNeverMix(_ jobs: Int) throws {
    let resources = [Resource(length: 300_000, seed: 1), Resource(length: 300_000, seed: 2).changed()]
    let server = try LoopbackServer { exchange in
      resources[exchange.request.target == "/one" ? 0 : 1].respond(to: exchange)
    }
    defer { server.stop() }
    let list = "\(server.uri("/one"))\tname\n\(server.uri("/two"))\tname\n"
    let run = try Command.run(["-q", "-j\(jobs)", "-i", "list"]) { try $0.write(list, to: "list") }
    let codes = jobs == 1 ? [ExitCode.exists] : [.exists, .busy]
    #expect(codes.contains { run.ending == .exited($0.rawValue) }, "one is refused: \(run.standardError)")
    run.expectOneLine()
    let files = try run.files
    #expect(resources.contains { files["name"] == Summary($0.bytes) }, "the other is whole: \(files)")
    if files["name.part"] != nil {
      let part = try run.folder.bytes(of: "name.part")
      #expect(resources.contains { $0.bytes.starts(with: part) }, "and what the one kept is its own: \(files)")
    }
  }
}
