import LoopbackServer
import Testing

/// The status decides (S2-6, T4), and only a good response creates a file (S2-1).
struct StatusTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let status: String
    var fields: [String] = []
    let exit: ExitCode
    var testDescription: String { "\(status): \(exit)" }
  }

  static let rows = [
    Row(status: "400 Bad Request", exit: .server),
    Row(status: "401 Unauthorized", fields: ["WWW-Authenticate: Basic realm=\"x\""], exit: .authorization),
    Row(status: "403 Forbidden", exit: .server),
    Row(status: "404 Not Found", exit: .server),
    Row(status: "405 Method Not Allowed", fields: ["Allow: POST"], exit: .server),
    Row(status: "407 Proxy Authentication Required", exit: .authorization),
    Row(status: "410 Gone", exit: .server),
    Row(status: "416 Range Not Satisfiable", fields: ["Content-Range: bytes */0"], exit: .server),
    Row(status: "429 Too Many Requests", exit: .server),
    Row(status: "451 Unavailable For Legal Reasons", exit: .server),
    Row(status: "500 Internal Server Error", exit: .server),
    Row(status: "501 Not Implemented", exit: .server),
    Row(status: "503 Service Unavailable", exit: .server),
    Row(status: "599 Own", exit: .server),
  ]

  @Test(arguments: rows) func anErrorLeavesNothing(_ row: Row) throws {
    let server = try LoopbackServer { $0.reply(row.status, row.fields, text: "an error page") }
    defer { server.stop() }
    for name in [[], ["-o", "other.bin"]] {
      let run = try Command.run(["-q", "--retry", "0"] + name + [server.uri("/file.bin")])
      try run.expect(row.exit, leaving: [:], "S2-1 \(row.status)")
    }
  }

  @Test func anErrorGoesNowhereNearStandardOutput() throws {
    let server = try LoopbackServer { $0.reply("404 Not Found", text: "an error page") }
    defer { server.stop() }
    let run = try Command.run(["-q", "-o", "-", server.uri("/file.bin")])
    try run.expect(.server, leaving: [:], "T4")
    #expect(run.standardOutput.isEmpty)
  }

  @Test func anotherSuccessIsContentToo() throws {
    let server = try LoopbackServer { $0.reply("203 Non-Authoritative Information", text: "hello") }
    defer { server.stop() }
    try Command.run(["-q", server.uri("/file.bin")]).expect(.ok, leaving: ["file.bin": Summary("hello")])
  }

  // MARK: Retries

  static let transient = [
    "408 Request Timeout", "425 Too Early", "429 Too Many Requests", "500 Internal Server Error",
    "502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout",
  ]

  @Test(arguments: transient) func isTriedAgain(_ status: String) throws {
    let server = try LoopbackServer { exchange in
      if exchange.requestNumber == 1 {
        exchange.reply(status, ["Retry-After: 0"], text: "later")
      } else {
        exchange.reply("200 OK", text: "hello")
      }
    }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/file.bin")])
    try run.expect(.ok, leaving: ["file.bin": Summary("hello")], status)
    #expect(server.requests.count == 2)
  }

  @Test(arguments: ["401 Unauthorized", "403 Forbidden", "404 Not Found", "410 Gone"])
  func isFinal(_ status: String) throws {
    let server = try LoopbackServer { $0.reply(status, text: "no") }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/file.bin")])
    #expect(run.ending != .exited(0))
    #expect(server.requests.count == 1, "\(status) is not retried")
  }

  @Test func theRetryBudgetIsKept() throws {
    let server = try LoopbackServer { $0.reply("503 Service Unavailable", ["Retry-After: 0"]) }
    defer { server.stop() }
    try Command.run(["-q", "--retry", "2", server.uri("/file.bin")]).expect(.server)
    #expect(server.requests.count == 3, "one attempt and two more")
  }

  @Test func aConnectionThatDiesBeforeTheHeadIsTriedAgain() throws {
    let server = try LoopbackServer { exchange in
      switch exchange.requestNumber {
      case 1: exchange.reset()
      case 2: exchange.close()
      default: exchange.reply("200 OK", text: "hello")
      }
    }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/file.bin")])
    try run.expect(.ok, leaving: ["file.bin": Summary("hello")])
  }
}
