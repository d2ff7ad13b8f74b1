import Testing

@testable import HTTP1

/// RFC 9112 §4, and what is no HTTP/1.x at all.
struct StatusLineTests {
  struct Accepted {
    let line: String
    let minor: UInt8
    let status: Int
    let reason: String
    let because: String
  }

  static let accepted = [
    Accepted(line: "HTTP/1.1 200 OK", minor: 1, status: 200, reason: "OK", because: "plain"),
    Accepted(line: "HTTP/1.0 404 Not Found", minor: 0, status: 404, reason: "Not Found", because: "HTTP/1.0"),
    Accepted(line: "HTTP/1.9 200 OK", minor: 9, status: 200, reason: "OK", because: "minor versions are compatible"),
    Accepted(line: "HTTP/1.1 200 ", minor: 1, status: 200, reason: "", because: "the reason is optional"),
    Accepted(line: "HTTP/1.1 200", minor: 1, status: 200, reason: "", because: "granted: its SP is missing too"),
    Accepted(line: "HTTP/1.1 200  a\tb ", minor: 1, status: 200, reason: " a\tb ", because: "kept as it is"),
    Accepted(line: "HTTP/1.1 200 \u{E9}\u{FF}", minor: 1, status: 200, reason: "\u{E9}\u{FF}", because: "obs-text"),
    Accepted(line: "HTTP/1.1 200 \u{1B}[m", minor: 1, status: 200, reason: "\u{1B}[m", because: "never interpreted"),
    Accepted(line: "HTTP/1.1 599 x", minor: 1, status: 599, reason: "x", because: "any class"),
    Accepted(line: "HTTP/1.1 600 x", minor: 1, status: 600, reason: "x", because: "unknown class, to be taken as 5xx"),
    Accepted(line: "HTTP/1.1 999 x", minor: 1, status: 999, reason: "x", because: "the largest 3DIGIT"),
  ]

  @Test(arguments: accepted) func readsStatusLine(_ row: Accepted) throws {
    let line = try StatusLine(bytes(row.line).span)
    #expect(line.minorVersion == row.minor)
    let outcome = outcome(of: row.line + "\r\nContent-Length: 0\r\n\r\n")
    #expect(outcome.isComplete)
    #expect(outcome.status == row.status)
    #expect(outcome.reason == row.reason)
  }

  struct Refused {
    let line: String
    let error: ProtocolError
    let because: String
  }

  static let refused = [
    Refused(line: "http/1.1 200 OK", error: .notHTTP, because: "the name is case-sensitive (RFC 9112 §2.3)"),
    Refused(line: "HTTP /1.1 200 OK", error: .notHTTP, because: "a blank in the name"),
    Refused(line: " HTTP/1.1 200 OK", error: .notHTTP, because: "a blank before the name"),
    Refused(line: "\r\nHTTP/1.1 200 OK", error: .notHTTP, because: "skipping empty lines is for servers"),
    Refused(line: "ICY 200 OK", error: .notHTTP, because: "Shoutcast"),
    Refused(line: "RTSP/1.0 200 OK", error: .notHTTP, because: "another protocol"),
    Refused(line: "<html>", error: .notHTTP, because: "HTTP/0.9: content without a head"),
    Refused(line: "SSH-2.0-x", error: .notHTTP, because: "another protocol"),
    Refused(line: "\u{0}\u{0}\u{12}\u{4}", error: .notHTTP, because: "an HTTP/2 SETTINGS frame"),
    Refused(line: "\u{16}\u{3}\u{1}", error: .notHTTP, because: "TLS"),
    Refused(line: "\u{EF}\u{BB}\u{BF}HTTP/1.1 200 OK", error: .notHTTP, because: "a byte order mark"),
    Refused(line: "HTTP/0.9 200 OK", error: .unsupportedVersion, because: "0.9 has no status line"),
    Refused(line: "HTTP/2 200 OK", error: .unsupportedVersion, because: "HTTP/2"),
    Refused(line: "HTTP/2.0 200 OK", error: .unsupportedVersion, because: "HTTP/2"),
    Refused(line: "HTTP/3 200 OK", error: .unsupportedVersion, because: "HTTP/3"),
    Refused(line: "HTTP/", error: .invalidStatusLine, because: "nothing more"),
    Refused(line: "HTTP/x.1 200 OK", error: .invalidStatusLine, because: "no DIGIT"),
    Refused(line: "HTTP/1 200 OK", error: .invalidStatusLine, because: "no minor version"),
    Refused(line: "HTTP/1. 200 OK", error: .invalidStatusLine, because: "no minor version"),
    Refused(line: "HTTP/1.x 200 OK", error: .invalidStatusLine, because: "no DIGIT"),
    Refused(line: "HTTP/1,1 200 OK", error: .invalidStatusLine, because: "a comma"),
    Refused(line: "HTTP/1.10 200 OK", error: .invalidStatusLine, because: "one DIGIT (RFC 9112 §2.3)"),
    Refused(line: "HTTP/11.1 200 OK", error: .invalidStatusLine, because: "one DIGIT (RFC 9112 §2.3)"),
    Refused(line: "HTTP/1.1", error: .invalidStatusLine, because: "no status"),
    Refused(line: "HTTP/1.1 ", error: .invalidStatusLine, because: "no status"),
    Refused(line: "HTTP/1.1\t200 OK", error: .invalidStatusLine, because: "HTAB is no SP"),
    Refused(line: "HTTP/1.1  200 OK", error: .invalidStatusLine, because: "two SP"),
    Refused(line: "HTTP/1.1200 OK", error: .invalidStatusLine, because: "no SP"),
    Refused(line: "HTTP/1.1 20", error: .invalidStatusLine, because: "2DIGIT"),
    Refused(line: "HTTP/1.1 20 OK", error: .invalidStatusLine, because: "2DIGIT"),
    Refused(line: "HTTP/1.1 2000 OK", error: .invalidStatusLine, because: "4DIGIT"),
    Refused(line: "HTTP/1.1 200OK", error: .invalidStatusLine, because: "no SP before the reason"),
    Refused(line: "HTTP/1.1 200\tOK", error: .invalidStatusLine, because: "HTAB is no SP"),
    Refused(line: "HTTP/1.1 2O0 OK", error: .invalidStatusLine, because: "the letter O"),
    Refused(line: "HTTP/1.1 +20 OK", error: .invalidStatusLine, because: "a sign"),
    Refused(line: "HTTP/1.1 -20 OK", error: .invalidStatusLine, because: "a sign"),
    Refused(line: "HTTP/1.1 0x1 OK", error: .invalidStatusLine, because: "hexadecimal"),
    Refused(line: "HTTP/1.1 099 x", error: .invalidStatusLine, because: "below 100, never a success"),
    Refused(line: "HTTP/1.1 000 x", error: .invalidStatusLine, because: "below 100, never a success"),
    Refused(line: "HTTP/1.1 OK", error: .invalidStatusLine, because: "no status"),
    Refused(line: "HTTP/1.1 \u{B2}00 OK", error: .invalidStatusLine, because: "DIGIT is ASCII"),
    Refused(line: "HTTP/1.1 200 O\rK", error: .controlInHead, because: "a bare CR (RFC 9112 §2.2)"),
    Refused(line: "HTTP/1.1 200 OK\r\r\n", error: .controlInHead, because: "CR CR LF"),
    Refused(line: "HTTP/1.1 200 O\u{0}K", error: .controlInHead, because: "NUL"),
  ]

  @Test(arguments: refused) func refusesStatusLine(_ row: Refused) {
    let outcome = outcome(of: row.line + "\r\nContent-Length: 0\r\n\r\n")
    #expect(outcome.error == row.error)
    #expect(outcome.status == nil)
  }

  @Test func refusesAtTheFirstWrongByteWithoutALineEnd() {
    #expect(outcome(of: "HTTP").error == nil)
    #expect(outcome(of: "HTTQ").error == .notHTTP)
    #expect(outcome(of: "I").error == .notHTTP)
  }

  /// The reader comes here with `HTTP/` alone; the type holds the rule by itself.
  @Test func refusesWhatIsNotHTTPByItself() {
    for line in ["", "HTT", "HTTX/1.1 200 OK"] {
      #expect(throws: ProtocolError.notHTTP) { try StatusLine(bytes(line).span) }
    }
  }
}
