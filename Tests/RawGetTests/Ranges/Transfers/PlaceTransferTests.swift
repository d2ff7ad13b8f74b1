import LoopbackServer
import Testing

@testable import RawGet

/// Blocks from several places at once, where a digest of the whole decides (docs/MIRRORS.md).
@Suite(.enabled(if: RawGetVersion.hasTLS, "digests come from OpenSSL")) struct PlaceTransferTests {
  static let resource = Resource(length: 6_000_000, seed: 61)
  static let checksum = "sha-256=" + resource.digest
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func expectWhole(_ run: Run) throws {
    #expect(run.name == "complete", "\(run.left) \(run.interruptions)")
    #expect(folder.content(of: "file.bin") == Self.resource.content)
    #expect(try folder.names == ["file.bin"])
  }

  // MARK: Each brings a part

  @Test(arguments: [.exactly(2), .exactly(4), .exactly(8), .automatic] as [ConnectionChoice], [true, nil])
  func twoPlaces(_ choice: ConnectionChoice, _ systemHolds: Bool?) throws {
    let meeting = choice == .automatic ? Meeting() : Meeting(1)
    let places = try Places(meeting.script(0, Self.resource), meeting.script(1, Self.resource))
    defer { places.stop() }
    let run = try places.run(in: folder, over: choice, Self.checksum) {
      $1.systemHolds = systemHolds == nil ? false : nil
    }
    try expectWhole(run)
    #expect(run.result.summary?.digest == Array(Self.checksum.utf8))
    if choice == .automatic { return }
    #expect(run.joined == places.mirrorURIs && run.left.isEmpty)
    #expect(!places.blocks(0).isEmpty && !places.blocks(1).isEmpty)
    #expect(places.servers[1].requests.first?.closedRange?.isSample == true, "asked first for what is here")
    #expect(places.servers[1].requests.first?.field("If-Range") == nil, "the validator of another place")
    #expect(places.servers[1].requests.dropFirst().allSatisfy { $0.field("If-Range") == #""first""# }, "its own")
  }

  @Test func threePlacesThatAgreeOnNothingButTheBytes() throws {
    var (second, third) = (Self.resource, Self.resource)
    (second.entityTag, second.contentType) = (#""second""#, "text/plain")
    (third.entityTag, third.lastModified) = (nil, nil)
    let meeting = Meeting(1, 2)
    let places = try Places(
      meeting.script(0, Self.resource), meeting.script(1, second), meeting.script(2, third))
    defer { places.stop() }
    let run = try places.run(in: folder, over: .exactly(6), Self.checksum)
    try expectWhole(run)
    #expect(Set(run.joined) == Set(places.mirrorURIs))
    for index in 0..<3 { #expect(!places.blocks(index).isEmpty, "place \(index)") }
    let conditions = places.servers.map { server in Set(server.requests.compactMap { $0.field("If-Range") }) }
    #expect(conditions == [[#""first""#], [#""second""#], []])
  }

  /// Bytes of every place are in the file once: no block is asked for twice where nothing fails.
  @Test func nothingIsAskedForTwice() throws {
    let meeting = Meeting(1)
    let places = try Places(meeting.script(0, Self.resource), meeting.script(1, Self.resource))
    defer { places.stop() }
    try expectWhole(try places.run(in: folder, over: .exactly(2), Self.checksum))
    Self.expectNoBlockTwice(places)
  }

  private static func expectNoBlockTwice(_ places: Places) {
    let blocks = (places.blocks(0) + places.blocks(1)).sorted { $0.lowerBound < $1.lowerBound }
    var end: Int64 = 0
    for block in blocks where block.lowerBound < end { Issue.record("\(block) again, before \(end)") }
    for block in blocks { end = max(end, block.upperBound) }
    #expect(end == resource.length)
  }

  /// It answers when all lanes are given away: one of the first place's ends for it, with all that it was asked for.
  @Test func oneThatComesLate() throws {
    let (allAsked, joined) = (Gate(), Gate())
    let first: LoopbackServer.Script = { exchange in
      let range = exchange.request.closedRange ?? 0..<0
      if exchange.connectionNumber == 2 { allAsked.open() }
      if range.lowerBound >= Meeting.free || exchange.connectionNumber == 2 { exchange.wait(at: joined) }
      Self.resource.respond(to: exchange)
    }
    let mirror: LoopbackServer.Script = { exchange in
      if exchange.request.closedRange?.isSample == true { exchange.wait(at: allAsked) } else { joined.open() }
      Self.resource.respond(to: exchange)
    }
    let places = try Places(first, mirror)
    defer { places.stop() }
    let run = try places.run(in: folder, over: .exactly(2), Self.checksum) { $1.blockLength = 65_536 }
    try expectWhole(run)
    #expect(run.joined == places.mirrorURIs && !places.blocks(1).isEmpty)
    Self.expectNoBlockTwice(places)
  }

  @Test func oneThatRedirects() throws {
    let meeting = Meeting(1)
    let mirror = meeting.script(1, Self.resource)
    let places = try Places(meeting.script(0, Self.resource)) { exchange in
      exchange.request.target == "/pub/copy.img" ? exchange.redirect(to: "/cdn/x?sig=1") : mirror(exchange)
    }
    defer { places.stop() }
    try expectWhole(try places.run(in: folder, over: .exactly(2), Self.checksum))
    #expect(places.servers[1].requests.map(\.target).prefix(2) == ["/pub/copy.img", "/cdn/x?sig=1"])
    #expect(!places.blocks(1).isEmpty)
  }

  @Test func overHTTPS() throws {
    let meeting = Meeting(1)
    let first = try LoopbackServer(script: meeting.script(0, Self.resource))
    let mirror = try LoopbackServer(isSecure: true, script: meeting.script(1, Self.resource))
    defer {
      first.stop()
      mirror.stop()
    }
    let target = try TargetURI(text: Array(mirror.uri("/y").utf8))
    let run = try Run(first.uri("/file.bin"), to: folder.destination, in: folder) { request, options in
      request.mirrors = [target]
      options.connections = .exactly(4)
      options.checksum = Checksum(text: Array(Self.checksum.utf8))
      options.tls.authorityFile = (try? TestAuthority.shared().file).map { Array($0.utf8) } ?? []
    }
    try expectWhole(run)
    #expect(run.joined == [mirror.uri("/y")])
  }

  /// RFC 6249: the server names both the digest and the mirror.
  @Test func oneThatTheServerNames() throws {
    let meeting = Meeting(1)
    let mirror = try LoopbackServer(script: meeting.script(1, Self.resource))
    defer { mirror.stop() }
    let fields = [MirrorDigestTests.said(Self.resource), "Link: <\(mirror.uri("/z"))>; rel=duplicate"]
    let places = try Places(
      meeting.script(0, Self.resource, fields: fields))
    defer { places.stop() }
    let run = try places.run(in: folder, over: .exactly(2), nil)
    try expectWhole(run)
    #expect(run.joined == [mirror.uri("/z")])
  }

  @Test func intoAStream() throws {
    let meeting = Meeting(1)
    let places = try Places(meeting.script(0, Self.resource), meeting.script(1, Self.resource))
    defer { places.stop() }
    let fifo = try ReadFIFO()
    let run = try places.run(in: folder, over: .exactly(4), Self.checksum, to: .file(fifo.path))
    #expect(run.name == "complete")
    #expect(fifo.content() == Self.resource.content)
    #expect(!places.blocks(1).isEmpty)
  }

  // MARK: Where it must not be

  static let without: [(ConnectionChoice, String?, Int64?, because: String)] = [
    (.exactly(4), nil, nil, "no digest"),
    (.exactly(4), "md5=d41d8cd98f00b204e9800998ecf8427e", nil, "a digest that decides nothing"),
    (.exactly(1), checksum, nil, "one connection"),
    (.exactly(1), checksum, 500_000, "blocks over one connection"),
  ]

  @Test(arguments: without.indices) func onlyTheFirstIsAsked(_ index: Int) throws {
    let (choice, checksum, block, because) = Self.without[index]
    let places = try Places(Self.resource.served(), Self.resource.served())
    defer { places.stop() }
    let run = try places.run(in: folder, over: choice, checksum) { $1.blockLength = block }
    #expect(run.name == (because.contains("nothing") ? "integrity" : "complete"), "\(because)")
    #expect(places.counts[1] == 0, "\(because)")
    #expect(run.joined.isEmpty)
  }

  // MARK: Secrets

  @Test func secretsStay() throws {
    let meeting = Meeting(1)
    let places = try Places(meeting.script(0, Self.resource), meeting.script(1, Self.resource))
    defer { places.stop() }
    let run = try places.run(in: folder, over: .exactly(4), Self.checksum) { request, _ in
      request.credentials = Credentials(bearer: Array("t0ken".utf8))
      request.cookies.ofTarget = Cookie.pairs(Array("id=c00kie".utf8)) ?? []
      if let field = CallerField(text: Array("X-Api-Key: k3y".utf8)) { request.fields = [field] }
    }
    try expectWhole(run)
    for secret in ["t0ken", "c00kie", "k3y"] {
      #expect(places.servers[0].requests.allSatisfy { $0.description.contains(secret) })
      #expect(places.servers[1].requests.allSatisfy { !$0.description.contains(secret) }, "no other origin's")
    }
    #expect(places.counts[1] > 1)
    let host = places.servers[1].origin.dropFirst("http://".count)
    #expect(places.servers[1].requests.allSatisfy { $0.field("Host") == String(host) })
  }
}
