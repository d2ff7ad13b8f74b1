import LoopbackServer
import Testing

@testable import RawGet

/// The embedder's word about a response, before anything of it is kept (docs/EMBEDDING.md).
struct ResponseGateTests {
  private static let resource = Resource(length: 300_000, seed: 35)
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func run(
    _ uri: String, _ change: (inout DownloadRequest, inout DownloadOptions) -> Void
  ) throws -> DownloadResult {
    var (request, options) = try Run.prepared(uri, folder.destination)
    change(&request, &options)
    return Download(request, options).run()
  }

  @Test func itSeesTheResponse() throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/a" { return exchange.redirect(to: "/b") }
      var conduct = Conduct.correct
      conduct.fields = ["X-Twice: 1", "x-twice:  2 "]
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let seen = Guarded<[DownloadResponse]>([])
    let result = try run(server.uri("/a")) { _, options in
      options.allowsResponse = { response in
        seen.withLock { $0.append(response) }
        return true
      }
    }
    #expect(result.name == "complete")
    #expect(folder.content(of: "b") == Self.resource.content)
    let responses = seen.withLock { $0 }
    #expect(responses.count == 1, "a redirect is followed, not kept")
    let response = try #require(responses.first)
    #expect(response.status == 200 && response.completeLength == 300_000)
    #expect(response.finalTarget.requestTarget == Array("/b".utf8))
    #expect(response.field("content-TYPE") == Array("application/octet-stream".utf8))
    #expect(response.field("X-Nothing") == nil && response.fields("X-Nothing") == [])
    #expect(response.fields("X-Twice") == [Array("1".utf8), Array("2".utf8)])
  }

  /// Nothing is made, not even a directory, and nothing is asked again.
  @Test(arguments: [ConnectionChoice.exactly(1), .exactly(4)], [false, true])
  func aRefusalLeavesNothing(_ connections: ConnectionChoice, _ hasRanges: Bool) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let failure = try run(server.uri("/x")) { request, options in
      request.destination = .directory(folder.path + "/new")
      if hasRanges { request.ranges = WantedRanges(text: Array("5-9,20-29".utf8)) }
      options.createsDirectories = true
      options.connections = connections
      options.allowsResponse = { $0.status == 404 }
    }.failure
    #expect(failure?.error.code == "not-allowed" && failure?.exitCode == 1)
    #expect(failure?.kept == 0 && failure?.partPath == nil)
    #expect(try folder.names == [])
    #expect(OpenDescriptors.names(in: folder) == [])
    #expect(server.requests.count == 1)
  }

  @Test func whatIsHereStaysAsItIs() throws {
    let server = try LoopbackServer { exchange in
      Self.resource.respond(to: exchange, exchange.requestNumber == 1 ? .dropping(after: 100_000) : .correct)
    }
    defer { server.stop() }
    #expect(try run(server.uri("/x")) { $1.retryLimit = 0 }.failure?.kept == 100_000)
    let before = try folder.names
    let failure = try run(server.uri("/x")) { _, options in options.allowsResponse = { $0.status != 206 } }.failure
    #expect(failure?.error.code == "not-allowed" && failure?.kept == 100_000 && failure?.isResumable == true)
    #expect(folder.content(of: "x.part") == Self.resource.content(in: 0..<100_000))
    #expect(try folder.names == before)
  }

  /// What goes on with the same representation is not asked about; another one is.
  @Test(arguments: [false, true]) func oncePerRepresentation(_ changes: Bool) throws {
    let second = changes ? Self.resource.changed() : Self.resource
    let server = try LoopbackServer(dropping: Self.resource, after: 100_000) { second.respond(to: $0) }
    defer { server.stop() }
    let tags = Guarded<[String]>([])
    let result = try run(server.uri("/x")) { _, options in
      options.allowsResponse = { response in
        tags.withLock { $0.append(String(decoding: response.field("ETag") ?? [], as: UTF8.self)) }
        return true
      }
    }
    #expect(result.name == "complete")
    #expect(folder.content(of: "x") == second.content)
    #expect(tags.withLock { $0 } == (changes ? ["\"first\"", "\"first-changed\""] : ["\"first\""]))
  }
}
