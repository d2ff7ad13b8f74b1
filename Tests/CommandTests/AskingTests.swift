import Foundation
import LoopbackServer
import Testing

/// `--head` and `--probe`: what a server says of a file, without the file.
struct AskingTests {
  static let resource = Resource(length: 300_000)

  private func said(_ run: Outcome) -> String { String(decoding: run.standardOutput, as: UTF8.self) }

  // MARK: --head

  @Test func headPrintsTheHead() throws {
    let server = try LoopbackServer { exchange in
      exchange.reply("200 Fi\u{9B}ne", ["X-Note: a\u{1B}[31mb", "Set-Cookie: id=s3cret"], text: "content")
    }
    defer { server.stop() }
    let run = try Command.run(["--head", "-H", "X-Mine: 1", server.uri("/file.bin?q=1")])
    #expect(run.ending == .exited(0) && run.standardError.isEmpty, "\(run.standardError)")
    #expect(server.requests.map(\.method) == ["HEAD"])
    #expect(server.requests[0].target == "/file.bin?q=1" && server.requests[0].field("X-Mine") == "1")
    #expect(said(run).hasPrefix("HTTP/1.1 200 Fi\\xc2\\x9bne\n"), "\(said(run))")
    #expect(said(run).contains("Content-Length: 7\n") && said(run).contains("X-Note: a\\x1b[31mb\n"))
    #expect(said(run).contains("Set-Cookie: ***\n") && !said(run).contains("s3cret"))
    #expect(try run.folder.files.isEmpty)
  }

  static let statuses: [(String, ExitCode)] = [
    ("200 OK", .ok), ("204 No Content", .ok), ("401 Unauthorized", .authorization), ("404 Not Found", .server),
    ("405 Method Not Allowed", .server), ("503 Service Unavailable", .server),
  ]

  @Test(arguments: statuses) func headEndsAsTheStatusSays(_ status: String, _ code: ExitCode) throws {
    let server = try LoopbackServer { $0.reply(status) }
    defer { server.stop() }
    let run = try Command.run(["--head", server.uri("/file.bin")])
    #expect(run.ending == .exited(code.rawValue), "\(status): \(run.standardError)")
    #expect(said(run).hasPrefix("HTTP/1.1 \(status)\n"), "\(said(run))")
    let object = try Command.run(["--head", "--json", server.uri("/file.bin")])
    let events = try object.events(of: object.standardOutput)
    #expect(events.names == ["head"])
    #expect(events[0]["http_status"] as? Int == Int(status.prefix(3)))
  }

  @Test func headFollowsRedirects() throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/old" { return exchange.redirect(to: "/new") }
      exchange.reply("200 OK", text: "content")
    }
    defer { server.stop() }
    let run = try Command.run(["--head", server.uri("/old")])
    #expect(said(run).hasPrefix("HTTP/1.1 200 OK\n"))
    #expect(server.requests.map(\.method) == ["HEAD", "HEAD"])
    #expect(server.connectionCount == 1)
  }

  @Test func headOfNobody() throws {
    let run = try Command.run(["--head", "http://127.0.0.1:1/"])
    try run.expect(.network)
    let object = try Command.run(["--head", "--json", "http://127.0.0.1:1/"])
    #expect(try object.events(of: object.standardOutput).names == ["failed"])
  }

  // MARK: --probe

  struct Row: CustomTestStringConvertible, Sendable {
    let methods: [String]
    let lines: [String]
    let because: String
    var script: LoopbackServer.Script = { AskingTests.resource.respond(to: $0) }
    var testDescription: String { because }
  }

  static func refusing(_ status: String) -> LoopbackServer.Script {
    { exchange in
      if exchange.request.method == "HEAD" { return exchange.reply(status) }
      AskingTests.resource.respond(to: exchange)
    }
  }

  static let rows =
    ["405 Method Not Allowed", "501 Not Implemented", "400 Bad Request", "403 Forbidden", "404 Not Found"].map {
      status in
      Row(
        methods: ["HEAD", "GET"], lines: ["status: 206", "size: 300000 bytes", "ranges: yes"],
        because: "HEAD answered \(status)", script: refusing(status))
    } + [
      Row(
        methods: ["HEAD"],
        lines: [
          "status: 200", "size: 300000 bytes", "type: application/octet-stream", "entity tag: \"first\"",
          "last modified: Sat, 21 Mar 2026 09:30:00 GMT", "validator: strong", "ranges: yes", "name: file.bin",
        ], because: "HEAD says it all"),
      Row(
        methods: ["HEAD", "GET"], lines: ["size: 300000 bytes", "ranges: yes"], because: "HEAD is cut off",
        script: { exchange in
          if exchange.request.method == "HEAD" { return exchange.close() }
          AskingTests.resource.respond(to: exchange)
        }),
      Row(
        methods: ["HEAD", "GET"], lines: ["size: 300000 bytes", "ranges: yes"], because: "HEAD says 0",
        script: { exchange in
          if exchange.request.method == "HEAD" {
            exchange.send("HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nContent-Length: 0\r\n\r\n")
            return exchange.keepOpen()
          }
          AskingTests.resource.respond(to: exchange)
        }),
      Row(
        methods: ["HEAD", "GET"], lines: ["size: 300000 bytes", "ranges: yes"], because: "HEAD says no length",
        script: { exchange in
          if exchange.request.method == "HEAD" {
            exchange.send("HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\n\r\n")
            return exchange.keepOpen()
          }
          AskingTests.resource.respond(to: exchange)
        }),
      Row(
        methods: ["HEAD", "GET"], lines: ["status: 200", "size: 300000 bytes", "ranges: no"], because: "ranges ignored",
        script: { exchange in
          if exchange.request.method == "HEAD" {
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n")
            return exchange.keepOpen()
          }
          var conduct = Conduct.correct
          conduct.ignoresRange = true
          AskingTests.resource.respond(to: exchange, conduct)
        }),
      Row(
        methods: ["HEAD"], lines: ["size: 7 bytes", "ranges: no", "validator: none that is strong", "name: a_b.txt"],
        because: "no ranges, no validator, a name",
        script: {
          $0.reply(
            "200 OK",
            ["Accept-Ranges: none", "Content-Disposition: attachment; filename=\"../a_b.txt\"", "ETag: W/\"x\""],
            text: "content")
        }),
      Row(
        methods: ["HEAD", "GET"], lines: ["size: 0 bytes"], because: "an empty file",
        script: { Resource(length: 0).respond(to: $0) }),
      Row(
        methods: ["HEAD", "GET"], lines: ["size: unknown", "ranges: no"], because: "chunked",
        script: { exchange in
          exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
          if exchange.request.method == "GET" { exchange.send("1\r\na\r\n0\r\n\r\n") }
          exchange.keepOpen()
        }),
    ]

  @Test(arguments: rows) func probes(_ row: Row) throws {
    let server = try LoopbackServer(script: row.script)
    defer { server.stop() }
    let run = try Command.run(["--probe", server.uri("/file.bin")])
    #expect(run.ending == .exited(0) && run.standardError.isEmpty, "\(row.because): \(run.standardError)")
    let lines = said(run).split(separator: "\n").map(String.init)
    for line in row.lines { #expect(lines.contains(line), "\(row.because): \(line) in \(lines)") }
    #expect(server.requests.map(\.method) == row.methods, "\(row.because)")
    #expect(server.requests.allSatisfy { $0.method == "HEAD" || $0.field("Range") == "bytes=0-0" })
    #expect(try run.folder.files.isEmpty, "T1 nothing is made")
    let object = try Command.run(["--probe", "--json", server.uri("/file.bin")])
    let events = try object.events(of: object.standardOutput)
    #expect(events.names == ["probe"] && object.standardError.isEmpty)
    #expect(events[0]["method"] as? String == row.methods.last)
  }

  @Test(arguments: ["404 Not Found", "500 Oops", "401 No", "416 Range Not Satisfiable"])
  func aProbeFailsAsADownloadWould(_ status: String) throws {
    let server = try LoopbackServer { $0.reply(status) }
    defer { server.stop() }
    let run = try Command.run(["--probe", server.uri("/file.bin")]) { try $0.write("mine", to: "file.bin") }
    try run.expect(status.hasPrefix("401") ? .authorization : .server, leaving: ["file.bin": Summary("mine")], "T1")
    #expect(run.standardOutput.isEmpty)
  }

  @Test func aProbeReadsNoMoreThanItNeeds() throws {
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      if exchange.request.method == "GET" {
        exchange.sendEndlessly(Array("1000\r\n".utf8) + [UInt8](repeating: 0x61, count: 4_096) + Array("\r\n".utf8))
      }
      exchange.keepOpen()
    }
    defer { server.stop() }
    let run = try Command.run(["--probe", server.uri("/file.bin")])
    #expect(run.ending == .exited(0), "\(run.standardError)")
    #expect(said(run).contains("size: unknown\n"))
  }

  @Test func severalAreAskedInTurn() throws {
    let server = try LoopbackServer { exchange in
      exchange.request.target == "/none" ? exchange.reply("404 No") : Self.resource.respond(to: exchange)
    }
    defer { server.stop() }
    let run = try Command.run(["--probe", "--json", "-i", "list"]) {
      try $0.write("\(server.uri("/a"))\n\(server.uri("/none"))\n\(server.uri("/b"))\n", to: "list")
    }
    #expect(run.ending == .exited(ExitCode.server.rawValue))
    #expect(try run.events(of: run.standardOutput).names == ["probe", "failed", "probe"])
  }

  @Test func nothingToAsk() throws {
    for arguments in [
      ["--head"], ["--probe"], ["doctor"], ["doctor", "x"], ["--head=1", "http://x/"], ["--probe", "x:"],
    ] {
      let run = try Command.run(arguments)
      #expect(run.ending == .exited(2) || run.ending == .exited(16), "\(arguments)")
      run.expectOneLine("\(arguments)")
    }
  }
}
