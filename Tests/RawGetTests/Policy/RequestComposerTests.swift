import HTTP1
import Testing

@testable import RawGet

/// What a request says, byte for byte (RFC 9112 §3), and what stays at its origin.
struct RequestComposerTests {
  struct Row: Sendable {
    var target = "http://example.org/a?b"
    var at: String?  // the target of this request; nil: the first
    var leftOrigin = false
    var fields: [String] = []
    var range: (offset: Int64, tag: String)?
    var credentials: Credentials?
    var content: String?
    var particulars = RequestComposer.Particulars()
    let lines: [String]
    let because: String
  }

  private static let ours = [
    "User-Agent: test", "Accept: */*", "Want-Repr-Digest: sha-256=10, sha-512=5", "Accept-Encoding: identity",
  ]
  private static let first = ["GET /a?b HTTP/1.1", "Host: example.org"]
  private static let secrets = [
    "Authorization: Bearer x", "Cookie: y", "PRIVATE-TOKEN: z", "X-Api-Key: w", "Referer: v",
  ]

  static let rows =
    [
      Row(lines: first + ours, because: "S0-1 T6: GET in upper case; S3-5: no Range"),
      Row(
        fields: ["X-One: 1", "x-two:  a\tb ", "X-One: 2"],
        lines: first + ["X-One: 1", "x-two: a\tb", "X-One: 2"] + ours, because: "S0-21: as given, in their order"),
      Row(
        fields: ["user-agent: mine", "ACCEPT: text/plain"],
        lines: first + ["user-agent: mine", "ACCEPT: text/plain"] + ours.suffix(2),
        because: "S0-21: in place of ours, in any case"),
      Row(
        range: (1_048_576, #""abc""#), lines: first + ours + ["Range: bytes=1048576-", #"If-Range: "abc""#],
        because: "S0-4 S1-8 T7"),
      Row(
        range: (Int64.max, #""abc""#),
        lines: first + ours + ["Range: bytes=9223372036854775807-", #"If-Range: "abc""#],
        because: "T12: 64 bits"),
      Row(
        target: "http://[::1]:8080", lines: ["GET / HTTP/1.1", "Host: [::1]:8080"] + ours,
        because: "S4-8: literal and port"),
      Row(
        target: "https://example.org:443/19 上传.mov",
        lines: ["GET /19%20%E4%B8%8A%E4%BC%A0.mov HTTP/1.1", "Host: example.org"] + ours, because: "S4-5 S0-19: encoded"
      ),
      Row(
        target: "http://me@example.org/a?b", lines: first + ours + ["Authorization: Basic bWU6"],
        because: "no password is an empty one"),
      Row(
        target: "http://me:o@example.org/a?b", lines: first + ours + ["Authorization: Basic bWU6bw=="],
        because: "base64 with two padding characters"),
      Row(
        target: "http://me:ow@example.org/a?b", lines: first + ours + ["Authorization: Basic bWU6b3c="],
        because: "base64 with one"),
      Row(
        target: "http://me:own@example.org/a?b", lines: first + ours + ["Authorization: Basic bWU6b3du"],
        because: "base64 with none"),
      Row(
        target: "http://:%C3%BF%C3%BE%C3%BF@example.org/a?b",
        lines: first + ours + ["Authorization: Basic OsO/w77Dvw=="],
        because: "S0-19: UTF-8, and the last letters of the alphabet"),
      Row(
        target: "http://me:own@example.org/a?b", fields: ["authorization: Bearer x"],
        lines: first + ["authorization: Bearer x"] + ours, because: "the caller's own goes first, and is the only one"),
      Row(
        at: "http://example.org/c", fields: secrets,
        lines: ["GET /c HTTP/1.1", "Host: example.org"] + secrets + ours, because: "on its origin all of it is sent"),
      Row(
        at: "http://other.example/c", leftOrigin: true, fields: secrets,
        lines: ["GET /c HTTP/1.1", "Host: other.example"] + ours, because: "elsewhere none of it"),
      Row(
        target: "http://me:own@example.org/", at: "http://example.org/c", leftOrigin: true, fields: secrets,
        lines: ["GET /c HTTP/1.1", "Host: example.org"] + ours, because: "nor after a detour back"),
      Row(
        at: "http://other.example/c", leftOrigin: true,
        fields: [
          "Accept: a/b", "User-Agent: me", "Accept-Language: de", "Cache-Control: no-cache", "Pragma: no-cache",
        ],
        lines: [
          "GET /c HTTP/1.1", "Host: other.example", "Accept: a/b", "User-Agent: me", "Accept-Language: de",
          "Cache-Control: no-cache", "Pragma: no-cache", "Want-Repr-Digest: sha-256=10, sha-512=5",
          "Accept-Encoding: identity",
        ], because: "S0-10: what is no secret goes along"),
    ] + more

  private static let bearer = Credentials(bearer: Array("t0ken==".utf8))

  private static let more = [
    Row(
      target: "http://me:own@example.org/a?b", credentials: bearer,
      lines: first + ours + ["Authorization: Bearer t0ken=="], because: "an option's credentials go before the URI's"),
    Row(
      fields: ["Authorization: mine"], credentials: bearer, lines: first + ["Authorization: mine"] + ours,
      because: "and the caller's own field before both"),
    Row(
      at: "http://other.example/c", leftOrigin: true, credentials: bearer,
      lines: ["GET /c HTTP/1.1", "Host: other.example"] + ours, because: "S0-21: not elsewhere"),
    Row(
      particulars: .init(cookies: Array("a=1; b=2".utf8)), lines: first + ours + ["Cookie: a=1; b=2"],
      because: "RFC 6265 §5.4"),
    Row(
      fields: ["Cookie: c=3"], particulars: .init(cookies: Array("a=1".utf8)),
      lines: first + ["Cookie: c=3; a=1"] + ours, because: "one field only (RFC 6265 §5.4)"),
    Row(
      particulars: .init(modifiedSince: 784_111_777),
      lines: first + ours + ["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], because: "RFC 9110 §13.1.3"),
    Row(
      content: "ab", particulars: .init(method: .post, contentLength: 2),
      lines: ["POST /a?b HTTP/1.1", "Host: example.org"] + ours + [
        "Content-Type: application/octet-stream", "Content-Length: 2",
      ], because: "of no kind that we know"),
    Row(
      fields: ["content-type: a/b"], content: "ab", particulars: .init(method: .post, contentLength: 2),
      lines: ["POST /a?b HTTP/1.1", "Host: example.org", "content-type: a/b"] + ours + ["Content-Length: 2"],
      because: "of the kind that the caller says"),
    Row(
      fields: ["Content-Type: a/b"], content: "ab", lines: first + ours,
      because: "a redirect made it a GET: nothing is said of content that is not sent"),
    Row(
      particulars: .init(method: .post, contentLength: 0),
      lines: ["POST /a?b HTTP/1.1", "Host: example.org"] + ours + ["Content-Length: 0"], because: "RFC 9110 §8.6"),
  ]

  @Test(arguments: rows) func says(_ row: Row) throws {
    var request = DownloadRequest(target: try TargetURI(text: Array(row.target.utf8)), destination: .standardOutput)
    request.fields = try row.fields.map { try #require(CallerField(text: Array($0.utf8))) }
    request.credentials = row.credentials
    request.content = row.content.map { Array($0.utf8) }
    let target = try row.at.map { try TargetURI(text: Array($0.utf8)) } ?? request.target
    var particulars = row.particulars
    if let asked = row.range {
      let tag = try #require(EntityTag(fieldValue: Array(asked.tag.utf8)))
      particulars.range = RangeRequest(range: .from(asked.offset), validator: .entityTag(tag))
    }
    let head = try #require(
      RequestComposer.head(
        for: request, target: target, leftOrigin: row.leftOrigin, userAgent: Array("test".utf8), particulars))
    #expect(String(decoding: head, as: UTF8.self) == row.lines.map { $0 + "\r\n" }.joined() + "\r\n", "\(row.because)")
  }

  @Test(arguments: ["a\r\nX: y", "a\nb", "a\0b", "\u{7F}", "\u{1B}[2J"])
  func aUserAgentWithAControlIsNotSent(_ userAgent: String) throws {
    let request = DownloadRequest(target: try TargetURI(text: Array("http://a/".utf8)), destination: .standardOutput)
    let head = RequestComposer.head(
      for: request, target: request.target, leftOrigin: false, userAgent: Array(userAgent.utf8), .init())
    #expect(head == nil)
  }

  /// One byte of every kind, wherever a caller or a server can put one: a head never has a line too many.
  @Test func noByteMakesALine() throws { for byte in UInt8.min...UInt8.max { try expectNoLineMore(with: byte) } }

  private func expectNoLineMore(with byte: UInt8) throws {
    let text = { (text: String) in Array(text.utf8).map { $0 == UInt8(ascii: "?") ? byte : $0 } }
    let encoded = "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    let targets = [
      try? TargetURI(text: text("http://example.org/a?b")), try? TargetURI(text: text("http://a?b:c?d@example.org/")),
      try? TargetURI(text: text("http://exa?mple.org/")),
      try? TargetURI(text: Array("http://a\(encoded):b\(encoded)@example.org/\(encoded)?\(encoded)".utf8)),
    ]
    let fields = [CallerField(text: text("Na?me: value")), CallerField(text: text("Name: val?ue"))].compactMap { $0 }
    for target in targets.compactMap({ $0 }) {
      var request = DownloadRequest(target: target, destination: .standardOutput)
      request.fields = fields
      let head = try #require(
        RequestComposer.head(for: request, target: target, leftOrigin: false, userAgent: [0x61], .init()))
      #expect(head.filter { $0 == 0x0A }.count == head.filter { $0 == 0x0D }.count)
      let credentials = target.userinfo == nil ? 0 : 1
      #expect(head.filter { $0 == 0x0A }.count == 1 + 5 + fields.count + credentials + 1, "no more lines than fields")
      #expect(!head.contains { $0 < 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 || $0 == 0x7F })
    }
  }
}
