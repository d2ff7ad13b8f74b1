import Foundation
import LoopbackServer
import Testing

/// `rawget doctor URL` grades what a server does with at most 20 small requests.
struct DoctorTests {
  static let resource = Resource(length: 300_000)

  struct Row: CustomTestStringConvertible, Sendable {
    let grade: String
    /// Findings that must be there: `GRADE  CODE`.
    let findings: [String]
    let because: String
    var script: LoopbackServer.Script = { DoctorTests.resource.respond(to: $0) }
    var testDescription: String { because }
  }

  static func conduct(_ change: @escaping @Sendable (inout Conduct) -> Void) -> LoopbackServer.Script {
    { exchange in
      var conduct = Conduct.correct
      change(&conduct)
      DoctorTests.resource.respond(to: exchange, conduct)
    }
  }

  static let rows = [
    Row(
      grade: "A",
      findings: [
        "A  ranges", "A  head", "A  suffix", "A  past-end", "A  if-range", "A  stale-if-range", "A  validator",
        "A  stability",
        "A  keep-alive", "A  digest",
      ], because: "all as RFC 9110 says"),
    Row(
      grade: "D", findings: ["D  ranges", "D  accept-ranges"], because: "ranges are ignored",
      script: conduct { $0.ignoresRange = true }),
    Row(
      grade: "B", findings: ["B  stale-if-range", "A  if-range"], because: "If-Range is ignored",
      script: conduct { $0.ignoresIfRange = true }),
    Row(
      grade: "F", findings: ["F  ranges"], because: "wrong numbers",
      script: conduct { $0.contentRange = "bytes 5-5/300000" }),
    Row(
      grade: "F", findings: ["F  ranges"], because: "numbers that do not fit",
      script: conduct { $0.contentRange = "bytes 0-9/300000" }),
    Row(
      grade: "C", findings: ["C  length"], because: "no complete length",
      script: conduct { $0.contentRange = "bytes 0-0/*" }),
    Row(
      grade: "C", findings: ["C  coding"], because: "coded unasked",
      script: conduct { $0.fields = ["Content-Encoding: gzip"] }),
    Row(
      grade: "C", findings: ["C  validator"], because: "no validator",
      script: { resource.withoutValidator().respond(to: $0) }),
    Row(
      grade: "C", findings: ["C  validator"], because: "a weak tag",
      script: { exchange in
        var other = resource
        other.entityTag = "W/\"first\""
        other.respond(to: exchange)
      }),
    Row(
      grade: "C", findings: ["C  stability"], because: "a tag for each machine",
      script: { exchange in
        var other = resource
        other.entityTag = "\"on-\(exchange.connectionNumber)\""
        other.respond(to: exchange)
      }),
    Row(
      grade: "B", findings: ["B  head", "A  ranges"], because: "HEAD is refused",
      script: { exchange in
        exchange.request.method == "HEAD"
          ? exchange.reply("405 Method Not Allowed") : resource.respond(to: exchange)
      }),
    Row(
      grade: "B", findings: ["B  keep-alive"], because: "a connection for each",
      script: { exchange in
        if exchange.request.field("Range") == "bytes=300000-" {
          exchange.send(
            "HTTP/1.1 416 No\r\nContent-Range: bytes */300000\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
          return exchange.close()
        }
        var conduct = Conduct.correct
        conduct.fields = ["Connection: close"]
        resource.respond(to: exchange, conduct)
      }),
    Row(
      grade: "A", findings: ["A  digest"], because: "a digest",
      script: conduct { $0.fields = ["Repr-Digest: sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"] }),
  ]

  @Test(arguments: rows) func grades(_ row: Row) throws {
    let server = try LoopbackServer(script: row.script)
    defer { server.stop() }
    let run = try Command.run(["doctor", server.uri("/file.bin?k=s3cret")])
    #expect(run.ending == .exited(0) && run.standardError.isEmpty, "\(row.because): \(run.standardError)")
    let said = String(decoding: run.standardOutput, as: UTF8.self)
    #expect(said.contains("\ngrade \(row.grade): "), "\(row.because): \(said)")
    for finding in row.findings { #expect(said.contains("  \(finding): "), "\(row.because): \(finding) in \(said)") }
    #expect(!said.contains("s3cret"))
    #expect(server.requests.count <= 20 && said.hasSuffix("\n\(server.requests.count) requests\n"), "\(said)")
    #expect(try run.folder.files.isEmpty)
  }

  @Test func asJSON() throws {
    let server = try LoopbackServer(script: Self.conduct { $0.ignoresIfRange = true })
    defer { server.stop() }
    let run = try Command.run(["--json", "doctor", server.uri("/file.bin")])
    let events = try run.events(of: run.standardOutput)
    #expect(events.names == ["doctor"])
    #expect(events[0]["grade"] as? String == "B")
    let findings = try #require(events[0]["findings"] as? [[String: String]])
    #expect(findings.contains { $0["code"] == "stale-if-range" && $0["grade"] == "B" })
  }

  @Test(arguments: [("404 Not Found", ExitCode.server), ("401 Unauthorized", .authorization), ("500 Oops", .server)])
  func nothingToExamine(_ status: String, _ code: ExitCode) throws {
    let server = try LoopbackServer { $0.reply(status) }
    defer { server.stop() }
    let run = try Command.run(["doctor", server.uri("/file.bin")])
    try run.expect(code)
    #expect(run.standardOutput.isEmpty)
  }

  @Test func secretsAndFieldsAreSent() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let url = server.uri("/file.bin").replacingOccurrences(of: "//", with: "//user:s3cret@")
    let run = try Command.run(["-v", "doctor", "-H", "X-Api-Key: s3cret", url])
    #expect(server.requests.allSatisfy { $0.field("X-Api-Key") == "s3cret" && $0.field("Authorization") != nil })
    #expect(run.standardError.contains("> Range: bytes=-1\n"), "-v shows what was asked")
    #expect(!run.standardError.contains("s3cret") && !run.standardError.contains("dXNlcjpzM2NyZXQ"))
  }

  @Test func aFileOfThatNameIsDownloadedByItsURL() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/doctor")])
    try run.expect(.ok, leaving: ["doctor": Summary(Self.resource.bytes)], "a URL has a scheme")
  }
}
