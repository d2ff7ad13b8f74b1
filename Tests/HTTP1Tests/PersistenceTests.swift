import Testing

@testable import HTTP1

/// Whether the connection may carry another request (RFC 9112 §9.3), as far as the message says.
struct PersistenceTests {
  struct Row {
    var line = "HTTP/1.1 200 x"
    var fields = "Content-Length: 0\r\n"
    var content = ""
    let persists: Bool
    let because: String
  }

  static let length = "Content-Length: 0\r\n"
  static let chunked = "Transfer-Encoding: chunked\r\n"
  static let last = "0\r\n\r\n"

  static func connection(_ value: String, _ persists: Bool, _ because: String, minor: Int = 1) -> Row {
    Row(
      line: "HTTP/1.\(minor) 200 x", fields: length + "Connection: \(value)\r\n", persists: persists, because: because)
  }

  static let rows = [
    Row(persists: true, because: "HTTP/1.1 persists"),
    Row(line: "HTTP/1.2 200 x", persists: true, because: "and later"),
    Row(line: "HTTP/1.0 200 x", persists: false, because: "HTTP/1.0 does not"),
    connection("keep-alive", true, "HTTP/1.0 asked to", minor: 0),
    connection("Keep-Alive", true, "in any case", minor: 0),
    connection("keep-alive, close", false, "close wins", minor: 0),
    connection("close, keep-alive", false, "close wins", minor: 0),
    connection("keep", false, "another word", minor: 0),
    connection("close", false, "close"),
    connection("CLOSE", false, "in any case"),
    connection("te,close,foo", false, "in a list"),
    connection("foo ,\tclose ,", false, "with blanks and an empty member"),
    connection(",close", false, "after an empty member"),
    connection("keep-alive, close", false, "with keep-alive"),
    connection("closed", true, "another word"),
    connection("x-close", true, "another word"),
    connection("close;q=1", true, "another word"),
    connection("\"close\"", true, "a quoted string is no token"),
    connection("", true, "nothing"),
    connection("upgrade\r\nUpgrade: h2c", true, "an offer changes nothing"),
    Row(fields: length + "Connection: keep-alive\r\nConnection: close\r\n", persists: false, because: "on any line"),
    Row(fields: length + "Proxy-Connection: close\r\n", persists: true, because: "not that field"),
    Row(fields: length + "Keep-Alive: timeout=0\r\n", persists: true, because: "not that field"),
    Row(fields: chunked, content: last, persists: true, because: "chunked has an end"),
    Row(fields: chunked + "Connection: close\r\n", content: last, persists: false, because: "close"),
    Row(fields: chunked + length, content: last, persists: false, because: "both framing fields (RFC 9112 §6.1)"),
    Row(fields: length + chunked, content: last, persists: false, because: "both, in either order (RFC 9112 §6.1)"),
    Row(line: "HTTP/1.1 204 x", fields: "", persists: true, because: "204"),
    Row(line: "HTTP/1.1 304 x", fields: "Content-Length: 9\r\n", persists: true, because: "304"),
    Row(line: "HTTP/1.1 500 x", persists: true, because: "an error status is no error of the connection"),
  ]

  @Test(arguments: rows) func saysWhetherTheConnectionPersists(_ row: Row) {
    let outcome = outcome(of: row.line + "\r\n" + row.fields + "\r\n" + row.content)
    #expect(outcome.isComplete)
    #expect(outcome.allowsPersistence == row.persists)
  }

  @Test func neverAfterContentUntilClose() {
    let outcome = outcome(of: "HTTP/1.1 200 x\r\nConnection: keep-alive\r\n\r\nhello", end: .orderly)
    #expect(outcome.isComplete && !outcome.allowsPersistence)
  }

  @Test func neverInATunnel() {
    let outcome = outcome(of: "HTTP/1.1 200 x\r\n\r\n\u{16}\u{3}", answering: .connect)
    #expect(outcome.isComplete && outcome.leftoverCount == 2)
    #expect(!outcome.allowsPersistence)
  }

  @Test func neverBeforeTheEndNorAfterAnError() {
    #expect(!outcome(of: "HTTP/1.1 200 x\r\nContent-Length: 1\r\n\r\n").allowsPersistence)
    #expect(!outcome(of: "HTTP/1.1 100 x\r\n\r\n").allowsPersistence)
    #expect(!outcome(of: "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n").allowsPersistence)
    #expect(!outcome(of: "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\nx").allowsPersistence)
    #expect(!outcome(of: "HTTP/1.1 200 x\r\nContent-Length: x\r\n\r\n").allowsPersistence)
  }

  /// Surplus bytes are counted apart: whoever shows them knows, and gives the connection up (RFC 9112 §9.2, §11.1).
  @Test func surplusIsReported() {
    let outcome = outcome(of: "HTTP/1.1 302 x\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 x\r\n\r\n")
    #expect(outcome.isComplete && outcome.leftoverCount == 18)
    #expect(outcome.status == 302)
  }
}
