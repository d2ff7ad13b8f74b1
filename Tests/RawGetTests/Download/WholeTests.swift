import LoopbackServer
import Testing

@testable import RawGet

/// A download without a fault: the exact bytes under the right name, and nothing else.
struct WholeTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  struct Way: Sendable, CustomTestStringConvertible {
    let framing: Conduct.Framing
    let isSecure: Bool
    var testDescription: String { "\(framing)\(isSecure ? ", TLS" : "")" }
  }

  static let ways = [Conduct.Framing.contentLength, .chunked, .untilClose].flatMap { framing in
    transports.map { Way(framing: framing, isSecure: $0) }
  }
  /// Around the buffer's size, in which one receive ends (S3-6, S3-8).
  static let sizes: [Int64] = [0, 1, 65_536, 511_999, 512_000, 512_001, 1_300_000]

  @Test("S0-5 S0-14 S0-16 S2-9 S3-6 S3-8 T11 T15", arguments: ways, sizes)
  func isExact(_ way: Way, _ size: Int64) throws {
    let resource = Resource(length: size, seed: UInt64(size) + 1)
    var conduct = Conduct.correct
    conduct.framing = way.framing
    let tls = way.isSecure ? try ServerTLS(TestAuthority.shared().good) : nil
    let server = try LoopbackServer(tls: tls) { [conduct] in resource.respond(to: $0, conduct) }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder)
    let summary = try #require(run.result.summary, "\(run.name)")
    #expect(try folder.names == ["file.bin"])
    #expect(folder.content(of: "file.bin") == resource.content)
    #expect(summary.length == size && run.progress.kept == size)
    #expect(summary.path == folder.path(of: "file.bin"))
    let isLengthKnown = way.framing == .contentLength
    let begun = run.events.compactMap { if case .began(let progress) = $0 { progress } else { nil } }
    #expect(begun.map(\.kept) == [0] && begun[0].completeLength == (isLengthKnown ? size : nil), "S0-5: told first")
    #expect(run.progress.completeLength == (isLengthKnown ? size : nil), "T11: unknown is unknown")
    #expect(
      summary.isLengthProven == (way.framing != .untilClose || way.isSecure), "RFC 9112 §9.8: close_notify is proof")
    #expect(server.requests.map(\.method) == ["GET"], "one request")
    #expect(server.requests.allSatisfy { $0.field("Range") == nil }, "S3-5")
  }

  @Test("S0-15") func whatIsToldComesInOrder() throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/a" { return exchange.redirect(to: "/b") }
      exchange.reply("200 OK", ["X-Y: z"], text: "hello")
    }
    defer { server.stop() }
    let run = try Run(server.uri("/a"), in: folder)
    let told = run.events.map { event in
      switch event {
      case .requested(let head): "> " + String(decoding: head.prefix { $0 != 13 }, as: UTF8.self)
      case .responded(let head): "< " + String(decoding: head.prefix { $0 != 10 }, as: UTF8.self)
      case .redirected(let target): String(decoding: target.requestTarget, as: UTF8.self)
      case .mirrored(let target, _): "mirror: " + String(decoding: target.text, as: UTF8.self)
      case .joined(let target): "joined: " + String(decoding: target.text, as: UTF8.self)
      case .left(let target, _): "left: " + String(decoding: target.text, as: UTF8.self)
      case .routed: "routed"
      case .began: "began"
      case .interrupted: "interrupted"
      case .progressed: "progressed"
      case .found(_, let reason): "found: " + reason.code
      case .replaced(let offset): "replaced at \(offset)"
      }
    }
    #expect(
      told == ["> GET /a HTTP/1.1", "< HTTP/1.1 302 Found", "/b", "> GET /b HTTP/1.1", "< HTTP/1.1 200 OK", "began"])
    guard case .responded(let head) = run.events[4] else { return }
    #expect(String(decoding: head, as: UTF8.self) == "HTTP/1.1 200 OK\nContent-Length: 5\nX-Y: z\n")
  }

  @Test("only identity is asked for") func aCodingThatComesAllTheSameStays() throws {
    let server = try LoopbackServer { $0.reply("200 OK", ["Content-Encoding: gzip"], text: "hello") }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), in: folder)
    #expect(run.name == "complete")
    #expect(folder.content(of: "file.bin") == Content("hello"), "nothing is decoded")
  }

  // MARK: Names

  struct Name: Sendable {
    var path = "/file.bin"
    var disposition: String?
    let name: String
    let because: String
  }

  static let names = [
    Name(path: "/a/b.txt?token=x#y", name: "b.txt", because: "S2-3 T24: the last segment"),
    Name(path: "/19 上传.mov", name: "19 上传.mov", because: "S4-5: decoded for the name"),
    Name(path: "/19%20%E4%B8%8A.mov", name: "19 上.mov", because: "T23: decoded once"),
    Name(path: "/", name: "download", because: "T24: there is no name"),
    Name(disposition: "attachment; filename=\"x.txt\"", name: "x.txt", because: "the server's name"),
    Name(disposition: "attachment; filename=\"../../x.txt\"", name: "x.txt", because: "T24: never outside"),
    Name(
      disposition: "attachment; filename=x.txt\r\nContent-Disposition: attachment; filename=y.txt", name: "x.txt",
      because: "the first of two fields counts"),
  ]

  @Test(arguments: names) func hasItsName(_ row: Name) throws {
    let fields = row.disposition.map { ["Content-Disposition: \($0)"] } ?? []
    let server = try LoopbackServer { $0.reply("200 OK", fields, text: "hello") }
    defer { server.stop() }
    let run = try Run(server.uri(row.path), in: folder)
    #expect(run.name == "complete")
    #expect(try folder.names == [row.name], "\(row.because)")
  }

  @Test("S0-17: an explicit name wins over everything") func theCallersName() throws {
    let server = try LoopbackServer { exchange in
      exchange.reply("200 OK", ["Content-Disposition: attachment; filename=theirs"], text: "hello")
    }
    defer { server.stop() }
    let run = try Run(server.uri("/file.bin"), to: .file(folder.path(of: "mine")), in: folder)
    #expect(run.result.summary?.path == folder.path(of: "mine"))
    #expect(try folder.names == ["mine"])
  }

  @Test("S4-8: another family, an explicit port") func overIPv6() throws {
    let server = try LoopbackServer(family: .v6) { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    #expect(try Run(server.uri("/file.bin"), in: folder).name == "complete")
    #expect(server.requests.first?.field("Host") == "[::1]:\(server.port)")
  }

  @Test("S0-19 S4-5: blanks and UTF-8 are encoded") func theTargetIsEncoded() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    #expect(try Run(server.uri("/19 上传?名=1 "), in: folder).name == "complete")
    #expect(server.requests.first?.target == "/19%20%E4%B8%8A%E4%BC%A0?%E5%90%8D=1")
  }
}
