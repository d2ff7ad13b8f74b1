import LoopbackServer
import Testing

@testable import RawGet

/// Byte ranges in place of the whole, several in one answer.
struct MultipartDownloadTests {
  static let resource = Resource(length: 1_000, seed: 6)
  static let text = "10-29,900-,-40"
  static let field = "bytes=10-29,900-,-40"
  static let ranges: [Range<Int64>] = [10..<30, 900..<1_000, 960..<1_000]
  static let content = Content(ranges.flatMap { resource.bytes(in: $0) })
  static let origin = RangesOrigin(resource)
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static func wanted() throws -> WantedRanges {
    var wanted = try #require(WantedRanges(text: Array(text.utf8)))
    wanted.areAskedAtOnce = true
    return wanted
  }

  private func run(
    _ server: LoopbackServer, in folder: Folder? = nil, to destination: Destination? = nil,
    _ change: (inout DownloadOptions) -> Void = { _ in }
  ) throws -> Run {
    let folder = folder ?? self.folder
    let wanted = try Self.wanted()
    return try Run(server.uri("/file.bin"), to: destination ?? folder.destination, in: folder) {
      $0.ranges = wanted
      change(&$1)
    }
  }

  @Test func comeInOneAnswer() throws {
    let server = try LoopbackServer { Self.origin.respond(to: $0) }
    defer { server.stop() }
    let run = try run(server)
    #expect(run.name == "complete" && folder.content(of: "file.bin") == Self.content)
    #expect(server.requests.map { $0.field("Range") } == [Self.field])
    #expect(run.progress.completeLength == 160 && run.progress.kept == 160)
  }

  @Test func needNoValidator() throws {
    let origin = RangesOrigin(Self.resource.withoutNames)
    let server = try LoopbackServer { origin.respond(to: $0) }
    defer { server.stop() }
    #expect(try run(server).name == "complete" && folder.content(of: "file.bin") == Self.content)
  }

  /// What one receive brings ends at each byte of the answer in turn, and at each multiple of that.
  @Test func arriveInAnyPieces() throws {
    let response = Self.origin.response(to: Self.field)
    let server = try LoopbackServer { exchange in
      exchange.send(response)
      exchange.keepOpen()
    }
    defer { server.stop() }
    for capacity in 1...response.count {
      let name = "\(capacity).bin"
      var (request, options) = try Run.prepared(server.uri("/\(name)"), folder.destination)
      request.ranges = try Self.wanted()
      options.retryLimit = 0
      var driver = Driver(capacity: capacity)
      var download = Download(request, options)
      #expect(driver.finish(&download).name == "complete", "\(capacity)")
      #expect(folder.content(of: name) == Self.content, "\(capacity)")
    }
  }

  @Test func breakOffAnywhere() throws {
    let length = Self.origin.response(to: Self.field).count
    for count in stride(from: 0, to: length, by: 3) {
      let folder = try Folder()
      let server = try LoopbackServer { exchange in
        Self.origin.respond(to: exchange, dropsAfter: exchange.requestNumber == 1 ? count : .max)
      }
      defer { server.stop() }
      let run = try run(server, in: folder)
      #expect(run.name == "complete" && folder.content(of: "file.bin") == Self.content, "\(count)")
      #expect(server.requests.count <= 2, "\(count)")
      let isContinued = server.requests.last?.field("If-Range") != nil
      #expect(isContinued == (server.requests.last?.field("Range") != Self.field), "\(count): only what is missing")
    }
  }

  /// Without a validator a broken answer is of no use.
  @Test func breakOffUnnamed() throws {
    let origin = RangesOrigin(Self.resource.withoutNames)
    let place = origin.response(to: Self.field).count - 30
    let server = try LoopbackServer { exchange in
      origin.respond(to: exchange, dropsAfter: exchange.requestNumber % 2 == 1 ? place : .max)
    }
    defer { server.stop() }
    #expect(try run(server).name == "complete" && folder.content(of: "file.bin") == Self.content)
    #expect(server.requests.map { $0.field("Range") } == [Self.field, Self.field])
    #expect(try run(server, to: .file(Array("/dev/null".utf8))).name == "notContinuable")
  }

  @Test func anotherVersionIsNotMixed() throws {
    let place = Self.origin.response(to: Self.field).count - 30
    let changed = RangesOrigin(Self.resource.changed())
    let server = try LoopbackServer { exchange in
      if exchange.requestNumber == 1 { return Self.origin.respond(to: exchange, dropsAfter: place) }
      changed.respond(to: exchange)
    }
    defer { server.stop() }
    #expect(try run(server).name == "complete")
    let content = Content(Self.ranges.flatMap { changed.resource.bytes(in: $0) })
    #expect(folder.content(of: "file.bin") == content, "all of it is of the new version")
  }

  // MARK: Other answers

  struct Wrong: Sendable {
    let change: @Sendable (inout [Range<Int64>]) -> Void
    let because: String
  }

  static let wrong = [
    Wrong(change: { $0.reverse() }, because: "another order"),
    Wrong(change: { $0.remove(at: 1) }, because: "one is left out"),
    Wrong(change: { $0.append(0..<5) }, because: "one more"),
    Wrong(change: { $0[1] = 900..<999 }, because: "a byte less"),
    Wrong(change: { $0[0] = 9..<30 }, because: "a byte more"),
    Wrong(change: { $0 = [10..<30, 900..<1_000, 900..<1_000] }, because: "one twice"),
    Wrong(change: { $0 = [10..<1_000] }, because: "all of them joined"),
  ]

  @Test func areExactlyWhatWasAsked() throws {
    for row in Self.wrong {
      var origin = Self.origin
      origin.change = row.change
      let server = try LoopbackServer { [origin] in origin.respond(to: $0) }
      defer { server.stop() }
      let folder = try Folder()
      let run = try run(server, in: folder)
      #expect(run.name == "protocolViolation.invalidContentRange", "\(row.because)")
      #expect(run.result.failure?.exitCode == 7 && folder.bytes(of: "file.bin") == nil, "\(row.because)")
    }
  }

  @Test func fewerAreGoneOnWith() throws {
    var origin = Self.origin
    origin.change = { if $0.count == 3 { $0.removeLast() } }
    let server = try LoopbackServer { [origin] in origin.respond(to: $0) }
    defer { server.stop() }
    #expect(try run(server).name == "complete" && folder.content(of: "file.bin") == Self.content)
    #expect(server.requests.map { $0.field("Range") } == [Self.field, "bytes=-40"])
  }

  @Test func oneForSeveralIsGoneOnWith() throws {
    let server = try LoopbackServer { exchange in
      guard exchange.request.field("Range")?.contains(",") == true else { return Self.resource.respond(to: exchange) }
      exchange.reply(
        "206 Partial Content", ["Content-Range: bytes 10-29/1000", #"ETag: "first""#],
        content: Self.resource.bytes(in: 10..<30))
    }
    defer { server.stop() }
    #expect(try run(server).name == "complete" && folder.content(of: "file.bin") == Self.content)
    #expect(server.requests.map { $0.field("Range") } == [Self.field, "bytes=900-", "bytes=-40"])
  }

  @Test func everythingIsRefused() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    #expect(try run(server).name == "noRanges", "the server knows one range at most")
  }

  @Test func anEndByCloseIsNoProof() throws {
    let server = try LoopbackServer { exchange in
      guard exchange.requestNumber == 1 else { return Self.origin.respond(to: exchange) }
      let text = String(decoding: Self.origin.response(to: Self.field).prefix(29), as: UTF8.self)
      #expect(text == "HTTP/1.1 206 Partial Content\r")
      exchange.send(text + "\nX-")  // before Content-Length, which says nothing then
      exchange.send(Array(Self.origin.response(to: Self.field).dropFirst(30).dropLast(30)))
      exchange.close()
    }
    defer { server.stop() }
    let run = try run(server)
    #expect(run.interruptions == ["protocolViolation.unprovenEnd"])
    #expect(run.name == "complete" && folder.content(of: "file.bin") == Self.content)
    #expect(server.requests.map { $0.field("Range") } == [Self.field, "bytes=986-999"])
  }
}
