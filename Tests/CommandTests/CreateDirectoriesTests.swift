import Foundation
import LoopbackServer
import Testing

/// `--create-dirs`: directories appear with the content that needs them, and not before.
struct CreateDirectoriesTests {
  static let made: [([String], String, String)] = [
    (["-o", "a/b/c/file"], "a/b/c/file", "above a named file"),
    (["-P", "a/b"], "a/b/file.bin", "for names that the URL gives"),
    (["-P", "a//b/"], "a/b/file.bin", "slashes say nothing"),
    (["-P", "there/b"], "there/b/file.bin", "below one that is there"),
    (["-P", "there"], "there/file.bin", "nothing is missing"),
    (["-P", "./a/../b"], "b/file.bin", "dots lead where they lead"),
  ]

  @Test(arguments: made)
  func makesWhatIsMissing(_ row: (arguments: [String], path: String, because: String)) throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(["-q", "--create-dirs"] + row.arguments + [server.uri("/file.bin")]) {
      try $0.makeFolder("there")
    }
    try run.expect(.ok, leaving: [row.path: Summary("hello")], row.because)
  }

  @Test func continuesInThem() throws {
    let resource = Resource(length: 300_000)
    let server = try LoopbackServer { exchange in
      resource.respond(to: exchange, exchange.requestNumber == 1 ? .dropping(after: 100_000) : .correct)
    }
    defer { server.stop() }
    let options = ["-q", "--create-dirs", "-P", "a/b", "--retry", "0"]
    let cut = try Command.run(options + [server.uri("/file.bin")])
    #expect(try cut.files == ["a/b/file.bin.part": Summary(resource.bytes(in: 0..<100_000))])
    let again = try RunningCommand(options + [server.uri("/file.bin")], in: cut.folder).outcome()
    try again.expect(.ok, leaving: ["a/b/file.bin": Summary(resource.bytes)])
    #expect(server.requests.last?.field("Range") != nil)
  }

  /// Nothing but what was there is left in the folder.
  static let unmade: [([String], ExitCode, String)] = [
    (["-o", "a/b/file", "SERVER"], .file, "not asked for"),
    (["-P", "a", "SERVER"], .file, "not asked for"),
    (["--create-dirs", "-o", "a/b/file", "http://127.0.0.1:0/"], .usage, "a bad URL"),
    (["--create-dirs", "-o", "a/b/file", "--retry", "x", "SERVER"], .usage, "a bad option"),
    (["--create-dirs", "-o", "a/b/file", "SERVER/missing"], .server, "a refusal"),
    (["--create-dirs", "-P", "a", "--explain", "SERVER"], .ok, "a question"),
    (["--create-dirs", "-o", "text/b/file", "SERVER"], .file, "a file is in the way"),
  ]

  @Test(arguments: unmade)
  func makesNothing(_ row: (arguments: [String], code: ExitCode, because: String)) throws {
    let server = try LoopbackServer { exchange in
      guard !exchange.request.target.hasSuffix("missing") else { return exchange.reply("404 Not Found", text: "no") }
      exchange.reply("200 OK", text: "hello")
    }
    defer { server.stop() }
    let arguments = row.arguments.map { $0.replacing("SERVER", with: server.uri("/file.bin")) }
    let run = try Command.run(["-q"] + arguments) { try $0.write("here", to: "text") }
    #expect(run.ending == .exited(row.code.rawValue), "\(row.because): \(run.standardError)")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: run.folder.path) == ["text"], "\(row.because)")
  }
}
