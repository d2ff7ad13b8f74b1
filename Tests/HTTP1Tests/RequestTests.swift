import Testing

@testable import HTTP1

/// Request methods, request heads and the fields that may be sent (RFC 9110 §5, §9.1, RFC 9112 §3).
struct RequestTests {
  @Test func methodsAreCaseSensitiveTokens() {
    #expect(RequestMethod(bytes("GET")) == .get)
    #expect(RequestMethod(bytes("HEAD")) == .head)
    #expect(RequestMethod(bytes("CONNECT")) == .connect)
    #expect(RequestMethod(bytes("get")) != nil, "a method of its own")
    #expect(RequestMethod(bytes("get")) != .get, "T6: methods are case-sensitive")
    #expect(RequestMethod(bytes("head")) != .head, "T6: methods are case-sensitive")
    #expect(RequestMethod(bytes("M-SEARCH!"))?.token == bytes("M-SEARCH!"))
  }

  @Test(arguments: ["", " ", "GET ", " GET", "G T", "GET\r\n", "G\u{0}T", "GET/", "G\u{C9}T", "GET:", "(GET)"])
  func refusesWhatIsNoMethod(_ method: String) {
    #expect(RequestMethod(bytes(method)) == nil)
  }

  @Test(arguments: ["/", "/a%20b?c=d", "*", "http://a.test/", "[::1]:80", "a.test:443", "/!#$&'()*+,;=:@~"])
  func writesRequestLine(_ target: String) throws {
    let head = try #require(RequestHead(method: .get, target: bytes(target)))
    #expect(text(head.finished()) == "GET \(target) HTTP/1.1\r\n\r\n")
  }

  @Test(arguments: ["", "/a b", "/a\tb", "/a\r\nB: c", "/\r", "/\n", "/\u{0}", "/\u{7F}", "/\u{1F}", "/\u{E9}", " /"])
  func refusesTarget(_ target: String) {
    #expect(RequestHead(method: .get, target: bytes(target)) == nil)
  }

  @Test func writesFieldsInTheirOrder() throws {
    var head = try #require(RequestHead(method: .head, target: bytes("/")))
    let appended = [
      head.append(.host, bytes("a.test")), head.append(.range, ByteRange.from(5).fieldValue),
      head.append(name: bytes("x-A"), value: []),
    ]
    #expect(appended == [true, true, true])
    let expected = "HEAD / HTTP/1.1\r\nHost: a.test\r\nRange: bytes=5-\r\nx-A: \r\n\r\n"
    #expect(text(head.finished()) == expected)
  }

  struct Row {
    let name: String
    let value: String
    let isSent: Bool
    let because: String
  }

  static let rows = [
    Row(name: "A", value: "b", isSent: true, because: "plain"),
    Row(name: "!#$%&'*+-.^_`|~09azAZ", value: "b", isSent: true, because: "every tchar"),
    Row(name: "A", value: "", isSent: true, because: "a value may be empty"),
    Row(name: "A", value: "b\tc d \"\u{E9}\u{FF}\"", isSent: true, because: "HTAB, SP, obs-text"),
    Row(name: "", value: "b", isSent: false, because: "a name is needed"),
    Row(name: "A ", value: "b", isSent: false, because: "SP before the colon"),
    Row(name: "A:", value: "b", isSent: false, because: "a colon in the name"),
    Row(name: "A\r\nB", value: "b", isSent: false, because: "a line end in the name"),
    Row(name: "\u{C4}", value: "b", isSent: false, because: "obs-text in the name"),
    Row(name: "A", value: "b\r\nC: d", isSent: false, because: "a second field"),
    Row(name: "A", value: "b\r\n\r\nGET / HTTP/1.1", isSent: false, because: "a second request"),
    Row(name: "A", value: "b\r", isSent: false, because: "CR"),
    Row(name: "A", value: "b\n c", isSent: false, because: "LF: no folds are sent"),
    Row(name: "A", value: "b\u{0}", isSent: false, because: "NUL"),
    Row(name: "A", value: "b\u{7F}", isSent: false, because: "DEL"),
    Row(name: "A", value: "b\u{1B}", isSent: false, because: "another control"),
  ]

  @Test(arguments: rows) func sendsOnlyWholeFields(_ row: Row) throws {
    #expect((FieldLine(name: bytes(row.name), value: bytes(row.value)) != nil) == row.isSent)
    var head = try #require(RequestHead(method: .get, target: bytes("/")))
    let isAppended = head.append(name: bytes(row.name), value: bytes(row.value))
    #expect(isAppended == row.isSent)
    let line = row.isSent ? "\(row.name): \(row.value)\r\n" : ""
    #expect(text(head.finished()) == "GET / HTTP/1.1\r\n" + line + "\r\n", "nothing of a refused field is kept")
  }

  /// What is sent reads back as the same fields, whatever is asked for.
  @Test func fieldsReadBack() throws {
    var generator = SeededGenerator(seed: 1)
    let everyByte = Array(UInt8.min...UInt8.max)
    for _ in 0..<500 {
      let name = generator.bytes(count: 1...4, from: everyByte.filter { $0.isTokenCharacter } + bytes(" :\r"))
      let value = generator.bytes(count: 0...6, from: everyByte)
      var head = try #require(RequestHead(method: .get, target: bytes("/")))
      let isSent = head.append(name: name, value: value)
      let fields = head.finished().dropFirst("GET / HTTP/1.1\r\n".utf8.count)
      let outcome = Arrival().outcome(of: bytes("HTTP/1.1 204 x\r\n") + fields)
      #expect(outcome.isComplete && outcome.leftoverCount == 0)
      let kept = value[trimmingBlanks(value.span, in: value.indices)]
      #expect(outcome.fields == (isSent ? [text(name) + ": " + text(kept)] : []))
    }
  }

  struct TextRow {
    let text: String
    let line: FieldLine?
    let because: String
  }

  static func line(_ name: String, _ value: String) -> FieldLine? {
    FieldLine(name: bytes(name), value: bytes(value))
  }

  static let texts = [
    TextRow(text: "A: b", line: line("A", "b"), because: "plain"),
    TextRow(text: "A:b", line: line("A", "b"), because: "OWS is optional"),
    TextRow(text: "A: \tb c\t ", line: line("A", "b c"), because: "OWS is cut"),
    TextRow(text: "A:", line: line("A", ""), because: "an empty value"),
    TextRow(text: "A: b:c", line: line("A", "b:c"), because: "the first colon counts"),
    TextRow(text: "", line: nil, because: "nothing"),
    TextRow(text: "A", line: nil, because: "no colon"),
    TextRow(text: ": b", line: nil, because: "no name"),
    TextRow(text: "A : b", line: nil, because: "a blank before the colon"),
    TextRow(text: " A: b", line: nil, because: "a blank before the name"),
    TextRow(text: "A: b\r\nB: c", line: nil, because: "two lines"),
    TextRow(text: "A: b\n", line: nil, because: "a line end"),
  ]

  @Test(arguments: texts) func readsFieldAsPeopleWriteIt(_ row: TextRow) {
    #expect(FieldLine(text: bytes(row.text)) == row.line)
  }

  @Test func fieldNamesCompareWithoutCase() throws {
    let line = try #require(FieldLine(text: bytes("cONTENT-lENGTH: 5")))
    #expect(line.isNamed(.contentLength))
    #expect(!line.isNamed(.contentRange))
  }
}
