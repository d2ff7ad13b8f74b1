import Testing

@testable import HTTP1

/// Field lines (RFC 9112 §5), as they come between a status line and the empty line.
struct FieldSectionTests {
  struct Accepted {
    let lines: String
    let fields: [String]
    let because: String
  }

  static let accepted = [
    Accepted(lines: "", fields: [], because: "a head may have no fields"),
    Accepted(lines: "A: b\r\n", fields: ["A: b"], because: "plain"),
    Accepted(lines: "A:b\r\n", fields: ["A: b"], because: "OWS is optional"),
    Accepted(lines: "A: \t b \t \r\n", fields: ["A: b"], because: "OWS of both kinds on both sides is cut"),
    Accepted(lines: "A:\r\nB: \t\r\n", fields: ["A: ", "B: "], because: "a value may be empty"),
    Accepted(lines: "A: b  c:d,\"\r\n", fields: ["A: b  c:d,\""], because: "the inside of a value is kept"),
    Accepted(lines: "A: 1\r\na: 2\r\nA: 3\r\n", fields: ["A: 1", "a: 2", "A: 3"], because: "order and case are kept"),
    Accepted(lines: "!#$%&'*+-.^_`|~09azAZ: y\r\n", fields: ["!#$%&'*+-.^_`|~09azAZ: y"], because: "every tchar"),
    Accepted(lines: "A: \u{E9}\u{FF}\r\n", fields: ["A: \u{E9}\u{FF}"], because: "obs-text"),
    Accepted(lines: "A: \u{1}\u{1B}\u{7F}\r\n", fields: ["A: \u{1}\u{1B}\u{7F}"], because: "kept, never interpreted"),
    Accepted(lines: "A: b\nB: c\r\nC: d\n", fields: ["A: b", "B: c", "C: d"], because: "granted: LF alone"),
    Accepted(lines: "A: \u{85}b\u{A0}\r\n", fields: ["A: \u{85}b\u{A0}"], because: "only SP and HTAB are OWS"),
  ]

  @Test(arguments: accepted) func readsFieldLines(_ row: Accepted) {
    let outcome = outcome(of: "HTTP/1.1 204 x\r\n" + row.lines + "\r\n")
    #expect(outcome.isComplete)
    #expect(outcome.fields == row.fields)
  }

  static let folds = [
    Accepted(lines: "A: b\r\n c\r\n", fields: ["A: b c"], because: "a fold is one SP"),
    Accepted(
      lines: "A: b \t\r\n \t c\t\r\nD: e\r\n", fields: ["A: b c", "D: e"], because: "with the blanks around it"),
    Accepted(lines: "A: b\n\tc\n d\n", fields: ["A: b c d"], because: "several, each one SP; LF alone"),
    Accepted(lines: "A:\r\n b\r\n", fields: ["A: b"], because: "after an empty value"),
    Accepted(lines: "A: b\r\n \r\n c\r\n", fields: ["A: b c"], because: "a blank line between does not end the head"),
    Accepted(lines: "A: b\r\n \r\nC: d\r\n", fields: ["A: b", "C: d"], because: "a blank line after it adds nothing"),
    Accepted(lines: "A: \r\n \r\n \r\n", fields: ["A: "], because: "nothing but blanks"),
    Accepted(
      lines: "A: b\r\n Content-Length: 3\r\n", fields: ["A: b Content-Length: 3"], because: "a value, never a field"),
    Accepted(lines: "ETag: \"a\"\r\n ,x\r\n", fields: ["ETag: \"a\" ,x"], because: "joined, then read by its grammar"),
  ]

  @Test(arguments: folds) func joinsFoldedLines(_ row: Accepted) { readsFieldLines(row) }

  struct Refused {
    let lines: String
    let error: ProtocolError
    let because: String
  }

  static let refused = [
    Refused(lines: "A\r\n", error: .invalidFieldLine(line: 2), because: "no colon"),
    Refused(lines: ": b\r\n", error: .invalidFieldLine(line: 2), because: "an empty name"),
    Refused(lines: ":\r\n", error: .invalidFieldLine(line: 2), because: "an empty name"),
    Refused(lines: "A : b\r\n", error: .invalidFieldLine(line: 2), because: "SP before the colon (RFC 9112 §5.1)"),
    Refused(lines: "A\t: b\r\n", error: .invalidFieldLine(line: 2), because: "HTAB before the colon"),
    Refused(lines: "A b: c\r\n", error: .invalidFieldLine(line: 2), because: "SP in the name"),
    Refused(lines: "A(: b\r\n", error: .invalidFieldLine(line: 2), because: "a delimiter in the name"),
    Refused(lines: "\"A\": b\r\n", error: .invalidFieldLine(line: 2), because: "quotes in the name"),
    Refused(lines: "\u{E4}: b\r\n", error: .invalidFieldLine(line: 2), because: "obs-text in the name"),
    Refused(lines: "A\u{7F}: b\r\n", error: .invalidFieldLine(line: 2), because: "DEL in the name"),
    Refused(lines: "A\u{1}: b\r\n", error: .invalidFieldLine(line: 2), because: "a control in the name"),
    Refused(lines: "A: b\r\nC\r\n", error: .invalidFieldLine(line: 3), because: "the error names the line"),
    Refused(lines: " A: b\r\n", error: .invalidFieldLine(line: 2), because: "a fold of the status line"),
    Refused(lines: "\tA: b\r\n", error: .invalidFieldLine(line: 2), because: "a fold of the status line"),
    Refused(lines: "HTTP/1.1 200 OK\r\n", error: .invalidFieldLine(line: 2), because: "a second status line"),
    Refused(lines: "A: b\rc\r\n", error: .controlInHead, because: "a bare CR in the value (RFC 9112 §2.2)"),
    Refused(lines: "A: b\r\r\n", error: .controlInHead, because: "CR CR LF"),
    Refused(lines: "A: b\r\n\rC: d\r\n", error: .controlInHead, because: "a CR before a name"),
    Refused(lines: "A\r: b\r\n", error: .controlInHead, because: "a bare CR in the name"),
    Refused(lines: "A: b\u{0}\r\n", error: .controlInHead, because: "NUL in the value (RFC 9110 §5.5)"),
    Refused(lines: "A\u{0}: b\r\n", error: .controlInHead, because: "NUL in the name"),
    Refused(lines: "A: b\r\u{0}\n", error: .controlInHead, because: "NUL after CR"),
    Refused(lines: "Content-Length: 1\r\n 0\r\n", error: .foldedFramingField, because: "1, 10, or 1 0?"),
    Refused(lines: "content-length:\r\n 5\r\n", error: .foldedFramingField, because: "in any case, empty so far"),
    Refused(lines: "Transfer-Encoding:\n\tchunked\n", error: .foldedFramingField, because: "with LF and HTAB"),
    Refused(lines: "Content-Range: bytes\r\n 0-1/2\r\n", error: .foldedFramingField, because: "it places the bytes"),
    Refused(lines: "Connection: keep-alive,\r\n close\r\n", error: .foldedFramingField, because: "it ends reuse"),
    Refused(lines: "Content-Length: 5\r\n \r\n", error: .foldedFramingField, because: "with nothing in the fold"),
  ]

  @Test(arguments: refused) func refusesFieldLines(_ row: Refused) {
    let outcome = outcome(of: "HTTP/1.1 204 x\r\n" + row.lines + "\r\n")
    #expect(outcome.error == row.error)
    #expect(outcome.status == nil)
  }

  @Test func wantsTheWholeEmptyLine() {
    let head = "HTTP/1.1 204 x\r\nA: b\r\n"
    for begun in [head, head + "\r", "HTTP/1.1 204 x\r\nA: b", "HTTP/1.1 204 x\r", "HTTP/1.1 204 x\n"] {
      let outcome = outcome(of: begun)
      #expect(!outcome.isComplete && outcome.error == nil)
    }
    #expect(outcome(of: "HTTP/1.1 204 x\n\n").isComplete)
  }
}
