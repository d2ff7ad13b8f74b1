import LoopbackServer
import Testing

/// One response as bytes, and what the command must make of it (RFC 9112 §2 to §7), however the
/// bytes arrive.
struct FramingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let response: String
    let exit: ExitCode
    var keeps: String?  // in the file after success, else in the part; nil: no file at all
    let because: String
    var testDescription: String { because }
  }

  enum Delivery: CaseIterable { case whole, byteByByte }

  private static func ok(_ fields: String) -> String { "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n" }
  private static let chunked = ok("Transfer-Encoding: chunked")

  static let accepted = [
    Row(response: ok("Content-Length: 5") + "hello", exit: .ok, keeps: "hello", because: "known length"),
    Row(response: ok("Content-Length: 0"), exit: .ok, keeps: "", because: "S3-9 zero length"),
    Row(
      response: chunked + "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", exit: .ok,
      keeps: "hello", because: "T11 chunked: the length is unknown until the end"),
    Row(
      response: ok("Transfer-Encoding: CHUNKED") + "5;a=\"b;c\"\r\nhello\r\n00;z\r\nX-Sum: 1\r\n\r\n",
      exit: .ok, keeps: "hello", because: "any case, chunk extensions, a trailer field"),
    Row(
      response: chunked + "0\r\n\r\n", exit: .ok, keeps: "",
      because: "chunked and empty"),
    Row(
      response: ok("Content-Length: 3\r\nTransfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n\r\n",
      exit: .ok, keeps: "hello", because: "Transfer-Encoding overrides Content-Length (RFC 9112 §6.3)"),
    Row(response: "HTTP/1.1 200 OK\r\n\r\nhello", exit: .ok, keeps: "hello", because: "ends with the connection"),
    Row(
      response: "HTTP/1.0 200 OK\r\n\r\nhello", exit: .ok, keeps: "hello", because: "HTTP/1.0, ends with the connection"
    ),
    Row(
      response: "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", exit: .ok, keeps: "hello",
      because: "HTTP/1.0, known length"),
    Row(
      response: "HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello", exit: .ok, keeps: "hello",
      because: "no reason phrase and no space before it"),
    Row(
      response: "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", exit: .ok, keeps: "hello", because: "LF ends head lines"),
    Row(
      response: ok("Content-Length: 5\r\nContent-Length: 5") + "hello", exit: .ok, keeps: "hello",
      because: "equal lengths, twice"),
    Row(
      response: ok("X-Note: a\r\n  b\r\nContent-Length: 5") + "hello", exit: .ok, keeps: "hello",
      because: "a fold in a field that does not frame"),
    Row(
      response: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\nLink: </a>\r\n\r\n"
        + ok("Content-Length: 5") + "hello", exit: .ok, keeps: "hello",
      because: "1xx before the final response (RFC 9110 §15.2)"),
    Row(
      response: ok("Content-Length: 5") + "hello and more", exit: .ok, keeps: "hello",
      because: "surplus bytes are no content"),
  ]

  static let incomplete = [
    Row(
      response: ok("Content-Length: 6") + "hello", exit: .incomplete, keeps: "hello",
      because: "S0-16 one byte short: a count is not an end"),
    Row(
      response: ok("Content-Length: 4294967301") + "hello", exit: .incomplete, keeps: "hello",
      because: "T12 2^32 + 5: a length of 32 bits would be satisfied"),
    Row(
      response: chunked + "9\r\nhello", exit: .incomplete, keeps: "hello",
      because: "cut inside a chunk"),
    Row(
      response: chunked + "5\r\nhello\r\n", exit: .incomplete, keeps: "hello",
      because: "no last chunk"),
    Row(
      response: chunked + "5\r\nhello\r\n0\r\n", exit: .incomplete,
      keeps: "hello", because: "cut before the empty line after the trailers"),
  ]

  @Test(arguments: accepted + incomplete, Delivery.allCases)
  func content(_ row: Row, _ delivery: Delivery) throws {
    let run = try download(row.response, delivery)
    let name = row.exit == .ok ? "file.bin" : "file.bin.part"
    try run.expect(row.exit, leaving: [name: Summary(row.keeps ?? "")], row.because)
  }

  /// The command's run against a server that sends these bytes and closes.
  private func download(_ response: String, _ delivery: Delivery) throws -> Outcome {
    let server = try LoopbackServer { exchange in
      if delivery == .whole { exchange.send(response) } else { exchange.drip(response) }
    }
    defer { server.stop() }
    return try Command.run(["-q", "--retry", "0", server.uri("/file.bin")])
  }

  // MARK: Refusals

  static let refusedHeads: [(String, String)] = [
    (ok("Content-Length: 5\r\nContent-Length: 6") + "hello!", "two lengths"),
    (ok("Content-Length: 5, 6") + "hello!", "two lengths on one line"),
    (ok("Content-Length: +5") + "hello", "a sign"),
    (ok("Content-Length: -5") + "hello", "a negative length"),
    (ok("Content-Length: 0x5") + "hello", "a prefix"),
    (ok("Content-Length: 5 5") + "hello", "two numbers"),
    (ok("Content-Length:") + "hello", "an empty length"),
    (ok("Content-Length: 9223372036854775808") + "hello", "T12 2^63"),
    (ok("Content-Length: 18446744073709551621") + "hello", "T12 2^64 + 5"),
    (ok("Content-Length : 5") + "hello", "a space before the colon"),
    (ok("Content-Length:\r\n 5") + "hello", "a fold in a framing field"),
    (ok("Transfer-Encoding: gzip") + "hello", "a coding that is not chunked"),
    (ok("Transfer-Encoding: gzip, chunked") + "5\r\nhello\r\n0\r\n\r\n", "gzip, then chunked"),
    (ok("Transfer-Encoding: chunked, chunked") + "5\r\nhello\r\n0\r\n\r\n", "chunked twice"),
    (ok("Transfer-Encoding: xchunked") + "5\r\nhello\r\n0\r\n\r\n", "nearly chunked"),
    (ok("X: a\rb\r\nContent-Length: 5") + "hello", "a bare CR in the head"),
    (ok("X: a\0b\r\nContent-Length: 5") + "hello", "NUL in the head"),
    (ok("no colon here\r\nContent-Length: 5") + "hello", "a line without a colon"),
    ("HTTP/2.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", "another major version"),
    ("http/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "the protocol's name is case-sensitive"),
    ("ICY 200 OK\r\nContent-Length: 5\r\n\r\nhello", "another protocol"),
    ("<html>hello</html>\r\n\r\n", "HTTP/0.9"),
    ("HTTP/1.1 20 OK\r\nContent-Length: 5\r\n\r\nhello", "a status of two digits"),
    ("HTTP/1.1 2000 OK\r\nContent-Length: 5\r\n\r\nhello", "a status of four digits"),
    ("HTTP/1.1 2x0 OK\r\nContent-Length: 5\r\n\r\nhello", "a status that is no number"),
    ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nhello", "101 unasked"),
    ("HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nContent-Range: bytes 0-4/5\r\n\r\nhello", "206 unasked"),
    ("HTTP/1.1 302 Found\r\nContent-Length: 5\r\n\r\nhello", "a redirect without a Location"),
  ]

  @Test(arguments: refusedHeads, Delivery.allCases)
  func refuses(_ row: (response: String, because: String), _ delivery: Delivery) throws {
    try download(row.response, delivery).expect(.protocolBroken, leaving: [:], row.because)
  }

  static let refusedChunks: [(String, String)] = [
    ("5g\r\nhello\r\n0\r\n\r\n", "a size that is no number"),
    ("-5\r\nhello\r\n0\r\n\r\n", "a negative size"),
    ("+5\r\nhello\r\n0\r\n\r\n", "a sign"),
    ("0x5\r\nhello\r\n0\r\n\r\n", "a prefix"),
    ("\r\nhello\r\n0\r\n\r\n", "no size"),
    ("FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n", "T12 a size that overflows"),
    ("5\nhello\n0\n\n", "LF for CRLF"),
    ("5\r\nhelloX\r\n0\r\n\r\n", "a chunk longer than its size"),
    ("5\r\nhello\r\n0\r\nno colon\r\n\r\n", "a trailer line without a colon"),
  ]

  @Test(arguments: refusedChunks, Delivery.allCases)
  func refusesChunks(_ row: (chunks: String, because: String), _ delivery: Delivery) throws {
    let run = try download(Self.chunked + row.chunks, delivery)
    #expect(run.ending == .exited(ExitCode.protocolBroken.rawValue), "\(row.because)")
    run.expectOneLine(row.because)
    let names = try run.files.keys.filter { $0 != "file.bin.part" }
    #expect(names.isEmpty, "\(row.because)")
    guard try run.files["file.bin.part"] != nil else { return }
    #expect("hello".utf8.starts(with: try run.folder.bytes(of: "file.bin.part")), "\(row.because)")
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Len", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"])
  func aCutHeadIsNoSuccess(_ head: String) throws {
    let run = try download(head, .whole)
    let codes: [ExitCode] = [.network, .protocolBroken, .incomplete]
    #expect(codes.map { .exited($0.rawValue) }.contains(run.ending), "\(run.ending): \(run.standardError)")
    #expect(try run.folder.files.isEmpty)
    run.expectOneLine()
  }
}
