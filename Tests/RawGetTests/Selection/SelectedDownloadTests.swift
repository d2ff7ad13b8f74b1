import LoopbackServer
import Testing

@testable import RawGet

/// Byte ranges in place of the whole, one request each.
struct SelectedDownloadTests {
  static let resource = Resource(length: 200_000, seed: 5)
  static let text = "1000-50999,150000-,-3000,0-0"
  static let ranges: [Range<Int64>] = [1_000..<51_000, 150_000..<200_000, 197_000..<200_000, 0..<1]
  static let fields = ["bytes=1000-50999", "bytes=150000-", "bytes=-3000", "bytes=0-0"]
  private let folder: Folder

  init() throws { folder = try Folder() }

  static func selected(_ resource: Resource) -> Content { Content(ranges.flatMap { resource.bytes(in: $0) }) }

  private func run(
    _ server: LoopbackServer, _ text: String = SelectedDownloadTests.text, to destination: Destination? = nil,
    _ change: (inout DownloadOptions) -> Void = { _ in }
  ) throws -> Run {
    let ranges = try #require(WantedRanges(text: Array(text.utf8)))
    return try Run(server.uri("/file.bin"), to: destination ?? folder.destination, in: folder) {
      $0.ranges = ranges
      change(&$1)
    }
  }

  private var stream: Destination { .file(Array("/dev/null".utf8)) }

  @Test func comeInTheirOrder() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try run(server)
    #expect(run.name == "complete")
    #expect(folder.content(of: "file.bin") == Self.selected(Self.resource))
    #expect(try folder.names == ["file.bin"])
    #expect(server.requests.map { $0.field("Range") } == Self.fields)
    #expect(server.requests.map { $0.field("If-Range") } == [nil] + [String?](repeating: "\"first\"", count: 3))
    #expect(server.connectionCount == 1, "one connection for all")
    #expect(run.progress.kept == 103_001 && run.progress.completeLength == 103_001)
    #expect(run.result.summary?.isLengthProven == true)
  }

  struct Drop: Sendable { let request: Int, after: Int64, rest: String }

  static let drops = [
    Drop(request: 1, after: 0, rest: "bytes=1000-50999"), Drop(request: 1, after: 1, rest: "bytes=1001-50999"),
    Drop(request: 1, after: 49_999, rest: "bytes=50999-50999"), Drop(request: 2, after: 12_345, rest: "bytes=162345-"),
    Drop(request: 3, after: 2_000, rest: "bytes=199000-199999"), Drop(request: 4, after: 0, rest: "bytes=0-0"),
  ]

  @Test("T3: of what broke off only the rest is asked for", arguments: drops) func goesOn(_ drop: Drop) throws {
    for ending in [Conduct.Ending.reset, .close] {
      let server = try LoopbackServer { exchange in
        let isDropped = exchange.requestNumber == drop.request
        Self.resource.respond(to: exchange, isDropped ? .dropping(after: drop.after, ending) : .correct)
      }
      defer { server.stop() }
      let folder = try Folder()
      let ranges = try #require(WantedRanges(text: Array(Self.text.utf8)))
      let run = try Run(server.uri("/file.bin"), to: folder.destination, in: folder) { (request, _) in
        request.ranges = ranges
      }
      #expect(run.name == "complete", "\(drop)")
      #expect(folder.content(of: "file.bin") == Self.selected(Self.resource), "\(drop)")
      var expected = Self.fields
      expected.insert(drop.rest, at: drop.request)
      #expect(server.requests.map { $0.field("Range") } == expected, "\(drop)")
    }
  }

  // MARK: Another version

  @Test(arguments: [2, 3, 4]) func beginsAgainWhereTheFileChanged(_ place: Int) throws {
    for conduct in [Conduct.correct, SelectedDownloadTests.ignoringIfRange] {
      let folder = try Folder()
      let server = try LoopbackServer { exchange in
        let version = exchange.requestNumber < place ? Self.resource : Self.resource.changed()
        version.respond(to: exchange, conduct)
      }
      defer { server.stop() }
      let ranges = try #require(WantedRanges(text: Array(Self.text.utf8)))
      let run = try Run(server.uri("/file.bin"), to: folder.destination, in: folder) { (request, _) in
        request.ranges = ranges
      }
      #expect(run.name == "complete" && run.interruptions == ["changed"])
      #expect(folder.content(of: "file.bin") == Self.selected(Self.resource.changed()), "of one version")
      #expect(try folder.names == ["file.bin"])
      #expect(server.requests.count == place + 4)
    }
  }

  private static var ignoringIfRange: Conduct {
    var conduct = Conduct()
    conduct.ignoresIfRange = true
    return conduct
  }

  @Test func aFileThatAlwaysChangesIsGivenUp() throws {
    let server = try LoopbackServer { exchange in
      var version = Self.resource
      version.seed = UInt64(exchange.requestNumber)
      version.entityTag = "\"\(exchange.requestNumber)\""
      version.respond(to: exchange)
    }
    defer { server.stop() }
    let run = try run(server) { $0.retryLimit = 3 }
    #expect(run.name == "changed" && run.result.failure?.exitCode == 11)
    #expect(server.requests.count == 8, "two each time, and three times again: what came before refills no budget")
    #expect(folder.bytes(of: "file.bin") == nil)
  }

  @Test func aStreamThatHoldsAnotherVersionFails() throws {
    let server = try LoopbackServer { exchange in
      (exchange.requestNumber == 1 ? Self.resource : Self.resource.changed()).respond(to: exchange)
    }
    defer { server.stop() }
    let run = try run(server, to: stream)
    #expect(run.name == "changed" && run.result.failure?.exitCode == 11)
    #expect(run.progress.kept == 50_000 && server.requests.count == 2)
  }

  // MARK: Without a validator

  @Test func severalNeedOne() throws {
    let server = try LoopbackServer { Self.resource.withoutNames.respond(to: $0) }
    defer { server.stop() }
    let run = try run(server)
    #expect(run.name == "unprovenRanges" && run.result.failure?.exitCode == 16)
    #expect(try folder.names == [], "nothing is begun")
    #expect(server.requests.count == 1)
  }

  @Test func oneBeginsAgain() throws {
    let resource = Self.resource.withoutNames
    let server = try LoopbackServer { exchange in
      let isDropped = exchange.requestNumber < 3
      resource.respond(to: exchange, isDropped ? .dropping(after: 20_000) : .correct)
    }
    defer { server.stop() }
    let run = try run(server, "1000-50999")
    #expect(run.name == "complete")
    #expect(folder.content(of: "file.bin") == resource.content(in: 1_000..<51_000))
    #expect(server.requests.map { $0.field("Range") } == [String?](repeating: "bytes=1000-50999", count: 3))
    #expect(server.requests.allSatisfy { $0.field("If-Range") == nil })
  }

  @Test func oneThatNeverComesWholeIsGivenUp() throws {
    let resource = Self.resource.withoutNames
    let server = try LoopbackServer { resource.respond(to: $0, .dropping(after: 20_000)) }
    defer { server.stop() }
    let run = try run(server, "1000-50999") { $0.retryLimit = 2 }
    #expect(run.name == "connectionLost")
    #expect(server.requests.count == 3, "the same bytes again are no progress")
  }

  @Test func aStreamCannotBeginAgain() throws {
    let resource = Self.resource.withoutNames
    let server = try LoopbackServer(dropping: resource, after: 20_000) { resource.respond(to: $0) }
    defer { server.stop() }
    let run = try run(server, "1000-50999", to: stream)
    #expect(run.name == "notContinuable" && run.progress.kept == 20_000)
  }

  // MARK: What is there

  @Test func anEarlierPartIsComparedAndSetAside() throws {
    for first in [Int64(0), 1_000] {  // of another beginning, and of the same
      let folder = try Folder()
      try folder.put(Self.resource.bytes(in: first..<first + 90_000), as: "file.bin.part")
      let server = try LoopbackServer { Self.resource.respond(to: $0) }
      defer { server.stop() }
      let ranges = try #require(WantedRanges(text: Array(Self.text.utf8)))
      let run = try Run(server.uri("/file.bin"), to: folder.destination, in: folder) { (request, _) in
        request.ranges = ranges
      }
      #expect(run.name == "complete")
      #expect(folder.content(of: "file.bin") == Self.selected(Self.resource))
      #expect(try folder.names == ["file.bin"])
      #expect(server.requests.map { $0.field("Range") } == Self.fields)
    }
  }

  /// A file of equal bytes: no comparison of samples would see that its ranges are not its beginning.
  @Test func whatIsLeftIsNoBeginningForOthers() throws {
    let zeros = [UInt8](repeating: 0, count: 500_000)
    let server = try LoopbackServer { exchange in
      guard exchange.requestNumber == 1 else { return exchange.reply("200 OK", content: zeros + [1]) }
      exchange.send(
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-499999/500001\r\nContent-Length: 500000\r\n\r\n")
      exchange.send(Array(zeros.prefix(300_000)))
      exchange.reset()
    }
    defer { server.stop() }
    #expect(try run(server, "0-499999") { $0.retryLimit = 0 }.name == "connectionLost")
    let run = try Run(server.uri("/file.bin"), in: folder)
    #expect(run.name == "complete" && folder.content(of: "file.bin") == Content(zeros + [1]))
    #expect(server.requests.last?.field("Range") == nil, "all of it is compared")
  }

  @Test func aTakenNameIsToldBeforeAnythingIsSent() throws {
    try folder.put("here", as: "file.bin")
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    #expect(try run(server).name == "exists" && server.requests.isEmpty)
  }

  // MARK: Servers without

  @Test func aServerWithoutRanges() throws {
    var conduct = Conduct()
    conduct.ignoresRange = true
    let server = try LoopbackServer { [conduct] in Self.resource.respond(to: $0, conduct) }
    defer { server.stop() }
    let run = try run(server)
    #expect(run.name == "noRanges" && run.result.failure?.exitCode == 16 && server.requests.count == 1)
    #expect(try folder.names == [])
    #expect(try self.run(server, "0-").name == "complete", "everything is what was asked for")
    #expect(folder.content(of: "file.bin") == Self.resource.content)
  }

  @Test(arguments: ["200000-", "0-9,200000-200001"]) func beyondTheEnd(_ text: String) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try run(server, text)
    #expect(run.name == "noSuchRange" && run.result.failure?.exitCode == 8 && server.requests.count == 1)
    #expect(try folder.names == [], "told before the first range is written")
  }

  @Test func aLimitHoldsForAllOfThem() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    #expect(try run(server) { $0.lengthLimit = 103_000 }.name == "tooLarge")
    #expect(try folder.names == [])
    #expect(try run(server) { $0.lengthLimit = 103_001 }.name == "complete")
  }
}

extension Resource {
  /// Without anything that names its version.
  var withoutNames: Resource {
    var resource = self
    resource.entityTag = nil
    resource.lastModified = nil
    return resource
  }
}
