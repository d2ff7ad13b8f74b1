import HTTP1
import Testing

@testable import RawGet

/// Where a cookie goes (RFC 6265 §5.1.3, §5.1.4, §5.4), and what a server may set (§5.2, §5.3).
struct CookieTests {
  static let now: Int64 = 1_796_000_000  // November 2026

  private static func fields(_ lines: [String]) -> Fields {
    Fields(section: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)) ?? Fields()
  }

  private func target(_ text: String) throws -> TargetURI { try TargetURI(text: Array(text.utf8)) }

  struct PathRow: Sendable { let requested: String, path: String, matches: Bool, because: String }

  @Test(arguments: [
    PathRow(requested: "/a/b", path: "/a/b", matches: true, because: "the same"),
    PathRow(requested: "/a/b", path: "/a", matches: true, because: "below it"),
    PathRow(requested: "/a/b", path: "/a/", matches: true, because: "a slash at the end"),
    PathRow(requested: "/", path: "/", matches: true, because: "the root"),
    PathRow(requested: "/ab", path: "/a", matches: false, because: "a longer name is another"),
    PathRow(requested: "/a", path: "/a/", matches: false, because: "above it"),
    PathRow(requested: "/A", path: "/a", matches: false, because: "case matters"),
  ])
  func pathMatches(_ row: PathRow) {
    #expect(Cookie.pathMatches(Array(row.requested.utf8), Array(row.path.utf8)) == row.matches, "\(row.because)")
  }

  @Test(arguments: [
    ("/", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/c", "/a/b"),
  ])
  func defaultPath(_ row: (requested: String, path: String)) {
    #expect(Cookie.defaultPath(Array(row.requested.utf8)) == Array(row.path.utf8))
  }

  struct SetRow: Sendable {
    var from = "https://a.example.org/x/y"
    let field: String
    var to = "https://a.example.org/x/y"
    let sent: String?  // nil: nothing
    let because: String
  }

  static let rows = [
    SetRow(field: "k=v", sent: "k=v", because: "plain"),
    SetRow(field: " k = v w ; HttpOnly; SameSite=Lax", sent: "k=v w", because: "blanks around, unknown attributes"),
    SetRow(field: "k=", sent: "k=", because: "an empty value"),
    SetRow(field: "k=v", to: "https://a.example.org/z", sent: nil, because: "its directory is the default path"),
    SetRow(field: "k=v; Path=/", to: "https://a.example.org/z", sent: "k=v", because: "a path of its own"),
    SetRow(field: "k=v; path=z", to: "https://a.example.org/x/", sent: "k=v", because: "no path: the default one"),
    SetRow(field: "k=v", to: "https://b.a.example.org/x/y", sent: nil, because: "host only"),
    SetRow(field: "k=v; Domain=example.org; Path=/", to: "https://b.example.org/", sent: "k=v", because: "a parent"),
    SetRow(field: "k=v; Domain=.Example.ORG; Path=/", to: "https://b.example.org/", sent: "k=v", because: "dot, case"),
    SetRow(field: "k=v; Domain=example.org", to: "https://badexample.org/x/y", sent: nil, because: "only at a dot"),
    SetRow(field: "k=v; Domain=b.example.org", sent: nil, because: "a sibling is none of its business"),
    SetRow(field: "k=v; Domain=b.a.example.org", sent: nil, because: "nor what is below"),
    SetRow(field: "k=v; Domain=org", sent: nil, because: "a public suffix"),
    SetRow(field: "k=v; Domain=other.net", sent: nil, because: "another domain"),
    SetRow(field: "k=v; Domain=", sent: "k=v", because: "an empty domain is none"),
    SetRow(
      from: "https://localhost/x/y", field: "k=v; Domain=localhost", to: "https://localhost/x/y", sent: "k=v",
      because: "the host itself"),
    SetRow(
      from: "https://127.0.0.1/x/y", field: "k=v; Domain=0.0.1", to: "https://127.0.0.1/x/y", sent: nil,
      because: "an address has no parents"),
    SetRow(field: "k=v; Secure", to: "http://a.example.org/x/y", sent: nil, because: "https only"),
    SetRow(
      from: "http://a.example.org/x/y", field: "k=v; Secure", sent: nil, because: "set over http it is worth nothing"),
    SetRow(
      from: "http://a.example.org/x/y", field: "k=v", to: "http://a.example.org:81/x/y", sent: "k=v",
      because: "ports don't matter to cookies"),
    SetRow(field: "k=v; Max-Age=10", sent: "k=v", because: "for a while"),
    SetRow(field: "k=v; Max-Age=0", sent: nil, because: "gone at once"),
    SetRow(field: "k=v; Max-Age=-99999999999999999999", sent: nil, because: "long gone"),
    SetRow(field: "k=v; Max-Age=99999999999999999999", sent: "k=v", because: "for ever"),
    SetRow(field: "k=v; Max-Age=x", sent: "k=v", because: "no number: not there"),
    SetRow(field: "k=v; Expires=Thu, 01 Jan 1970 00:00:01 GMT", sent: nil, because: "expired"),
    SetRow(field: "k=v; Expires=Thu, 01-Jan-70 00:00:01 GMT; Max-Age=5", sent: "k=v", because: "Max-Age goes first"),
    SetRow(field: "k=v; Expires=Wed, 21-Oct-2099 07:28:00 GMT", sent: "k=v", because: "dashes"),
    SetRow(field: "k=v; Expires=never", sent: "k=v", because: "no date: a session's"),
    SetRow(field: "v", sent: nil, because: "no name and no equals sign"),
    SetRow(field: "=v", sent: nil, because: "no name"),
    SetRow(field: "k\u{1}=v", sent: nil, because: "a control character"),
    SetRow(
      field: "k=" + String(repeating: "v", count: 4_095), sent: "k=" + String(repeating: "v", count: 4_095),
      because: "4 KiB are fine"),
    SetRow(field: "k=" + String(repeating: "v", count: 4_096), sent: nil, because: "and no more"),
  ]

  @Test(arguments: rows) func isSent(_ row: SetRow) throws {
    var jar = CookieJar()
    jar.receive(Self.fields(["Set-Cookie: " + row.field]), from: try target(row.from), now: Self.now)
    let sent = jar.fieldValue(for: try target(row.to), leftOrigin: true, now: Self.now)
    #expect(sent.map { String(decoding: $0, as: UTF8.self) } == row.sent, "\(row.because)")
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("6 nov 1994 8:49:37", 784_111_777),
      ("01 Jan 70 00:00:00", 0), ("01 Jan 69 00:00:00", 3_124_224_000),
      ("06 Nov 1994", nil), ("08:49:37 Nov 1994", nil), ("06 08:49:37 1994", nil), ("06 Nov 08:49:37", nil),
      ("31 Feb 2020 00:00:00", nil), ("06 Nov 1600 00:00:00", nil), ("06 Nov 1994 25:00:00", nil), ("", nil),
    ] as [(String, Int64?)])
  func dates(_ row: (text: String, seconds: Int64?)) {
    #expect(CookieDate.seconds(Array(row.text.utf8), now: Self.now) == row.seconds, "\(row.text)")
  }

  @Test func longerPathsFirstThenOlder() throws {
    var jar = CookieJar()
    let from = try target("https://example.org/a/b/c")
    for field in ["r=1; Path=/", "d=2; Path=/a/b", "s=3; Path=/", "m=4; Path=/a", "r=5; Path=/"] {
      jar.receive(Self.fields(["Set-Cookie: " + field]), from: from, now: Self.now)
    }
    #expect(jar.fieldValue(for: from, leftOrigin: false, now: Self.now) == Array("d=2; m=4; s=3; r=5".utf8))
  }

  @Test func theOldestMakesRoom() throws {
    var jar = CookieJar()
    let from = try target("https://example.org/")
    let fields = (0...CookieJar.limit).map { "Set-Cookie: k\($0)=v" }
    jar.receive(Self.fields(fields), from: from, now: Self.now)
    let sent = try #require(jar.fieldValue(for: from, leftOrigin: false, now: Self.now))
    let names = String(decoding: sent, as: UTF8.self).split(separator: "; ")
    #expect(names.count == CookieJar.limit && names.first == "k1=v" && names.last == "k50=v")
  }

  @Test func whatIsSetHidesWhatWasGiven() throws {
    var jar = CookieJar()
    jar.ofTarget = try #require(Cookie.pairs(Array("id=old; other=x".utf8)))
    let from = try target("http://example.org/")
    #expect(jar.fieldValue(for: from, leftOrigin: false, now: Self.now) == Array("id=old; other=x".utf8))
    #expect(jar.fieldValue(for: from, leftOrigin: true, now: Self.now) == nil, "S0-21")
    jar.receive(Self.fields(["Set-Cookie: id=new"]), from: from, now: Self.now)
    #expect(jar.fieldValue(for: from, leftOrigin: false, now: Self.now) == Array("other=x; id=new".utf8))
    jar.receive(Self.fields(["Set-Cookie: id=; Max-Age=0"]), from: from, now: Self.now)
    #expect(jar.fieldValue(for: from, leftOrigin: false, now: Self.now) == Array("other=x".utf8))
  }

  @Test func plainHTTPDoesNotOverruleHTTPS() throws {
    var jar = CookieJar()
    let secure = try target("https://example.org/")
    jar.receive(Self.fields(["Set-Cookie: id=good; Secure"]), from: secure, now: Self.now)
    jar.receive(Self.fields(["Set-Cookie: id=bad"]), from: try target("http://example.org/"), now: Self.now)
    #expect(jar.fieldValue(for: secure, leftOrigin: false, now: Self.now) == Array("id=good".utf8))
  }

  struct LineRow: Sendable { let line: String, to: String, sent: String?, because: String }

  @Test(arguments: [
    LineRow(
      line: "example.org\tFALSE\t/\tFALSE\t0\tk\tv", to: "http://example.org/", sent: "k=v", because: "a session's"),
    LineRow(
      line: "example.org\tFALSE\t/\tFALSE\t0\tk\tv", to: "http://a.example.org/", sent: nil, because: "host only"),
    LineRow(line: ".example.org\tTRUE\t/\tFALSE\t0\tk\tv", to: "http://a.example.org/", sent: "k=v", because: "spans"),
    LineRow(line: "example.org\tFALSE\t/\tTRUE\t0\tk\tv", to: "http://example.org/", sent: nil, because: "https only"),
    LineRow(
      line: "example.org\tfalse\t/a\tFALSE\t4000000000\tk\tv", to: "http://example.org/a", sent: "k=v", because: "p"),
    LineRow(line: "example.org\tFALSE\t/a\tFALSE\t0\tk\tv", to: "http://example.org/b", sent: nil, because: "path"),
    LineRow(
      line: "example.org\tFALSE\t/\tFALSE\t1000000000\tk\tv", to: "http://example.org/", sent: nil, because: "old"),
    LineRow(line: "example.org\tFALSE\t/\tFALSE\t0\tk", to: "http://example.org/", sent: "k=", because: "no value"),
  ])
  func fileLines(_ row: LineRow) throws {
    var jar = CookieJar()
    jar.given = [try #require(Cookie(fileLine: Array(row.line.utf8)))]
    let sent = jar.fieldValue(for: try target(row.to), leftOrigin: true, now: Self.now)
    #expect(sent.map { String(decoding: $0, as: UTF8.self) } == row.sent, "\(row.because)")
  }

  @Test(arguments: [
    "", "k=v", "example.org FALSE / FALSE 0 k v", "\tFALSE\t/\tFALSE\t0\tk\tv", "example.org\tYES\t/\tFALSE\t0\tk\tv",
    "example.org\tFALSE\tx\tFALSE\t0\tk\tv", "example.org\tFALSE\t/\t\t0\tk\tv",
    "example.org\tFALSE\t/\tFALSE\t-1\tk\tv",
    "example.org\tFALSE\t/\tFALSE\tsoon\tk\tv", "example.org\tFALSE\t/\tFALSE\t0\t\tv",
    "example.org\tFALSE\t/\tFALSE\t0\tk\tv;w", "example.org\tFALSE\t/\tFALSE\t0\tk\tv\u{1}",
    "example.org\tFALSE\t/\tFALSE\t0\tk\tv\tx", "org\tTRUE\t/\tFALSE\t0\tk\tv", ".org\tTRUE\t/\tFALSE\t0\tk\tv",
  ])
  func fileLinesAreRefused(_ line: String) { #expect(Cookie(fileLine: Array(line.utf8)) == nil, "\(line)") }

  @Test(arguments: ["", ";", "k", "=v", "k=v; ", "a b=c", "k=v\r\nX: y", "k=v;; x"])
  func pairs(_ text: String) { #expect((Cookie.pairs(Array(text.utf8)) != nil) == (text == "k=v; "), "\(text)") }
}
