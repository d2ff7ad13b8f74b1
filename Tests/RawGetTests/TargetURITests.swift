import RawGet
import Testing

/// What a person typed or pasted, and what is asked for.
struct TargetURITests {
  struct Row: Sendable { let typed: String, text: String, because: String }

  static let accepted = [
    Row(typed: "http://example.org/a/b?c=d", text: "http://example.org/a/b?c=d", because: "nothing to do"),
    Row(
      typed: "HTTPS://Example.ORG/A", text: "https://example.org/A", because: "scheme and host without regard to case"),
    Row(typed: "http://example.org", text: "http://example.org/", because: "an empty path"),
    Row(typed: "http://example.org?x", text: "http://example.org/?x", because: "an empty path before a query"),
    Row(typed: "http://example.org/?", text: "http://example.org/?", because: "an empty query is not none"),
    Row(typed: "http://example.org/a#b?c/@d", text: "http://example.org/a", because: "a fragment is never sent"),
    Row(
      typed: "http://example.org#@other.example/", text: "http://example.org/", because: "a fragment ends the authority"
    ),
    Row(
      typed: "http://example.org?@other.example/", text: "http://example.org/?@other.example/",
      because: "so does a query"),
    Row(typed: " \thttp://example.org/a \t", text: "http://example.org/a", because: "T30: blanks around"),
    Row(typed: "http://example.org/a b?c d", text: "http://example.org/a%20b?c%20d", because: "T30: blanks inside"),
    Row(
      typed: "http://example.org/12 片名.mov?名=é",
      text: "http://example.org/12%20%E7%89%87%E5%90%8D.mov?%E5%90%8D=%C3%A9",
      because: "S4-5, S0-19: UTF-8, part by part"),
    Row(
      typed: "http://example.org/%e7%89%87%2F%41", text: "http://example.org/%e7%89%87%2F%41",
      because: "T23: encoded once is enough"),
    Row(
      typed: "http://example.org/a%3Fb?c?d", text: "http://example.org/a%3Fb?c?d",
      because: "T23: an encoded ? stays in its name"),
    Row(
      typed: "http://example.org/5%/%4/%zz?%", text: "http://example.org/5%25/%254/%25zz?%25",
      because: "a percent that encodes nothing"),
    Row(
      typed: "http://example.org/\"<>\\^`{|}[]", text: "http://example.org/%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D",
      because: "RFC 3986 §3.3 has no room for them"),
    Row(
      typed: "http://example.org/?\"<>\\^`{|}[]", text: "http://example.org/?%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D",
      because: "nor has §3.4"),
    Row(
      typed: "http://example.org/!$&'()*+,;=:@-._~/", text: "http://example.org/!$&'()*+,;=:@-._~/",
      because: "pchar stays"),
    Row(typed: "http://example.org/?a+b/c?d", text: "http://example.org/?a+b/c?d", because: "a query may hold / and ?"),
    Row(typed: "http://example.org/a/./b/../c", text: "http://example.org/a/c", because: "dot segments"),
    Row(typed: "http://example.org/../..", text: "http://example.org/", because: "no way above the root"),
    Row(
      typed: "http://example.org/a/%2e%2E/b", text: "http://example.org/a/%2e%2E/b",
      because: "encoded dots are no dot segment"),
    Row(
      typed: "http://example.org//a///b/", text: "http://example.org//a///b/", because: "empty segments are segments"),
    Row(typed: "http://example.org:80/", text: "http://example.org/", because: "S4-8: the default port"),
    Row(typed: "https://example.org:80/", text: "https://example.org:80/", because: "S4-8: the other scheme's port"),
    Row(typed: "http://localhost:8080/", text: "http://localhost:8080/", because: "S4-8: an explicit port"),
    Row(typed: "http://localhost:0008080/", text: "http://localhost:8080/", because: "1*DIGIT has room for zeros"),
    Row(typed: "http://localhost:65535/", text: "http://localhost:65535/", because: "the last port"),
    Row(typed: "http://localhost:/", text: "http://localhost/", because: "an empty port is the default"),
    Row(
      typed: "http://me:secret@example.org/", text: "http://example.org/", because: "userinfo is no part of the text"),
  ]

  @Test(arguments: accepted) func reads(_ row: Row) throws {
    #expect(try TargetURI(text: Array(row.typed.utf8)).text == Array(row.text.utf8), "\(row.because)")
  }

  @Test(arguments: accepted) func readsItsOwnTextAlike(_ row: Row) throws {
    let once = try TargetURI(text: Array(row.typed.utf8))
    let twice = try TargetURI(text: once.text)
    #expect(twice.text == once.text && twice.origin == once.origin && twice.path == once.path, "\(row.because)")
  }

  struct Refusal: Sendable { let typed: String, error: TargetURIError, because: String }

  static let refused = [
    Refusal(typed: "", error: .empty, because: "nothing"),
    Refusal(typed: " \t ", error: .empty, because: "T30: only blanks"),
    Refusal(typed: "example.org/a", error: .missingScheme, because: "no scheme"),
    Refusal(typed: "/a/b", error: .missingScheme, because: "a path"),
    Refusal(
      typed: "//example.org/", error: .missingScheme, because: "a network path has nothing to take its scheme from"),
    Refusal(typed: "localhost:8080", error: .missingScheme, because: "the host is no scheme"),
    Refusal(typed: "example.org:8080/a?b", error: .missingScheme, because: "nor is this one"),
    Refusal(typed: "127.0.0.1:8080/a", error: .missingScheme, because: "a scheme begins with a letter"),
    Refusal(typed: "://example.org/", error: .missingScheme, because: "an empty scheme"),
    Refusal(typed: "ftp://example.org/", error: .unsupportedScheme(Array("ftp".utf8)), because: "another scheme"),
    Refusal(typed: "FILE:///etc/passwd", error: .unsupportedScheme(Array("file".utf8)), because: "no files of ours"),
    Refusal(typed: "data:text/plain,x", error: .unsupportedScheme(Array("data".utf8)), because: "nothing to fetch"),
    Refusal(typed: "httpx://example.org/", error: .unsupportedScheme(Array("httpx".utf8)), because: "a longer scheme"),
    Refusal(typed: "http:", error: .missingHost, because: "a scheme alone"),
    Refusal(typed: "http:/example.org/", error: .missingHost, because: "one slash"),
    Refusal(typed: "http:example.org", error: .missingHost, because: "no slash"),
    Refusal(typed: #"http:\\example.org\a"#, error: .missingHost, because: "backslashes are no slashes"),
    Refusal(typed: "http://", error: .missingHost, because: "an empty authority"),
    Refusal(typed: "http:///a", error: .missingHost, because: "an empty authority before a path"),
    Refusal(typed: "http://:80/", error: .missingHost, because: "a port alone"),
    Refusal(typed: "http://me@/", error: .missingHost, because: "userinfo alone"),
    Refusal(typed: "http://me@:80/", error: .missingHost, because: "userinfo and a port"),
    Refusal(typed: #"http://example.org\a"#, error: .invalidHost, because: "a backslash does not end the authority"),
    Refusal(typed: "http://h:0/", error: .invalidPort, because: "S4-8: port 0"),
    Refusal(typed: "http://h:65536/", error: .invalidPort, because: "S4-8: one too many"),
    Refusal(typed: "http://h:65616/", error: .invalidPort, because: "S4-8: must not wrap to 80"),
    Refusal(typed: "http://h:18446744073709551696/", error: .invalidPort, because: "S4-8: nor here"),
    Refusal(typed: "http://h:-80/", error: .invalidPort, because: "a sign"),
    Refusal(typed: "http://h:+80/", error: .invalidPort, because: "another sign"),
    Refusal(typed: "http://h:8o/", error: .invalidPort, because: "a letter"),
    Refusal(typed: "http://h:80 /", error: .invalidPort, because: "a blank"),
    Refusal(typed: "http://h:%38/", error: .invalidPort, because: "a port is never encoded"),
    Refusal(typed: "http://h:８/", error: .invalidPort, because: "only ASCII digits are DIGIT"),
    Refusal(typed: "http://h/a\tb", error: .controlCharacter(offset: 10), because: "T30: HTAB inside"),
    Refusal(
      typed: " http://h/a\nb", error: .controlCharacter(offset: 11), because: "T30: offsets count blanks in front"),
    Refusal(typed: "http://h/\r\n", error: .controlCharacter(offset: 9), because: "a line end is no blank"),
    Refusal(typed: "http://h/\0", error: .controlCharacter(offset: 9), because: "NUL"),
    Refusal(typed: "http://h/#\u{7F}", error: .controlCharacter(offset: 10), because: "DEL, in a fragment too"),
    Refusal(typed: "\u{1B}http://h/", error: .controlCharacter(offset: 0), because: "before the scheme"),
    Refusal(typed: "http://a%3Ab:c@h/", error: .invalidUserinfo, because: "Basic ends the user name at a colon"),
    Refusal(typed: "http://a:b%0Ac@h/", error: .invalidUserinfo, because: "a control character in a password"),
    Refusal(typed: "http://a%7F@h/", error: .invalidUserinfo, because: "DEL in a user name"),
    Refusal(typed: #"http://h\@other.example/"#, error: .invalidUserinfo, because: "a browser would ask h"),
  ]

  @Test(arguments: refused) func refuses(_ row: Refusal) {
    #expect(throws: row.error, "\(row.because)") { try TargetURI(text: Array(row.typed.utf8)) }
  }

  @Test func refusesTextsBeyondTheLimitBeforeAndAfterEncoding() throws {
    let head = Array("http://h/".utf8)
    let longest = head + Array(repeating: UInt8(ascii: "a"), count: 65_536 - head.count)
    #expect(try TargetURI(text: longest).text.count == 65_536)
    #expect(throws: TargetURIError.tooLong(limit: 65_536)) { try TargetURI(text: longest + [UInt8(ascii: "a")]) }
    let growing = head + Array(repeating: UInt8(ascii: "^"), count: 30_000)
    #expect(throws: TargetURIError.tooLong(limit: 65_536)) { try TargetURI(text: growing) }
    let scheme = Array(repeating: UInt8(ascii: "x"), count: 40) + Array("://h/".utf8)
    #expect(throws: TargetURIError.unsupportedScheme(Array(repeating: UInt8(ascii: "x"), count: 32))) {
      try TargetURI(text: scheme)
    }
  }

  struct Credentials: Sendable { let typed: String, user: String?, password: String, because: String }

  static let credentials = [
    Credentials(typed: "http://h/", user: nil, password: "", because: "none"),
    Credentials(typed: "http://@h/", user: nil, password: "", because: "an empty one is none"),
    Credentials(typed: "http://me@h/", user: "me", password: "", because: "no password"),
    Credentials(typed: "http://me:a:b@h/", user: "me", password: "a:b", because: "the first colon divides"),
    Credentials(typed: "http://me:p@ss@h/", user: "me", password: "p@ss", because: "the last @ ends it"),
    Credentials(typed: "http://m%65:%40%2F%25@h/", user: "me", password: "@/%", because: "decoded"),
    Credentials(typed: "http://me:100%@h/", user: "me", password: "100%", because: "a percent that encodes nothing"),
    Credentials(typed: "http://me:é @h/", user: "me", password: "é ", because: "UTF-8 and blanks as they are"),
  ]

  @Test(arguments: credentials) func movesUserinfoOutOfTheTarget(_ row: Credentials) throws {
    let target = try TargetURI(text: Array(row.typed.utf8))
    #expect(target.userinfo.map { String(decoding: $0.user, as: UTF8.self) } == row.user, "\(row.because)")
    #expect(String(decoding: target.userinfo?.password ?? [], as: UTF8.self) == row.password, "\(row.because)")
    #expect(target.text == Array("http://h/".utf8) && target.absoluteForm == target.text && target.hostField == [0x68])
  }

  @Test func requestFormsNameNoMoreThanTheyMust() throws {
    let target = try TargetURI(text: Array("https://me:pw@[FE80::1%25eth0]:8443/a?b#c".utf8))
    #expect(target.requestTarget == Array("/a?b".utf8))
    #expect(target.hostField == Array("[fe80::1]:8443".utf8), "no zone on the wire (RFC 6874 §4)")
    #expect(target.absoluteForm == Array("https://[fe80::1]:8443/a?b".utf8))
    #expect(target.text == Array("https://[fe80::1%25eth0]:8443/a?b".utf8))
    #expect(try TargetURI(text: target.text).origin == target.origin)
    #expect(try TargetURI(text: Array("http://h?".utf8)).requestTarget == Array("/?".utf8))
    #expect(try TargetURI(text: Array("https://h:443/".utf8)).hostField == Array("h".utf8))
  }

  @Test func originIsSchemeHostAndPort() throws {
    func origin(_ text: String) throws -> Origin { try TargetURI(text: Array(text.utf8)).origin }
    #expect(try origin("http://h/a") == origin("HTTP://me@H:80/b?c"))
    for other in ["https://h/", "http://h:81/", "http://i/", "http://h./", "https://h:80/"] {
      #expect(try origin("http://h/") != origin(other), "\(other)")
    }
  }

  @Test func encodesEachPartByItsOwnRules() {
    let text = Array("a?b%3Fc%".utf8)[...]
    #expect(PercentEncoding.encoding(text, as: .path) == Array("a%3Fb%3Fc%25".utf8), "T23: a ? would end the path")
    #expect(PercentEncoding.encoding(text, as: .query) == Array("a?b%3Fc%25".utf8))
    #expect(PercentEncoding.decoding(Array("%41%2541%4%".utf8)[...]) == Array("A%41%4%".utf8), "decoded once")
  }

  /// S0-19, T23: over random bytes, what comes out holds only URI characters and never changes again.
  @Test func encodingIsIdempotent() throws {
    var generator = SplitMix(state: 3986)
    let frequent = Array("%%%%aF09/?.#é 中".utf8)
    for _ in 0..<10_000 {
      let tail = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? frequent[Int.random(in: frequent.indices, using: &generator)]
          : UInt8.random(in: 0x20...0xFF, using: &generator)
      }.filter { $0 != 0x7F }
      let once = try TargetURI(text: Array("http://h/".utf8) + tail)
      #expect(try TargetURI(text: once.text) == once, "\(tail)")
      #expect(once.text.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"#<>\\^`{|}[]".utf8.contains($0) }, "\(tail)")
      #expect(once.path.first == UInt8(ascii: "/") && !once.path.contains(UInt8(ascii: "?")), "\(tail)")
    }
  }
}

/// The same numbers in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
