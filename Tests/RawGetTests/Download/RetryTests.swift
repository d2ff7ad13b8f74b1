import LoopbackServer
import Testing

@testable import RawGet

/// Attempts, the pauses between them, and their end (docs/RESUME.md).
struct RetryTests {
  private static let resource = Resource(length: 50_000, seed: 6)
  private let folder: Folder

  init() throws { folder = try Folder() }

  struct Refusal: Sendable { let status: String, fields: [String], delays: ClosedRange<Duration>, because: String }

  private static let backoff: ClosedRange<Duration> = .milliseconds(250)...(.milliseconds(500))

  static let refusals =
    [
      Refusal(status: "503 Busy", fields: ["Retry-After: 0"], delays: .zero...(.zero), because: "at once, as it says"),
      Refusal(
        status: "429 Slow", fields: ["Retry-After: 17"], delays: .seconds(17)...(.seconds(17)), because: "exactly"),
      Refusal(
        status: "503 Busy", fields: ["Retry-After: 99999999"], delays: .seconds(300)...(.seconds(300)),
        because: "capped"),
      Refusal(
        status: "503 Busy", fields: ["Retry-After: Sun, 06 Nov 1994 08:49:37 GMT"], delays: .zero...(.zero),
        because: "a date that has passed"),
      Refusal(status: "503 Busy", fields: ["Retry-After: soon"], delays: backoff, because: "no number, no date"),
      Refusal(status: "503 Busy", fields: ["Retry-After: -1"], delays: backoff, because: "no number either"),
      Refusal(
        status: "503 Busy", fields: ["Retry-After: 0", "Retry-After: 9"], delays: backoff,
        because: "two that differ say nothing"),
      Refusal(
        status: "503 Busy", fields: ["Retry-After: 0", "Retry-After: 0"], delays: .zero...(.zero),
        because: "said twice is said once"),
    ]
    + [408, 425, 429, 500, 502, 503, 504].map {
      Refusal(status: "\($0) No", fields: [], delays: backoff, because: "S2-6: \($0) may pass")
    }

  @Test(arguments: refusals) func aRefusalThatMayPass(_ row: Refusal) throws {
    let server = try LoopbackServer { exchange in
      guard exchange.requestNumber > 1 else { return exchange.reply(row.status, row.fields, text: "an error page") }
      Self.resource.respond(to: exchange)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder) { $0.retryLimit = 1 }
    #expect(run.name == "complete", "\(row.because)")
    #expect(run.interruptions == ["refused"])
    #expect(run.delays.count == 1 && run.delays.allSatisfy { row.delays.contains($0) }, "\(row.because): \(run.delays)")
    #expect(folder.content(of: "file.bin") == Self.resource.content, "T4: no byte of the error page")
  }

  @Test("the budget counts attempts without progress", arguments: [0, 1, 4]) func theBudgetEnds(_ limit: Int) throws {
    let server = try LoopbackServer { $0.reply("503 Busy", text: "an error page") }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder) { $0.retryLimit = limit }
    #expect(run.name == "refused")
    #expect(run.result.failure?.exitCode == 8)
    #expect(server.requests.count == limit + 1)
    let bounds = (0..<limit).map { Duration.milliseconds(500 << $0) }
    #expect(run.delays.count == limit && zip(run.delays, bounds).allSatisfy { $0 >= $1 / 2 && $0 <= $1 })
    #expect(try folder.names == [])
  }

  @Test("and is refilled by every byte") func aByteRefillsIt() throws {
    let length: Int64 = 40
    let small = Resource(length: length, seed: 8)
    let server = try LoopbackServer { exchange in
      // By turns: nothing, and one byte more.
      if exchange.requestNumber.isMultiple(of: 2) { return exchange.reset() }
      small.respond(to: exchange, .dropping(after: 1))
    }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder) { $0.retryLimit = 2 }
    #expect(run.name == "complete")
    #expect(server.requests.count == 79)
    #expect(folder.content(of: "file.bin") == small.content)
  }

  @Test func withoutProgressThePartOutlivesTheBudget() throws {
    let server = try LoopbackServer { exchange in
      guard exchange.requestNumber > 1 else { return Self.resource.respond(to: exchange, .dropping(after: 30_000)) }
      exchange.close()
    }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder) { $0.retryLimit = 3 }
    #expect(run.name == "protocolViolation.noResponse")
    #expect(run.result.failure?.exitCode == 9)
    #expect(server.requests.count == 4)
    #expect(run.delays.first == .zero && run.delays.dropFirst().allSatisfy { $0 > .zero })
    #expect(folder.content(of: "file.bin.part") == Self.resource.content(in: 0..<30_000))
  }

  @Test func whatWasHereBeforeIsNoProgress() throws {
    try folder.put(Self.resource.bytes(in: 0..<40_000), as: "file.bin.part")
    let server = try LoopbackServer { Self.resource.respond(to: $0, .dropping(after: 10_000)) }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder) { $0.retryLimit = 2 }
    #expect(run.name == "connectionLost")
    #expect(server.requests.count == 3)
    #expect(run.delays.allSatisfy { $0 > .zero }, "comparing brings nothing")
  }

  @Test func aServerThatIsNotThere() throws {
    let port = try RefusingPort()
    let run = try Run("http://127.0.0.1:\(port.port)/x", in: folder) { $0.retryLimit = 2 }
    #expect(run.name == "unreachable")
    #expect(run.interruptions == ["unreachable", "unreachable"])
  }

  /// Signed targets expire, so every attempt begins where the first one did.
  @Test("reconnecting begins at the first target") func redirectsAreFollowedAnew() throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/x" { return exchange.redirect(to: "/signed?\((exchange.requestNumber + 1) / 2)") }
      Self.resource.respond(to: exchange, .dropping(after: 30_000))
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder) { $0.retryLimit = 1 }
    #expect(server.requests.prefix(4).map(\.target) == ["/x", "/signed?1", "/x", "/signed?2"])
    #expect(server.requests.allSatisfy { $0.field("Range") == nil }, "a validator names nothing elsewhere")
    #expect(run.name == "connectionLost", "compared as far as it came, which is no progress")
    #expect(folder.content(of: "signed.part") == Self.resource.content(in: 0..<30_000))
  }

  @Test func aStableRedirectIsContinuedAtItsEnd() throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/x" { return exchange.redirect(to: "/y") }
      Self.resource.respond(to: exchange, .dropping(after: 20_000))
    }
    defer { server.stop() }
    #expect(try Run(server.uri("/x"), in: folder).name == "complete")
    let asked = server.requests.map { "\($0.target) \($0.field("Range") ?? "-")" }
    #expect(asked == ["/x -", "/y -", "/x -", "/y bytes=20000-", "/x -", "/y bytes=40000-"])
    #expect(folder.content(of: "y") == Self.resource.content)
  }
}
