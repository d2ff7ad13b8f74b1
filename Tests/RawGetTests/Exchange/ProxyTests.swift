import Testing

@testable import RawGet

/// What names a proxy.
struct ProxyTests {
  struct Row: Sendable { let text: String, reads: String?, because: String }

  static let rows = [
    Row(text: "http://proxy:3128", reads: "http://proxy:3128", because: "the plain case"),
    Row(text: "HTTP://Proxy:3128/", reads: "http://proxy:3128", because: "case, and a slash"),
    Row(text: "proxy:3128", reads: "http://proxy:3128", because: "http where nothing is said"),
    Row(text: "proxy", reads: "http://proxy:80", because: "its own port"),
    Row(text: "https://proxy", reads: "https://proxy:443", because: "its own port"),
    Row(text: "socks5://10.0.0.1", reads: "socks5://10.0.0.1:1080", because: "its own port"),
    Row(text: "socks5h://[::1]:9", reads: "socks5h://[::1]:9", because: "an IPv6 literal"),
    Row(text: "http://user:pass@proxy:1", reads: "http://proxy:1", because: "no secret is shown"),
    Row(text: "user:p%40ss@proxy:1", reads: "http://proxy:1", because: "without a scheme too"),
    Row(text: "", reads: nil, because: "nothing"),
    Row(text: "http://", reads: nil, because: "no host"),
    Row(text: "://proxy", reads: nil, because: "no scheme before its end"),
    Row(text: "ftp://proxy", reads: nil, because: "another scheme"),
    Row(text: "socks4://proxy", reads: nil, because: "another SOCKS"),
    Row(text: "http://proxy:0", reads: nil, because: "no port"),
    Row(text: "http://proxy:65536", reads: nil, because: "no port"),
    Row(text: "http://proxy/path", reads: nil, because: "a path means nothing"),
    Row(text: "http://proxy?a", reads: nil, because: "nor does a query"),
    Row(text: "http://pro xy", reads: nil, because: "no host name"),
    Row(text: "http://proxy\r\nX: y", reads: nil, because: "a second line"),
    Row(text: "::1", reads: nil, because: "brackets are missing"),
    Row(text: "socks5://\(String(repeating: "u", count: 256)):p@proxy", reads: nil, because: "RFC 1929: 255 bytes"),
    Row(text: "http://" + String(repeating: "a", count: 2_000), reads: nil, because: "too long"),
  ]

  @Test(arguments: rows) func reads(_ row: Row) {
    let proxy = Proxy(text: Array(row.text.utf8))
    #expect(proxy.map { String(decoding: $0.text, as: UTF8.self) } == row.reads, "\(row.because)")
  }

  @Test func credentialsAreDecoded() throws {
    let proxy = try #require(Proxy(text: Array("http://us%65r:p%40ss:w@proxy".utf8)))
    #expect(proxy.authorization == Array("Basic dXNlcjpwQHNzOnc=".utf8))
    #expect(Proxy(text: Array("http://proxy".utf8))?.authorization == nil)
  }

  // MARK: SOCKS5

  private typealias Answers = [[UInt8]]
  struct Dialogue: Sendable { let answers: [[UInt8]], end: String, because: String }

  static let accepted: [[UInt8]] = [[5, 0]]
  static let dialogues = [
    Dialogue(
      answers: [[5, 0], [5, 0, 0, 1, 9], [9, 9, 9, 0, 80]], end: "done", because: "bound to an IPv4 address"),
    Dialogue(answers: [[5, 0], [5, 0, 0, 3, 1], [97, 0, 80]], end: "done", because: "to a name of one letter"),
    Dialogue(answers: [[5, 0], [5, 0, 0, 3, 0], [0, 80]], end: "done", because: "to an empty name"),
    Dialogue(
      answers: [[5, 0], [5, 0, 0, 4, 0], [UInt8](repeating: 0, count: 17)], end: "done", because: "to an IPv6 address"),
    Dialogue(answers: [[5, 2], [1, 0], [5, 0, 0, 1, 9], [9, 9, 9, 0, 80]], end: "done", because: "after a login"),
    Dialogue(answers: [[5, 2], [1, 1]], end: "credentials", because: "the wrong password"),
    Dialogue(answers: [[5, 2], [5, 0]], end: "malformed", because: "not the version of a login"),
    Dialogue(answers: [[5, 255]], end: "credentials", because: "no way to log in is acceptable"),
    Dialogue(answers: [[5, 1]], end: "credentials", because: "a way that was not offered"),
    Dialogue(answers: [[4, 0]], end: "malformed", because: "SOCKS4"),
    Dialogue(answers: [[72, 84]], end: "malformed", because: "HTTP"),
    Dialogue(answers: [[5, 0], [5, 5, 0, 1, 0]], end: "refused(5)", because: "nobody listens there"),
    Dialogue(answers: [[5, 0], [5, 2, 0, 1, 0]], end: "refused(2)", because: "it is not allowed"),
    Dialogue(answers: [[5, 0], [4, 0, 0, 1, 0]], end: "malformed", because: "another version"),
    Dialogue(answers: [[5, 0], [5, 0, 0, 2, 0]], end: "malformed", because: "no kind of address"),
  ]

  @Test(arguments: dialogues) func speaksSOCKS(_ row: Dialogue) throws {
    let credentials = Userinfo(text: Array("alice:secret".utf8))
    var dialogue = SOCKSDialogue(to: .name(Array("h".utf8)), port: 0x1234, credentials: credentials)
    var said = [dialogue.greeting]
    var end = "waiting"
    do throws(SOCKSRefusal) {
      for answer in row.answers {
        #expect(dialogue.wanted == answer.count, "\(row.because)")
        said.append(try dialogue.didReceive(answer))
      }
      if dialogue.wanted == 0 { end = "done" }
    } catch {
      end = "\(error)"
    }
    #expect(end == row.end, "\(row.because)")
    #expect(said[0] == [5, 2, 0, 2])
    if row.answers[0] == [5, 2] { #expect(said[1] == [1, 5] + Array("alice".utf8) + [6] + Array("secret".utf8)) }
    if end == "done" { #expect(said.contains([5, 1, 0, 3, 1, 104, 0x12, 0x34])) }
  }

  @Test func offersNoLoginWithoutCredentials() throws {
    var dialogue = SOCKSDialogue(to: .address([127, 0, 0, 1]), port: 80, credentials: nil)
    #expect(dialogue.greeting == [5, 1, 0])
    #expect(try dialogue.didReceive([5, 0]) == [5, 1, 0, 1, 127, 0, 0, 1, 0, 80])
    var other = SOCKSDialogue(to: .address([127, 0, 0, 1]), port: 80, credentials: nil)
    #expect(throws: SOCKSRefusal.malformed) { try other.didReceive([5, 2]) }
  }
}
