import LoopbackServer
import Testing

/// Secrets stay at their origin (RFC 9110 §4.2.4, §15.4): another port is another origin.
struct CredentialTests {
  /// The options, the field that carries the secret to the first origin, and what it says there.
  static let secrets: [([String], String, String)] = [
    (["-H", "Authorization: Bearer t0ken"], "Authorization", "Bearer t0ken"),
    (["-H", "authorization:Bearer t0ken"], "Authorization", "Bearer t0ken"),
    (["-H", "Cookie: id=t0ken"], "Cookie", "id=t0ken"),
  ]

  @Test(arguments: secrets)
  func staysAtItsOrigin(_ row: (options: [String], field: String, value: String)) throws {
    let (first, other) = try pair()
    defer {
      first.stop()
      other.stop()
    }
    let run = try Command.run(["-q", "-o", "file"] + row.options + [first.uri("/start")])
    try run.expect(.ok, leaving: ["file": Summary("hello")], "S0-21")
    #expect(first.requests.map { $0.field(row.field) } == [row.value, row.value], "sent to its origin, moved or not")
    #expect(other.requests.count == 1)
    #expect(other.requests.allSatisfy { !$0.description.contains("t0ken") }, "and nowhere else")
  }

  @Test func userinfoBecomesAuthorization() throws {
    let (first, other) = try pair()
    defer {
      first.stop()
      other.stop()
    }
    let uri = "http://us%65r:p%40ss:w%C3%B6rd@127.0.0.1:\(first.port)/start"
    let run = try Command.run(["-q", "-o", "file", uri])
    try run.expect(.ok, leaving: ["file": Summary("hello")])
    let basic = "Basic dXNlcjpwQHNzOnfDtnJk"  // user:p@ss:wörd (RFC 7617 §2)
    #expect(first.requests.map { $0.field("Authorization") } == [basic, basic])
    #expect(first.requests.allSatisfy { $0.field("Host") == "127.0.0.1:\(first.port)" }, "no userinfo in Host")
    #expect(other.requests.allSatisfy { $0.values("Authorization").isEmpty })
    #expect((first.requests + other.requests).allSatisfy { $0.values("Referer").isEmpty })
  }

  @Test(arguments: [["-v"], ["-v", "-H", "Cookie: id=s3cret"]])
  func noSecretIsShown(_ options: [String]) throws {
    let server = try LoopbackServer { $0.reply("404 Not Found") }
    defer { server.stop() }
    let uri = "http://user:s3cret@127.0.0.1:\(server.port)/file"
    let run = try Command.run(options + [uri])
    #expect(run.ending == .exited(ExitCode.server.rawValue))
    #expect(!run.standardError.isEmpty)
    #expect(!run.standardError.contains("s3cret"), "S1-11 masked: \(run.standardError)")
    #expect(!run.standardError.contains("dXNlcjpzM2NyZXQ"), "nor in Basic form")
  }

  @Test func anotherFieldGoesAlong() throws {
    let (first, other) = try pair()
    defer {
      first.stop()
      other.stop()
    }
    let run = try Command.run(["-q", "-o", "file", "-H", "X-Reason: test", first.uri("/start")])
    try run.expect(.ok, leaving: ["file": Summary("hello")])
    #expect(first.requests.allSatisfy { $0.field("X-Reason") == "test" }, "S0-21")
  }

  /// The first origin moves once within itself, then to the other.
  private func pair() throws -> (LoopbackServer, LoopbackServer) {
    let other = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    let elsewhere = other.uri("/end")
    let first = try LoopbackServer { $0.redirect(to: $0.request.target == "/start" ? "/next" : elsewhere) }
    return (first, other)
  }
}
