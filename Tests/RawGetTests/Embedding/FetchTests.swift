import Foundation
import LoopbackServer
import Testing

@testable import RawGet

/// Small questions, answered in memory whatever the status (docs/EMBEDDING.md).
struct FetchTests {
  private static let resource = Resource(length: 100_000, seed: 37)

  private func ask(
    _ uri: String, _ method: FetchRequest.Method = .get, _ control: DownloadControl = DownloadControl(),
    _ change: (inout FetchRequest) -> Void = { _ in }
  ) throws -> FetchResponse {
    let (download, options) = try Run.prepared(uri, .memory(limit: 0))
    var request = FetchRequest(method, download.target)
    change(&request)
    return try fetch(request, options, control)
  }

  /// The code of the error; nil for an answer.
  private func failure(_ body: () throws -> FetchResponse) -> String? {
    do { _ = try body() } catch { return (error as? DownloadError)?.code ?? "\(error)" }
    return nil
  }

  @Test(arguments: transports) func theAnswer(_ isSecure: Bool) throws {
    let tls = isSecure ? try ServerTLS(TestAuthority.shared().good) : nil
    let server = try LoopbackServer(tls: tls) { exchange in
      if exchange.request.target == "/a" { return exchange.redirect(to: "/b") }
      Self.resource.respond(to: exchange)
    }
    defer { server.stop() }
    let answer = try ask(server.uri("/a"))
    #expect(answer.status == 200 && Content(answer.content) == Self.resource.content)
    #expect(answer.finalTarget.requestTarget == Array("/b".utf8))
    #expect(answer.field("etag") == Array("\"first\"".utf8))
  }

  @Test(arguments: [400, 404, 410, 416, 500, 503]) func everyStatusIsAnAnswer(_ status: Int) throws {
    let server = try LoopbackServer { $0.reply("\(status) Whatever", ["X-Y: z"], text: "why: \(status)") }
    defer { server.stop() }
    let answer = try ask(server.uri("/x"))
    #expect(answer.status == status && answer.content == Array("why: \(status)".utf8))
    #expect(answer.fields("x-y") == [Array("z".utf8)])
    #expect(server.requests.count == 1, "nothing is tried again")
  }

  @Test func aHeadHasNoContent() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let answer = try ask(server.uri("/x"), .head) { $0.contentLimit = 0 }
    #expect(answer.status == 200 && answer.content == [])
    #expect(answer.field("Content-Length") == Array("100000".utf8))
    #expect(server.requests.map(\.method) == ["HEAD"])
  }

  @Test func aPostBringsItsContent() throws {
    let server = try LoopbackServer { exchange in
      let content = exchange.readContent()
      exchange.reply("201 Created", content: exchange.request.method == "POST" ? content.reversed() : [])
    }
    defer { server.stop() }
    let answer = try ask(server.uri("/x"), .post) { request in
      request.content = Array("abc".utf8)
      request.fields = [CallerField(text: Array("Content-Type: text/plain".utf8))].compactMap { $0 }
    }
    #expect(answer.status == 201 && answer.content == Array("cba".utf8))
    #expect(server.requests.first?.field("Content-Type") == "text/plain")
    #expect(server.requests.first?.field("Content-Length") == "3")
  }

  @Test(arguments: [Conduct.Framing.contentLength, .chunked, .untilClose])
  func theBound(_ framing: Conduct.Framing) throws {
    let server = try LoopbackServer { exchange in
      var conduct = Conduct.correct
      conduct.framing = framing
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    #expect(failure { try ask(server.uri("/x")) { $0.contentLimit = 99_999 } } == "too-large")
    #expect(failure { try ask(server.uri("/x")) { $0.contentLimit = 0 } } == "too-large")
    #expect(try ask(server.uri("/x")) { $0.contentLimit = 100_000 }.content.count == 100_000)
  }

  /// Half an answer is none.
  @Test func aCutAnswer() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0, .dropping(after: 50_000, .close)) }
    defer { server.stop() }
    #expect(failure { try ask(server.uri("/x")) } == "incomplete")
  }

  @Test(arguments: [true, false]) func endedFromOutside(_ isCancel: Bool) throws {
    let control = DownloadControl()
    let server = try LoopbackServer { exchange in
      if isCancel { control.cancel() } else { control.pause() }
      exchange.stall()
    }
    defer { server.stop() }
    let code = isCancel ? "cancelled" : "paused"
    #expect(failure { try ask(server.uri("/x"), .get, control) } == code)
    #expect(failure { try ask(server.uri("/x"), .get, control) } == code, "before anything is asked")
    #expect(server.requests.count == 1)
  }

  @Test func connectionsAreUsedAgain() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let target = try TargetURI(text: Array(server.uri("/x").utf8))
    var fetcher = try Fetcher()
    for _ in 0..<3 { #expect(try fetcher.fetch(FetchRequest(.get, target)).content == Array("hello".utf8)) }
    #expect(server.connectionCount == 1 && server.requests.count == 3)
  }
}
