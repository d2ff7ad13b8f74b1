import LoopbackServer
import Testing

@testable import RawGet

/// Other places for the same file, one at a time, when the present one fails (docs/MIRRORS.md).
struct MirrorTests {
  static let resource = Resource(length: 300_000, seed: 6)
  static let dropAfter: Int64 = 120_000  // bytes
  /// Where the overlap before it begins.
  static let continued = "bytes=54464-"
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static func resource(_ change: (inout Resource) -> Void) -> Resource {
    var changed = resource
    change(&changed)
    return changed
  }

  private func expectWhole(_ run: Run, _ resource: Resource = resource, _ because: String = "") throws {
    #expect(run.name == "complete", "\(because)")
    #expect(folder.content(of: "file.bin") == resource.content, "\(because)")
    #expect(try folder.names == ["file.bin"], "\(because)")
  }

  // MARK: When

  struct Failure: Sendable, CustomTestStringConvertible {
    let script: LoopbackServer.Script
    /// Requests that the failing place sees before the mirror is asked.
    let count: Int
    let testDescription: String

    init(_ because: String, count: Int = 1, _ script: @escaping LoopbackServer.Script) {
      (self.script, self.count, testDescription) = (script, count, because)
    }
  }

  static let failures = [
    Failure("404") { $0.reply("404 Not Found", text: "no") },
    Failure("403") { $0.reply("403 Forbidden", text: "no") },
    Failure("503, whatever it asks for") { $0.reply("503 Busy", ["Retry-After: 300"], text: "later") },
    Failure("429") { $0.reply("429 Too Many Requests", text: "later") },
    Failure("a status without content") { $0.reply("204 No Content") },
    Failure("no HTTP") { $0.send("SSH-2.0-x\r\n\r\n") },
    Failure("a redirect to nowhere") { $0.redirect(to: "http://") },
    Failure("broken before a byte came: once more", count: 2) { $0.reset() },
    Failure("cut in the head: once more", count: 2) { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-")
      exchange.close()
    },
    Failure("broken after the head: once more", count: 2) { exchange in
      resource.respond(to: exchange, .dropping(after: 0))
    },
  ]

  @Test(arguments: failures) func aFailingPlaceIsLeft(_ failure: Failure) throws {
    let places = try Places(failure.script, Self.resource.served())
    defer { places.stop() }
    let run = try places.run(in: folder)
    try expectWhole(run, Self.resource, "under the name that the URL gives")
    #expect(places.counts == [failure.count, 1])
    #expect(run.interruptions.count == failure.count - 1)
    #expect(run.skips.reduce(.zero, +) < .seconds(1), "no Retry-After is waited for")
    #expect(run.mirrored == [places.servers[1].uri("/pub/copy.img")])
    #expect(run.result.summary?.finalTarget?.text == Array(places.servers[1].uri("/pub/copy.img").utf8))
  }

  @Test func whereNobodyListens() throws {
    let port = try RefusingPort()
    let places = try Places({ $0.reset() }, Self.resource.served())
    defer { places.stop() }
    let run = try places.run(in: folder) { request, _ in
      request.target = (try? TargetURI(text: Array("http://127.0.0.1:\(port.port)/file.bin".utf8))) ?? request.target
    }
    try expectWhole(run)
    #expect(run.interruptions.isEmpty)
  }

  @Test func progressKeepsAPlace() throws {
    let script: LoopbackServer.Script = { exchange in
      Self.resource.respond(to: exchange, exchange.requestNumber < 6 ? .dropping(after: 50_000) : .correct)
    }
    let places = try Places(script, Self.resource.served())
    defer { places.stop() }
    try expectWhole(try places.run(in: folder))
    #expect(places.counts == [6, 0])
  }

  @Test func theLastErrorStands() throws {
    let places = try Places(
      { $0.reply("404 Not Found") }, { $0.reply("403 Forbidden") }, { $0.reply("410 Gone") })
    defer { places.stop() }
    let run = try places.run(in: folder)
    guard case .refused(410, nil)? = run.result.failure?.error else {
      Issue.record("\(run.result)")
      return
    }
    #expect(places.counts == [1, 1, 1], "each once, in order")
    #expect(run.mirrored.count == 2)
  }

  @Test func theLastPlaceGetsTheWholeBudget() throws {
    let places = try Places({ $0.reply("404 Not Found") }, { $0.reset() })
    defer { places.stop() }
    let run = try places.run(in: folder) { $1.retryLimit = 3 }
    #expect(run.name == "connectionLost")
    #expect(places.counts == [1, 4])
    #expect(run.interruptions.count == 3)
  }

  @Test func aMirrorOnceLeftIsNotAskedAgain() throws {
    let places = try Places(
      { $0.reply("404 Not Found") }, Self.resource.dying(after: Self.dropAfter), Self.resource.served())
    defer { places.stop() }
    try expectWhole(try places.run(in: folder))
    #expect(places.counts == [1, 2, 1])
    #expect(places.ranges(2) == [Self.continued])
  }

  @Test func theSamePlaceTwiceIsOne() throws {
    let places = try Places({ $0.reply("404 Not Found") })
    defer { places.stop() }
    let run = try places.run(in: folder) { request, _ in request.mirrors = [request.target, request.target] }
    #expect(run.name == "refused")
    #expect(places.counts == [1])
  }

  @Test func onlyAPlainDownloadHasMirrors() throws {
    let places = try Places({ $0.reply("404 Not Found") }, Self.resource.served())
    defer { places.stop() }
    let run = try places.run(in: folder) { request, _ in request.content = Array("secret".utf8) }
    #expect(run.name == "refused")
    #expect(places.counts == [1, 0])
  }

  // MARK: What is kept

  @Test func theSameTagLengthAndOverlapAreContinued() throws {
    let places = try Places(Self.resource.dying(after: Self.dropAfter), Self.resource.served())
    defer { places.stop() }
    let run = try places.run(in: folder)
    try expectWhole(run)
    #expect(places.counts == [2, 1])
    #expect(places.ranges(1) == [Self.continued], "an entity tag alone names nothing across URIs")
    #expect(places.servers[1].requests.map { $0.field("If-Range") } == [#""first""#])
  }

  @Test func withoutTheLengthTheWholeIsCompared() throws {
    let mirror: LoopbackServer.Script = { exchange in
      var conduct = Conduct.correct
      if exchange.request.field("Range") != nil { conduct.contentRange = "bytes 54464-299999/*" }
      Self.resource.respond(to: exchange, conduct)
    }
    let places = try Places(Self.resource.dying(after: Self.dropAfter), mirror)
    defer { places.stop() }
    try expectWhole(try places.run(in: folder))
    #expect(places.ranges(1) == [Self.continued, nil])
  }

  static let others: [(Resource, isReplaced: Bool, because: String)] = [
    (resource { $0.entityTag = #""other""# }, false, "the same bytes under another tag"),
    (resource { $0.entityTag = nil }, false, "the same bytes, and no tag"),
    (resource { ($0.entityTag, $0.lastModified) = (nil, nil) }, false, "the same bytes without a word"),
    (resource.changed(), true, "another version"),
    (resource { $0.seed += 1 }, true, "another version that says the same of itself"),
    (resource { ($0.seed, $0.entityTag) = ($0.seed + 1, nil) }, true, "another version of the same time"),
    (resource { $0.length += 1 }, false, "more of it"),
    (resource { $0.length -= 1 }, false, "less of it"),
    (resource { $0.length = 100_000 }, true, "less than is here"),
  ]

  @Test(arguments: others.indices) func neverMixed(_ index: Int) throws {
    let (other, isReplaced, because) = Self.others[index]
    for ignoresIfRange in [false, true] {
      let folder = try Folder()
      let mirror: LoopbackServer.Script = { exchange in
        var conduct = Conduct.correct
        conduct.ignoresIfRange = ignoresIfRange
        other.respond(to: exchange, conduct)
      }
      let places = try Places(Self.resource.dying(after: Self.dropAfter), mirror)
      defer { places.stop() }
      let run = try places.run(in: folder)
      #expect(run.name == "complete", "\(because)")
      #expect(folder.content(of: "file.bin") == other.content, "\(because): all of it is the mirror's")
      let replaced = run.events.contains { if case .replaced = $0 { true } else { false } }
      #expect(replaced == isReplaced, "\(because)")
    }
  }

  /// The record names the place whose validator it holds: to the URL it is another one.
  @Test func theNextRunComparesWhatAMirrorBrought() throws {
    let mirror: LoopbackServer.Script = { Self.resource.respond(to: $0, .dropping(after: Self.dropAfter)) }
    let other = Self.resource { $0.seed += 1 }
    let first: LoopbackServer.Script = { exchange in
      if exchange.requestNumber == 1 { return exchange.reply("404 Not Found") }
      other.respond(to: exchange)
    }
    let places = try Places(first, mirror)
    defer { places.stop() }
    #expect(try places.run(in: folder) { $1.retryLimit = 0 }.name == "connectionLost")
    #expect(folder.content(of: "file.bin.part") == Self.resource.content(in: 0..<Self.dropAfter))
    let run = try Run(places.servers[0].uri("/file.bin"), in: folder)
    #expect(run.found == ["other-target"])
    #expect(run.name == "complete")
    #expect(folder.content(of: "file.bin") == other.content, "though it says the same of itself")
  }

  // MARK: Secrets

  @Test(arguments: [true, false]) func secretsStay(_ isElsewhere: Bool) throws {
    let script: LoopbackServer.Script = { exchange in
      if exchange.request.target == "/file.bin" { return exchange.reply("404 Not Found") }
      Self.resource.respond(to: exchange)
    }
    let places = try Places(script, Self.resource.served())
    defer { places.stop() }
    let run = try places.run(in: folder) { request, _ in
      request.credentials = Credentials(bearer: Array("t0ken".utf8))
      request.cookies.ofTarget = Cookie.pairs(Array("id=c00kie".utf8)) ?? []
      if let field = CallerField(text: Array("X-Api-Key: k3y".utf8)) { request.fields = [field] }
      if !isElsewhere, let same = try? request.target.resolving(reference: Array("/copy".utf8)) {
        request.mirrors = [same]
      }
    }
    #expect(run.name == "complete")
    let secrets = ["t0ken", "c00kie", "k3y"]
    let there = places.servers[isElsewhere ? 1 : 0].requests
    #expect(there.count == (isElsewhere ? 1 : 2))
    for secret in secrets {
      #expect(places.servers[0].requests[0].description.contains(secret), "for the URL's origin")
      #expect(there.allSatisfy { $0.description.contains(secret) } == !isElsewhere, "and no other")
    }
  }
}

extension Run {
  /// Where it turned to.
  var mirrored: [String] {
    events.compactMap { event in
      guard case .mirrored(let target, _) = event else { return nil }
      return String(decoding: target.text, as: UTF8.self)
    }
  }

  /// Why it did.
  var reasonsToTurn: [String] {
    events.compactMap { event in
      guard case .mirrored(_, let error) = event else { return nil }
      return RawGetTests.name(of: error)
    }
  }

  var found: [String] {
    events.compactMap { event in
      guard case .found(_, let reason) = event else { return nil }
      return reason.code
    }
  }
}
