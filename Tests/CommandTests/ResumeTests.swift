import LoopbackServer
import Testing

/// Reconnecting inside one run, with a strong validator (RFC 9110 §13.1.5, §14): S1-8, S2-4, S2-7.
struct ResumeTests {
  static let resource = Resource(length: 1_500_000)
  static let dropAfter: Int64 = 400_000  // bytes of content: three drops

  struct Way: Sendable, CustomTestStringConvertible {
    let ending: Conduct.Ending
    let framing: Conduct.Framing
    var testDescription: String { "\(framing), then \(ending)" }

    var conduct: Conduct {
      var conduct = Conduct.dropping(after: ResumeTests.dropAfter, ending)
      conduct.framing = framing
      return conduct
    }
  }

  static let ways = [
    Way(ending: .reset, framing: .contentLength),
    Way(ending: .close, framing: .contentLength),
    Way(ending: .reset, framing: .chunked),
    Way(ending: .close, framing: .chunked),
    Way(ending: .reset, framing: .untilClose),
  ]

  /// Every request after the first asks for exactly what is missing, in the form and case that all
  /// servers know (T7), under the condition that nothing changed.
  static func expectContinuations(_ requests: [RecordedRequest]) {
    #expect(requests.map { $0.field("Range") } == [nil, "bytes=400000-", "bytes=800000-", "bytes=1200000-"])
    #expect(requests.map { $0.field("If-Range") } == [nil, "\"first\"", "\"first\"", "\"first\""])
    #expect(requests.allSatisfy { $0.values("Range").count < 2 && $0.values("If-Range").count < 2 })
  }

  @Test(arguments: ways) func continuesFromTheExactEnd(_ way: Way) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0, way.conduct) }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "1", server.uri("/file.bin")])
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], "S1-8 S2-4 the budget is refilled")
    Self.expectContinuations(server.requests)
  }

  @Test func continuesOnStandardOutput() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0, .dropping(after: Self.dropAfter)) }
    defer { server.stop() }
    let run = try Command.run(["-q", "-o", "-", server.uri("/file.bin")])
    try run.expect(.ok)
    #expect(Summary(run.standardOutput) == Summary(Self.resource.bytes), "no byte twice, none missing")
  }

  @Test func aStallIsLeftBehind() throws {
    let server = try LoopbackServer { exchange in
      let isFirst = exchange.requestNumber == 1
      Self.resource.respond(to: exchange, isFirst ? .dropping(after: Self.dropAfter, .stall) : .correct)
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--idle-timeout", "1", server.uri("/file.bin")])
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], "S4-6")
    #expect(server.requests.last?.field("Range") == "bytes=400000-")
  }

  @Test func withoutRetriesThePartIsKept() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0, .dropping(after: Self.dropAfter)) }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "0", server.uri("/file.bin")])
    let part = Summary(Self.resource.bytes(in: 0..<Self.dropAfter))
    try run.expect(.incomplete, leaving: ["file.bin.part": part], "T19 nothing received is lost")
    #expect(server.requests.count == 1)
  }

  @Test func aFreshDownloadAsksForNoRange() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/file.bin")])
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
    #expect(server.requests.map { $0.field("Range") } == [nil], "S3-5")
    #expect(server.requests.map { $0.field("Accept-Encoding") } == ["identity"], "offsets count identity bytes")
  }

  @Test func attemptsWithoutProgressEnd() throws {
    let server = try LoopbackServer { exchange in
      if exchange.requestNumber == 1 {
        Self.resource.respond(to: exchange, .dropping(after: Self.dropAfter))
      } else {
        exchange.reset()
      }
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "2", server.uri("/file.bin")])
    let part = Summary(Self.resource.bytes(in: 0..<Self.dropAfter))
    try run.expect(.incomplete, leaving: ["file.bin.part": part], "the part outlives the budget")
    #expect(server.requests.count == 3)
  }

  @Test(arguments: ["404 Not Found", "403 Forbidden", "410 Gone"])
  func anErrorPageOnReconnectDestroysNothing(_ status: String) throws {
    let server = try LoopbackServer { exchange in
      if exchange.requestNumber == 1 {
        Self.resource.respond(to: exchange, .dropping(after: Self.dropAfter))
      } else {
        exchange.reply(status, text: "an error page")
      }
    }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/file.bin")])
    let part = Summary(Self.resource.bytes(in: 0..<Self.dropAfter))
    try run.expect(.server, leaving: ["file.bin.part": part], "T1 T4 \(status)")
  }
}
