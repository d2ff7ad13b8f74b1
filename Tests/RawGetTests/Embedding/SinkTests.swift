import LoopbackServer
import Testing

@testable import RawGet

/// Memory with a bound, and a closure over what comes (docs/EMBEDDING.md).
struct SinkTests {
  private static let resource = Resource(length: 300_000, seed: 33)

  private func run(
    _ server: LoopbackServer, to destination: Destination, _ change: (inout DownloadOptions) -> Void = { _ in }
  ) throws -> DownloadResult {
    var (request, options) = try Run.prepared(server.uri("/x"), destination)
    change(&options)
    return Download(request, options).run()
  }

  // MARK: Memory

  @Test(arguments: [Conduct.Framing.contentLength, .chunked, .untilClose], transports)
  func memoryHasItAll(_ framing: Conduct.Framing, _ isSecure: Bool) throws {
    let tls = isSecure ? try ServerTLS(TestAuthority.shared().good) : nil
    let server = try LoopbackServer(tls: tls) { exchange in
      var conduct = Conduct.correct
      conduct.framing = framing
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let summary = try run(server, to: .memory(limit: 300_000)).summary
    #expect(summary?.content.map { Content($0) } == Self.resource.content)
    #expect(summary?.path == nil && summary?.length == 300_000)
  }

  /// Told by the head, or found out by the first byte too much.
  @Test(arguments: [Conduct.Framing.contentLength, .chunked, .untilClose], [0, 1, 65_536, 299_999] as [Int64])
  func memoryHasABound(_ framing: Conduct.Framing, _ limit: Int64) throws {
    let server = try LoopbackServer { exchange in
      var conduct = Conduct.correct
      conduct.framing = framing
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let failure = try run(server, to: .memory(limit: limit)).failure
    #expect(failure?.error.code == "too-large" && failure?.exitCode == 15)
    #expect(failure?.kept == 0 && failure?.isResumable == false)
    #expect(server.requests.count == 1, "it is as large the next time")
  }

  /// No memory can have that much, and none is taken for a word.
  @Test func memoryIsNotTakenForAWord() throws {
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nsome")
    }
    defer { server.stop() }
    let failure = try run(server, to: .memory(limit: .max)) { $0.retryLimit = 0 }.failure
    #expect(failure?.error.code == "incomplete")
  }

  @Test func theSmallerBoundCounts() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    #expect(try run(server, to: .memory(limit: 400_000)) { $0.lengthLimit = 299_999 }.name.hasPrefix("tooLarge"))
    #expect(try run(server, to: .memory(limit: 299_999)) { $0.lengthLimit = 400_000 }.name.hasPrefix("tooLarge"))
  }

  struct Server: Sendable {
    let because: String
    var entityTag: String? = "\"first\""
    var conduct = Conduct.correct
  }
  /// What comes after a drop at 100,000 bytes. Memory can be compared, so nothing has to be proven by a validator.
  static let servers = [
    Server(because: "the rest, proven by the validator"),
    Server(because: "no validator: the whole, compared", entityTag: nil),
    Server(
      because: "ranges are ignored",
      conduct: {
        var conduct = Conduct.correct
        conduct.ignoresRange = true
        return conduct
      }()),
    Server(
      because: "ranges are answered wrongly",
      conduct: {
        var conduct = Conduct.correct
        conduct.contentRange = "bytes 1-2/3"
        return conduct
      }()),
  ]

  @Test(arguments: 0..<servers.count) func memoryGoesOn(_ number: Int) throws {
    let row = Self.servers[number]
    var resource = Self.resource
    resource.entityTag = row.entityTag
    if row.entityTag == nil { resource.lastModified = nil }
    let served = resource
    let server = try LoopbackServer(dropping: resource, after: 100_000) { exchange in
      var conduct = row.conduct
      if exchange.request.field("Range") == nil { conduct.contentRange = nil }
      served.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let summary = try run(server, to: .memory(limit: 300_000)) { $0.checksum = Checksum(of: served) }.summary
    #expect(summary?.content.map { Content($0) } == resource.content, "\(row.because)")
    #expect(summary?.digest != nil || !RawGetVersion.hasTLS)
  }

  /// Never a mix: what differs begins anew, and the digest is that of what is there in the end.
  @Test func memoryIsOfOneRepresentation() throws {
    let changed = Self.resource.changed()
    let server = try LoopbackServer(dropping: Self.resource, after: 100_000) { changed.respond(to: $0) }
    defer { server.stop() }
    let summary = try run(server, to: .memory(limit: 300_000)) { $0.checksum = Checksum(of: changed) }.summary
    #expect(summary?.content.map { Content($0) } == changed.content)
  }

  // MARK: A closure

  /// What a receiver was given.
  private final class Taken: Sendable {
    let bytes = Guarded<[UInt8]>([])

    func append(_ content: Span<UInt8>) {
      bytes.withLock { bytes in
        for index in content.indices { bytes.append(content[index]) }
      }
    }
    var content: Content { Content(bytes.withLock { $0 }) }
  }

  @Test(arguments: transports, [ConnectionChoice.exactly(1), .exactly(4)])
  func everyByteOnceInOrder(_ isSecure: Bool, _ connections: ConnectionChoice) throws {
    let tls = isSecure ? try ServerTLS(TestAuthority.shared().good) : nil
    let server = try LoopbackServer(tls: tls) { exchange in
      let isGood = exchange.requestNumber > 12
      Self.resource.respond(to: exchange, isGood ? .correct : .dropping(after: Int64(exchange.requestNumber) * 4_321))
    }
    defer { server.stop() }
    let taken = Taken()
    let result = try run(
      server,
      to: .receiver { content in
        #expect(content.count <= EventLoop.bufferCapacity && !content.isEmpty)
        taken.append(content)
        return .more
      }
    ) { $0.connections = connections }
    #expect(result.name == "complete" && result.summary?.length == 300_000)
    #expect(taken.content == Self.resource.content)
    #expect(server.requests.count > 1)
  }

  /// Nobody can say that the rest belongs to what went by: nothing is sent twice, and nothing wrong.
  @Test func nothingIsGuessed() throws {
    var resource = Self.resource
    (resource.entityTag, resource.lastModified) = (nil, nil)
    let served = resource
    let server = try LoopbackServer(dropping: resource, after: 100_000) { served.respond(to: $0) }
    defer { server.stop() }
    let taken = Taken()
    let failure = try run(
      server,
      to: .receiver {
        taken.append($0); return .more
      }
    ).failure
    #expect(failure?.error.code == "not-continued" && failure?.exitCode == 9)
    #expect(failure?.kept == 100_000 && failure?.isResumable == false)
    #expect(taken.content == resource.content(in: 0..<100_000))
  }

  struct End: Sendable { let decision: ContentDecision, code: String }
  static let ends = [End(decision: .pause, code: "paused"), End(decision: .cancel, code: "cancelled")]

  @Test(arguments: 0..<2) func itsWordEndsIt(_ number: Int) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let taken = Taken()
    let end = Self.ends[number]
    let failure = try run(
      server,
      to: .receiver { content in
        taken.append(content)
        return end.decision
      }
    ).failure
    #expect(failure?.error.code == end.code)
    let count = taken.bytes.withLock { Int64($0.count) }
    #expect(failure?.kept == count && count > 0, "the last piece counts, and none comes after it")
    #expect(server.requests.count == 1)
  }
}

extension Checksum {
  /// nil in a build that can't compute it.
  fileprivate init?(of resource: Resource) {
    guard RawGetVersion.hasTLS else { return nil }
    self.init(text: Array("sha256=\(resource.digest)".utf8))
  }
}
