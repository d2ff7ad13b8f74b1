import Foundation
import LoopbackServer
import Testing

@testable import RawGet

/// Digests, names and files that are there already mean the same over several connections.
struct LaneProofTests {
  private static let resource = Resource(length: 2_500_000, seed: 71)
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static func base64(ofDigest digest: String) -> String {
    var bytes: [UInt8] = []
    var digits = digest[...]
    while let byte = UInt8(digits.prefix(2), radix: 16) {
      bytes.append(byte)
      digits = digits.dropFirst(2)
    }
    return Data(bytes).base64EncodedString()
  }

  private static func contentDigest(_ content: [UInt8]) -> [String] {
    let digest = SHA256()
    digest.update(content)
    return ["Content-Digest: sha-256=:\(base64(ofDigest: digest.finish())):"]
  }

  // MARK: Digests

  @Test(.enabled(if: RawGetVersion.hasTLS), arguments: laneChoices) func everyAnswerHasItsDigest(
    _ choice: ConnectionChoice
  ) throws {
    for longestPart in [nil, 300_000] as [Int64?] {
      let folder = try Folder()
      let server = try LoopbackServer(cut: { $0 == 2 ? LoopbackServer.Cut(after: 200_000) : nil }) { exchange in
        var conduct = Conduct.correct
        conduct.fieldsOfContent = Self.contentDigest
        conduct.longestPart = longestPart
        Self.resource.respond(to: exchange, conduct)
      }
      defer { server.stop() }
      #expect(try Run(server.uri("/x"), over: choice, in: folder).name == "complete")
      #expect(folder.content(of: "x") == Self.resource.content)
      #expect(try folder.names == ["x"])
    }
  }

  /// The n-th answer's digest is that of other bytes.
  @Test(.enabled(if: RawGetVersion.hasTLS), arguments: [1, 2, 4], laneChoices)
  func oneDigestIsWrong(_ number: Int, _ choice: ConnectionChoice) throws {
    let server = try LoopbackServer { exchange in
      var conduct = Conduct.correct
      let isWrong = exchange.requestNumber == number
      conduct.fieldsOfContent = { Self.contentDigest(isWrong ? [1] + $0.dropFirst() : $0) }
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: choice, in: folder)
    #expect(run.name == "integrity")
    #expect(run.result.failure?.exitCode == 10)
    #expect(try folder.names == ["x.bad"], "out of the way, and nothing is left to continue with")
  }

  struct Digest: Sendable {
    var fields: [String] = []
    var checksum: String?
    let isRight: Bool
  }

  private static let wrong = Resource(length: 10, seed: 1).digest

  static let digests: [Digest] = [
    Digest(fields: ["Repr-Digest: sha-256=:\(base64(ofDigest: resource.digest)):"], isRight: true),
    Digest(fields: ["Repr-Digest: sha-256=:\(base64(ofDigest: wrong)):"], isRight: false),
    Digest(checksum: "sha-256=" + resource.digest, isRight: true),
    Digest(checksum: "sha-256=" + wrong, isRight: false),
  ]

  @Test(.enabled(if: RawGetVersion.hasTLS), arguments: digests, laneChoices)
  func digestOfAll(_ row: Digest, _ choice: ConnectionChoice) throws {
    let server = try LoopbackServer { exchange in
      var conduct = exchange.requestNumber == 2 ? Conduct.dropping(after: 100_000) : .correct
      conduct.fields = row.fields
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: choice, in: folder) {
      $0.checksum = row.checksum.flatMap { Checksum(text: Array($0.utf8)) }
    }
    #expect(run.name == (row.isRight ? "complete" : "integrity"))
    #expect(try folder.names == [row.isRight ? "x" : "x.bad"])
    if row.isRight {
      #expect(folder.content(of: "x") == Self.resource.content)
      #expect(run.result.summary?.digest == Array("sha-256=\(Self.resource.digest)".utf8))
    }
  }

  // MARK: Names

  @Test("a part names the file as the whole does", arguments: laneChoices)
  func nameFromThePart(_ choice: ConnectionChoice) throws {
    let server = try LoopbackServer { exchange in
      var conduct = Conduct.correct
      conduct.fields = ["Content-Disposition: attachment; filename=\"named.bin\""]
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    for count in 1...2 {
      let before = server.requests.count
      let run = try Run(server.uri("/x"), over: choice, in: folder)
      #expect(run.name == "complete", "the second time it is there already")
      #expect(folder.content(of: "named.bin") == Self.resource.content)
      #expect(try folder.names == ["named.bin"])
      if count == 2 { #expect(server.requests.count == before + 1) }
    }
  }

  @Test("already complete", arguments: laneChoices) func alreadyComplete(_ choice: ConnectionChoice) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    #expect(try Run(server.uri("/x"), over: choice, in: folder).name == "complete")
    let before = server.requests.count
    let run = try Run(server.uri("/x"), over: choice, in: folder)
    #expect(run.name == "complete" && server.requests.count == before + 1)
    guard case .alreadyComplete? = run.result.summary?.note else {
      Issue.record("it was downloaded again")
      return
    }
  }

  @Test("something else has the name", arguments: laneChoices) func exists(_ choice: ConnectionChoice) throws {
    try folder.put("mine", as: "x")
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: choice, in: folder)
    #expect(run.name == "exists")
    #expect(folder.content(of: "x") == Content("mine"))
  }
}
