import LoopbackServer
import Testing

@testable import RawGet

/// A connection that ends anywhere: never a success, never a byte lost, and with another attempt the exact file.
struct DropTests {
  private static let resource = Resource(length: 100_000, seed: 3)
  private let folder: Folder

  init() throws { folder = try Folder() }

  enum End: Sendable { case close, reset, stall }

  /// What the first connection brings, how it ends, and what that is called.
  struct Row: Sendable, CustomTestStringConvertible {
    let place: String
    let bytes: @Sendable () -> [UInt8]
    let end: End
    let name: String
    let kept: Int64
    var testDescription: String { "\(end) \(place)" }
  }

  private static let length = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\nETag: \"first\"\r\n\r\n"
  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \"first\"\r\n\r\n"
  private static let untilClose = "HTTP/1.1 200 OK\r\nETag: \"first\"\r\n\r\n"

  private static func rows(
    _ place: String, _ head: String, _ content: Range<Int64>? = nil, _ tail: String = "",
    close: String? = "protocolViolation.incompleteHead", stall: String = "timedOut.response"
  ) -> [Row] {
    let bytes = { @Sendable in Array(head.utf8) + (content.map(resource.bytes(in:)) ?? []) + Array(tail.utf8) }
    let kept = Int64(content?.count ?? 0)
    let ends: [(End, String)] = (close.map { [(.close, $0)] } ?? []) + [(.reset, "connectionLost"), (.stall, stall)]
    return ends.map { Row(place: place, bytes: bytes, end: $0.0, name: $0.1, kept: kept) }
  }

  static let rows = [
    rows("before the answer", "", close: "protocolViolation.noResponse"),
    rows("in the status line", "HTTP/1.1 20"),
    rows("in an interim head", "HTTP/1.1 103 Early Hints\r\nLink: x"),
    rows("between heads", "HTTP/1.1 100 Continue\r\n\r\n"),
    rows("in the fields", "HTTP/1.1 200 OK\r\nContent-Le"),
    rows("before the empty line", "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n"),
    content("before the content", length, 0..<0),
    content("in the content", length, 0..<41_234),
    content("one byte before the end", length, 0..<99_999),
    chunks("before the first chunk", 0..<0, ""),
    chunks("in a chunk size", 0..<0, "1"),
    chunks("in a chunk", 0..<41_234, "", size: 50_000),
    chunks("before a chunk's CRLF", 0..<50_000, "", size: 50_000),
    chunks("in a chunk's CRLF", 0..<50_000, "\r", size: 50_000),
    chunks("between chunks", 0..<50_000, "\r\n", size: 50_000),
    chunks("before the last chunk", 0..<100_000, "\r\n", size: 100_000),
    chunks("in the last chunk", 0..<100_000, "\r\n0\r\n", size: 100_000),
    chunks("in the trailer", 0..<100_000, "\r\n0\r\nX-Y: z\r\n", size: 100_000),
    rows("in content that the close ends", untilClose, 0..<41_234, close: nil, stall: "timedOut.content"),
  ].flatMap { $0 }

  private static func content(_ place: String, _ head: String, _ content: Range<Int64>) -> [Row] {
    rows(place, head, content, close: "protocolViolation.incompleteContent", stall: "timedOut.content")
  }

  private static func chunks(_ place: String, _ content: Range<Int64>, _ tail: String, size: Int? = nil) -> [Row] {
    rows(
      place, chunked + (size.map { String($0, radix: 16) + "\r\n" } ?? ""), content, tail,
      close: "protocolViolation.incompleteChunkedContent", stall: "timedOut.content")
  }

  private func server(_ row: Row, _ stall: Stall) throws -> LoopbackServer {
    try LoopbackServer { exchange in
      guard exchange.requestNumber == 1 else { return Self.resource.respond(to: exchange) }
      exchange.send(row.bytes())
      switch row.end {
      case .close: exchange.close()
      case .reset: exchange.reset()
      case .stall: exchange.stall(stall)
      }
    }
  }

  @Test("T3 T19: without another attempt, what came is kept", arguments: rows)
  func failsAndKeeps(_ row: Row) throws {
    let stall = Stall()
    let server = try server(row, stall)
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder, stall: stall) { $0.retryLimit = 0 }
    #expect(run.name == row.name)
    #expect(run.result.failure?.kept == row.kept)
    #expect(run.result.failure?.exitCode == (row.kept > 0 ? 9 : 4))
    #expect(try folder.namesWithoutRecords == (row.kept > 0 ? ["file.bin.part"] : []), "S2-1: no empty part")
    #expect(try folder.names.contains("file.bin.part.meta") == (row.kept > 0))
    if row.kept > 0 {
      #expect(folder.content(of: "file.bin.part") == Self.resource.content(in: 0..<row.kept))
      #expect(run.result.failure?.partPath == folder.path(of: "file.bin.part"))
    }
    #expect(server.requests.count == 1)
  }

  @Test("S2-4 S4-6: with one, it is completed from there", arguments: rows)
  func goesOn(_ row: Row) throws {
    let stall = Stall()
    let server = try server(row, stall)
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder, stall: stall) { $0.retryLimit = 1 }
    #expect(run.name == "complete")
    #expect(run.interruptions == [row.name])
    #expect(folder.content(of: "file.bin") == Self.resource.content)
    #expect(try folder.names == ["file.bin"])
    let range = row.kept > 0 ? "bytes=\(row.kept)-" : nil
    #expect(server.requests.map { $0.field("Range") } == [nil, range], "S1-8 T7: from the exact end")
    #expect(server.requests.last?.field("If-Range") == (row.kept > 0 ? "\"first\"" : nil))
    if row.kept > 0 { #expect(run.delays == [.zero], "at once after progress") }
  }

  /// Bytes one by one, cut wherever they were cut: the outcome may not depend on it.
  @Test(arguments: [length, chunked, untilClose]) func arrivesByteByByte(_ head: String) throws {
    let content = Self.resource.bytes(in: 0..<300)
    let server = try LoopbackServer { exchange in
      switch head {
      case Self.chunked:
        let framed = Array("12c\r\n".utf8) + content + Array("\r\n0\r\n\r\n".utf8)
        exchange.drip(Array(head.utf8) + framed, pause: 0)
      case Self.length: exchange.drip(Array(head.replacing("100000", with: "300").utf8) + content, pause: 0)
      default: exchange.drip(Array(head.utf8) + content, pause: 0)
      }
    }
    defer { server.stop() }
    #expect(try Run(server.uri("/file.bin"), in: folder).name == "complete")
    #expect(folder.content(of: "file.bin") == Content(content))
  }
}
