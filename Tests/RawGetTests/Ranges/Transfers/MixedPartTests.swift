import LoopbackServer
import Testing

@testable import RawGet

/// A part of several places is one file only for its digest: it says so, and without that digest nothing is appended to it.
@Suite(.enabled(if: RawGetVersion.hasTLS, "digests come from OpenSSL")) struct MixedPartTests {
  static let resource = PlaceTransferTests.resource
  static let checksum = PlaceTransferTests.checksum
  /// Nothing is served from here on, at first.
  static let limit: Int64 = 4_000_000  // bytes
  /// By then there are bytes of both.
  static let least: Int64 = 2_700_000  // bytes
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Two places that go only so far until they are told otherwise.
  private final class Pair {
    private let isWhole = Guarded(false)
    private(set) var places: Places

    init(_ first: Resource = resource, _ second: Resource = resource) throws {
      let (meeting, isWhole) = (Meeting(1), isWhole)
      func script(_ place: Int, _ resource: Resource) -> LoopbackServer.Script {
        meeting.script(place, resource) { exchange in
          let isPast = exchange.request.closedRange?.upperBound ?? 0 > MixedPartTests.limit
          if isPast && !isWhole.withLock({ $0 }) { return exchange.stall() }
          let isSample = exchange.request.closedRange?.isSample == true
          (isSample ? MixedPartTests.resource : resource).respond(to: exchange)
        }
      }
      places = try Places(script(0, first), script(1, second))
    }

    func goOn() { isWhole.withLock { $0 = true } }

    /// The ranges that the first place was asked for since `count` requests.
    func ranges(since count: Int) -> [String?] { Array(places.ranges(0).dropFirst(count)) }
  }

  private func record() throws -> String {
    String(decoding: try #require(folder.bytes(of: "file.bin.part.meta")), as: UTF8.self)
  }

  /// Keeps bytes of both, and is cancelled then.
  private func begin(_ pair: Pair) throws -> Int64 {
    var (request, options) = try Run.prepared(pair.places.servers[0].uri("/file.bin"), folder.destination)
    request.mirrors = try pair.places.mirrorURIs.map { try TargetURI(text: Array($0.utf8)) }
    (options.connections, options.checksum) = (.exactly(2), Checksum(text: Array(Self.checksum.utf8)))
    var download = Download(request, options)
    var driver = Driver(isLive: true)
    driver.run(&download, untilKept: Self.least)
    download.cancel()
    let kept = driver.finish(&download).failure?.kept ?? 0
    #expect(kept >= Self.least && kept < Self.resource.length, "\(kept)")
    #expect(!pair.places.blocks(1).isEmpty)
    #expect(try record().contains("\r\nMixed-Under: \(Self.checksum)\r\n"))
    pair.goOn()
    return kept
  }

  @Test(arguments: [.exactly(1), .exactly(4)] as [ConnectionChoice])
  func goesOnWithTheSameDigest(_ choice: ConnectionChoice) throws {
    let pair = try Pair()
    defer { pair.places.stop() }
    let kept = try begin(pair)
    let before = pair.places.counts[0]
    let run = try pair.places.run(in: folder, over: choice, Self.checksum)
    #expect(run.found == ["resume"])
    #expect(run.name == "complete")
    #expect(folder.content(of: "file.bin") == Self.resource.content)
    #expect(try folder.names == ["file.bin"])
    let starts = pair.ranges(since: before).map { Int64($0?.dropFirst(6).prefix { $0 != "-" } ?? "") ?? 0 }
    #expect(starts.min() == kept - 65_536, "\(starts)")
  }

  static let undecided = [
    (nil, "complete", "no digest"),
    ("md5=" + String(repeating: "0", count: 32), "integrity", "one that decides nothing"),
    ("sha-256=" + resource.changed().digest, "integrity", "another"),
  ]

  @Test(arguments: undecided.indices, [.exactly(1), .exactly(4)] as [ConnectionChoice])
  func beginsAnewWithoutIt(_ index: Int, _ choice: ConnectionChoice) throws {
    let (checksum, name, because) = Self.undecided[index]
    let pair = try Pair()
    defer { pair.places.stop() }
    _ = try begin(pair)
    let before = pair.places.counts[0]
    let run = try pair.places.run(in: folder, over: choice, checksum)
    #expect(run.found == ["mixed"], "\(because)")
    #expect(run.name == name, "\(because)")
    #expect(folder.content(of: name == "complete" ? "file.bin" : "file.bin.bad") == Self.resource.content, "\(because)")
    let first = try #require(pair.ranges(since: before).first)
    #expect(first?.hasPrefix("bytes=0-") ?? true, "all of it is compared: \(first ?? "")")
  }

  /// The mirror's bytes were another version's: without the digest, whatever differs from the first place goes.
  @Test(arguments: [.exactly(1), .exactly(4)] as [ConnectionChoice])
  func nothingForeignStays(_ choice: ConnectionChoice) throws {
    var lying = Self.resource
    lying.seed += 1
    let pair = try Pair(Self.resource, lying)
    defer { pair.places.stop() }
    let kept = try begin(pair)
    #expect(folder.content(of: "file.bin.part") != Self.resource.content(in: 0..<kept))
    let run = try pair.places.run(in: folder, over: choice, nil)
    #expect(run.found == ["mixed"])
    #expect(run.name == "complete")
    #expect(folder.content(of: "file.bin") == Self.resource.content)
    #expect(try folder.names == ["file.bin"])
  }

  /// Once everything was compared with one place, it is a part like any other.
  @Test func isOneAgainOnceItWasCompared() throws {
    let pair = try Pair()
    defer { pair.places.stop() }
    let kept = try begin(pair)
    pair.places.stop()
    let limit = kept + 100_000
    let server = try LoopbackServer { exchange in
      Self.resource.respond(to: exchange, exchange.requestNumber == 1 ? .dropping(after: limit) : .correct)
    }
    defer { server.stop() }
    #expect(try Run(server.uri("/file.bin"), in: folder) { $0.retryLimit = 0 }.name == "connectionLost")
    #expect(try !record().contains("Mixed-Under"))
    #expect(folder.content(of: "file.bin.part") == Self.resource.content(in: 0..<limit))
    let run = try Run(server.uri("/file.bin"), in: folder)
    #expect(run.found == ["resume"] && run.name == "complete")
  }

  /// Blocks of one place leave a part as it always was.
  @Test func ofOnePlaceSaysNothing() throws {
    let places = try Places(Self.resource.dying(after: 400_000), { $0.reply("404 Not Found") })
    defer { places.stop() }
    let run = try places.run(in: folder, over: .exactly(4), Self.checksum) { $1.retryLimit = 0 }
    #expect(run.name != "complete")
    #expect(try !record().contains("Mixed-Under"))
  }
}
