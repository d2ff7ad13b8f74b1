import Foundation
import LoopbackServer
import Testing

/// Requests that send content or ask for more than a copy: sent once, unless twice is the same (RFC 9110 §9.2.2).
struct ContentTests {
  /// What arrived, method and content, in the order of arrival.
  private final class Arrivals: Sendable {
    private let all = Guarded<[String]>([])
    var list: [String] { all.withLock { $0 } }
    func add(_ exchange: ServerExchange) {
      let content = String(decoding: exchange.readContent(), as: UTF8.self)
      all.withLock { $0.append(exchange.request.method + " " + exchange.request.target + " " + content) }
    }
  }

  struct Row: Sendable { let options: [String], method: String, content: String, type: String?, length: String? }

  static let rows = [
    Row(options: ["--body", "a=b"], method: "POST", content: "a=b", type: "application/octet-stream", length: "3"),
    Row(options: ["--body=x", "-H", "Content-Type: a/b"], method: "POST", content: "x", type: "a/b", length: "1"),
    Row(
      options: ["--body-file", "content"], method: "POST", content: "from a file", type: "application/octet-stream",
      length: "11"),
    Row(options: ["-X", "PUT", "--body", ""], method: "PUT", content: "", type: nil, length: "0"),
    Row(options: ["-X", "POST"], method: "POST", content: "", type: nil, length: "0"),
    Row(options: ["-X", "DELETE"], method: "DELETE", content: "", type: nil, length: nil),
    Row(options: ["-X", "report"], method: "report", content: "", type: nil, length: nil),
    Row(
      options: ["-X", "GET", "--body", "q"], method: "GET", content: "q", type: "application/octet-stream", length: "1"),
  ]

  @Test(arguments: rows) func isSent(_ row: Row) throws {
    let arrivals = Arrivals()
    let server = try LoopbackServer { exchange in
      arrivals.add(exchange)
      exchange.reply("200 OK", text: "hello")
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "-o", "out"] + row.options + [server.uri("/f")]) {
      try $0.write("from a file", to: "content")
    }
    #expect(run.ending == .exited(0), "\(row.options): \(run.standardError)")
    #expect(try run.files["out"] == Summary("hello"))
    #expect(arrivals.list == ["\(row.method) /f \(row.content)"])
    let request = try #require(server.requests.first)
    #expect(
      request.field("Content-Type") == row.type && request.field("Content-Length") == row.length, "\(row.options)")
    #expect(request.values("Range").isEmpty && request.values("Expect").isEmpty)
  }

  /// More than the system's buffers hold.
  @Test func muchContentArrivesWhole() throws {
    let content = Resource(length: 8 << 20).bytes
    let arrived = Guarded<[UInt8]>([])
    let server = try LoopbackServer { exchange in
      let content = exchange.readContent()
      arrived.withLock { $0 = content }
      exchange.reply("200 OK", text: "hello")
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "-o", "out", "--body-file", "content", server.uri("/f")]) {
      try $0.write(content, to: "content")
    }
    #expect(run.ending == .exited(0), "\(run.standardError)")
    #expect(Summary(arrived.withLock { $0 }) == Summary(content))
  }

  @Test func moreThanTheBoundIsRefused() throws {
    let run = try Command.run(["--body-file", "content", "http://127.0.0.1:9/f"]) { folder in
      try folder.write("", to: "content")
      truncate(folder.path + "/content", (64 << 20) + 1)
    }
    #expect(run.ending == .exited(ExitCode.usage.rawValue) && run.standardError.contains("content: "))
  }

  /// An answer that comes before the content's end ends the sending (RFC 9112 §9.5).
  @Test func anEarlyAnswerIsHeard() throws {
    let server = try LoopbackServer { exchange in
      exchange.reply("413 Content Too Large", ["Connection: close"], text: "no")
      exchange.close()
    }
    defer { server.stop() }
    let run = try Command.run(["-o", "out", "--body-file", "content", server.uri("/f")]) {
      try $0.write(Resource(length: 32 << 20).bytes, to: "content")
    }
    try run.expect(.server, leaving: ["content": Summary(Resource(length: 32 << 20).bytes)])
    #expect(run.standardError.contains("413") && server.requests.count == 1, "\(run.standardError)")
  }

  /// The status, and what arrives in all when `/start` redirects to `/end`.
  @Test(arguments: [
    ("301 Moved", "POST", ["POST /start ab", "GET /end "]), ("302 Found", "POST", ["POST /start ab", "GET /end "]),
    ("303 See Other", "POST", ["POST /start ab", "GET /end "]),
    ("307 Again", "POST", ["POST /start ab", "POST /end ab"]),
    ("308 Moved", "POST", ["POST /start ab", "POST /end ab"]), ("302 Found", "PUT", ["PUT /start ab", "PUT /end ab"]),
    ("303 See Other", "PUT", ["PUT /start ab", "GET /end "]),
  ])
  func redirects(_ row: (status: String, method: String, arrivals: [String])) throws {
    let arrivals = Arrivals()
    let server = try LoopbackServer { exchange in
      arrivals.add(exchange)
      if exchange.request.target == "/start" { return exchange.redirect(to: "/end", row.status) }
      exchange.reply("200 OK", text: "hello")
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "-o", "out", "-X", row.method, "--body", "ab", server.uri("/start")])
    try run.expect(.ok, leaving: ["out": Summary("hello")], "RFC 9110 §15.4 \(row.status)")
    #expect(arrivals.list == row.arrivals, "\(row.status)")
    if row.arrivals[1].hasPrefix("GET") {
      #expect(
        server.requests.last?.values("Content-Type") == [] && server.requests.last?.values("Content-Length") == [])
    }
  }

  /// Content, and what is no plain question, does not follow to another origin; a GET does.
  @Test(arguments: [("307 Again", ExitCode.protocolBroken, 0), ("303 See Other", .ok, 1)])
  func redirectsElsewhere(_ row: (status: String, exit: ExitCode, requests: Int)) throws {
    let other = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    let elsewhere = other.uri("/end")
    let first = try LoopbackServer { exchange in
      _ = exchange.readContent()
      exchange.redirect(to: elsewhere, row.status)
    }
    defer {
      first.stop()
      other.stop()
    }
    let run = try Command.run(["-q", "-o", "out", "--body", "s3cret", first.uri("/start")])
    try run.expect(row.exit, leaving: row.exit == .ok ? ["out": Summary("hello")] : [:], row.status)
    #expect(other.requests.count == row.requests && first.requests.count == 1)
  }

  enum Trouble: Sendable { case unavailable, reset, dropped, afterRedirect }

  /// A second POST could order twice: what was sent once ends with the first failure. A PUT goes on.
  @Test(arguments: [Trouble.unavailable, .reset, .dropped, .afterRedirect], ["POST", "PUT"])
  func isRepeatedOnlyIfTwiceIsTheSame(_ trouble: Trouble, _ method: String) throws {
    let arrivals = Arrivals()
    let server = try LoopbackServer { exchange in
      arrivals.add(exchange)
      if exchange.requestNumber > 1 && exchange.request.target == "/f" {
        return exchange.reply("200 OK", text: "hello")
      }
      switch trouble {
      case .unavailable: exchange.reply("503 Service Unavailable", ["Retry-After: 0"])
      case .reset: exchange.reset()
      case .dropped:
        exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\nhel")
        exchange.reset()
      case .afterRedirect:
        if exchange.request.target == "/f" { return exchange.redirect(to: "/result", "303 See Other") }
        exchange.reset()
      }
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "-o", "out", "-X", method, "--body", "ab", "--retry", "3", server.uri("/f")])
    let sent = arrivals.list.filter { $0.hasPrefix(method) }
    if method == "PUT" {
      #expect(run.ending == .exited(0) && sent.count == 2, "\(trouble): \(run.standardError)")
      #expect(try run.files == ["out": Summary("hello")], "\(trouble)")
    } else {
      #expect(run.ending != .exited(0) && sent.count == 1, "\(trouble): \(run.standardError)")
      run.expectOneLine("\(trouble)")
    }
    #expect(server.requests.allSatisfy { $0.values("Range").isEmpty }, "never continued")
  }

  /// A connection that failed before anything was sent may be tried again: nobody heard of it.
  @Test func aRefusedConnectionIsNoRequest() throws {
    let run = try Command.run(["-o", "out", "--body", "x", "--retry", "1", "http://127.0.0.1:1/f"])
    #expect(run.ending == .exited(ExitCode.network.rawValue))
    #expect(run.standardError.split(separator: "\n").count == 2, "one more attempt: \(run.standardError)")
  }

  /// Two requests on one connection if twice is the same, else two connections (RFC 9112 §9.3.1).
  @Test(arguments: [("POST", 2), ("PUT", 1)])
  func connections(_ row: (method: String, count: Int)) throws {
    let server = try LoopbackServer { exchange in
      _ = exchange.readContent()
      exchange.reply("200 OK", text: "hello")
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "-j1", "-X", row.method, "--body", "x", server.uri("/a"), server.uri("/b")])
    try run.expect(.ok, leaving: ["a": Summary("hello"), "b": Summary("hello")])
    #expect(server.connectionCount == row.count, "\(row.method)")
  }

  /// A part of an earlier run and a file in the way.
  @Test func nothingIsContinuedNorOrderedInVain() throws {
    let server = try LoopbackServer { exchange in
      _ = exchange.readContent()
      exchange.reply("200 OK", text: "hello world")
    }
    defer { server.stop() }
    let options = ["-q", "-o", "out", "--body", "x"]
    let run = try Command.run(options + [server.uri("/f")]) { try $0.write("hello", to: "out.part") }
    try run.expect(.ok, leaving: ["out": Summary("hello world")])
    #expect(server.requests.allSatisfy { $0.values("Range").isEmpty })
    for more in [[], ["-c"]] {
      let before = server.requests.count
      let refused = try Command.run(options + more + [server.uri("/f")]) { try $0.write("mine", to: "out") }
      try refused.expect(.exists, leaving: ["out": Summary("mine")])
      #expect(server.requests.count == before, "it is not even sent \(more)")
    }
  }

  @Test(arguments: ["204 No Content", "205 Reset Content"]) func noContentIsAnAnswer(_ status: String) throws {
    let server = try LoopbackServer {
      $0.send("HTTP/1.1 \($0.request.method == "GET" ? "404 No" : status)\r\nContent-Length: 0\r\n\r\n")
    }
    defer { server.stop() }
    try Command.run(["-q", "-X", "DELETE", server.uri("/f")]).expect(.ok, leaving: [:], status)
  }
}

/// `--if-modified` (RFC 9110 §13.1.3): nothing is touched unless the server has something newer.
struct IfModifiedTests {
  static let resource = Resource(length: 5_000)

  enum Server: Sendable { case knowsTheQuestion, ignoresIt }

  struct Row: Sendable { let age: Int64, length: Int64, server: Server, replaces: Bool, because: String }

  static let rows = [
    Row(age: 0, length: 5_000, server: .knowsTheQuestion, replaces: false, because: "304"),
    Row(age: 1, length: 5_000, server: .knowsTheQuestion, replaces: true, because: "a second older"),
    Row(age: 0, length: 5_000, server: .ignoresIt, replaces: false, because: "the answer's date says so"),
    Row(age: -9, length: 5_000, server: .ignoresIt, replaces: false, because: "ours is newer"),
    Row(age: 1, length: 5_000, server: .ignoresIt, replaces: true, because: "a second older"),
    Row(age: 0, length: 4_999, server: .ignoresIt, replaces: true, because: "another length is another file"),
  ]

  @Test(arguments: rows) func replaces(_ row: Row) throws {
    let server = try LoopbackServer { exchange in
      let asked = exchange.request.field("If-Modified-Since")
      if row.server == .knowsTheQuestion, asked == Self.resource.lastModified {
        exchange.send("HTTP/1.1 304 Not Modified\r\n\r\n")
      } else {
        Self.resource.respond(to: exchange)
      }
    }
    defer { server.stop() }
    let old = Resource(length: row.length, seed: 9).bytes
    let run = try Command.run(["--if-modified", server.uri("/file.bin")]) { folder in
      try folder.write(old, to: "file.bin")
      try folder.setModificationTime(of: "file.bin", to: Resource.modified - row.age)
    }
    #expect(run.ending == .exited(0), "\(row.because): \(run.standardError)")
    #expect(try run.folder.files == ["file.bin": Summary(row.replaces ? Self.resource.bytes : old)], "\(row.because)")
    #expect(run.standardError.contains("not modified") != row.replaces, "\(row.because): \(run.standardError)")
    #expect(server.requests.count == 1 && server.requests[0].values("If-Modified-Since").count == 1)
  }

  @Test func withoutAFileThereIsNoQuestion() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    try Command.run(["-q", "--if-modified", server.uri("/file.bin")])
      .expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
    #expect(server.requests.allSatisfy { $0.values("If-Modified-Since").isEmpty })
  }

  @Test func aFailureLeavesTheFile() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0, .dropping(after: 1_000)) }
    defer { server.stop() }
    let run = try Command.run(["-q", "--if-modified", "--retry", "0", server.uri("/file.bin")]) { folder in
      try folder.write("mine", to: "file.bin")
      try folder.setModificationTime(of: "file.bin", to: Resource.modified - 1)
    }
    #expect(run.ending != .exited(0))
    #expect(try run.files["file.bin"] == Summary("mine"), "untouched until the new one is whole")
  }

  @Test func anUnaskedNotModifiedIsARefusal() throws {
    let server = try LoopbackServer { $0.send("HTTP/1.1 304 Not Modified\r\n\r\n") }
    defer { server.stop() }
    try Command.run(["-q", "--if-modified", server.uri("/file.bin")]).expect(.server)
  }
}
