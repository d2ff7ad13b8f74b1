import LoopbackServer
import Testing

@testable import RawGet

/// A file holds bytes of one representation: what does not continue the part is not appended to it (docs/PROMISES.md, 2).
struct ChangedTests {
  private static let resource = Resource(length: 300_000, seed: 4)
  private static let dropAfter: Int64 = 120_000  // bytes
  private static var kept: Content { resource.content(in: 0..<dropAfter) }
  private let folder: Folder

  init() throws { folder = try Folder() }

  private var part: Content? { folder.content(of: "file.bin.part") }

  struct Change: Sendable, CustomTestStringConvertible {
    let because: String
    let conduct: Conduct
    let resource: Resource
    var testDescription: String { because }

    init(_ because: String, _ resource: Resource, _ conduct: (inout Conduct) -> Void = { _ in }) {
      self.because = because
      self.resource = resource
      var changed = Conduct.correct
      conduct(&changed)
      self.conduct = changed
    }
  }

  private static func other(_ tag: String?, length: Int64 = 300_000) -> Resource {
    var other = Resource(length: length, seed: 5)
    other.entityTag = tag
    return other
  }

  static let changes = [
    Change("T9 another tag", other(#""other""#)),
    Change("another tag, If-Range ignored", other(#""other""#)) { $0.ignoresIfRange = true },
    Change("another tag, chunked", other(#""other""#)) { $0.framing = .chunked },
    Change("no tag any more", other(nil)) { $0.ignoresIfRange = true },
    Change("the same tag, but weak", other(#"W/"first""#)) { $0.ignoresIfRange = true },
    Change("longer, under the same tag", other(#""first""#, length: 300_001)),
    Change("S1-6 shorter than the part", other(#""other""#, length: 100)),
    Change("S1-6 shorter, chunked", other(#""other""#, length: 100)) { $0.framing = .chunked },
    Change("a prefix of the part", Resource(length: 100, seed: 4)) {
      $0.framing = .untilClose
      $0.ignoresRange = true
    },
  ]

  /// The new one is whole and nothing else is; or, where nothing shows its end, the part stays as it is.
  @Test("never mixed: a new part takes over", arguments: changes) func changed(_ change: Change) throws {
    let server = try LoopbackServer(dropping: Self.resource, after: Self.dropAfter) { exchange in
      change.resource.respond(to: exchange, change.conduct)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder)
    if change.conduct.framing == .untilClose {
      #expect(run.name == "protocolViolation.incompleteContent")
      #expect(run.result.failure?.exitCode == 9)
      #expect(part == Self.kept)
      return
    }
    #expect(run.name == "complete")
    #expect(folder.content(of: "file.bin") == change.resource.content)
    #expect(try folder.names == ["file.bin"], "the old part waited, and is gone")
  }

  /// Nothing that follows is appended, and the whole, asked for next, completes it.
  @Test(
    "T3 T12 S2-7: numbers that do not fit",
    arguments: [
      "bytes 120001-299999/300000", "bytes 0-299999/300000", "bytes 120000-299999/300001", "bytes 120000-300000/300000",
      "bytes 120000-200000/300000", "bytes */300000", "items 120000-299999/300000", "nonsense",
      "bytes 18446744073709671616-18446744073709851615/300000",
    ]) func wrongNumbers(_ contentRange: String) throws
  {
    let server = try LoopbackServer(dropping: Self.resource, after: Self.dropAfter) { exchange in
      var conduct = Conduct.correct
      if exchange.requestNumber == 2 { conduct.contentRange = contentRange }
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder)
    #expect(run.name == "complete")
    #expect(run.interruptions == ["connectionLost"], "asking for the whole is a step, and no failure")
    #expect(server.requests.map { $0.field("Range") } == [nil, "bytes=120000-", nil])
    #expect(folder.content(of: "file.bin") == Self.resource.content)
  }

  struct Mismatch: Sendable { let framing: Conduct.Framing, count: Int64, name: String, kept: Int64, because: String }

  static let mismatches = [
    Mismatch(
      framing: .chunked, count: 80_001, name: "protocolViolation.invalidContentRange", kept: 200_000,
      because: "a byte more than was announced is not kept"),
    Mismatch(
      framing: .untilClose, count: 180_000, name: "protocolViolation.invalidContentRange", kept: 200_000,
      because: "nor are many"),
    Mismatch(
      framing: .chunked, count: 79_999, name: "protocolViolation.incompleteContent", kept: 199_999,
      because: "a byte less is incomplete, though the message ended"),
    Mismatch(
      framing: .untilClose, count: 1, name: "protocolViolation.incompleteContent", kept: 120_001,
      because: "so is a close"),
  ]

  /// Announced as 80,000 bytes from 120,000 on.
  @Test(arguments: mismatches) func contentThatDoesNotFitItsRange(_ row: Mismatch) throws {
    let server = try LoopbackServer(dropping: Self.resource, after: Self.dropAfter) { exchange in
      guard exchange.requestNumber == 2 else { return exchange.close() }
      let content = Self.resource.bytes(in: Self.dropAfter..<Self.dropAfter + row.count)
      exchange.send("HTTP/1.1 206 Partial Content\r\nETag: \"first\"\r\nContent-Range: bytes 120000-199999/300000\r\n")
      let isChunked = row.framing == .chunked
      if isChunked { exchange.send("Transfer-Encoding: chunked\r\n") }
      exchange.send(isChunked ? "\r\n\(String(content.count, radix: 16))\r\n" : "\r\n")
      exchange.send(content)
      if isChunked { exchange.send("\r\n0\r\n\r\n") }
    }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder) { $0.retryLimit = 1 }
    #expect((run.interruptions.dropFirst().first ?? run.name) == row.name, "\(row.because)")
    #expect(part == Self.resource.content(in: 0..<row.kept), "\(row.because)")
  }

  /// The other representation differs from 50,000 on, and its answer breaks off before that.
  @Test func aComparisonCutShortProvesNothing() throws {
    var bytes = Self.resource.bytes
    bytes[50_000] ^= 0xFF
    let other = bytes
    let server = try LoopbackServer(dropping: Self.resource, after: Self.dropAfter) { exchange in
      guard exchange.request.field("If-Range") != "\"other\"" else {
        let range = "Content-Range: bytes 120000-299999/300000"
        return exchange.reply("206 Partial Content", [range, "ETag: \"other\""], content: Array(other[120_000...]))
      }
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 300000\r\nETag: \"other\"\r\n\r\n")
      exchange.send(Array(other[..<(exchange.requestNumber == 2 ? 40_000 : other.count)]))
    }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder)
    #expect(run.name == "complete")
    #expect(server.requests.map { $0.field("If-Range") } == [nil, "\"first\"", "\"first\""])
    #expect(folder.content(of: "file.bin") == Content(other))
  }

  @Test("T4 S2-6: an error page on reconnect is nothing to keep", arguments: [403, 404, 410, 416, 500])
  func anErrorPage(_ status: Int) throws {
    let server = try LoopbackServer(dropping: Self.resource, after: Self.dropAfter) {
      $0.reply("\(status) No", text: "an error page")
    }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder) { $0.retryLimit = 2 }
    #expect(run.name == "refused")
    #expect(part == Self.kept)
  }
}
