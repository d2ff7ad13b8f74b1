import RawGet
import Testing

/// The host of a target URI: what is a name, what an address, what neither.
struct TargetHostTests {
  struct Row: Sendable { let typed: String, host: String, kind: Kind, because: String }
  enum Kind: Sendable { case name, v4, v6 }

  static let accepted = [
    Row(typed: "example.org", host: "example.org", kind: .name, because: "a name"),
    Row(typed: "EXAMPLE.org.", host: "example.org.", kind: .name, because: "the final dot keeps search domains out"),
    Row(typed: "my_host-1", host: "my_host-1", kind: .name, because: "underscore and hyphen"),
    Row(
      typed: "-a-.example", host: "-a-.example", kind: .name,
      because: "where a hyphen stands is the resolver's business"),
    Row(typed: "1.example", host: "1.example", kind: .name, because: "only the last label makes it a number"),
    Row(typed: "1.0x1g", host: "1.0x1g", kind: .name, because: "not hexadecimal to its end"),
    Row(typed: "ex%41mple.o%72g", host: "example.org", kind: .name, because: "encoded letters"),
    Row(typed: "xn--bcher-kva.example", host: "xn--bcher-kva.example", kind: .name, because: "already translated"),
    Row(typed: "127.0.0.1", host: "127.0.0.1", kind: .v4, because: "S4-8: a dotted quad"),
    Row(typed: "255.255.255.255", host: "255.255.255.255", kind: .v4, because: "the largest"),
    Row(typed: "0.0.0.0", host: "0.0.0.0", kind: .v4, because: "the smallest"),
    Row(typed: "127.0.0.%31", host: "127.0.0.1", kind: .v4, because: "encoded digits"),
    Row(typed: "[::1]", host: "::1", kind: .v6, because: "S4-8: the loopback address"),
    Row(typed: "[::]", host: "::", kind: .v6, because: "nothing but a gap"),
    Row(typed: "[1:2:3:4:5:6:7:8]", host: "1:2:3:4:5:6:7:8", kind: .v6, because: "eight groups"),
    Row(typed: "[1:2:3:4:5:6:7::]", host: "1:2:3:4:5:6:7::", kind: .v6, because: "a gap for one group at the end"),
    Row(typed: "[::2:3:4:5:6:7:8]", host: "::2:3:4:5:6:7:8", kind: .v6, because: "and at the start"),
    Row(typed: "[2001:DB8::ABCD]", host: "2001:db8::abcd", kind: .v6, because: "lower case"),
    Row(typed: "[::ffff:192.0.2.1]", host: "::ffff:192.0.2.1", kind: .v6, because: "an IPv4 address inside"),
    Row(typed: "[1:2:3:4:5:6:192.0.2.1]", host: "1:2:3:4:5:6:192.0.2.1", kind: .v6, because: "as two groups"),
  ]

  @Test(arguments: accepted) func reads(_ row: Row) throws {
    for port in ["", ":", ":8080"] {
      let target = try TargetURI(text: Array("http://\(row.typed)\(port)/".utf8))
      #expect(target.host.bytes == Array(row.host.utf8), "\(row.because)")
      #expect(target.host.isIPv6 == (row.kind == .v6) && target.host.isAddress == (row.kind != .name), "\(row.because)")
      #expect(target.host.zone == nil && target.port == (port == ":8080" ? 8080 : 80))
    }
  }

  struct Refusal: Sendable { let typed: String, because: String }

  static let refused = [
    Refusal(typed: "exa mple.org", because: "a blank"),
    Refusal(typed: "example.org%20", because: "an encoded blank"),
    Refusal(typed: "example.org%00.other.example", because: "an encoded NUL"),
    Refusal(typed: "example.org%2Fa", because: "an encoded slash"),
    Refusal(typed: "example.org%3A80", because: "an encoded colon"),
    Refusal(typed: "me%40example.org", because: "an encoded @"),
    Refusal(typed: "example.org%", because: "a percent that encodes nothing"),
    Refusal(typed: "%2565xample.org", because: "decoded once only"),
    Refusal(typed: "exam!ple", because: "sub-delims name no host"),
    Refusal(typed: "a,b", because: "nor do lists"),
    Refusal(typed: "*", because: "nor do patterns"),
    Refusal(typed: ".", because: "the root"),
    Refusal(typed: ".example", because: "an empty label in front"),
    Refusal(typed: "a..example", because: "an empty label inside"),
    Refusal(typed: "example..", because: "two final dots"),
    Refusal(typed: String(repeating: "a", count: 64), because: "a label of 64 bytes"),
    Refusal(typed: "%FFexample", because: "not UTF-8"),
    Refusal(typed: "%C0%AEexample", because: "an overlong dot"),
    Refusal(typed: "1", because: "a number that inet_aton reads as 0.0.0.1"),
    Refusal(typed: "2130706433", because: "and as 127.0.0.1"),
    Refusal(typed: "127.1", because: "two numbers"),
    Refusal(typed: "127.0.1", because: "three numbers"),
    Refusal(typed: "1.2.3.4.5", because: "five numbers"),
    Refusal(typed: "127.0.0.01", because: "a leading zero: octal to some"),
    Refusal(typed: "0177.0.0.1", because: "octal"),
    Refusal(typed: "0x7f.0.0.1", because: "hexadecimal in front"),
    Refusal(typed: "127.0.0.0x1", because: "hexadecimal at the end"),
    Refusal(typed: "0X7F000001", because: "hexadecimal alone"),
    Refusal(typed: "example.0x", because: "hexadecimal without digits"),
    Refusal(typed: "1.2.3.256", because: "beyond an octet"),
    Refusal(typed: "1.2.3.1000", because: "four digits"),
    Refusal(typed: "127.0.0.1.", because: "no quad has a final dot"),
    Refusal(typed: "example.42", because: "no such top-level domain, and not an address"),
    Refusal(typed: "::1", because: "IPv6 wants brackets"),
    Refusal(typed: "1:2:3:4:5:6:7:8", because: "whose last group would be the port"),
    Refusal(typed: "[]", because: "empty brackets"),
    Refusal(typed: "[", because: "one bracket"),
    Refusal(typed: "[::1", because: "an open bracket"),
    Refusal(typed: "::1]", because: "a bracket out of nowhere"),
    Refusal(typed: "[::1]x", because: "bytes after the bracket"),
    Refusal(typed: "x[::1]", because: "bytes before the bracket"),
    Refusal(typed: "[[::1]]", because: "brackets twice"),
    Refusal(typed: "[127.0.0.1]", because: "no IPv4 in brackets"),
    Refusal(typed: "[example.org]", because: "no name in brackets"),
    Refusal(typed: "[v1.x]", because: "IPvFuture"),
    Refusal(typed: "[1:2:3:4:5:6:7]", because: "seven groups"),
    Refusal(typed: "[1:2:3:4:5:6:7:8:9]", because: "nine groups"),
    Refusal(typed: "[1::2:3:4:5:6:7:8]", because: "a gap for no group"),
    Refusal(typed: "[1::2::3]", because: "two gaps"),
    Refusal(typed: "[:::]", because: "three colons"),
    Refusal(typed: "[1:::2]", because: "three colons inside"),
    Refusal(typed: "[:1:2:3:4:5:6:7]", because: "one colon in front"),
    Refusal(typed: "[1:2:3:4:5:6:7:]", because: "one colon at the end"),
    Refusal(typed: "[12345::]", because: "five digits"),
    Refusal(typed: "[g::]", because: "no digit"),
    Refusal(typed: "[::192.0.2.256]", because: "a bad quad inside"),
    Refusal(typed: "[192.0.2.1::]", because: "a quad not at the end"),
    Refusal(typed: "[1:2:3:4:5:6:7:192.0.2.1]", because: "a quad that makes nine groups"),
    Refusal(typed: "[%3A%3A1]", because: "no encoding in an address"),
    Refusal(typed: "[fe80::1%25]", because: "an empty zone"),
    Refusal(typed: "[fe80::1%]", because: "an empty zone, bare"),
    Refusal(typed: "[fe80::1%25a%2Fb]", because: "an encoded slash in a zone"),
    Refusal(typed: "[fe80::1%25a b]", because: "a blank in a zone"),
    Refusal(typed: "[fe80::1%25aaaabbbbccccdddd]", because: "no link has a name of 16 bytes"),
    Refusal(typed: "[%25eth0]", because: "a zone alone"),
  ]

  @Test(arguments: refused) func refuses(_ row: Refusal) {
    let text = Array("http://\(row.typed)/".utf8)
    #expect(throws: TargetURIError.invalidHost, "\(row.because)") { try TargetURI(text: text) }
  }

  @Test func nameOf253BytesIsTheLongest() throws {
    let label = String(repeating: "a", count: 63)
    let longest = "\(label).\(label).\(label).\(label.dropLast(2))"
    #expect(try TargetURI(text: Array("http://\(longest)/".utf8)).host.bytes.count == 253)
    #expect(try TargetURI(text: Array("http://\(longest)./".utf8)).host.bytes.count == 254, "and its final dot")
    #expect(throws: TargetURIError.invalidHost) { try TargetURI(text: Array("http://\(longest)a/".utf8)) }
  }

  @Test(arguments: ["[fe80::1%25eth0]", "[FE80::1%eth0]"]) func keepsTheZoneApart(_ typed: String) throws {
    let host = try TargetURI(text: Array("http://\(typed)/".utf8)).host
    #expect(host.bytes == Array("fe80::1".utf8) && host.zone == Array("eth0".utf8))
    #expect(host.lookupName == Array("fe80::1%eth0".utf8) && host.fieldValue == Array("[fe80::1]".utf8))
  }

  @Test func certificateNamesHaveNoFinalDot() throws {
    let host = try TargetURI(text: Array("https://example.org./".utf8)).host
    #expect(host.certificateName == Array("example.org".utf8) && host.lookupName == Array("example.org.".utf8))
  }

  struct Translation: Sendable { let outcome: TranslatedHost, host: String?, error: TargetURIError, because: String }

  static let translations = [
    Translation(
      outcome: .ascii(Array("xn--bcher-kva.example".utf8)), host: "xn--bcher-kva.example", error: .empty,
      because: "translated"),
    Translation(outcome: .ascii(Array("127.0.0.1".utf8)), host: "127.0.0.1", error: .empty, because: "wide digits"),
    Translation(
      outcome: .unavailable, host: nil, error: .internationalHost(unavailable: true), because: "nothing to ask"),
    Translation(outcome: .invalid, host: nil, error: .internationalHost(unavailable: false), because: "no such name"),
    Translation(outcome: .ascii(Array("a/b".utf8)), host: nil, error: .invalidHost, because: "a wide slash"),
    Translation(outcome: .ascii(Array("127.1".utf8)), host: nil, error: .invalidHost, because: "a wide 127.1"),
    Translation(outcome: .ascii(Array("b\u{FC}cher".utf8)), host: nil, error: .invalidHost, because: "not ASCII yet"),
    Translation(outcome: .ascii([]), host: nil, error: .invalidHost, because: "nothing left"),
  ]

  @Test(arguments: translations) func judgesTranslatedNamesLikeAnyOther(_ row: Translation) throws {
    for typed in ["http://bücher.example/", "http://b%C3%BCcher.example/"] {
      let read: () throws -> TargetURI = {
        try TargetURI(text: Array(typed.utf8)) { utf8 in
          #expect(utf8 == Array("bücher.example".utf8))
          return row.outcome
        }
      }
      if let host = row.host {
        #expect(try read().host.bytes == Array(host.utf8), "\(row.because)")
      } else {
        #expect(throws: row.error, "\(row.because)") { try read() }
      }
    }
  }

  @Test func translatesByWhatTheSystemHas() throws {
    let text = Array("http://bücher.example/".utf8)
    switch systemHostTranslation(Array("bücher.example".utf8)) {
    case .ascii: #expect(try TargetURI(text: text).host.bytes == Array("xn--bcher-kva.example".utf8))
    case .unavailable:
      #expect(throws: TargetURIError.internationalHost(unavailable: true)) { try TargetURI(text: text) }
    case .invalid: Issue.record("a valid name")
    }
  }

  @Test func asciiNamesAreNotTranslated() throws {
    _ = try TargetURI(text: Array("http://example.org/é".utf8)) { _ in
      Issue.record("asked for an ASCII name")
      return .invalid
    }
  }
}
