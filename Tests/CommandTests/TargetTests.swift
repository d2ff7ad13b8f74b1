import LoopbackServer
import Testing

/// What a person types or pastes, and what goes over the wire (RFC 3986, RFC 9112 §3.2.1).
struct TargetTests {
  /// What follows the authority, and the request target it becomes.
  static let targets = [
    ("", "/", "no path"),
    ("?q=1", "/?q=1", "a query without a path"),
    ("/a/b", "/a/b", "plain"),
    ("/19 上传大文件.mov", "/19%20%E4%B8%8A%E4%BC%A0%E5%A4%A7%E6%96%87%E4%BB%B6.mov", "S0-19 S4-5 as pasted"),
    ("/a%20b%E4%B8%8A", "/a%20b%E4%B8%8A", "T23 what is encoded stays"),
    ("/a%2fb", "/a%2fb", "T23 in its own case"),
    ("/a%2520b", "/a%2520b", "T23 encoded once more by its author"),
    ("/100%", "/100%25", "a percent sign that encodes nothing"),
    ("/a?b=ü&c=/d e", "/a?b=%C3%BC&c=/d%20e", "T23 the query by its own rules"),
    ("/a%3Fb?c", "/a%3Fb?c", "T23 an encoded question mark starts no query"),
    ("/a?b?c", "/a?b?c", "a question mark within the query"),
    ("/a#part", "/a", "a fragment is not sent"),
    ("/a?b#part?c", "/a?b", "nor is what follows it"),
    ("/a/./b/../c", "/a/c", "dot segments (RFC 3986 §6.2.2.3)"),
    ("/a;b=c,d:e@f", "/a;b=c,d:e@f", "allowed in a path as they are"),
    ("/<\"{|}>^`\\", "/%3C%22%7B%7C%7D%3E%5E%60%5C", "not allowed in a path"),
  ]

  @Test(arguments: targets)
  func becomes(_ row: (typed: String, target: String, because: String)) throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(["-q", "-o", "file", server.origin + row.typed])
    try run.expect(.ok, leaving: ["file": Summary("hello")], row.because)
    #expect(server.requests.map(\.target) == [row.target], "\(row.because)")
    #expect(server.requests.map { $0.values("Host") } == [["127.0.0.1:\(server.port)"]])
    #expect(server.requests.map(\.method) == ["GET"], "T6 methods are case-sensitive")
    #expect(server.requests.map(\.version) == ["HTTP/1.1"])
  }

  @Test(arguments: ["  ORIGIN/a  ", "\tORIGIN/a \t", "HTTP://127.0.0.1:PORT/a", "http://127.0.0.1:0PORT/a"])
  func isReadAsMeant(_ typed: String) throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let uri = typed.replacing("ORIGIN", with: server.origin).replacing("PORT", with: String(server.port))
    let run = try Command.run(["-q", uri])
    try run.expect(.ok, leaving: ["a": Summary("hello")], "T30 S4-8 \(typed)")
  }

  @Test func reachesAnIPv6Literal() throws {
    let server = try LoopbackServer(family: .v6) { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/file.bin")])
    try run.expect(.ok, leaving: ["file.bin": Summary("hello")], "S4-8")
    #expect(server.requests.map { $0.field("Host") } == ["[::1]:\(server.port)"])
  }

  @Test func reachesLocalhostByName() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(["-q", "http://localhost:\(server.port)/file.bin"])
    try run.expect(.ok, leaving: ["file.bin": Summary("hello")], "S4-8 even where ::1 comes first and refuses")
    #expect(server.requests.map { $0.field("Host") } == ["localhost:\(server.port)"])
  }

  static let refused: [(String, ExitCode, String)] = [
    ("", .usage, "nothing"),
    ("   ", .usage, "only blanks"),
    ("http://", .usage, "no host"),
    ("http:///path", .usage, "an empty host"),
    ("http://127.0.0.1:65536/", .usage, "a port above 65535"),
    ("http://127.0.0.1:0/", .usage, "port 0"),
    ("http://127.0.0.1:4294967376/", .usage, "T12 2^32 + 80"),
    ("http://127.0.0.1:80a/", .usage, "a port that is no number"),
    ("http://127.0.0.1:-80/", .usage, "a negative port"),
    ("http://[::1/", .usage, "an open bracket"),
    ("http://[::g]/", .usage, "no IPv6 address"),
    ("http://127.0.0.256/", .usage, "no IPv4 address"),
    ("http://a b/", .usage, "a blank in the host"),
    ("http://127.0.0.1/a\u{1}b", .usage, "T30 a control character"),
    ("http://127.0.0.1/a\r\nHost: b", .usage, "T30 a second line"),
    ("http:/127.0.0.1/", .usage, "one slash"),
    ("127.0.0.1/file", .usage, "no scheme"),
    ("ftp://127.0.0.1/file", .unsupported, "another scheme"),
    ("file:///etc/hostname", .unsupported, "a local file"),
  ]

  @Test(arguments: refused)
  func refuses(_ row: (typed: String, exit: ExitCode, because: String)) throws {
    try Command.run(["-q", row.typed]).expect(row.exit, leaving: [:], row.because)
  }
}
