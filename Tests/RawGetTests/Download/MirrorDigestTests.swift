import Foundation
import LoopbackServer
import Testing

@testable import RawGet

/// A digest of the whole decides, whoever sends the bytes; only then do mirrors count that a server names (RFC 6249).
@Suite(.enabled(if: RawGetVersion.hasTLS, "digests come from OpenSSL")) struct MirrorDigestTests {
  static let resource = MirrorTests.resource
  static let other = resource.changed()
  static let dropAfter = MirrorTests.dropAfter
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static func checksum(_ resource: Resource = resource) -> Checksum? {
    Checksum(text: Array("sha-256=\(resource.digest)".utf8))
  }

  /// As a server says it.
  static func said(_ resource: Resource = resource) -> String {
    var data = Data()
    var digits = resource.digest[...]
    while !digits.isEmpty {
      data.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
      digits = digits.dropFirst(2)
    }
    return "Repr-Digest: sha-256=:\(data.base64EncodedString()):"
  }

  private func expectWhole(_ run: Run, _ because: String = "") {
    #expect(run.name == "complete", "\(because)")
    #expect(folder.content(of: "file.bin") == Self.resource.content, "\(because)")
  }

  // MARK: The caller's mirrors

  @Test func whoBroughtTheWrongBytesIsNamed() throws {
    let mirror = Self.resource.dying(after: 200_000)
    let places = try Places(Self.resource.dying(after: Self.dropAfter), mirror, Self.resource.served())
    defer { places.stop() }
    let run = try places.run(in: folder) { $1.checksum = Self.checksum(Self.other) }
    guard case .integrity(let path, let from)? = run.result.failure?.error else {
      Issue.record("\(run.result)")
      return
    }
    #expect(path == folder.path(of: "file.bin.bad"))
    let uris = [places.servers[0].uri("/file.bin")] + places.servers[1...].map { $0.uri("/pub/copy.img") }
    #expect(from.map { String(decoding: $0.text, as: UTF8.self) } == uris)
    #expect(run.result.failure?.exitCode == 10)
    #expect(try folder.names == ["file.bin.bad"])
    #expect(places.counts == [2, 2, 1], "nothing is fetched again by itself")
    let sentence = run.result.failure.map { String(decoding: FailureSentences.sentence($0).bytes, as: UTF8.self) }
    #expect(sentence?.contains("it is from \(uris[0]) and \(uris[1]) and \(uris[2]);") == true, "\(sentence ?? "")")
  }

  @Test func whoBroughtNothingIsNotNamed() throws {
    let places = try Places(Self.resource.dying(after: 0), Self.other.served())
    defer { places.stop() }
    let run = try places.run(in: folder) { $1.checksum = Self.checksum() }
    guard case .integrity(_, let from)? = run.result.failure?.error else {
      Issue.record("\(run.result)")
      return
    }
    #expect(from.map { String(decoding: $0.text, as: UTF8.self) } == [places.servers[1].uri("/pub/copy.img")])
  }

  static let impostors: [(Resource, [String], because: String)] = [
    (other, [said(other)], "it says another digest"),
    (MirrorDigestTests.longer, [], "it has another length"),
  ]

  private static var longer: Resource {
    var longer = other
    longer.length += 1
    return longer
  }

  @Test(arguments: impostors.indices, [true, false])
  func anotherVersionIsPassedOver(_ index: Int, _ isCallers: Bool) throws {
    let (impostor, fields, because) = Self.impostors[index]
    let first = Self.resource.dying(after: Self.dropAfter, fields: isCallers ? [] : [Self.said()])
    let places = try Places(first, impostor.served(fields), Self.resource.served())
    defer { places.stop() }
    let run = try places.run(in: folder) { if isCallers { $1.checksum = Self.checksum() } }
    expectWhole(run, because)
    #expect(places.counts == [2, 1, 1], "\(because)")
    #expect(run.reasonsToTurn == ["connectionLost", "otherVersion"], "and not for a login page: \(because)")
    #expect(places.ranges(2) == [MirrorTests.continued], "what was kept is kept still: \(because)")
  }

  /// The first server's word is not forgotten because a mirror's bytes differ.
  @Test func aMirrorIsHeldToTheFirstServersDigest() throws {
    let places = try Places(Self.resource.dying(after: Self.dropAfter, fields: [Self.said()]), Self.other.served())
    defer { places.stop() }
    let run = try places.run(in: folder)
    #expect(run.result.failure?.exitCode == 10, "\(run.result)")
    #expect(folder.content(of: "file.bin") == nil)
    #expect(folder.content(of: "file.bin.bad") == Self.other.content)
  }

  // MARK: Mirrors that the server names

  struct Named: Sendable, CustomTestStringConvertible {
    var fields: [String] = []
    var checksum: String?
    var link = "<MIRROR>; rel=duplicate"
    var isUsed = true
    let testDescription: String
  }

  static let named = [
    Named(isUsed: false, testDescription: "no digest"),
    Named(fields: [said()], testDescription: "the server's digest"),
    Named(checksum: "sha-256=" + resource.digest, testDescription: "the caller's digest"),
    Named(
      checksum: "md5=d41d8cd98f00b204e9800998ecf8427e", isUsed: false, testDescription: "a digest that proves nothing"),
    Named(
      fields: [said()], link: "<MIRROR>; rel=\"next DUPLICATE\"", testDescription: "one of several relation types"),
    Named(fields: [said()], link: "<MIRROR>; rel=alternate", isUsed: false, testDescription: "another relation"),
    Named(
      fields: [said()], link: "<MIRROR>; rel=duplicate; anchor=\"/x\"", isUsed: false,
      testDescription: "another context"),
    Named(fields: [said()], link: "<MIRROR>; rel=duplicate, x", isUsed: false, testDescription: "a malformed field"),
    Named(
      fields: [said()], link: "<ftp://127.0.0.1/f>; rel=duplicate, <MIRROR>; rel=duplicate; pri=9",
      testDescription: "one that can't be asked is passed over"),
  ]

  @Test(arguments: named) func aLinkCountsWithADigest(_ row: Named) throws {
    let mirror = try LoopbackServer(script: Self.resource.served())
    defer { mirror.stop() }
    let link = "Link: " + row.link.replacing("MIRROR", with: mirror.uri("/pub/copy.img"))
    let places = try Places(Self.resource.dying(after: Self.dropAfter, fields: row.fields + [link]))
    defer { places.stop() }
    let run = try places.run(in: folder) {
      $1.retryLimit = 2
      $1.checksum = row.checksum.flatMap { Checksum(text: Array($0.utf8)) }
    }
    #expect(mirror.requests.count == (row.isUsed ? 1 : 0))
    if row.isUsed { return expectWhole(run) }
    #expect(run.name == "connectionLost")
    #expect(folder.content(of: "file.bin.part") == Self.resource.content(in: 0..<Self.dropAfter))
  }

  @Test func theBestIsAskedFirstAndTheCallersBeforeIt() throws {
    let better = try LoopbackServer(script: { $0.reply("404 Not Found") })
    let worse = try LoopbackServer(script: Self.resource.served())
    defer {
      better.stop()
      worse.stop()
    }
    let link = "Link: <\(worse.uri())>; rel=duplicate; pri=2, <\(better.uri())>; rel=duplicate; pri=1"
    let first = Self.resource.dying(after: Self.dropAfter, fields: [Self.said(), link])
    let places = try Places(first, { $0.reply("404 Not Found") })
    defer { places.stop() }
    let run = try places.run(in: folder)
    expectWhole(run)
    #expect(run.mirrored == [places.servers[1].uri("/pub/copy.img"), better.uri(), worse.uri()])
  }

  @Test func aRedirectMayNameThemToo() throws {
    let mirror = try LoopbackServer(script: Self.resource.served())
    defer { mirror.stop() }
    let places = try Places({ exchange in
      if exchange.request.target == "/gone" { return exchange.reply("404 Not Found") }
      exchange.reply("302 Found", ["Location: /gone", "Link: <\(mirror.uri())>; rel=duplicate"])
    })
    defer { places.stop() }
    expectWhole(try places.run(in: folder) { $1.checksum = Self.checksum() })
    #expect(mirror.requests.count == 1)
  }

  @Test func whatAMirrorNamesIsNotLookedAt() throws {
    let third = try LoopbackServer(script: Self.resource.served())
    defer { third.stop() }
    let mirror = Self.resource.dying(after: 10_000, fields: ["Link: <\(third.uri())>; rel=duplicate"])
    let places = try Places({ $0.reply("404 Not Found") }, mirror)
    defer { places.stop() }
    let run = try places.run(in: folder) {
      $1.retryLimit = 1
      $1.checksum = Self.checksum()
    }
    #expect(run.name == "connectionLost")
    #expect(third.requests.isEmpty)
  }
}
