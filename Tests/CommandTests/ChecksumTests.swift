import Foundation
import LoopbackServer
import Testing

/// Digests: the caller's and the server's. Content that is not what its digest says never gets the name.
@Suite(.enabled(if: Command.hasTLS, "digests come from OpenSSL")) struct ChecksumTests {
  static let resource = Rerun.resource
  static let whole = ["file.bin": Summary(resource.bytes)]
  static let bad = ["file.bin.bad": Summary(resource.bytes)]
  static let right = "sha-256=" + resource.digest
  static let wrong = "sha-256=" + resource.changed().digest

  /// `hexadecimal` as RFC 9530 §2 writes a digest: base64.
  static func base64(_ hexadecimal: String) -> String {
    var data = Data()
    var rest = hexadecimal[...]
    while rest.count >= 2 {
      data.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return data.base64EncodedString()
  }

  // MARK: --checksum

  @Test func aRightChecksumIsSaid() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Command.run(["--checksum", Self.right, server.uri("/file.bin")])
    try run.expectWhole(Self.resource, saying: [Self.right])
  }

  @Test func aWrongChecksumPutsTheFileAway() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Command.run(["-q", "--checksum", Self.wrong, server.uri("/file.bin")])
    try run.expect(.integrity, leaving: Self.bad, "never under its name")
    #expect(run.standardError.contains("file.bin.bad"), "\(run.standardError)")
    #expect(server.requests.count == 1, "it is not fetched again by itself")
    #expect(try run.folder.files == Self.bad, "and no record is left")
  }

  @Test func onStandardOutputItCanOnlyBeSaid() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    try Command.run(["-q", "-o", "-", "--checksum", Self.wrong, server.uri("/file.bin")]).expect(.integrity)
    try Command.run(["-q", "-o", "-", "--checksum", Self.right, server.uri("/file.bin")]).expect(.ok)
  }

  @Test(arguments: [true, false]) func aResumedPrefixIsHashedToo(_ isRight: Bool) throws {
    let rerun = try Rerun()
    defer { rerun.server.stop() }
    var part = try rerun.folder.bytes(of: "file.bin.part")
    if !isRight { part[10] ^= 1 }
    try rerun.folder.write(part, to: "file.bin.part")
    let run = try rerun.again(["-q", "--checksum", Self.right])
    if isRight { return try run.expect(.ok, leaving: Self.whole) }
    #expect(run.ending == .exited(ExitCode.integrity.rawValue), "a byte before the overlap: \(run.standardError)")
    #expect(try run.files.keys.sorted() == ["file.bin.bad"])
    try rerun.again(["-q", "--checksum", Self.right]).expect(
      .ok,
      leaving: Self.whole.merging(["file.bin.bad": try #require(try run.files["file.bin.bad"])]) { first, _ in first },
      "nothing of it is used again")
  }

  @Test func overDropsAndAChangedFile() throws {
    let changed = Self.resource.changed()
    let server = try LoopbackServer { exchange in
      switch exchange.requestNumber {
      case 1: Self.resource.respond(to: exchange, .dropping(after: 700_000))
      case 2: changed.respond(to: exchange, .dropping(after: 900_000))
      default: changed.respond(to: exchange)
      }
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--checksum", Self.wrong, server.uri("/file.bin")])
    try run.expectChanged(leaving: ["file.bin": Summary(changed.bytes)], "it is the changed one's")
  }

  static let refused = [
    "sha-256", "sha-256=", "sha-256=zz", "=abc", "crc32=00000000", "sha-256=" + resource.digest + "00",
    "sha-256 = " + resource.digest, "sha-512=" + resource.digest,
  ]

  @Test(arguments: refused) func isRefusedBeforeAnyTraffic(_ checksum: String) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Command.run(["-q", "--checksum", checksum, server.uri("/file.bin")])
    try run.expect(.usage, leaving: [:], checksum)
    #expect(server.connectionCount == 0)
  }

  // MARK: The server's

  /// Field lines of every response, and whether they are right.
  static let fields: [(line: String, isRight: Bool, because: String)] = [
    ("Repr-Digest: sha-256=:\(base64(wrong.digits)):", false, "RFC 9530 §3"),
    ("Content-Digest: sha-256=:\(base64(wrong.digits)):", false, "RFC 9530 §2"),
    ("Digest: SHA-256=\(base64(wrong.digits))", false, "the older field"),
    ("Repr-Digest: sha-256=:\(base64(right.digits)):", true, "RFC 9530 §3"),
    ("Content-Digest: sha-256=:\(base64(right.digits)):", true, "RFC 9530 §2"),
    ("Digest: SHA-256=\(base64(right.digits))", true, "the older field"),
    ("Repr-Digest: sha-256=garbage", true, "malformed: ignored (RFC 8941 §4.2)"),
    ("Repr-Digest: unixsum=:MA==:", true, "an algorithm that nobody should use"),
  ]

  @Test(arguments: fields) func aFieldIsVerified(_ row: (line: String, isRight: Bool, because: String)) throws {
    let server = try LoopbackServer { exchange in
      var conduct = Conduct.correct
      conduct.fields = [row.line]
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/file.bin")])
    try run.expect(row.isRight ? .ok : .integrity, leaving: row.isRight ? Self.whole : Self.bad, row.because)
  }

  @Test(arguments: [true, false]) func aReprDigestCoversWhatAnEarlierRunLeft(_ isRight: Bool) throws {
    let digest = Self.base64((isRight ? Self.right : Self.wrong).digits)
    let rerun = try Rerun { exchange in
      var conduct = Conduct.correct
      conduct.fields = ["Repr-Digest: sha-256=:\(digest):"]
      Self.resource.respond(to: exchange, conduct)
    }
    defer { rerun.server.stop() }
    try rerun.again(["-q"]).expect(isRight ? .ok : .integrity, leaving: isRight ? Self.whole : Self.bad)
  }

  @Test(arguments: [true, false]) func aContentDigestCoversItsMessageAlone(_ isRight: Bool) throws {
    let rest = Rerun.kept - Rerun.overlap..<Self.resource.length
    let digest = Self.base64(isRight ? Summary(Self.resource.bytes(in: rest)).digest : Self.right.digits)
    let rerun = try Rerun { exchange in
      var conduct = Conduct.correct
      conduct.fields = ["Content-Digest: sha-256=:\(digest):"]
      Self.resource.respond(to: exchange, conduct)
    }
    defer { rerun.server.stop() }
    try rerun.again(["-q"]).expect(isRight ? .ok : .integrity, leaving: isRight ? Self.whole : Self.bad)
  }

  /// Each representation says its own digest.
  @Test func theDigestOfAFileThatIsGoneIsForgotten() throws {
    let changed = Self.resource.changed()
    let server = try LoopbackServer { exchange in
      let resource = exchange.requestNumber == 1 ? Self.resource : changed
      var conduct = exchange.requestNumber == 1 ? Conduct.dropping(after: 700_000) : .correct
      conduct.fields = ["Repr-Digest: sha-256=:\(Self.base64(resource.digest)):"]
      resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/file.bin")])
    try run.expectChanged(leaving: ["file.bin": Summary(changed.bytes)])
  }

  /// The content of a message begins before the place where it differs from what is here.
  @Test func aContentDigestSurvivesAChange() throws {
    let changed = Self.resource.changed()
    let rerun = try Rerun { exchange in
      var conduct = Conduct.correct
      conduct.fields = ["Content-Digest: sha-256=:\(Self.base64(changed.digest)):"]
      changed.respond(to: exchange, conduct)
    }
    defer { rerun.server.stop() }
    try rerun.again().expectWhole(changed, saying: ["changed (11)"])
  }

  // MARK: Content that ends with the connection

  @Test(arguments: [true, false]) func aCloseProvesNoLengthButADigestDoes(_ hasDigest: Bool) throws {
    let server = try LoopbackServer { exchange in
      var conduct = Conduct.correct
      conduct.framing = .untilClose
      if hasDigest { conduct.fields = ["Repr-Digest: sha-256=:\(Self.base64(Self.right.digits)):"] }
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let run = try Command.run([server.uri("/file.bin")])
    try run.expectWhole(Self.resource)
    #expect(run.standardError.contains("length unproven") == !hasDigest, "\(run.standardError)")
  }

  @Test func theServerIsAskedForADigest() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    try Command.run(["-q", server.uri("/file.bin")]).expect(.ok, leaving: Self.whole)
    #expect(server.requests.allSatisfy { $0.field("Want-Repr-Digest")?.contains("sha-256") == true })
  }
}

extension String {
  /// The digits of `ALGORITHM=digits`.
  fileprivate var digits: String { String(drop { $0 != "=" }.dropFirst()) }
}
