import LoopbackServer
import Testing

@testable import RawGet

/// What follows a drop: continued when that is proven, compared when it is not (docs/RESUME.md).
struct ContinuationTests {
  private static let resource = Resource(length: 300_000, seed: 4)
  private static let dropAfter: Int64 = 120_000  // bytes
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static func resource(_ change: (inout Resource) -> Void) -> Resource {
    var changed = resource
    change(&changed)
    return changed
  }

  private var part: Content? { folder.content(of: "file.bin.part") }
  private static var kept: Content { resource.content(in: 0..<dropAfter) }

  // MARK: Proven

  @Test(
    arguments: [
      (#""first""#, "Sat, 21 Mar 2026 09:30:00 GMT", #""first""#),
      (nil, "Sat, 21 Mar 2026 09:30:00 GMT", "Sat, 21 Mar 2026 09:30:00 GMT"),
    ] as [(String?, String?, String)])
  func aStrongValidatorIsTheCondition(_ tag: String?, _ date: String?, _ condition: String) throws {
    let resource = Self.resource {
      $0.entityTag = tag
      $0.lastModified = date
    }
    let server = try LoopbackServer(dropping: resource, after: Self.dropAfter) { resource.respond(to: $0) }
    defer { server.stop() }
    #expect(try Run(server.uri("/file.bin"), in: folder).name == "complete")
    #expect(server.requests.map { $0.field("Range") } == [nil, "bytes=120000-"])
    #expect(server.requests.map { $0.field("If-Range") } == [nil, condition])
    #expect(folder.content(of: "file.bin") == resource.content)
  }

  @Test(
    "S0-8 S2-7 T28: a server may send less than was asked", arguments: [1, 7_777, 60_000] as [Int64], [true, false])
  func shortPieces(_ size: Int64, _ isLengthSaid: Bool) throws {
    let length = Self.resource.length
    let server = try LoopbackServer(dropping: Self.resource, after: Self.dropAfter) { exchange in
      let first = Int64(exchange.request.field("Range")?.dropFirst(6).dropLast() ?? "") ?? 0
      guard first < length else {
        return exchange.reply("416 Range Not Satisfiable", ["Content-Range: bytes */\(length)"])
      }
      let step = size == 1 && first < length - 20 ? length - 20 - first : size
      let piece = Self.resource.bytes(in: first..<min(first + step, length))
      let total = isLengthSaid ? "\(length)" : "*"
      let range = "Content-Range: bytes \(first)-\(first + Int64(piece.count) - 1)/\(total)"
      exchange.reply("206 Partial Content", [range, #"ETag: "first""#], content: piece)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder) { $0.retryLimit = 1 }
    #expect(run.name == "complete")
    #expect(run.interruptions.count == 1, "pieces are progress, not failures")
    #expect(run.progress.completeLength == length)
    #expect(folder.content(of: "file.bin") == Self.resource.content)
  }

  /// Chunked, and dropped before the last chunk: everything is here, but nothing said so.
  @Test("T22: 416 with the length that is here") func completeWithoutATransfer() throws {
    let content = Self.resource.bytes(in: 0..<5_000)
    let server = try LoopbackServer { exchange in
      if exchange.requestNumber == 1 {
        exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \"first\"\r\n\r\n1388\r\n")
        exchange.send(content)
        return exchange.close()
      }
      exchange.reply("416 Range Not Satisfiable", ["Content-Range: bytes */5000"], text: "nothing more")
    }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder)
    #expect(run.name == "complete")
    #expect(server.requests.last?.field("Range") == "bytes=5000-")
    #expect(folder.content(of: "file.bin") == Content(content), "and no error page behind it")
    #expect(run.result.summary?.isLengthProven == true)
  }

  @Test(
    "T22: 416 of something longer, or of something else", arguments: ["bytes */5001", "bytes */4999", "none", "tag"])
  func notCompleteAfterAll(_ contentRange: String) throws {
    let content = Self.resource.bytes(in: 0..<5_000)
    let longer = Resource(length: 5_001, seed: 4)
    let server = try LoopbackServer { exchange in
      switch exchange.requestNumber {
      case 1:
        exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \"first\"\r\n\r\n1388\r\n")
        exchange.send(content)
        exchange.close()
      case 2:
        let fields = ["none": [], "tag": ["Content-Range: bytes */5000", #"ETag: "other""#]]
        exchange.reply("416 Range Not Satisfiable", fields[contentRange] ?? ["Content-Range: \(contentRange)"])
      default: longer.respond(to: exchange)
      }
    }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder)
    #expect(run.name == "complete")
    #expect(run.interruptions == ["protocolViolation.incompleteChunkedContent"])
    #expect(server.requests.map { $0.field("Range") } == [nil, "bytes=5000-", nil], "then the whole is compared")
    #expect(folder.content(of: "file.bin") == longer.content)
  }

  // MARK: Compared

  struct Unproven: Sendable { let tag: String?, because: String }

  static let unproven = [
    Unproven(tag: nil, because: "no validator"), Unproven(tag: #"W/"first""#, because: "a weak one"),
    Unproven(tag: "first", because: "one that is none"),
  ]

  @Test(arguments: unproven) func withoutAStrongValidatorTheWholeIsCompared(_ row: Unproven) throws {
    let resource = Self.resource {
      $0.entityTag = row.tag
      $0.lastModified = nil
    }
    let server = try LoopbackServer(dropping: resource, after: Self.dropAfter) { resource.respond(to: $0) }
    defer { server.stop() }
    #expect(try Run(server.uri("/file.bin"), in: folder).name == "complete", "\(row.because)")
    #expect(server.requests.map { $0.field("Range") } == [nil, nil], "\(row.because)")
    #expect(folder.content(of: "file.bin") == resource.content)
  }

  @Test(
    "ranges are ignored: compared, then appended", arguments: [Conduct.Framing.contentLength, .chunked, .untilClose])
  func rangesAreIgnored(_ framing: Conduct.Framing) throws {
    var conduct = Conduct.correct
    conduct.framing = framing
    conduct.ignoresRange = true
    let server = try LoopbackServer(dropping: Self.resource, after: Self.dropAfter) { [conduct] in
      Self.resource.respond(to: $0, conduct)
    }
    defer { server.stop() }
    #expect(try Run(server.uri("/file.bin"), in: folder).name == "complete")
    #expect(folder.content(of: "file.bin") == Self.resource.content)
  }

  @Test("another tag, the same bytes: a CDN's other node") func theTagChangesAndTheBytesDoNot() throws {
    let other = Self.resource { $0.entityTag = #""other""# }
    let server = try LoopbackServer { exchange in
      switch exchange.requestNumber {
      case 1: Self.resource.respond(to: exchange, .dropping(after: Self.dropAfter))
      case 2: other.respond(to: exchange, .dropping(after: 200_000))
      default: other.respond(to: exchange)
      }
    }
    defer { server.stop() }
    #expect(try Run(server.uri("/file.bin"), in: folder).name == "complete")
    #expect(
      server.requests.map { $0.field("If-Range") } == [nil, #""first""#, #""other""#], "from then on it is the other's")
    #expect(server.requests.map { $0.field("Range") } == [nil, "bytes=120000-", "bytes=200000-"])
    #expect(folder.content(of: "file.bin") == Self.resource.content)
  }

  @Test(
    "T25: a part of an earlier run is compared, never appended to on trust",
    arguments: [0, 1, 119_999, 300_000] as [Int64])
  func aPartFromBefore(_ length: Int64) throws {
    try folder.put(Self.resource.bytes(in: 0..<length), as: "file.bin.part")
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    #expect(try Run(server.uri("/file.bin"), in: folder).name == "complete")
    let asked = server.requests.map { $0.field("Range") }
    if length < 131_072 {
      #expect(asked == [nil], "all of it")
    } else {
      #expect(asked.count == 9 && asked.last == "bytes=\(length - 65_536)-", "eight samples, then the end")
    }
    #expect(folder.content(of: "file.bin") == Self.resource.content)
  }

  @Test("T9 T14: a part of something else", arguments: [0, 59_999, 119_999]) func aForeignPart(_ place: Int) throws {
    var foreign = Self.resource.bytes(in: 0..<Self.dropAfter)
    foreign[place] ^= 0xFF
    try folder.put(foreign, as: "file.bin.part")
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder)
    #expect(run.name == "complete")
    #expect(folder.content(of: "file.bin") == Self.resource.content)
    #expect(try folder.names == ["file.bin"])
  }

  @Test func aStreamIsContinuedOnlyWithProof() throws {
    for (tag, name, length) in [("\"first\"", "complete", 300_000), (nil, "notContinuable", 120_000)]
      as [(String?, String, Int64)]
    {
      let resource = Self.resource {
        $0.entityTag = tag
        $0.lastModified = nil
      }
      let server = try LoopbackServer(dropping: resource, after: Self.dropAfter) { resource.respond(to: $0) }
      defer { server.stop() }
      let run = try Run(server.uri("/file.bin"), to: .file(Array("/dev/null".utf8)), in: folder)
      #expect(run.name == name)
      #expect(run.progress.kept == length)
      #expect(run.result.failure?.partPath == nil)
    }
  }
}
