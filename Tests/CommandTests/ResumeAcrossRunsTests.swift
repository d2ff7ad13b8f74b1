import Foundation
import LoopbackServer
import Testing

/// The same command again after a run that ended in any way (S4-1): what is there is said first, the end of it is
/// compared, and only the rest is fetched.
struct ResumeAcrossRunsTests {
  static let resource = Rerun.resource

  /// Ends a first run by `end` when exactly `kept` bytes are in the part; then runs again.
  @Test(arguments: [SIGINT, SIGTERM, SIGKILL]) func continuesAfterASignal(_ signal: Int32) throws {
    let delivered = Gate()
    let server = try LoopbackServer { exchange in
      guard exchange.requestNumber == 1 else { return Self.resource.respond(to: exchange) }
      Self.resource.respond(to: exchange, .dropping(after: Rerun.kept, .stall))
      delivered.open()
    }
    defer { server.stop() }
    let folder = try Folder()
    let first = try RunningCommand(["-q", server.uri("/file.bin")], in: folder)
    #expect(first.wait { folder.size(of: "file.bin.part") == Rerun.kept })
    first.signal(signal)
    #expect(try first.outcome().ending == .signalled(signal))
    let run = try RunningCommand([server.uri("/file.bin")], in: folder).outcome()
    try run.expectWhole(Self.resource, saying: ["found 61.42% (1.2 of 2.0 MB), resuming\n"], "S4-1 S3-7 T14 T17")
    #expect(run.standardError.hasPrefix("rawget: found "), "S1-10 the first line")
    Self.expectOverlap(server.requests.dropFirst(), from: Rerun.kept - Rerun.overlap)
  }

  private static func expectOverlap(
    _ requests: some Sequence<RecordedRequest>, from offset: Int64, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(requests.map { $0.field("Range") } == ["bytes=\(offset)-"], sourceLocation: location)
    #expect(requests.map { $0.field("If-Range") } == ["\"first\""], sourceLocation: location)
  }

  @Test func whatIsThereIsSaidBeforeAnyTraffic() throws {
    let rerun = try Rerun()
    rerun.server.stop()
    let run = try rerun.again(["--retry", "0"])
    #expect(run.ending == .exited(ExitCode.incomplete.rawValue), "\(run.standardError)")
    let lines = run.standardError.split(separator: "\n")
    #expect(lines.first == "rawget: found 61.42% (1.2 of 2.0 MB), resuming")
    #expect(lines.count == 2, "T1 the failure is the second line: \(run.standardError)")
    let part = Summary(Self.resource.bytes(in: 0..<Rerun.kept))
    #expect(try run.files == ["file.bin.part": part], "T1 a dead network destroys nothing")
  }

  /// The part's length, the options of the second run, and what it asks for.
  static let asked: [(kept: Int64, options: [String], range: String?, because: String)] = [
    (Rerun.kept, [], "bytes=1162864-", "64 KiB are compared"),
    (Rerun.kept, ["--overlap", "1000"], "bytes=1227400-", "as many as wanted"),
    (Rerun.kept, ["--overlap", "1M"], "bytes=179824-", "a suffix multiplies"),
    (Rerun.kept, ["--overlap", "2M"], nil, "more than there is: all of it"),
    (Rerun.kept, ["--paranoid"], nil, "all of it is compared"),
    (Rerun.kept, ["--no-resume"], nil, "all of it is fetched again"),
    (65_536, [], nil, "so little that all of it is compared"),
    (65_537, [], "bytes=1-", "one byte more"),
    (1_999_999, [], "bytes=1934463-", "one byte is missing"),
  ]

  @Test(arguments: asked)
  func asksFor(_ row: (kept: Int64, options: [String], range: String?, because: String)) throws {
    let rerun = try Rerun(kept: row.kept)
    defer { rerun.server.stop() }
    let run = try rerun.again(["-q"] + row.options)
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], row.because)
    #expect(rerun.ranges == [row.range], "\(row.because)")
    #expect(rerun.requests.allSatisfy { ($0.field("If-Range") == nil) == (row.range == nil) }, "\(row.because)")
  }

  @Test func aDateNamesTheRepresentationToo() throws {
    let dated = Self.resource.with(entityTag: nil)
    let rerun = try Rerun(dated) { dated.respond(to: $0) }
    defer { rerun.server.stop() }
    try rerun.again().expectWhole(dated)
    #expect(rerun.ranges == ["bytes=1162864-"])
    #expect(rerun.requests.map { $0.field("If-Range") } == ["Sat, 21 Mar 2026 09:30:00 GMT"])
  }

  // MARK: Without a validator

  @Test(arguments: [nil, "W/\"first\""]) func samplesAreComparedWithoutAValidator(_ entityTag: String?) throws {
    let nameless = Self.resource.withoutValidator().with(entityTag: entityTag)
    let rerun = try Rerun(nameless) { nameless.respond(to: $0) }
    defer { rerun.server.stop() }
    let run = try rerun.again()
    try run.expectWhole(nameless, saying: ["[no-validator]", "(prefix sampled)"])
    #expect(rerun.ranges.count == 9, "eight samples, and the rest from before the end")
    #expect(rerun.ranges.last == "bytes=1162864-")
    for range in rerun.ranges.dropLast() {
      let bounds = (range ?? "").dropFirst(6).split(separator: "-").compactMap { Int64($0) }
      #expect(bounds.count == 2 && bounds[1] - bounds[0] == 4_095 && bounds[0] > 0, "S0-4 \(range ?? "none")")
    }
    #expect(rerun.requests.allSatisfy { $0.values("If-Range").isEmpty }, "nothing to name (RFC 9110 §13.1.5)")
  }

  @Test func paranoidComparesEverything() throws {
    let nameless = Self.resource.withoutValidator()
    let rerun = try Rerun(nameless) { nameless.respond(to: $0) }
    defer { rerun.server.stop() }
    let run = try rerun.again(["--paranoid"])
    try run.expectWhole(nameless)
    #expect(!run.standardError.contains("prefix sampled"))
    #expect(rerun.ranges == [nil])
  }

  @Test func aDamagedByteBetweenTheSamplesIsFoundByParanoidAlone() throws {
    let nameless = Self.resource.withoutValidator()
    let rerun = try Rerun(nameless) { nameless.respond(to: $0) }
    defer { rerun.server.stop() }
    var part = try rerun.folder.bytes(of: "file.bin.part")
    part[10] ^= 1
    try rerun.folder.write(part, to: "file.bin.part")
    let run = try rerun.again(["--paranoid"])
    try run.expectWhole(nameless, saying: ["changed (11)"], "why the option exists")
  }

  @Test(arguments: [true, false]) func aTornOrMissingRecordOnlyMeansComparing(_ isMissing: Bool) throws {
    let rerun = try Rerun()
    defer { rerun.server.stop() }
    let record = rerun.folder.path + "/file.bin.part.meta"
    if isMissing {
      try FileManager.default.removeItem(atPath: record)
    } else {
      try rerun.folder.write(Array(try rerun.record().dropLast(20)), to: "file.bin.part.meta")
    }
    let run = try rerun.again()
    try run.expectWhole(Self.resource, saying: ["[no-record]"])
    #expect(rerun.ranges.count == 9)
  }

  @Test func aPartAndItsRecordCanBeMoved() throws {
    let rerun = try Rerun()
    defer { rerun.server.stop() }
    let elsewhere = try Folder()
    for name in ["file.bin.part", "file.bin.part.meta"] {
      try elsewhere.write(try rerun.folder.bytes(of: name), to: name)
    }
    let run = try RunningCommand(["-q", rerun.server.uri("/file.bin")], in: elsewhere).outcome()
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
    #expect(rerun.ranges == ["bytes=1162864-"])
  }

  // MARK: What the server may do

  @Test func aCompletePartIsComplete() throws {
    let rerun = try Rerun(kept: 1_999_999)
    defer { rerun.server.stop() }
    try rerun.folder.write(Self.resource.bytes, to: "file.bin.part")
    let run = try rerun.again(["-q"])
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], "T22 S1-5")
  }

  @Test func ignoredRangesAreCompared() throws {
    var conduct = Conduct.correct
    conduct.ignoresRange = true
    let whole = conduct
    let rerun = try Rerun { Self.resource.respond(to: $0, whole) }
    defer { rerun.server.stop() }
    let run = try rerun.again(["-q"])
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], "S2-7 T4 T10")
    #expect(rerun.requests.count == 1, "the answer is used, not asked for again")
  }

  @Test(arguments: ["404 Not Found", "403 Forbidden", "500 Internal Server Error", "503 Service Unavailable"])
  func anErrorKeepsThePart(_ status: String) throws {
    let rerun = try Rerun { $0.reply(status, text: "an error page") }
    defer { rerun.server.stop() }
    let run = try rerun.again(["-q", "--retry", "0"])
    let part = Summary(Self.resource.bytes(in: 0..<Rerun.kept))
    try run.expect(.server, leaving: ["file.bin.part": part], "T1 T4")
  }

  @Test func aLoginPageLeavesThePart() throws {
    let rerun = try Rerun { $0.reply("200 OK", ["Content-Type: text/html"], text: "<html>log in</html>") }
    defer { rerun.server.stop() }
    let record = try rerun.record()
    let run = try rerun.again(["-q", "--retry", "0"])
    let part = Summary(Self.resource.bytes(in: 0..<Rerun.kept))
    try run.expect(.changed, leaving: ["file.bin.part": part], "T4")
    #expect(run.standardError.hasPrefix("rawget: changed (11): "))
    #expect(try run.folder.bytes(of: "file.bin.part.meta") == record)
  }

  /// Every connection ends after this much content, and every attempt is sent to another signed place.
  @Test func aSignedPlaceThatExpiresCostsTheOverlapAlone() throws {
    let drop: Int64 = 400_000  // bytes
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/file.bin" {
        return exchange.redirect(to: "/signed?signature=\(exchange.requestNumber)")
      }
      Self.resource.respond(to: exchange, .dropping(after: drop))
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "1", "-o", "file.bin", server.uri("/file.bin")])
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
    let signed = server.requests.filter { $0.target != "/file.bin" }
    #expect(Set(signed.map(\.target)).count == signed.count, "each attempt begins at the original")
    #expect(signed.count == 6, "2,000,000 bytes in steps of 400,000, then less the overlap of 65,536")
    #expect(signed.dropFirst().allSatisfy { $0.field("If-Range") == "\"first\"" })
  }

  @Test func aPartNamedByTheServerIsFound() throws {
    let named = ["Content-Disposition: attachment; filename=named.bin"]
    let server = try LoopbackServer { exchange in
      var conduct = exchange.requestNumber == 1 ? Conduct.dropping(after: Rerun.kept) : .correct
      conduct.fields = named
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let folder = try Folder()
    let first = try RunningCommand(["-q", "--retry", "0", server.uri("/file.bin")], in: folder).outcome()
    #expect(Set(try first.folder.files.keys) == ["named.bin.part", "named.bin.part.meta"])
    let run = try RunningCommand([server.uri("/file.bin")], in: folder).outcome()
    try run.expectWhole(Self.resource, name: "named.bin", saying: ["found 61.42%"])
    #expect(server.requests.map { $0.field("Range") } == [nil, nil, "bytes=1162864-"], "known after the head only")
  }

  // MARK: Secrets and times

  @Test func noSecretIsInTheRecord() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0, .dropping(after: Rerun.kept)) }
    defer { server.stop() }
    let uri = "http://user:s3cret@127.0.0.1:\(server.port)/file.bin?token=s3cret"
    let run = try Command.run(["-q", "--retry", "0", "-H", "Cookie: id=s3cret", uri])
    #expect(run.ending == .exited(ExitCode.incomplete.rawValue))
    let record = String(decoding: try run.folder.bytes(of: "file.bin.part.meta"), as: UTF8.self)
    #expect(record.contains("http://127.0.0.1:\(server.port)/file.bin"), "\(record)")
    for secret in ["s3cret", "user", "token", "dXNlcjpzM2NyZXQ"] {
      #expect(!record.contains(secret), "S1-11 T16 \(secret) in \(record)")
    }
  }

  @Test func anotherQueryIsAnotherTarget() throws {
    let server = try LoopbackServer { exchange in
      let first = exchange.request.target.hasSuffix("1")
      let resource = first ? Self.resource : Self.resource.changed().with(entityTag: "\"first\"")
      resource.respond(to: exchange, exchange.requestNumber == 1 ? .dropping(after: Rerun.kept) : .correct)
    }
    defer { server.stop() }
    let folder = try Folder()
    let first = try RunningCommand(["-q", "--retry", "0", server.uri("/file.bin?1")], in: folder).outcome()
    #expect(first.ending == .exited(ExitCode.incomplete.rawValue))
    let run = try RunningCommand([server.uri("/file.bin?2")], in: folder).outcome()
    let other = Self.resource.changed()
    try run.expectWhole(other, saying: ["[other-target]"], "T16 a tag names nothing across targets")
  }

  @Test(arguments: [true, false]) func theFileGetsTheServersTime(_ isWanted: Bool) throws {
    let rerun = try Rerun()
    defer { rerun.server.stop() }
    try rerun.again(isWanted ? [] : ["--no-remote-time"]).expectWhole(Self.resource)
    #expect((rerun.folder.modificationTime(of: "file.bin") == Resource.modified) == isWanted)
  }
}
