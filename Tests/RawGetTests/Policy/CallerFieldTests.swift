import Testing

@testable import RawGet

/// The caller's own fields (S0-21).
struct CallerFieldTests {
  static let refused = [
    ("", "nothing"), ("Name", "no colon"), (":", "no name"), (": value", "no name"),
    ("Na me: v", "a blank in the name"),
    ("Name : v", "a blank before the colon"), (" Name: v", "a blank before the name"), ("Näme: v", "no token"),
    ("Na\"me: v", "a quote is no token"), ("Name: a\rb", "CR"), ("Name: a\nb", "LF"), ("Name: a\r\nHost: b", "a line"),
    ("Name: a\0b", "NUL"), ("Name: a\u{1}b", "a control"), ("Name: a\u{7F}b", "DEL"), ("Na\nme: v", "LF in the name"),
  ]

  @Test(arguments: refused) func refuses(_ text: String, because: String) {
    #expect(CallerField(text: Array(text.utf8)) == nil, "\(because)")
  }

  @Test(arguments: ["Name: value", "n: ", "n:", "X-A: b: c", "X: é", "!#$%&'*+-.^_`|~1a: x", "X: a\tb"])
  func accepts(_ text: String) throws {
    let field = try #require(CallerField(text: Array(text.utf8)))
    #expect(!field.isOwned)
  }

  static let owned = [
    "Host", "Range", "If-Range", "Content-Length", "Transfer-Encoding", "Connection", "Accept-Encoding", "TE",
    "Trailer",
    "Upgrade", "Expect", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "Content-Range",
  ]

  @Test("S0-21: the engine owns these, in any case", arguments: owned)
  func isOwned(_ name: String) throws {
    for spelling in [name, name.lowercased(), name.uppercased()] {
      let field = try #require(CallerField(text: Array("\(spelling): x".utf8)))
      #expect(field.isOwned)
      #expect(field.name == Array(spelling.utf8), "named as it was given")
    }
  }
}
