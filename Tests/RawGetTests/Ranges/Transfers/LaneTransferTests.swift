import LoopbackServer
import Testing

@testable import RawGet

/// Over several connections, every server that tells the truth leads to the exact file, whatever it can and can't do.
struct LaneTransferTests {
  private static let length: Int64 = 3_000_000
  private static let resource = Resource(length: length, seed: 21)
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test("blocks alone are asked for, by no more connections than wished", arguments: laneChoices, transports)
  func plain(_ choice: ConnectionChoice, _ isSecure: Bool) throws {
    let second = Gate()  // opened by the second connection, where it is known that there will be one
    let server = try LoopbackServer(isSecure: isSecure) { exchange in
      var conduct = Conduct.correct
      if exchange.connectionNumber > 1 { second.open() }
      if choice != .automatic { conduct.gate = second }
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: choice, in: folder)
    #expect(run.name == "complete")
    #expect(folder.content(of: "x") == Self.resource.content)
    #expect(try folder.names == ["x"])
    #expect(run.interruptions == [])
    let ranges = server.requests.map { $0.closedRange ?? 0..<0 }
    #expect(ranges.first == 0..<524_288)
    #expect(ranges.allSatisfy { !$0.isEmpty && $0.upperBound <= Self.length }, "T2: none past the end")
    #expect(server.requests.dropFirst().allSatisfy { $0.field("If-Range") == "\"first\"" })
    if case .exactly(let count) = choice {
      // A lane that a busy machine makes look slow is replaced.
      #expect(server.usedConnections.count > 1 && server.usedConnections.count <= 2 * count)
    }
  }

  struct Size: Sendable { let length: Int64, ranges: [String?] }

  static let sizes = [
    Size(length: 0, ranges: ["bytes=0-524287", nil]),
    Size(length: 1, ranges: ["bytes=0-524287"]),
    Size(length: 524_287, ranges: ["bytes=0-524287"]),
    Size(length: 524_288, ranges: ["bytes=0-524287"]),
    Size(length: 524_289, ranges: ["bytes=0-524287", "bytes=524288-524288"]),
  ]

  @Test(arguments: sizes, transports) func aroundOneBlock(_ size: Size, _ isSecure: Bool) throws {
    let resource = Resource(length: size.length, seed: 22)
    let server = try LoopbackServer(isSecure: isSecure) { resource.respond(to: $0) }
    defer { server.stop() }
    for choice in laneChoices {
      let before = server.requests.count
      let folder = try Folder()
      let run = try Run(server.uri("/x"), over: choice, in: folder)
      #expect(run.name == "complete" && run.interruptions == [])
      #expect(folder.content(of: "x") == resource.content)
      #expect(try folder.names == ["x"])
      #expect(Array(server.ranges[before...]) == size.ranges)
    }
  }

  /// A server with its own ways. `failures` is how often it is met with an interruption.
  struct Row: Sendable, CustomTestStringConvertible {
    let because: String
    var failures = 0
    /// The requests, where they follow from the kind of server.
    var ranges: [String?]?
    let respond: @Sendable (ServerExchange) -> Void
    var testDescription: String { because }
  }

  private static func row(
    _ because: String, _ resource: Resource = resource, ranges: [String?]? = nil, _ change: (inout Conduct) -> Void
  ) -> Row {
    var conduct = Conduct.correct
    change(&conduct)
    let made = conduct
    return Row(because: because, ranges: ranges) { resource.respond(to: $0, made) }
  }

  private static func row(
    _ because: String, failures: Int = 0, requests: Int, atARange: @escaping @Sendable (ServerExchange) -> Void
  ) -> Row {
    let ranges = Array(repeating: "bytes=0-524287", count: requests - 1) + [nil]
    return Row(because: because, failures: failures, ranges: ranges) { exchange in
      if exchange.request.field("Range") == nil { return resource.respond(to: exchange) }
      atARange(exchange)
    }
  }

  private static func named(_ tag: String?, _ date: String?) -> Resource {
    var resource = resource
    (resource.entityTag, resource.lastModified) = (tag, date)
    return resource
  }

  private static let wholeAfterAll: [String?] = ["bytes=0-524287", nil]

  static let rows: [Row] = [
    row("no ranges", ranges: ["bytes=0-524287"]) { $0.ignoresRange = true },
    row("no ranges, chunked", ranges: ["bytes=0-524287"]) {
      $0.ignoresRange = true
      $0.framing = .chunked
    },
    row("400 for a range", requests: 2) { $0.reply("400 Bad Request", text: "no") },
    row("500 for a range", requests: 2) { $0.reply("500 Internal Server Error", text: "no") },
    row("501 for a range", requests: 2) { $0.reply("501 Not Implemented", text: "no") },
    row("416 for a range", requests: 2) { $0.reply("416 Range Not Satisfiable", text: "no") },
    row("closes at the sight of a range", failures: 2, requests: 3) { $0.close() },
    row("resets at the sight of a range", failures: 2, requests: 3) { $0.reset() },
    row("no validator", named(nil, nil), ranges: wholeAfterAll) { _ in },
    row("a weak entity tag alone", named("W/\"first\"", nil), ranges: wholeAfterAll) { _ in },
    row("a weak entity tag and a date", named("W/\"first\"", resource.lastModified)) { _ in },
    row("a date for a validator", named(nil, resource.lastModified)) { _ in },
    row("If-Range is ignored") { $0.ignoresIfRange = true },
    row("parts are chunked") { $0.framing = .chunked },
    row("parts end with the connection") { $0.framing = .untilClose },
    row("parts are short") { $0.longestPart = 200_000 },
    row("parts begin earlier") { $0.shiftsRange = -9 },
    row("parts begin later") { $0.shiftsRange = 9 },
    row("interim answers") {
      $0.interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    },
    row("closes after each answer, and says so") {
      $0.fields = ["Connection: close"]
      $0.closesAfterwards = true
    },
    row("closes after each answer") { $0.closesAfterwards = true },
    row("closes after each chunked answer") {
      $0.framing = .chunked
      $0.closesAfterwards = true
    },
    Row(because: "closes after three answers") { exchange in
      var conduct = Conduct.correct
      conduct.closesAfterwards = exchange.numberOnConnection == 3
      resource.respond(to: exchange, conduct)
    },
    Row(because: "parts go to the end", respond: partToTheEnd),
    Row(because: "the complete length is not told", respond: partOfUnknownLength),
  ]

  private static let partToTheEnd: @Sendable (ServerExchange) -> Void = { exchange in
    guard let start = exchange.request.closedRange?.lowerBound else { return resource.respond(to: exchange) }
    let range = "Content-Range: bytes \(start)-\(length - 1)/\(length)"
    exchange.reply("206 Partial Content", [range, "ETag: \"first\""], content: resource.bytes(in: start..<length))
  }

  private static let partOfUnknownLength: @Sendable (ServerExchange) -> Void = { exchange in
    guard let asked = exchange.request.closedRange else { return resource.respond(to: exchange) }
    let part = asked.clamped(to: 0..<length)
    let range = "Content-Range: bytes \(part.lowerBound)-\(part.upperBound - 1)/*"
    exchange.reply("206 Partial Content", [range, "ETag: \"first\""], content: resource.bytes(in: part))
  }

  @Test(arguments: rows, laneChoices) func everyKindOfServer(_ row: Row, _ choice: ConnectionChoice) throws {
    let server = try LoopbackServer(script: row.respond)
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: choice, in: folder)
    #expect(run.name == "complete")
    #expect(folder.content(of: "x") == Self.resource.content)
    #expect(try folder.names == ["x"])
    #expect(run.interruptions.count == row.failures, "\(run.interruptions)")
    if let ranges = row.ranges { #expect(server.ranges == ranges) }
    #expect(server.connectionCount <= 40, "\(server.connectionCount) connections")
  }

  @Test(.enabled(if: RawGetVersion.hasTLS), arguments: rows) func underTLS(_ row: Row) throws {
    let server = try LoopbackServer(isSecure: true, script: row.respond)
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: .exactly(4), in: folder)
    #expect(run.name == "complete")
    #expect(folder.content(of: "x") == Self.resource.content)
  }

  @Test("what comes before its turn waits in memory", arguments: rows) func withoutTheSystem(_ row: Row) throws {
    let server = try LoopbackServer(script: row.respond)
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: .exactly(4), in: folder) {
      $0.systemHolds = false
      $0.window = 1_000_000
    }
    #expect(run.name == "complete" && run.interruptions.count == row.failures)
    #expect(folder.content(of: "x") == Self.resource.content)
  }

  @Test("the date goes along as If-Range") func dateAsValidator() throws {
    let resource = Self.named(nil, Self.resource.lastModified)
    let server = try LoopbackServer { resource.respond(to: $0) }
    defer { server.stop() }
    #expect(try Run(server.uri("/x"), over: .exactly(4), in: folder).name == "complete")
    #expect(server.requests.dropFirst().allSatisfy { $0.field("If-Range") == resource.lastModified })
    #expect(server.usedConnections.count > 1)
  }

  @Test("the redirect is followed once, and secrets stay where they belong", arguments: transports)
  func redirectedElsewhere(_ isSecure: Bool) throws {
    let server = try LoopbackServer(isSecure: isSecure) { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let first = try LoopbackServer { [uri = server.uri("/y")] in $0.redirect(to: uri) }
    defer { first.stop() }
    let target = try TargetURI(text: Array(first.uri("/x").utf8))
    let run = try Run(server.uri("/"), to: folder.destination, in: folder) { request, options in
      request.target = target
      request.credentials = Credentials(user: Array("u".utf8), password: Array("p".utf8))
      options.connections = .exactly(4)
    }
    #expect(run.name == "complete")
    #expect(folder.content(of: "y") == Self.resource.content)
    #expect(first.requests.count == 1 && first.requests[0].field("Authorization") != nil)
    #expect(server.requests.count > 1 && server.usedConnections.count > 1)
    #expect(server.requests.allSatisfy { $0.field("Authorization") == nil && $0.target == "/y" })
  }
}
