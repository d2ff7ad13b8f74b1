import HTTP1
import Testing

@testable import RawGet

/// Where a redirect leads, and which are not followed (RFC 9110 §10.2.2, §15.4).
struct RedirectionTests {
  struct Row: Sendable {
    var locations: [String]
    var from = "https://example.org/a/b?c"
    var allowsDowngrade = false
    var text: String?  // nil: `refusal`
    var refusal: RedirectionRefusal = .invalidLocation
    let because: String
  }

  static let rows = [
    Row(locations: [], because: "no Location"),
    Row(locations: [""], because: "an empty one would be a loop"),
    Row(locations: ["/x", "/y"], because: "two that differ"),
    Row(locations: ["ftp://example.org/"], because: "another scheme"),
    Row(locations: ["file:///etc/passwd"], because: "a local file"),
    Row(locations: ["javascript:alert(1)"], because: "no address at all"),
    Row(locations: ["http://"], because: "no host"),
    Row(locations: ["https:next"], because: "a scheme without a host is no relative reference"),
    Row(locations: ["//exa mple.org/"], because: "a blank in the host"),
    Row(locations: ["https://example.org:0/"], because: "port 0"),
    Row(locations: ["https://example.org:65536/"], because: "a port beyond 65535"),
    Row(locations: ["https://[::1/"], because: "an unclosed bracket"),
    Row(locations: ["/a\u{1}b"], because: "a control character"),
    Row(locations: ["http://example.org/"], refusal: .downgrade, because: "https to http"),
    Row(locations: ["HTTP://example.org/"], refusal: .downgrade, because: "in any case"),
    Row(locations: ["http://example.org:443/"], refusal: .downgrade, because: "whatever the port"),
    Row(
      locations: ["http://example.org/"], allowsDowngrade: true, text: "http://example.org/",
      because: "unless it is allowed"),
    Row(
      locations: ["https://example.org/"], from: "http://example.org/", text: "https://example.org/",
      because: "upwards always"),
    Row(locations: ["/x", "/x"], text: "https://example.org/x", because: "said twice is said once"),
    Row(locations: ["/x#y"], text: "https://example.org/x", because: "a fragment is not sent"),
    Row(locations: ["x"], text: "https://example.org/a/x", because: "relative to the path"),
    Row(locations: ["../x"], text: "https://example.org/x", because: "one up"),
    Row(locations: ["?x"], text: "https://example.org/a/b?x", because: "another query"),
    Row(locations: ["//other.example/x"], text: "https://other.example/x", because: "another host"),
    Row(locations: ["/12 片名"], text: "https://example.org/12%20%E7%89%87%E5%90%8D", because: "S0-19: not encoded"),
    Row(locations: ["/a%20b"], text: "https://example.org/a%20b", because: "T23: encoded once is enough"),
  ]

  private static func head(_ status: Int, _ locations: [String]) throws -> ResponseHead {
    try TestResponse(["\(status) Somewhere Else"] + locations.map { "Location: \($0)" }).head
  }

  @Test(arguments: rows, [301, 302, 303, 307, 308]) func leads(_ row: Row, _ status: Int) throws {
    let from = try TargetURI(text: Array(row.from.utf8))
    let head = try Self.head(status, row.locations)
    do throws(RedirectionRefusal) {
      let next = try Redirection.next(after: head, from: from, count: 0, allowsDowngrade: row.allowsDowngrade)
      #expect(String(decoding: next.text, as: UTF8.self) == row.text, "\(row.because)")
    } catch {
      #expect(row.text == nil, "\(row.because)")
      #expect(error == row.refusal, "\(row.because)")
    }
  }

  @Test(arguments: [20, 21, .max]) func afterTwentyItEnds(_ count: Int) throws {
    let (head, from) = (try Self.head(302, ["/x"]), try TargetURI(text: Array("http://example.org/".utf8)))
    #expect(throws: RedirectionRefusal.tooMany(limit: 20)) {
      try Redirection.next(after: head, from: from, count: count, allowsDowngrade: false)
    }
  }

  @Test(arguments: 0..<20) func theTwentiethIsFollowed(_ count: Int) throws {
    let (head, from) = (try Self.head(302, ["/x"]), try TargetURI(text: Array("http://example.org/".utf8)))
    let next = try Redirection.next(after: head, from: from, count: count, allowsDowngrade: false)
    #expect(next.path == Array("/x".utf8))
  }

  @Test func credentialsInALocationAreDropped() throws {
    let from = try TargetURI(text: Array("http://me:mine@example.org/".utf8))
    let next = try Redirection.next(
      after: Self.head(302, ["http://you:yours@example.org/x"]), from: from, count: 0, allowsDowngrade: false)
    #expect(next.userinfo == nil, "a server has no business to choose them")
  }
}
