import LoopbackServer
import Testing

/// `--retry-max-time`: after it no further attempt begins, whatever the budget of attempts.
struct RetryTimeTests {
  @Test func endsAttemptsThatWouldGoOn() throws {
    let server = try LoopbackServer { $0.reset() }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "999999", "--retry-max-time", "0.2", server.uri("/file.bin")])
    try run.expect(.network, leaving: [:], "else it would go on for days")
    #expect(server.requests.count > 1, "there was time for more than one")
  }

  @Test func isNoLimitForOneAttempt() throws {
    let resource = Rerun.resource
    let server = try LoopbackServer { exchange in
      if exchange.requestNumber == 1 {
        resource.respond(to: exchange, .dropping(after: Rerun.kept))
      } else {
        resource.respond(to: exchange)
      }
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry-max-time", "60", server.uri("/file.bin")])
    try run.expect(.ok, leaving: ["file.bin": Summary(resource.bytes)], "a drop within it is continued")
  }
}
