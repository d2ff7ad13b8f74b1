import LoopbackServer
import Testing

@testable import RawGet

/// A place that fails, refuses or disagrees is out; the others go on, and nothing is mixed that the digest does not prove.
@Suite(.enabled(if: RawGetVersion.hasTLS, "digests come from OpenSSL")) struct PlaceFailureTests {
  static let resource = PlaceTransferTests.resource
  static let checksum = PlaceTransferTests.checksum
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func expectWhole(_ run: Run, _ because: String = "") throws {
    #expect(run.name == "complete", "\(because): \(run.left) \(run.interruptions)")
    #expect(folder.content(of: "file.bin") == Self.resource.content, "\(because)")
    #expect(try folder.names == ["file.bin"], "\(because)")
  }

  // MARK: The first answer

  struct Impostor: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reason: String
    /// Requests that it sees.
    let count: Int
    let respond: LoopbackServer.Script

    init(_ because: String, _ reason: String, count: Int = 1, _ respond: @escaping LoopbackServer.Script) {
      (testDescription, self.reason, self.count, self.respond) = (because, reason, count, respond)
    }

    init(_ because: String, _ reason: String, _ resource: Resource, _ change: (inout Conduct) -> Void = { _ in }) {
      var made = Conduct.correct
      change(&made)
      let conduct = made
      self.init(because, reason) { resource.respond(to: $0, conduct) }
    }
  }

  private static func longer(by count: Int64) -> Resource {
    var other = resource
    other.length += count
    return other
  }

  static let impostors = [
    Impostor("other bytes", "otherVersion", resource.changed()),
    Impostor("a byte more", "otherVersion", longer(by: 1)),
    Impostor("a byte less", "otherVersion", longer(by: -1)),
    Impostor("another digest", "otherVersion", resource) { $0.fields = [MirrorDigestTests.said(resource.changed())] },
    Impostor("a coding", "otherVersion", resource) { $0.fields = ["Content-Encoding: gzip"] },
    Impostor("no length", "otherVersion", resource) { $0.contentRange = "bytes 0-4095/*" },
    Impostor("a 200", "noRanges", resource) { $0.ignoresRange = true },
    Impostor("404", "refused") { $0.reply("404 Not Found", text: "no") },
    Impostor("416", "refused") { $0.reply("416 Range Not Satisfiable", ["Content-Range: bytes */6000000"]) },
    Impostor("503", "refused") { $0.reply("503 Busy", ["Retry-After: 300"], text: "later") },
    Impostor("a redirect to nowhere", "redirection.invalidLocation") { $0.redirect(to: "http://") },
    Impostor("redirects without end", "redirection.tooMany", count: 21) { $0.redirect(to: "/pub/copy.img?") },
    Impostor("no HTTP", "protocolViolation.notHTTP") { $0.send("SSH-2.0-x\r\n\r\n") },
    Impostor("a reset", "connectionLost") { $0.reset() },
    Impostor("a close", "protocolViolation.noResponse") { $0.close() },
    Impostor("a sample that is cut", "connectionLost") { resource.respond(to: $0, .dropping(after: 100)) },
  ]

  @Test(arguments: impostors) func neverJoins(_ row: Impostor) throws {
    let asked = Gate()
    let places = try Places(
      { exchange in
        if exchange.request.closedRange?.lowerBound ?? 0 >= Meeting.free { exchange.wait(at: asked) }
        Self.resource.respond(to: exchange)
      },
      { exchange in
        row.respond(exchange)
        if exchange.requestNumber >= row.count { asked.open() }  // each answer of the other place is a turn from here
      })
    defer { places.stop() }
    let run = try places.run(in: folder, over: .exactly(4), Self.checksum)
    try expectWhole(run, row.testDescription)
    #expect(run.joined.isEmpty && places.blocks(1).isEmpty)
    let reason = try #require(run.left[places.mirrorURIs[0]])
    #expect(reason.hasPrefix(row.reason), "\(reason)")
    #expect(run.interruptions == [] && run.mirrored == [], "it is no failure of the download")
  }

  @Test func whereNobodyListens() throws {
    let port = try RefusingPort()
    let places = try Places(Self.resource.served())
    defer { places.stop() }
    let uri = "http://127.0.0.1:\(port.port)/y"
    let run = try places.run(in: folder, over: .exactly(4), Self.checksum) { request, _ in
      if let target = try? TargetURI(text: Array(uri.utf8)) { request.mirrors = [target] }
    }
    try expectWhole(run)
    #expect(run.left[uri] ?? "unreachable" == "unreachable", "if it was asked before the end")
  }

  // MARK: In the middle

  /// What a mirror does from the second block on.
  static let turncoats = [
    Impostor("a reset", "") { $0.reset() }, Impostor("404", "") { $0.reply("404 Not Found") },
    Impostor("a 200", "") { $0.reply("200 OK", text: "nothing") },
    Impostor("503", "") { $0.reply("503 Busy", text: "later") },
    Impostor("416", "") { $0.reply("416 Range Not Satisfiable", ["Content-Range: bytes */6000000"]) },
    Impostor("a redirect", "") { $0.redirect(to: "/elsewhere") },
    Impostor("another tag", "", resource.changed()) { $0.ignoresIfRange = true },
    Impostor("another tag, a 200", "", resource.changed()),
    Impostor("a range of another length", "") { exchange in
      let range = exchange.request.closedRange ?? 0..<1
      exchange.reply(
        "206 Partial Content",
        ["Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/6000001", #"ETag: "first""#],
        content: [UInt8](repeating: 0, count: range.count))
    },
    Impostor("another digest", "", resource) { $0.fields = [MirrorDigestTests.said(resource.changed())] },
    Impostor("cut", "") { resource.respond(to: $0, .dropping(after: 1_000, .close)) },
  ]

  @Test(arguments: turncoats, [true, nil]) func itIsOut(_ row: Impostor, _ systemHolds: Bool?) throws {
    let (meeting, blocks) = (Meeting(1), Guarded(0))
    let mirror = meeting.script(1, Self.resource) { exchange in
      let number = blocks.withLock { count in
        if exchange.request.closedRange?.isSample == false { count += 1 }
        return count
      }
      if number < 2 { Self.resource.respond(to: exchange) } else { row.respond(exchange) }
    }
    let places = try Places(meeting.script(0, Self.resource), mirror)
    defer { places.stop() }
    let run = try places.run(in: folder, over: .exactly(4), Self.checksum) {
      $1.systemHolds = systemHolds == nil ? false : nil
    }
    try expectWhole(run, row.testDescription)
    #expect(run.interruptions == [] && run.mirrored == [], "\(row.testDescription)")
    let begun = run.events.reduce(0) { if case .began = $1 { $0 + 1 } else { $0 } }
    #expect(begun == 1, "\(row.testDescription): the transfer goes on")
  }

  /// The place that the download is at fails for good: the others bring the rest.
  @Test(arguments: ["reset", "403", "503"]) func theFirstOneDies(_ kind: String) throws {
    let meeting = Meeting(1)
    let first = meeting.script(0, Self.resource) { exchange in
      guard exchange.request.closedRange?.lowerBound ?? .max >= Meeting.free else {
        return Self.resource.respond(to: exchange)
      }
      if kind == "reset" { exchange.reset() } else { exchange.reply(kind + " No", text: "no") }
    }
    let places = try Places(first, meeting.script(1, Self.resource))
    defer { places.stop() }
    let run = try places.run(in: folder, over: .exactly(4), Self.checksum)
    try expectWhole(run, kind)
    #expect(run.interruptions == [], "nobody had to wait")
    #expect(run.joined == places.mirrorURIs)
  }

  /// One lane is all that it wants.
  @Test(arguments: ["429 Too Many", "503 Busy"]) func aMirrorWithOneConnection(_ status: String) throws {
    let (meeting, owner) = (Meeting(1), Guarded<Int?>(nil))
    let mirror = meeting.script(1, Self.resource) { exchange in
      if exchange.request.closedRange?.isSample == true { return Self.resource.respond(to: exchange) }
      let isFirst = owner.withLock { number in
        number = number ?? exchange.connectionNumber
        return number == exchange.connectionNumber
      }
      if isFirst { Self.resource.respond(to: exchange) } else { exchange.reply(status, text: "no") }
    }
    let places = try Places(meeting.script(0, Self.resource), mirror)
    defer { places.stop() }
    let run = try places.run(in: folder, over: .exactly(6), Self.checksum)
    try expectWhole(run)
    #expect(run.interruptions == [])
  }

  /// The first one breaks, and later the others break as well or have it no more.
  @Test(arguments: [true, false]) func everyPlaceFails(_ othersBreak: Bool) throws {
    let meeting = Meeting(1, 2)
    @Sendable func dying(_ place: Int) -> LoopbackServer.Script {
      meeting.script(place, Self.resource) { exchange in
        guard exchange.request.closedRange?.lowerBound ?? .max >= (place == 0 ? Meeting.free : 3_000_000) else {
          return Self.resource.respond(to: exchange)
        }
        if place == 0 || othersBreak { exchange.reset() } else { exchange.reply("404 Not Found") }
      }
    }
    let places = try Places(dying(0), dying(1), dying(2))
    defer { places.stop() }
    let run = try places.run(in: folder, over: .exactly(4), Self.checksum) { $1.retryLimit = 2 }
    #expect(run.name == "connectionLost", "\(run.left)")
    let kept = run.result.failure?.kept ?? 0
    #expect(folder.content(of: "file.bin.part") == Self.resource.content(in: 0..<kept), "what is kept stays")
    #expect(kept > 0)
  }

  // MARK: The digest

  /// Right in its sample, wrong behind it: nobody can tell who, and all who had a part are named.
  @Test(arguments: [true, false]) func aMismatchNamesAll(_ isStream: Bool) throws {
    let (meeting, other) = (Meeting(1), Self.resource.changed())
    var lying = other
    (lying.entityTag, lying.lastModified) = (Self.resource.entityTag, Self.resource.lastModified)
    let liar = lying
    let mirror = meeting.script(1, Self.resource) { exchange in
      let isSample = exchange.request.closedRange?.isSample == true
      (isSample ? Self.resource : liar).respond(to: exchange)
    }
    let places = try Places(meeting.script(0, Self.resource), mirror, { $0.reply("404 Not Found") })
    defer { places.stop() }
    let fifo = try isStream ? ReadFIFO() : nil
    let run = try places.run(
      in: folder, over: .exactly(3), Self.checksum, to: fifo.map { .file($0.path) })
    #expect(run.name == "integrity")
    #expect(run.culprits == [places.servers[0].uri("/file.bin"), places.mirrorURIs[0]], "and not who brought nothing")
    #expect(run.result.failure?.exitCode == 10)
    #expect(try folder.names == (isStream ? [] : ["file.bin.bad"]))
    if let fifo { #expect(fifo.content() != Self.resource.content) }
  }

  @Test func whoBroughtNothingIsNotNamed() throws {
    let places = try Places(Self.resource.changed().served(), Self.resource.served())
    defer { places.stop() }
    let run = try places.run(in: folder, over: .exactly(4), Self.checksum)
    #expect(run.culprits == [places.servers[0].uri("/file.bin")])
    #expect(try folder.names == ["file.bin.bad"])
  }
}
