import LoopbackServer
import Testing

@testable import RawGet

/// Redirects and their connections (RFC 9112 §9.3): used again where the message allows it, given up where it costs
/// more than a new one.
struct ReuseTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// How the redirect is answered, and how many connections it takes in all.
  struct Row: Sendable, CustomTestStringConvertible {
    let because: String
    let connections: Int
    let script: @Sendable (ServerExchange, Stall) -> Void
    var testDescription: String { because }

    init(_ because: String, _ connections: Int, _ script: @escaping @Sendable (ServerExchange, Stall) -> Void) {
      self.because = because
      self.connections = connections
      self.script = script
    }
  }

  private static let head = "HTTP/1.1 302 Found\r\nLocation: /y\r\n"

  private static func sent(_ text: String) -> @Sendable (ServerExchange, Stall) -> Void {
    { exchange, _ in
      exchange.send(head + text)
      exchange.keepOpen()
    }
  }

  static let rows = [
    Row("content of known length is read past", 1, sent("Content-Length: 5\r\n\r\nhello")),
    Row("no content", 1, sent("Content-Length: 0\r\n\r\n")),
    Row("chunked content, too", 1, sent("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")),
    Row("up to the bound", 1, sent("Content-Length: 65536\r\n\r\n" + String(repeating: "x", count: 65_536))),
    Row("and no further", 2, sent("Content-Length: 65537\r\n\r\n" + String(repeating: "x", count: 65_537))),
    Row("though it never came", 2, sent("Content-Length: 9000000000000\r\n\r\n")),
    Row(
      "chunked beyond the bound", 2,
      sent("Transfer-Encoding: chunked\r\n\r\n10001\r\n" + String(repeating: "x", count: 65_537) + "\r\n0\r\n\r\n")),
    Row("the server closes", 2, sent("Content-Length: 5\r\nConnection: close\r\n\r\nhello")),
    Row("surplus bytes", 2, sent("Content-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")),
    Row("Content-Length besides chunked", 2, sent("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n")),
    Row("content until the close", 2) { exchange, _ in exchange.send(head + "\r\nhello") },
    Row("HTTP/1.0", 2) { exchange, _ in
      exchange.send("HTTP/1.0 302 Found\r\nLocation: /y\r\nContent-Length: 0\r\n\r\n")
      exchange.keepOpen()
    },
    Row("HTTP/1.0 that keeps alive", 1) { exchange, _ in
      exchange.send("HTTP/1.0 302 Found\r\nLocation: /y\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n")
      exchange.keepOpen()
    },
    Row("its content breaks off", 2) { exchange, _ in
      exchange.send(head + "Content-Length: 9\r\n\r\nhello")
      exchange.close()
    },
    Row("its content is broken", 2, sent("Transfer-Encoding: chunked\r\n\r\nnonsense\r\n")),
    Row("its content is reset", 2) { exchange, _ in
      exchange.send(head + "Content-Length: 9\r\n\r\nhello")
      exchange.reset()
    },
    Row("its content never ends", 2) { exchange, stall in
      exchange.send(head + "Content-Length: 9\r\n\r\nhello")
      exchange.stall(stall)
    },
    Row("closed once it was read", 2) { exchange, _ in
      exchange.send(head + "Content-Length: 5\r\n\r\nhello")
      exchange.close()
    },
  ]

  @Test(arguments: rows) func aRedirect(_ row: Row) throws {
    let stall = Stall()
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/x" { return row.script(exchange, stall) }
      exchange.reply("200 OK", text: "good")
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder, stall: stall) { $0.retryLimit = 0 }
    #expect(run.name == "complete", "where it leads is known: how its content ends is of no interest")
    #expect(folder.content(of: "y") == Content("good"))
    #expect(server.connectionCount == row.connections)
    #expect(server.requests.map(\.target) == ["/x", "/y"])
  }

  /// One receive takes exactly the redirect; what lies behind it is still in the system's buffer.
  @Test func surplusThatWasNotReceivedYet() throws {
    let redirect = Self.head + "Content-Length: 49\r\n\r\n" + String(repeating: "x", count: 49)
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/y" { return exchange.reply("200 OK", text: "good") }
      exchange.send(redirect + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
      exchange.keepOpen()
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder) { $0.rateLimit = Int64(redirect.utf8.count) * 20 }
    #expect(run.name == "complete")
    #expect(folder.content(of: "y") == Content("good"), "RFC 9112 §9.2: unasked bytes answer nothing")
    #expect(server.connectionCount == 2)
  }

  /// A content that nobody wants is waited for a little, not for as long as content that someone does.
  @Test func aSlowRedirectIsLeft() throws {
    let stall = Stall()
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/y" { return exchange.reply("200 OK", text: "good") }
      exchange.send(Self.head + "Content-Length: 9\r\n\r\nhello")
      exchange.stall(stall)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder, stall: stall) { $0.retryLimit = 0 }
    #expect(run.name == "complete")
    #expect(run.skips == [Attempt.drainTime])
  }

  // MARK: A reused connection that is dead

  enum Death: Sendable, CaseIterable { case close, reset, stall }

  @Test("RFC 9112 §9.3.1: the request is sent again, once, and no attempt is counted", arguments: Death.allCases)
  func diesUnderTheRequest(_ death: Death) throws {
    let stall = Stall()
    let server = try LoopbackServer { exchange in
      if exchange.requestNumber == 1 { return exchange.redirect(to: "/y") }
      guard exchange.connectionNumber == 1 else { return exchange.reply("200 OK", text: "good") }
      switch death {
      case .close: exchange.close()
      case .reset: exchange.reset()
      case .stall: exchange.stall(stall)
      }
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder, stall: stall) { $0.retryLimit = 0 }
    #expect(run.name == "complete")
    #expect(run.interruptions == [])
    #expect(server.requests.map(\.target) == ["/x", "/y", "/y"])
    #expect(server.requests.map(\.connection) == [1, 1, 2])
  }

  @Test func onANewConnectionItIsAFailure() throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/x" { return exchange.redirect(to: "/y") }
      exchange.close()
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder) { $0.retryLimit = 0 }
    #expect(run.name == "protocolViolation.noResponse")
    #expect(server.requests.map(\.target) == ["/x", "/y", "/y"], "no more than once")
  }

  @Test func onceItHasBegunItIsAFailureToo() throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/x" { return exchange.redirect(to: "/y") }
      exchange.send("HTTP/1.1 200")
      exchange.close()
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder) { $0.retryLimit = 0 }
    #expect(run.name == "protocolViolation.incompleteHead")
    #expect(server.requests.count == 2)
  }

  // MARK: Origins and chains

  @Test("S0-21 T4: secrets stay at their origin") func anotherOrigin() throws {
    let other = try LoopbackServer { exchange in
      if exchange.request.target == "/back" { return exchange.redirect(to: exchange.request.field("X-Back") ?? "/y") }
      exchange.reply("200 OK", text: "good")
    }
    defer { other.stop() }
    let target = other.uri("/y")
    let server = try LoopbackServer { exchange in
      exchange.redirect(to: exchange.request.target == "/x" ? "/x2" : target)
    }
    defer { server.stop() }
    let uri = "http://me:own@127.0.0.1:\(server.port)/x"
    let run = try Run(uri, to: folder.destination, in: folder) { request, _ in
      request.fields = ["Cookie: a", "X-Token: b", "Accept: text/plain"].compactMap {
        CallerField(text: Array($0.utf8))
      }
    }
    #expect(run.name == "complete")
    #expect(
      server.requests.map { $0.field("Authorization") } == ["Basic bWU6b3du", "Basic bWU6b3du"], "at home all of it")
    #expect(server.requests.allSatisfy { $0.field("Cookie") == "a" && $0.field("X-Token") == "b" })
    let request = try #require(other.requests.first)
    #expect(["Authorization", "Cookie", "X-Token"].allSatisfy { request.values($0).isEmpty }, "elsewhere nothing")
    #expect(request.field("Accept") == "text/plain")
    #expect(!String(decoding: request.head, as: UTF8.self).contains("own"))
  }

  @Test(arguments: [20, 21]) func aChainHasABound(_ length: Int) throws {
    let server = try LoopbackServer { exchange in
      let number = Int(exchange.request.target.dropFirst()) ?? 0
      if number < length { return exchange.redirect(to: "/\(number + 1)") }
      exchange.reply("200 OK", text: "good")
    }
    defer { server.stop() }
    let run = try Run(server.uri("/0"), in: folder)
    #expect(run.name == (length == 20 ? "complete" : "redirection.tooMany"))
    #expect(server.connectionCount == 1)
    #expect(server.requests.count == 21)
  }

  @Test func aLoopEnds() throws {
    let server = try LoopbackServer { $0.redirect(to: "/x") }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder)
    #expect(run.name == "redirection.tooMany")
    #expect(run.result.failure?.exitCode == 15)
    #expect(try folder.names == [])
  }
}
