import LoopbackServer
import Testing

@testable import RawGet

/// Nothing is created before a good response head, and nothing that exists is replaced (S2-1, S2-6, T1, T4, T25).
struct RefusalTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  struct Row: Sendable, CustomTestStringConvertible {
    let response: String
    let name: String
    var testDescription: String { String(response.prefix { !$0.isNewline }) }

    init(_ response: String, _ name: String) {
      self.response = response.replacing("\n", with: "\r\n")
      self.name = name
    }
  }

  static let rows =
    [204, 205, 300, 304, 400, 401, 403, 404, 407, 410, 416, 501, 599].map {
      Row("HTTP/1.1 \($0) No\nContent-Length: 12\n\nan error pag", "refused")
    } + [
      Row(
        "HTTP/1.1 206 Partial Content\nContent-Range: bytes 0-4/5\nContent-Length: 5\n\nhello",
        "protocolViolation.invalidContentRange"),
      Row("HTTP/1.1 302 Found\nContent-Length: 0\n\n", "redirection.invalidLocation"),
      Row("HTTP/1.1 302 Found\nLocation: gopher://x/\nContent-Length: 0\n\n", "redirection.invalidLocation"),
      Row("SSH-2.0-OpenSSH_9.2\n", "protocolViolation.notHTTP"),
      Row("HTTP/2 200 OK\n\nhello", "protocolViolation.unsupportedVersion"),
      Row("HTTP/1.1 101 Switching Protocols\n\n", "protocolViolation.unexpectedUpgrade"),
      Row(
        "HTTP/1.1 200 OK\nContent-Length: 5\nContent-Length: 6\n\nhello",
        "protocolViolation.conflictingContentLength"),
      Row("HTTP/1.1 200 OK\nContent-Length: -5\n\nhello", "protocolViolation.invalidContentLength"),
      Row(
        "HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked\n\nhello",
        "protocolViolation.unsupportedTransferCoding"),
      Row("HTTP/1.1 200 OK\nno colon\n\nhello", "protocolViolation.invalidFieldLine"),
      Row("HTTP/1.1 200 OK\nContent-Length: 9223372036854775807\n\nhello", "noSpace"),
    ]

  @Test(arguments: rows) func createsNothing(_ row: Row) throws {
    let server = try LoopbackServer { $0.send(row.response) }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder)
    #expect(run.name == row.name)
    #expect(run.result.failure?.kept == 0 && run.result.failure?.partPath == nil)
    #expect(try folder.names == [], "S2-1 T4")
    #expect(server.requests.count == 1, "and is not tried again")
  }

  @Test("T1 T25: whatever the server says, what is here stays", arguments: rows)
  func destroysNothing(_ row: Row) throws {
    try folder.put("kept", as: "file.bin.part")
    try folder.put("mine", as: "other")
    let server = try LoopbackServer { $0.send(row.response) }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder)
    #expect(run.name != "complete")
    #expect(try folder.names == ["file.bin.part", "other"])
    #expect(folder.content(of: "file.bin.part") == Content("kept"))
  }

  @Test func brokenChunksEndItAndKeepWhatWasGood() throws {
    let server = try LoopbackServer {
      $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nx\r\n")
    }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder)
    #expect(run.name == "protocolViolation.invalidChunkSize")
    #expect(folder.content(of: "file.bin.part") == Content("hello"))
    #expect(run.result.failure?.partPath == folder.path(of: "file.bin.part"))
  }

  // MARK: What exists

  @Test(
    "T25: a name that is taken stays as it is; only about a file a server is asked",
    arguments: ["file", "link", "directory"])
  func aNamedTargetThatExists(_ kind: String) throws {
    switch kind {
    case "file": try folder.put("mine", as: "x")
    case "link": try folder.link("x", to: "nowhere")
    default: try folder.link("x", to: ".")
    }
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), to: .file(folder.path(of: "x")), in: folder)
    #expect(run.name == "exists")
    #expect(server.connectionCount == (kind == "file" ? 1 : 0))
    #expect(try folder.names == ["x"])
  }

  @Test("T25") func aTargetNamedByTheServerThatExists() throws {
    try folder.put("mine", as: "file.bin")
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    #expect(try Run(server.uri("/file.bin"), in: folder).name == "exists")
    #expect(folder.content(of: "file.bin") == Content("mine"))
    #expect(try folder.names == ["file.bin"])
  }

  @Test(arguments: ["no such folder/x", "file/x"]) func aFolderThatIsNone(_ name: String) throws {
    try folder.put("mine", as: "file")
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), to: .file(folder.path(of: name)), in: folder)
    #expect(run.name == "file")
    #expect(server.connectionCount == 0, "found out before anything is asked")
  }

  @Test(arguments: ["", ".", "..", "a/"]) func aNameThatIsNone(_ name: String) throws {
    let run = try Run("http://127.0.0.1:9/", to: .file(Array(name.utf8)), in: folder)
    #expect(run.name == "invalidRequest")
  }

  @Test func aPartThatSomeoneElseWrites() throws {
    let (delivered, goOn) = (Stall(), Gate())
    let resource = Resource(length: 100_000)
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
      exchange.send(resource.bytes(in: 0..<60_000))
      guard exchange.connectionNumber == 1 else { return exchange.stall() }
      exchange.awaitDelivery()
      delivered.raise()
      exchange.wait(at: goOn)
      exchange.send(resource.bytes(in: 60_000..<100_000))
    }
    defer { server.stop() }
    let (request, options) = try Run.prepared(server.uri("/x"), folder.destination)
    var first = Download(request, options)
    var driver = Driver(stall: delivered)
    driver.runToStall(&first)
    var second = Download(request, options)
    var other = Driver()
    #expect(other.finish(&second).name == "busy", "S3-4")
    goOn.open()
    #expect(driver.finish(&first).name == "complete", "and disturbs nothing")
    #expect(folder.content(of: "x") == resource.content)
  }
}
