import LoopbackServer
import Posix
import Testing

@testable import RawGet

/// Every wait has its deadline, and it fires exactly then (docs/PROMISES.md, 6).
struct TimeoutTests {
  private let folder: Folder
  private let stall = Stall()

  init() throws { folder = try Folder() }

  struct Row: Sendable {
    let sent: String
    var change: @Sendable (inout Timeouts) -> Void = { _ in }
    let after: Duration
    let name: String
    let because: String
  }

  static let rows = [
    Row(sent: "", after: .seconds(30), name: "timedOut.response", because: "S4-6: 30 s of silence"),
    Row(
      sent: "", change: { $0.idle = .seconds(90) }, after: .seconds(60), name: "timedOut.response",
      because: "60 s for the whole head"),
    Row(sent: "HTTP/1.1 200", after: .seconds(30), name: "timedOut.response", because: "in a head"),
    Row(
      sent: "HTTP/1.1 200 OK\r\n\r\nhello", after: .seconds(30), name: "timedOut.content", because: "S4-6: in content"),
    Row(
      sent: "HTTP/1.1 200 OK\r\n\r\nhello", change: { $0.response = .seconds(1) }, after: .seconds(30),
      name: "timedOut.content", because: "the head's bound ends with it"),
    Row(
      sent: "HTTP/1.1 200 OK\r\n\r\nhello", change: { $0.idle = .milliseconds(1) }, after: .milliseconds(1),
      name: "timedOut.content", because: "as short as one likes"),
  ]

  /// A download in its first silence; nil if it ended before.
  private func silence(_ download: inout Download, _ driver: inout Driver) -> Instant? {
    while true {
      switch driver.run(&download) {
      case .event, .kept: continue
      case .stalled(let until): return until
      case .resting(let until): driver.skip(to: until)
      case .finished(let result):
        Issue.record("\(result)")
        return nil
      }
    }
  }

  @Test(arguments: rows) func silenceHasAnEnd(_ row: Row) throws {
    let stall = stall
    let server = try LoopbackServer { exchange in
      exchange.send(row.sent)
      exchange.stall(stall)
    }
    defer { server.stop() }
    var (request, options) = try Run.prepared(server.uri("/x"), folder.destination)
    row.change(&options.timeouts)
    options.retryLimit = 0
    request.fields = []
    var download = Download(request, options)
    var driver = Driver(stall: stall)
    let begun = driver.now
    let until = try #require(silence(&download, &driver))
    #expect(until - begun == row.after, "\(row.because)")

    driver.skip(to: Instant(nanoseconds: until.nanoseconds - 1))
    stall.raise()
    #expect(silence(&download, &driver) == until, "not a nanosecond too early: \(row.because)")
    driver.skip(to: until)
    #expect(driver.finish(&download).name == row.name, "\(row.because)")
  }

  /// S0-11: a byte now and then does not stretch the time for a head.
  @Test func aHeadThatDripsHasAnEnd() throws {
    let stall = stall
    let gates = (0..<3).map { _ in Gate() }
    let server = try LoopbackServer { exchange in
      for (gate, text) in zip(gates, ["HTTP/1.1 ", "200 OK\r\n", "X: y\r\n"]) {
        exchange.send(text)
        exchange.awaitDelivery()
        stall.raise()
        exchange.wait(at: gate)
      }
      exchange.stall(stall)
    }
    defer { server.stop() }
    var (request, options) = try Run.prepared(server.uri("/x"), folder.destination)
    options.retryLimit = 0
    request.fields = []
    var download = Download(request, options)
    var driver = Driver(stall: stall)
    let begun = driver.now
    var deadlines: [Duration] = []
    for gate in gates {
      deadlines.append(try #require(silence(&download, &driver)) - begun)
      driver.skip(to: driver.now + .seconds(20))
      gate.open()
    }
    #expect(deadlines == [.seconds(30), .seconds(50), .seconds(60)], "30 s after each byte, 60 s for all")
    #expect(driver.finish(&download).name == "timedOut.response")
  }

  /// Only bytes count: content that drips is never cut off.
  @Test("S4-6") func contentThatDripsGoesOn() throws {
    let stall = stall
    let gates = (0..<5).map { _ in Gate() }
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
      for gate in gates {
        exchange.awaitDelivery()
        stall.raise()
        exchange.wait(at: gate)
        exchange.send("x")
      }
    }
    defer { server.stop() }
    let (request, options) = try Run.prepared(server.uri("/x"), folder.destination)
    var download = Download(request, options)
    var driver = Driver(stall: stall)
    for gate in gates {
      let until = try #require(silence(&download, &driver))
      #expect(until - driver.now == .seconds(30))
      driver.skip(to: Instant(nanoseconds: until.nanoseconds - 1))
      gate.open()
    }
    #expect(driver.finish(&download).name == "complete")
    #expect(folder.content(of: "x") == Content("xxxxx"))
  }

  // MARK: The bound for everything

  static let placesOfTheLimit = ["connecting", "waiting for the head", "in content", "pausing"]

  @Test("timeLimit, wherever it comes", arguments: placesOfTheLimit) func theLimitForAll(_ place: String) throws {
    let stall = stall
    let silent = try SilentPort()
    let server = try LoopbackServer { exchange in
      switch place {
      case "in content": exchange.send("HTTP/1.1 200 OK\r\n\r\nhello")
      case "pausing": return exchange.reply("503 Busy", ["Retry-After: 100"], text: "no")
      default: break
      }
      exchange.stall(stall)
    }
    defer { server.stop() }
    let isConnecting = place == "connecting"
    if isConnecting { stall.raise(times: 50) }
    let uri = isConnecting ? "http://127.0.0.1:\(silent.port)/x" : server.uri("/x")
    let run = try Run(uri, in: folder, stall: stall) { $0.timeouts.total = .seconds(12) }
    #expect(run.name == "timeLimit")
    #expect(run.result.failure?.exitCode == 15)
    let skipped = run.skips.reduce(.zero, +)
    #expect(skipped >= .seconds(12) && skipped < .seconds(13), "no wait beyond it: \(skipped)")
    #expect(try folder.namesWithoutRecords == (place == "in content" ? ["x.part"] : []))
  }

  @Test("S0-11: 5 s for an address that is silent, then again after a pause") func aSilentAddress() throws {
    let silent = try SilentPort()
    stall.raise(times: 2)
    let run = try Run("http://127.0.0.1:\(silent.port)/x", in: folder, stall: stall) { $0.retryLimit = 1 }
    #expect(run.name == "timedOut.connection")
    #expect(run.skips.count == 3 && run.skips[0] == .seconds(5) && run.skips[2] == .seconds(5))
  }

  // MARK: A rate

  @Test func aRateIsKept() throws {
    let resource = Resource(length: 100_000, seed: 2)
    let server = try LoopbackServer { resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder) { $0.rateLimit = 10_000 }
    #expect(run.name == "complete")
    #expect(folder.content(of: "x") == resource.content)
    let skipped = run.skips.reduce(.zero, +)
    #expect(skipped > .seconds(9) && skipped < .seconds(11), "100,000 bytes at 10,000 in a second: \(skipped)")
  }
}
