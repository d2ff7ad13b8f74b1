import RawGet
import Testing

/// Where a Location leads.
struct TargetResolutionTests {
  struct Row: Sendable { let reference: String, text: String }

  /// The examples of RFC 3986 §5.4, normal and abnormal, without those of other schemes; fragments dropped.
  static let examples = [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
    ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/../x", "http://a/b/c/g"),
  ].map { Row(reference: $0.0, text: $0.1) }

  static let others = [
    ("https://x.example:444/y?z#f", "https://x.example:444/y?z"), ("HTTP://X.example", "http://x.example/"),
    ("//x.example:81?z", "http://x.example:81/?z"), (" \t/g \t", "http://a/g"), ("/g,/h", "http://a/g,/h"),
    ("a b?c d", "http://a/b/c/a%20b?c%20d"), ("é", "http://a/b/c/%C3%A9"), ("%41%zz", "http://a/b/c/%41%25zz"),
    ("/g%0d%0aX:%20y", "http://a/g%0d%0aX:%20y"), ("?", "http://a/b/c/d;p?"), ("g?", "http://a/b/c/g?"),
    ("./1:2", "http://a/b/c/1:2"), ("/1:2", "http://a/1:2"), ("?1:2", "http://a/b/c/d;p?1:2"),
    ("g/1:2", "http://a/b/c/g/1:2"),
    (#"\\g\h"#, "http://a/b/c/%5C%5Cg%5Ch"), ("/%2e%2e/g", "http://a/%2e%2e/g"), ("/g//../h", "http://a/g/h"),
    ("http://me:pw@x.example/", "http://x.example/"), (".//g", "http://a/b/c//g"), ("/.//g", "http://a//g"),
  ].map { Row(reference: $0.0, text: $0.1) }

  static let base = "http://a/b/c/d;p?q"

  @Test(arguments: examples + others) func resolves(_ row: Row) throws {
    let target = try TargetURI(text: Array(Self.base.utf8)).resolving(reference: Array(row.reference.utf8))
    #expect(String(decoding: target.text, as: UTF8.self) == row.text, "\(row.reference)")
    #expect(target.userinfo == nil)
    #expect(try TargetURI(text: target.text) == target)
  }

  struct Refusal: Sendable { let reference: String, error: TargetURIError, because: String }

  static let refused = [
    Refusal(reference: "g:h", error: .unsupportedScheme([0x67]), because: "RFC 3986 §5.4: another scheme"),
    Refusal(reference: "http:g", error: .missingHost, because: "RFC 3986 §5.4.2: strict"),
    Refusal(reference: "http:/g", error: .missingHost, because: "a scheme wants an authority"),
    Refusal(reference: "http:?y", error: .missingHost, because: "a scheme and a query"),
    Refusal(reference: "http:", error: .missingHost, because: "a scheme alone"),
    Refusal(reference: "http:///g", error: .missingHost, because: "an empty authority"),
    Refusal(reference: "///g", error: .missingHost, because: "an empty network path"),
    Refusal(reference: "//", error: .missingHost, because: "a network path alone"),
    Refusal(reference: "//me@", error: .missingHost, because: "userinfo alone"),
    Refusal(reference: "javascript:x", error: .unsupportedScheme(Array("javascript".utf8)), because: "a script"),
    Refusal(reference: "file:///g", error: .unsupportedScheme(Array("file".utf8)), because: "a file of ours"),
    Refusal(reference: "a.b:80/g", error: .unsupportedScheme(Array("a.b".utf8)), because: "this reads as a scheme"),
    Refusal(reference: "1:2", error: .colonInFirstSegment, because: "no scheme, and no relative path either"),
    Refusal(reference: ":g", error: .colonInFirstSegment, because: "an empty scheme"),
    Refusal(reference: "a b:c", error: .colonInFirstSegment, because: "a blank is in no scheme"),
    Refusal(reference: "127.0.0.1:80/g", error: .colonInFirstSegment, because: "an address is no path"),
    Refusal(reference: "/g\th", error: .controlCharacter(offset: 2), because: "HTAB inside"),
    Refusal(
      reference: "/g\r\nX: y", error: .controlCharacter(offset: 2), because: "a line end never reaches a request"),
    Refusal(reference: "/g\0", error: .controlCharacter(offset: 2), because: "NUL"),
    Refusal(reference: "http://a:8o/", error: .invalidPort, because: "a letter"),
    Refusal(reference: "http://a:-1/", error: .invalidPort, because: "a sign"),
    Refusal(reference: "//a:65616/", error: .invalidPort, because: "must not wrap to 80"),
    Refusal(reference: "//a b/", error: .invalidHost, because: "a blank in a host"),
    Refusal(reference: "//0x7f.1/", error: .invalidHost, because: "which address that is depends on who reads it"),
    Refusal(reference: #"//good.example\@a/"#, error: .invalidUserinfo, because: "a browser would ask good.example"),
  ]

  @Test(arguments: refused) func refuses(_ row: Refusal) throws {
    let target = try TargetURI(text: Array(Self.base.utf8))
    #expect(throws: row.error, "\(row.because)") { try target.resolving(reference: Array(row.reference.utf8)) }
  }

  @Test func encodesLatin1ByteByByte() throws {
    let target = try TargetURI(text: Array(Self.base.utf8))
    #expect(try target.resolving(reference: [0x2F, 0xE9, 0x80]).path == Array("/%E9%80".utf8))
    #expect(throws: TargetURIError.invalidHost, "no name is in Latin-1") {
      try target.resolving(reference: [0x2F, 0x2F, 0xE9, 0x2F])
    }
  }

  @Test func noUserinfoTravels() throws {
    let target = try TargetURI(text: Array("http://me:pw@a/b".utf8))
    for reference in ["", "c", "/c", "?c", "//a/c", "http://a/c", "http://you:pw@a/c", "http://other.example/"] {
      #expect(try target.resolving(reference: Array(reference.utf8)).userinfo == nil, "\(reference)")
    }
  }

  @Test func keepsSchemeAndPortOfItsOriginOnly() throws {
    let target = try TargetURI(text: Array("https://a:8443/b".utf8))
    #expect(try target.resolving(reference: Array("/c".utf8)).origin == target.origin)
    #expect(try target.resolving(reference: Array("//a/c".utf8)).text == Array("https://a/c".utf8))
    #expect(try target.resolving(reference: Array("http://a/c".utf8)).text == Array("http://a/c".utf8))
  }

  @Test func keepsTheZoneOfTheSameAddressOnly() throws {
    let target = try TargetURI(text: Array("http://[fe80::1%25eth0]/b".utf8))
    #expect(try target.resolving(reference: Array("http://[FE80::1]:81/c".utf8)).host == target.host)
    #expect(try target.resolving(reference: Array("http://[fe80::2]/c".utf8)).host.zone == nil)
    #expect(try target.resolving(reference: Array("http://[fe80::1%25lo]/c".utf8)).host.zone == Array("lo".utf8))
  }

  @Test func boundsWhatRelativeReferencesAddUp() throws {
    let half = Array(repeating: UInt8(ascii: "a"), count: 40_000)
    let target = try TargetURI(text: Array("http://a/".utf8) + half + [UInt8(ascii: "/")])
    #expect(throws: TargetURIError.tooLong(limit: 65_536)) { try target.resolving(reference: half) }
    #expect(throws: TargetURIError.tooLong(limit: 65_536)) { try target.resolving(reference: half + half) }
  }

  @Test func translatesInternationalHosts() throws {
    let target = try TargetURI(text: Array(Self.base.utf8))
    let moved = try target.resolving(reference: Array("//bücher.example/ü".utf8)) { _ in .ascii(Array("x.example".utf8))
    }
    #expect(moved.text == Array("http://x.example/%C3%BC".utf8))
    #expect(throws: TargetURIError.internationalHost(unavailable: false)) {
      try target.resolving(reference: Array("//bücher.example/".utf8)) { _ in .invalid }
    }
  }
}
