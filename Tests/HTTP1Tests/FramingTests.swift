import Testing

@testable import HTTP1

/// How the end of the content is known: every rule of RFC 9112 §6.3 for a response.
struct FramingTests {
  struct Row {
    var method = "GET"
    var line = "HTTP/1.1 200 x"
    let fields: String
    let framing: Framing
    let because: String
  }

  static let length = "Content-Length: 5\r\n"
  static let chunked = "Transfer-Encoding: chunked\r\n"

  static let rows = [
    // Rule 1: no content, whatever the fields say.
    Row(method: "HEAD", fields: length, framing: .none, because: "HEAD has no content"),
    Row(method: "HEAD", fields: chunked, framing: .none, because: "HEAD has no content"),
    Row(method: "HEAD", fields: "", framing: .none, because: "HEAD has no content"),
    Row(method: "HEAD", fields: "Content-Length: x\r\n", framing: .none, because: "so a bad length frames nothing"),
    Row(line: "HTTP/1.1 204 x", fields: length, framing: .none, because: "204 has no content"),
    Row(line: "HTTP/1.1 204 x", fields: chunked, framing: .none, because: "204 has no content"),
    Row(line: "HTTP/1.1 304 x", fields: length, framing: .none, because: "304 says the length of the 200"),
    Row(line: "HTTP/1.1 304 x", fields: chunked, framing: .none, because: "304 has no content"),
    // Rule 2: CONNECT.
    Row(method: "CONNECT", fields: length, framing: .tunnel, because: "a 2xx to CONNECT ignores both fields"),
    Row(method: "CONNECT", fields: chunked, framing: .tunnel, because: "a 2xx to CONNECT ignores both fields"),
    Row(method: "CONNECT", line: "HTTP/1.1 299 x", fields: "", framing: .tunnel, because: "any 2xx"),
    Row(method: "CONNECT", line: "HTTP/1.1 300 x", fields: length, framing: .length(5), because: "not 2xx"),
    Row(method: "CONNECT", line: "HTTP/1.1 407 x", fields: chunked, framing: .chunked, because: "not 2xx"),
    Row(method: "connect", fields: length, framing: .length(5), because: "methods are case-sensitive (T6)"),
    Row(method: "head", fields: length, framing: .length(5), because: "methods are case-sensitive (T6)"),
    // Rules 3 and 4: Transfer-Encoding.
    Row(fields: chunked, framing: .chunked, because: "chunked"),
    Row(fields: "transfer-encoding:CHUNKED\r\n", framing: .chunked, because: "in any case"),
    Row(fields: chunked + length, framing: .chunked, because: "Transfer-Encoding wins over Content-Length"),
    Row(fields: length + chunked, framing: .chunked, because: "in either order"),
    Row(line: "HTTP/1.7 200 x", fields: chunked, framing: .chunked, because: "any later minor version"),
    // Rule 6: Content-Length.
    Row(fields: length, framing: .length(5), because: "Content-Length"),
    Row(fields: "Content-Length: 0\r\n", framing: .length(0), because: "none is a length"),
    Row(fields: "content-length:\t 5 \r\n", framing: .length(5), because: "any case, OWS"),
    Row(fields: "Content-Length: 0005\r\n", framing: .length(5), because: "leading zeros"),
    Row(fields: "Content-Length: 9223372036854775807\r\n", framing: .length(.max), because: "2^63-1 (T12)"),
    Row(fields: length + length, framing: .length(5), because: "granted: equal values"),
    Row(fields: "Content-Length: 5, 5,5\r\n", framing: .length(5), because: "granted: equal values in a list"),
    Row(fields: length + "Content-Length: 05\r\n", framing: .length(5), because: "granted: equal numbers"),
    Row(line: "HTTP/1.0 200 x", fields: length, framing: .length(5), because: "HTTP/1.0 as well"),
    Row(
      line: "HTTP/1.1 205 x", fields: length, framing: .length(5), because: "205 has no rule of its own (RFC 9112 §6.3)"
    ),
    Row(line: "HTTP/1.1 404 x", fields: length, framing: .length(5), because: "any status"),
    Row(fields: "X-Content-Length: 7\r\n" + length, framing: .length(5), because: "another name"),
    // Rule 8: none of them.
    Row(fields: "", framing: .untilClose, because: "the connection ends it (T11: the length stays unknown)"),
    Row(fields: "Connection: keep-alive\r\n", framing: .untilClose, because: "keep-alive does not frame"),
    Row(line: "HTTP/1.0 200 x", fields: "", framing: .untilClose, because: "HTTP/1.0"),
    Row(fields: "TE: chunked\r\nTrailer: A\r\n", framing: .untilClose, because: "neither of these frames"),
  ]

  @Test(arguments: rows) func decidesFraming(_ row: Row) throws {
    let method = try #require(RequestMethod(bytes(row.method)))
    let outcome = outcome(of: row.line + "\r\n" + row.fields + "\r\n", answering: method)
    #expect(outcome.error == nil)
    #expect(outcome.framing == row.framing)
    #expect(outcome.isComplete == [.none, .tunnel, .length(0)].contains(row.framing))
  }

  struct Refused {
    var line = "HTTP/1.1 200 x"
    let fields: String
    let error: ProtocolError
    let because: String
  }

  static func lengths(_ values: [String], _ because: String) -> [Refused] {
    values.map { Refused(fields: "Content-Length: \($0)\r\n", error: .invalidContentLength, because: because) }
  }

  static let badLengths =
    lengths(["", " "], "empty") + lengths(["+5", "-5", "-0", "-1"], "a sign")
    + lengths(["0x5", "5h", "A", "five", "5e0", "5.0", "5_0", "\u{B2}"], "not 1*DIGIT")
    + lengths(["5 5", "5 bytes", "5;", "\"5\"", "'5'"], "more than a number")
    + lengths(["9223372036854775808", "18446744073709551616", "18446744073709551621"], "beyond 2^63-1, never wrapped")
    + lengths([",5", "5,", "5,,5", ","], "an empty member")

  static let refused =
    badLengths + [
      Refused(fields: length + "Content-Length: 6\r\n", error: .conflictingContentLength, because: "which one?"),
      Refused(fields: "Content-Length: 6\r\n" + length, error: .conflictingContentLength, because: "neither"),
      Refused(fields: "Content-Length: 5, 6\r\n", error: .conflictingContentLength, because: "in a list"),
      Refused(fields: "Content-Length: 1,000\r\n", error: .conflictingContentLength, because: "not a thousand"),
      Refused(fields: length + "Content-Length: x\r\n", error: .invalidContentLength, because: "one good, one bad"),
      Refused(fields: length + "Content-Length:\r\n", error: .invalidContentLength, because: "one good, one empty"),
      Refused(fields: chunked + "Content-Length: x\r\n", error: .invalidContentLength, because: "though it loses"),
      Refused(
        fields: chunked + length + "Content-Length: 6\r\n", error: .conflictingContentLength,
        because: "though they lose"),
    ]

  static func codings(_ values: [String], _ because: String) -> [Refused] {
    values.map { Refused(fields: "Transfer-Encoding: \($0)\r\n", error: .unsupportedTransferCoding, because: because) }
  }

  static let badCodings =
    codings(["gzip", "identity", "deflate", "compress", "xchunked", "chunkedx", "chunke"], "another coding")
    + codings(["gzip, chunked", "chunked, gzip", "identity, chunked", "chunked, identity"], "more codings")
    + codings(["chunked, chunked", "chunked,", ",chunked", ",", "", " "], "exactly one")
    + codings(
      ["chunked;q=1", "chunked ; x", "\"chunked\"", "chun ked", "chunked\u{B}", "\u{A0}chunked"], "not the word")
    + [
      Refused(fields: chunked + chunked, error: .unsupportedTransferCoding, because: "twice on two lines"),
      Refused(fields: chunked + "Transfer-Encoding:\r\n", error: .unsupportedTransferCoding, because: "one is empty"),
      Refused(fields: length + "Transfer-Encoding: x\r\n", error: .unsupportedTransferCoding, because: "no way back"),
      Refused(
        line: "HTTP/1.0 200 x", fields: chunked, error: .unsupportedTransferCoding, because: "faulty (RFC 9112 §6.1)"),
      Refused(
        line: "HTTP/1.0 200 x", fields: chunked + length, error: .unsupportedTransferCoding,
        because: "faulty, even with a length (RFC 9112 §6.1)"),
    ]

  @Test(arguments: refused) func refusesContentLength(_ row: Refused) { expectRefused(row) }

  @Test(arguments: badCodings) func refusesTransferCoding(_ row: Refused) { expectRefused(row) }

  private func expectRefused(_ row: Refused) {
    let outcome = outcome(of: row.line + "\r\n" + row.fields + "\r\nhello")
    #expect(outcome.error == row.error)
    #expect(outcome.content.isEmpty)
  }
}
