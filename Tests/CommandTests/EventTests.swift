import Foundation
import LoopbackServer
import Testing

/// `--json`: an object a line, each as docs/events.schema.json says, in an order that programs can follow.
struct EventTests {
  static let resource = Resource(length: 300_000)

  struct Row: CustomTestStringConvertible, Sendable {
    /// Without those of progress.
    let names: [String]
    let because: String
    var options: [String] = []
    var path = "/file.bin"
    var existing: String?
    var script: LoopbackServer.Script = { EventTests.resource.respond(to: $0) }
    var code = ExitCode.ok
    var testDescription: String { because }
  }

  static let rows = [
    Row(names: ["start", "begin", "complete", "summary"], because: "a download"),
    Row(names: ["start", "begin", "complete", "summary"], because: "the other spelling", options: ["--progress=json"]),
    Row(
      names: ["start", "redirect", "begin", "complete", "summary"], because: "a redirect", path: "/old?token=s3cret",
      script: { exchange in
        if exchange.request.target.hasPrefix("/old") { return exchange.redirect(to: "/file.bin?sig=s3cret") }
        EventTests.resource.respond(to: exchange)
      }),
    Row(
      names: ["start", "begin", "retry", "begin", "complete", "summary"], because: "a drop",
      script: { exchange in
        EventTests.resource.respond(to: exchange, exchange.requestNumber == 1 ? .dropping(after: 100_000) : .correct)
      }),
    Row(
      names: ["start", "retry", "begin", "complete", "summary"], because: "a 503",
      script: { exchange in
        if exchange.requestNumber == 1 { return exchange.reply("503 Busy", ["Retry-After: 0"], text: "s3cret page") }
        EventTests.resource.respond(to: exchange)
      }),
    Row(
      names: ["start", "failed", "summary"], because: "a 404",
      script: { $0.reply("404 Not Found", text: "s3cret page") },
      code: .server),
    Row(
      names: ["start", "failed", "summary"], because: "a protocol error", script: { $0.send("SSH-2.0-s3cret\r\n") },
      code: .protocolBroken),
    Row(
      names: ["start", "begin", "failed", "summary"], because: "another digest",
      options: ["--checksum", "sha-256=" + String(repeating: "0", count: 64)], code: .integrity),
    Row(
      names: ["start", "complete", "summary"], because: "a name that is taken, and skipped",
      options: ["--existing=skip"], existing: "old"),
    Row(names: ["start", "failed", "summary"], because: "a name that is taken", existing: "old", code: .exists),
    Row(names: ["start", "complete", "summary"], because: "an explanation", options: ["--explain"]),
  ]

  @Test(arguments: rows) func tells(_ row: Row) throws {
    if !Command.hasTLS && row.code == .integrity { return }  // digests come with OpenSSL
    let server = try LoopbackServer(script: row.script)
    defer { server.stop() }
    let run = try Command.run(["--json", "--retry", "1"] + row.options + [server.uri(row.path)]) { folder in
      if let existing = row.existing { try folder.write(existing, to: "file.bin") }
    }
    let events = try run.events(of: run.standardOutput)
    #expect(events.names == row.names, "\(row.because): \(events.names)")
    #expect(run.ending == .exited(row.code.rawValue), "\(row.because): \(run.standardError)")
    for event in events.suffix(2) {
      #expect(event["exit"] as? Int == Int(row.code.rawValue), "\(row.because)")
    }
    #expect(
      run.standardError.isEmpty == (row.code == .ok), "\(row.because): words are for failures: \(run.standardError)")
    let told = String(decoding: run.standardOutput, as: UTF8.self)
    #expect(!told.contains("s3cret"), "\(row.because): \(told)")
  }

  @Test func aCompleteDownloadTellsAllOfIt() throws {
    let checksum = "sha-256=\(Self.resource.digest)"
    let server = try LoopbackServer { exchange in
      if exchange.request.target != "/file.bin" { return exchange.redirect(to: "/file.bin") }
      EventTests.resource.respond(to: exchange)
    }
    defer { server.stop() }
    let url = server.uri("/start").replacingOccurrences(of: "//", with: "//user:s3cret@")
    let asked = Command.hasTLS ? ["--checksum", checksum] : []
    let run = try Command.run(["--json"] + asked + ["-o", "a\nb.bin", url])
    let events = try run.events(of: run.standardOutput)
    let complete = try #require(events.first { $0["event"] as? String == "complete" })
    #expect(complete["url"] as? String == server.uri("/start"), "without what stands before the @")
    #expect(complete["uri"] as? String == server.uri("/file.bin"))
    #expect(complete["path"] as? String == "a\nb.bin", "and still one line")
    #expect(complete["size"] as? Int == 300_000)
    #expect(complete["received"] as? Int == 300_000)
    #expect(complete["digests"] as? [String] == (Command.hasTLS ? [checksum] : []))
    #expect(complete["proven"] as? Bool == true && complete["sampled"] as? Bool == false)
    #expect(complete["name"] as? String == "ok")
  }

  @Test func aResumeTellsItsReason() throws {
    let rerun = try Rerun()
    defer { rerun.server.stop() }
    let run = try rerun.again(["--json"])
    let events = try run.events(of: run.standardOutput)
    #expect(events.names == ["start", "resume", "begin", "complete", "summary"])
    let resume = try #require(events.first { $0["event"] as? String == "resume" })
    #expect(resume["reason"] as? String == "resume")
    #expect(resume["kept"] as? Int == Int(Rerun.kept) && resume["length"] as? Int == 2_000_000)
    let complete = try #require(events.first { $0["event"] as? String == "complete" })
    #expect(complete["received"] as? Int == 2_000_000 - Int(Rerun.kept), "S2-7 what came in this run")
  }

  @Test func anotherFileOnTheServerIsTold() throws {
    let rerun = try Rerun { Rerun.resource.changed().respond(to: $0) }
    defer { rerun.server.stop() }
    let run = try rerun.again(["--json"])
    let events = try run.events(of: run.standardOutput)
    #expect(events.names.contains("replaced"), "\(events.names)")
    #expect(events.names.last == "summary")
  }

  @Test func eventsMakeWayForContent() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Command.run(["--json", "-v", "-k", "-o", "-", server.uri("/file.bin")])
    #expect(run.ending == .exited(0))
    #expect(run.standardOutput == Self.resource.bytes, "nothing but content")
    let events = try run.events(of: Array(run.standardError.utf8))
    #expect(events.names == ["warning", "start", "begin", "complete", "summary"], "and nothing but events")
    #expect(events.allSatisfy { $0["path"] == nil })
  }

  @Test func aFailureBesideContentIsAnEventOnly() throws {
    let server = try LoopbackServer { $0.reply("404 Not Found", text: "no") }
    defer { server.stop() }
    let run = try Command.run(["--json", "-o", "-", server.uri("/file.bin")])
    #expect(run.ending == .exited(ExitCode.server.rawValue) && run.standardOutput.isEmpty)
    #expect(try run.events(of: Array(run.standardError.utf8)).names == ["start", "failed", "summary"])
  }

  @Test func severalDownloadsHaveOneSummary() throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/none" { return exchange.reply("404 Not Found", text: "no") }
      Self.resource.respond(to: exchange)
    }
    defer { server.stop() }
    let run = try Command.run(["--json", server.uri("/a"), server.uri("/none"), server.uri("/b")])
    let events = try run.events(of: run.standardOutput)
    for job in 1...3 {
      let names = events.filter { $0["job"] as? Int == job }.names
      #expect(names.first == "start" && names.last == (job == 2 ? "failed" : "complete"), "job \(job): \(names)")
    }
    let summary = try #require(events.last)
    #expect(summary["complete"] as? Int == 2 && summary["failed"] as? Int == 1)
    #expect(summary["received"] as? Int == 600_000 && summary["exit"] as? Int == 8)
  }

  @Test func progressIsToldWhileContentComes() throws {
    let gate = Gate()
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n0123456789")
      exchange.wait(at: gate)
      exchange.send("0123456789")
      exchange.keepOpen()
    }
    defer { server.stop() }
    let folder = try Folder()
    // Where content goes to standard output, events go to the file that can be read meanwhile.
    let command = try RunningCommand(
      ["--json", "-o", "-", server.uri("/file.bin")], in: folder, standardError: "events")
    command.wait {
      (try? folder.bytes(of: "events")).map { String(decoding: $0, as: UTF8.self) }?.contains("progress") == true
    }
    gate.open()
    let run = try command.outcome()
    let events = try run.events(of: folder.bytes(of: "events"), withProgress: true)
    let progress = try #require(events.first { $0["event"] as? String == "progress" })
    #expect(progress["kept"] as? Int == 10 && progress["length"] as? Int == 20)
  }

  @Test func argumentsThatDoNotReadAreNoEvents() throws {
    for arguments in [["--json"], ["--json", "ftp://x/"], ["--json", "--no-such"], ["--json=1", "http://x/"]] {
      let run = try Command.run(arguments)
      #expect(run.standardOutput.isEmpty, "\(arguments)")
      run.expectOneLine("\(arguments)")
    }
  }

  @Test func theSchemaRefuses() throws {
    let schema = try EventSchema()
    #expect(schema.names.count == 18)
    let base = #""v":1,"job":1,"ms":0"#
    let refused = [
      "", "[]", "{}", #"{"event":"other",\#(base)}"#, #"{"event":"start",\#(base)}"#,
      #"{"event":"start",\#(base),"url":"http://u:p@x/"}"#, #"{"event":"start",\#(base),"url":"http://x/?q"}"#,
      #"{"event":"start","v":2,"job":1,"ms":0,"url":"http://x/"}"#,
      #"{"event":"start","v":1,"job":-1,"ms":0,"url":"http://x/"}"#,
      #"{"event":"start","v":1,"job":1.5,"ms":0,"url":"http://x/"}"#,
      #"{"event":"start",\#(base),"url":"http://x/","more":1}"#,
      #"{"event":"replaced",\#(base),"kept":"1"}"#, #"{"event":"replaced",\#(base),"kept":true}"#,
    ]
    for line in refused { #expect(!schema.complaints(about: line).isEmpty, "\(line)") }
    #expect(schema.complaints(about: #"{"event":"start",\#(base),"url":"http://x/?***"}"#).isEmpty)
  }
}

extension Outcome {
  /// The lines of `bytes`, each of which must be an event as the schema says; those of progress only on demand.
  func events(
    of bytes: [UInt8], withProgress: Bool = false, at location: SourceLocation = #_sourceLocation
  ) throws -> [[String: Any]] {
    let schema = try EventSchema()
    let lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    #expect(bytes.isEmpty || bytes.last == 0x0A, "the last line has an end", sourceLocation: location)
    var events: [[String: Any]] = []
    for line in lines {
      let complaints = schema.complaints(about: line)
      #expect(complaints.isEmpty, "\(complaints) in \(line)", sourceLocation: location)
      guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else { continue }
      if withProgress || object["event"] as? String != "progress" { events.append(object) }
    }
    return events
  }
}

extension [[String: Any]] {
  var names: [String] { map { $0["event"] as? String ?? "" } }
}
