import LoopbackServer
import Testing

/// `--inspect NAME` looks at the disk alone, `--explain URL` asks the server too; neither changes anything.
struct InspectTests {
  static let resource = Rerun.resource

  private func said(_ run: Outcome) -> String { String(decoding: run.standardOutput, as: UTF8.self) }

  @Test func inspectSaysWhatIsThere() throws {
    let rerun = try Rerun()
    rerun.server.stop()
    let before = try rerun.folder.files
    let run = try RunningCommand(["--inspect", "file.bin"], in: rerun.folder).outcome()
    #expect(run.ending == .exited(0) && run.standardError.isEmpty, "\(run.standardError)")
    let lines = [
      "part: 1228400 bytes, 1228400 of them durable", "complete length: 2000000 bytes",
      "target: \(rerun.server.uri("/file.bin"))", "validator: \"first\"", "verdict: resume",
    ]
    #expect(said(run) == lines.joined(separator: "\n") + "\n")
    #expect(try rerun.folder.files == before, "nothing is changed")
  }

  @Test func inspectWithNothingThere() throws {
    let run = try Command.run(["--inspect", "file.bin"])
    #expect(run.ending == .exited(0))
    #expect(said(run) == "part: none\nverdict: fresh\n")
    #expect(try run.folder.files.isEmpty)
  }

  @Test func inspectKnowsHowAPartWouldBeContinued() throws {
    let run = try Command.run(["--inspect", "file.bin"]) { try $0.write(Self.resource.bytes, to: "file.bin.part") }
    #expect(said(run).hasSuffix("verdict: no-record\n"), "\(said(run))")
    let nameless = try Rerun(Self.resource.withoutValidator())
    nameless.server.stop()
    let other = try RunningCommand(["--inspect", "file.bin"], in: nameless.folder).outcome()
    #expect(said(other).hasSuffix("verdict: no-validator\n"), "\(said(other))")
  }

  @Test func inspectOfAMissingFolderFails() throws {
    let run = try Command.run(["--inspect", "none/file.bin"])
    try run.expect(.file)
    #expect(run.standardOutput.isEmpty)
  }

  // MARK: --explain

  struct Row: Sendable, CustomTestStringConvertible {
    let verdict: String
    var first = InspectTests.resource
    var options: [String] = []
    var later: LoopbackServer.Script = { InspectTests.resource.respond(to: $0) }
    let because: String
    var testDescription: String { because }
  }

  static let rows = [
    Row(verdict: "resume", because: "the same validator"),
    Row(
      verdict: "no-validator", first: resource.withoutValidator(),
      later: { resource.withoutValidator().respond(to: $0) }, because: "never a validator"),
    Row(verdict: "changed", later: { resource.changed().respond(to: $0) }, because: "another validator"),
    Row(
      verdict: "ranges-ignored",
      later: { exchange in
        var conduct = Conduct.correct
        conduct.ignoresRange = true
        resource.respond(to: exchange, conduct)
      }, because: "a 200 to a range"),
    Row(
      verdict: "login-page",
      later: { $0.reply("200 OK", ["Content-Type: text/html"], text: "<html>log in</html>") }, because: "another type"),
    Row(verdict: "paranoid", options: ["--paranoid"], because: "the caller compares everything"),
    Row(verdict: "opted-out", options: ["--no-resume"], because: "the caller fetches everything"),
  ]

  @Test(arguments: rows) func explains(_ row: Row) throws {
    let rerun = try Rerun(row.first, later: row.later)
    defer { rerun.server.stop() }
    let before = try rerun.folder.files
    let run = try rerun.again(["-q", "--explain"] + row.options)
    #expect(run.ending == .exited(0) && run.standardError.isEmpty, "\(row.because): \(run.standardError)")
    #expect(said(run).hasPrefix("verdict: \(row.verdict)\n"), "\(row.because): \(said(run))")
    #expect(rerun.requests.count == 1, "\(row.because)")
    #expect(try rerun.folder.files == before, "nothing is changed: \(row.because)")
  }

  @Test func explainWithNothingThere() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Command.run(["-q", "--explain", server.uri("/file.bin")])
    #expect(run.ending == .exited(0))
    #expect(said(run).hasPrefix("verdict: fresh\n"))
    #expect(try run.folder.files.isEmpty, "nothing is made")
  }

  @Test func explainOfAWholeFile() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Command.run(["-q", "--explain", server.uri("/file.bin")]) { folder in
      try folder.write(Self.resource.bytes, to: "file.bin")
      try folder.setModificationTime(of: "file.bin", to: Resource.modified)
    }
    #expect(run.ending == .exited(0))
    #expect(said(run).hasPrefix("verdict: complete\n"), "\(said(run))")
  }

  @Test(arguments: ["404 Not Found", "503 Service Unavailable"])
  func anErrorIsAnErrorAndChangesNothing(_ status: String) throws {
    let rerun = try Rerun { $0.reply(status, text: "an error page") }
    defer { rerun.server.stop() }
    try rerun.folder.write([], to: "other.part")
    let before = try rerun.folder.files
    let run = try rerun.again(["-q", "--retry", "0", "--explain"])
    #expect(run.ending == .exited(ExitCode.server.rawValue))
    let other = try rerun.again(["-q", "--retry", "0", "--explain", "-o", "other"])
    #expect(other.ending == .exited(ExitCode.server.rawValue))
    #expect(try rerun.folder.files == before, "S2-1 not even an empty part is removed")
  }
}
