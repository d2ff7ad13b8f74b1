import RawGet
import Testing

@testable import RawGet

/// Which variable counts for which target (FEATURES 3.1).
struct ProxyChoiceTests {
  struct Row: Sendable { let environment: [String: String], uri: String, proxy: String?, because: String }

  private static let http = ["http_proxy": "http://one:1"]

  static let rows = [
    Row(environment: http, uri: "http://h/", proxy: "http://one:1", because: "the plain case"),
    Row(environment: http, uri: "https://h/", proxy: nil, because: "it is for http alone"),
    Row(environment: [:], uri: "http://h/", proxy: nil, because: "nothing is set"),
    Row(environment: ["HTTP_PROXY": "http://one:1"], uri: "http://h/", proxy: nil, because: "a field of a CGI request"),
    Row(environment: ["https_proxy": "http://one:1"], uri: "https://h/", proxy: "http://one:1", because: "https"),
    Row(environment: ["https_proxy": "http://one:1"], uri: "http://h/", proxy: nil, because: "for https alone"),
    Row(environment: ["HTTPS_PROXY": "http://one:1"], uri: "https://h/", proxy: "http://one:1", because: "upper case"),
    Row(
      environment: ["https_proxy": "http://one:1", "HTTPS_PROXY": "http://two:2"], uri: "https://h/",
      proxy: "http://one:1", because: "lower case wins"),
    Row(
      environment: ["https_proxy": "", "HTTPS_PROXY": "http://two:2"], uri: "https://h/", proxy: "http://two:2",
      because: "empty means unset"),
    Row(environment: ["all_proxy": "socks5h://s"], uri: "http://h/", proxy: "socks5h://s:1080", because: "for all"),
    Row(
      environment: ["ALL_PROXY": "socks5://s"], uri: "https://h/", proxy: "socks5://s:1080", because: "in upper case"),
    Row(
      environment: ["all_proxy": "s:3", "http_proxy": "one:1"], uri: "http://h/", proxy: "http://one:1",
      because: "the scheme's own goes before"),
    Row(
      environment: ["all_proxy": "s:3", "http_proxy": ""], uri: "http://h/", proxy: "http://s:3",
      because: "unless it is empty"),
    Row(environment: ["all_proxy": "one:1"], uri: "http://localhost/", proxy: nil, because: "loopback by name"),
    Row(environment: ["all_proxy": "one:1"], uri: "http://a.localhost./", proxy: nil, because: "and below it"),
    Row(environment: ["all_proxy": "one:1"], uri: "http://notlocalhost/", proxy: "http://one:1", because: "not this"),
    Row(environment: ["all_proxy": "one:1"], uri: "http://127.9.9.9/", proxy: nil, because: "loopback by address"),
    Row(environment: ["all_proxy": "one:1"], uri: "http://[::1]/", proxy: nil, because: "in IPv6"),
    Row(environment: ["all_proxy": "one:1"], uri: "http://[::ffff:127.0.0.1]/", proxy: nil, because: "mapped"),
    Row(environment: ["all_proxy": "one:1"], uri: "http://[::2]/", proxy: "http://one:1", because: "another address"),
    Row(environment: ["all_proxy": "one:1"], uri: "http://128.0.0.1/", proxy: "http://one:1", because: "just outside"),
    Row(
      environment: ["http_proxy": "one:1", "NO_PROXY": "h"], uri: "http://h/", proxy: nil, because: "upper case too"),
    Row(
      environment: ["http_proxy": "one:1", "no_proxy": "other", "NO_PROXY": "h"], uri: "http://h/",
      proxy: "http://one:1", because: "lower case wins here as well"),
  ]

  @Test(arguments: rows) func chooses(_ row: Row) throws {
    let choice = try ProxyChoice { row.environment[$0].map { Array($0.utf8) } }
    let origin = try TargetURI(text: Array(row.uri.utf8)).origin
    let proxy = choice.proxy(for: origin).map { String(decoding: $0.text, as: UTF8.self) }
    #expect(proxy == row.proxy, "\(row.because)")
  }

  @Test func aForcedOneIsForAll() throws {
    let choice = ProxyChoice(always: try #require(Proxy(text: Array("one:1".utf8))))
    for uri in ["http://h/", "https://h/", "http://localhost/", "https://[::1]/"] {
      #expect(choice.proxy(for: try TargetURI(text: Array(uri.utf8)).origin) != nil, "\(uri)")
    }
    #expect(!ProxyChoice().isAny)
  }

  static let invalid: [(String, String)] = [
    ("http_proxy", "ftp://one:1"), ("https_proxy", "http://"), ("HTTPS_PROXY", "http://one:0"),
    ("all_proxy", "one two"),
    ("ALL_PROXY", "http://one/path"), ("no_proxy", "10.0.0.0/33"), ("NO_PROXY", "a b c/d"), ("no_proxy", "192.168.*"),
  ]

  @Test(arguments: invalid) func namesTheVariable(_ row: (name: String, value: String)) {
    do throws(ProxyChoice.InvalidVariable) {
      _ = try ProxyChoice { $0.utf8.elementsEqual(row.name.utf8) ? Array(row.value.utf8) : nil }
      Issue.record("\(row) reads")
    } catch {
      #expect(error.name == row.name)
      #expect(error.isList == row.name.lowercased().hasPrefix("no"))
    }
  }

  // MARK: no_proxy

  struct Exception: Sendable { let list: String, uri: String, matches: Bool, because: String }

  static let exceptions = [
    Exception(list: "*", uri: "http://h/", matches: true, because: "everything"),
    Exception(list: "example.org", uri: "http://example.org/", matches: true, because: "the host itself"),
    Exception(list: "example.org", uri: "http://www.example.org/", matches: true, because: "below it"),
    Exception(list: "example.org", uri: "http://badexample.org/", matches: false, because: "only at a label's border"),
    Exception(list: "example.org", uri: "http://org/", matches: false, because: "not above it"),
    Exception(list: ".example.org", uri: "http://www.example.org/", matches: true, because: "a dot in front"),
    Exception(list: ".example.org", uri: "http://example.org/", matches: true, because: "means the same"),
    Exception(list: "*.example.org", uri: "http://a.example.org/", matches: true, because: "and so does a star"),
    Exception(list: "EXAMPLE.org.", uri: "http://www.example.ORG/", matches: true, because: "case and final dots"),
    Exception(list: "example.org", uri: "http://example.org./", matches: true, because: "whichever has one"),
    Exception(list: "a,b c\td", uri: "http://c/", matches: true, because: "commas and blanks separate"),
    Exception(list: ", ,,b,", uri: "http://b/", matches: true, because: "as many as one likes"),
    Exception(list: ",", uri: "http://b/", matches: false, because: "nothing is in it"),
    Exception(list: "h:8080", uri: "http://h:8080/", matches: true, because: "the port too"),
    Exception(list: "h:8080", uri: "http://h/", matches: false, because: "another port"),
    Exception(list: "h:443", uri: "https://h/", matches: true, because: "the scheme's own port"),
    Exception(list: "10.1.2.3", uri: "http://10.1.2.3/", matches: true, because: "an address"),
    Exception(list: "10.1.2.3:81", uri: "http://10.1.2.3/", matches: false, because: "at another port"),
    Exception(list: "10.0.0.0/8", uri: "http://10.255.0.1/", matches: true, because: "a range"),
    Exception(list: "10.0.0.0/8", uri: "http://11.0.0.1/", matches: false, because: "outside of it"),
    Exception(list: "10.1.2.129/25", uri: "http://10.1.2.128/", matches: true, because: "host bits do not count"),
    Exception(list: "10.1.2.129/25", uri: "http://10.1.2.127/", matches: false, because: "the bit before them does"),
    Exception(list: "0.0.0.0/0", uri: "http://9.9.9.9/", matches: true, because: "every IPv4 address"),
    Exception(list: "0.0.0.0/0", uri: "http://nine/", matches: false, because: "and no name"),
    Exception(list: "fd00::/8", uri: "http://[fdab::1]/", matches: true, because: "a range of IPv6"),
    Exception(list: "fd00::/8", uri: "http://[fe00::1]/", matches: false, because: "outside of it"),
    Exception(list: "2001:db8::/65", uri: "http://[2001:db8::8000:0:0:1]/", matches: false, because: "beyond 64 bits"),
    Exception(list: "::/0", uri: "http://[2001:db8::1]/", matches: true, because: "every IPv6 address"),
    Exception(list: "::/0", uri: "http://10.0.0.1/", matches: false, because: "an IPv4 address is none"),
    Exception(list: "2001:db8::1", uri: "http://[2001:DB8:0:0::1]/", matches: true, because: "any spelling"),
    Exception(list: "[2001:db8::1]:80", uri: "http://[2001:db8::1]/", matches: true, because: "brackets for a port"),
    Exception(list: "::ffff:10.0.0.1", uri: "http://10.0.0.1/", matches: true, because: "mapped is the same"),
    Exception(
      list: "10.0.0.1", uri: "http://host10.0.0.1.example/", matches: false, because: "an address is no suffix"),
  ]

  @Test(arguments: exceptions) func excepts(_ row: Exception) throws {
    let list = try #require(ProxyException.list(Array(row.list.utf8)), "\(row.because)")
    let origin = try TargetURI(text: Array(row.uri.utf8)).origin
    #expect(list.contains { $0.matches(origin) } == row.matches, "\(row.list) \(row.uri): \(row.because)")
  }

  @Test(arguments: [
    "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "h/8", "h:0", "h:65536", "h:x", ".", "*.",
    "..h",
    "192.168.*", "a*b", "u@h", "[::1", "1.2.3", "h\u{1}",
  ]) func refuses(_ list: String) {
    #expect(ProxyException.list(Array(list.utf8)) == nil)
  }
}
