import Testing

@testable import HTTP1

/// `multipart/byteranges` (RFC 9110 §14.6, RFC 2046 §5.1.1): where parts may begin and end, and nothing beside them (S2-5).
struct MultipartByteRangesTests {
  struct Accepted {
    let content: String
    let parts: [String]  // what each holds
    let because: String
  }

  /// One part with `content` in it, its line ends included, as bytes 5 and following of 100.
  static func part(_ content: String, fields: String = "", delimiter: String = "\r\n--B") -> String {
    let last = 4 + content.unicodeScalars.count
    return "\(delimiter)\r\n\(fields)Content-Range: bytes 5-\(last)/100\r\n\r\n\(content)"
  }

  static let close = "\r\n--B--\r\n"

  static let accepted = [
    Accepted(content: part("hello") + close, parts: ["hello"], because: "one part (RFC 9110 §15.3.7.2 lets it)"),
    Accepted(
      content: part("hello") + part("you") + close, parts: ["hello", "you"], because: "two, as nginx writes them"),
    Accepted(
      content: part("a", delimiter: "--B") + part("b") + close, parts: ["a", "b"],
      because: "no line end before the first delimiter, as Go writes them"),
    Accepted(content: part("a") + "\r\n--B--", parts: ["a"], because: "no line end behind the last delimiter"),
    Accepted(
      content: part("a", fields: "Content-Type: text/plain\r\nX: y\r\n") + close, parts: ["a"], because: "other fields"),
    Accepted(
      content: part("\r\n--B--\r\n") + close, parts: ["\r\n--B--\r\n"], because: "content that looks like the end"),
    Accepted(
      content: part("\r\n--B\r\n") + close, parts: ["\r\n--B\r\n"], because: "content that looks like a delimiter"),
    Accepted(
      content: part("\r\n") + part("-") + close, parts: ["\r\n", "-"], because: "content that looks like its begin"),
    Accepted(content: part("\u{0}\u{FF}\r") + close, parts: ["\u{0}\u{FF}\r"], because: "any byte is content"),
    Accepted(
      content: part("a", delimiter: "\r\n--B \t ") + "\r\n--B-- \t\r\n", parts: ["a"],
      because: "RFC 2046 §5.1.1: transport padding"),
    Accepted(content: part("a") + "\r\n--B-- ", parts: ["a"], because: "padding at the very end"),
    Accepted(
      content: "\r\n--B\r\ncontent-RANGE: BYTES 0-0/*\r\n\r\na\r\n--B\r\nContent-Range: bytes 9-9/*\r\n\r\nb" + close,
      parts: ["a", "b"], because: "names and unit in any case; a length that no part knows"),
    Accepted(
      content: "\r\n--B\r\nContent-Range: bytes 5-5/9\n\na" + close, parts: ["a"],
      because: "granted: LF alone in a head of a part, as in every head"),
    Accepted(
      content: part("ab", fields: "Content-Length: 2\r\nContent-Transfer-Encoding: Binary\r\n") + close, parts: ["ab"],
      because: "a length that agrees, and a coding that is none"),
    Accepted(
      content: part("b") + "\r\n--B\r\nContent-Range: bytes 0-5/100\r\n\r\n012345" + close, parts: ["b", "012345"],
      because: "RFC 9110 §15.3.7.2: in any order, and overlapping"),
  ]

  @Test(arguments: accepted) func readsParts(_ row: Accepted) throws {
    let outcome = try multipartOutcome(of: row.content)
    #expect(outcome.error == nil)
    #expect(outcome.parts.map { text($0.content) } == row.parts)
  }

  struct Refused {
    let content: String
    let error: ProtocolError
    let because: String
  }

  static func refused(_ error: ProtocolError, _ contents: [String], _ because: String) -> [Refused] {
    contents.map { Refused(content: $0, error: error, because: because) }
  }

  static let rows =
    refused(.invalidMultipart, ["x" + part("a") + close, "hi\r\n" + part("a") + close], "a preamble")
    + refused(
      .invalidMultipart, ["\r\n" + part("a") + close, "\n--B\r\n", " --B\r\n", "\0", "-x", "\rx"], "a preamble")
    + refused(.invalidMultipart, [part("a") + close + "x", part("a") + close + "\r\n"], "an epilogue")
    + refused(.invalidMultipart, [part("a") + close + part("b") + close], "parts behind the end")
    + refused(
      .invalidMultipart, [part("a") + "\r\n--B--x", part("a") + "\r\n--B---", part("a") + "\r\n--B--\n"], "epilogue")
    + refused(
      .invalidMultipart, [part("a") + "\r\n--B-- \rx", part("a") + "\r\n--B--\r\r"], "a bare CR behind the end")
    + refused(.invalidMultipart, [close, "--B--", "--B-", "--B --"], "RFC 2046 §5.1.1: no part at all")
    + refused(.invalidMultipart, [part("a") + "x" + close, part("a") + "\n" + close], "more content than its range")
    + refused(
      .invalidMultipart, [part("a") + "\r\n" + close, part("a") + "\n--B--", part("a") + "--B--"], "no CRLF between")
    + refused(
      .invalidMultipart, [part("a") + "\r\n--C--", part("a") + "\r\n--b--", part("a") + "\r\n-B--"], "another boundary")
    + refused(
      .invalidMultipart, [part("a") + "\r\n--BB--", "--Bx\r\n", "--B\n", "--B;x\r\n"], "bytes behind the boundary")
    + refused(
      .invalidMultipart, [part("a") + "\r\n--B-\r\n", part("a") + "\r\n--B-x", part("a") + "\r\n--B -- "],
      "half a close delimiter")
    + refused(
      .invalidMultipart, ["--B\rx", "--B \r\r", "--B \tx", "--B \n"], "a bare CR, a bare LF, text in the padding")
    + refused(.invalidContentRange, ["--B\r\n\r\na" + close, "--B\r\nX: y\r\n\r\n"], "no Content-Range")
    + refused(.invalidContentRange, ["--B\r\nContent-Range:\r\n\r\n"], "an empty one")
    + refused(.invalidContentRange, [part("a", fields: "Content-Range: bytes 5-5/100\r\n")], "twice, though equal")
    + refused(.invalidContentRange, [part("a", fields: "Content-Range:\r\n")], "twice, one of them empty")
    + refused(.invalidContentRange, ["--B\r\nContent-Range: bytes 0-0/9, bytes 2-2/9\r\n\r\n"], "a list")
    + refused(.invalidContentRange, ["--B\r\nContent-Range: bytes */9\r\n\r\n"], "RFC 9110 §14.4: only a 416 says that")
    + refused(.invalidContentRange, ["--B\r\nContent-Range: items 0-0/9\r\n\r\n"], "another unit")
    + refused(.invalidContentRange, ["--B\r\nContent-Range: bytes 5-4/9\r\n\r\n"], "a part of zero bytes can't be said")
    + refused(.invalidContentRange, ["--B\r\nContent-Range: bytes 5-9/9\r\n\r\n"], "beyond the complete length")
    + refused(
      .invalidContentRange, ["--B\r\nContent-Range: bytes 0-9223372036854775807/*\r\n\r\n"], "T12: beyond 2^63-1")
    + refused(
      .invalidContentRange, [part("a") + "\r\n--B\r\nContent-Range: bytes 0-0/101\r\n\r\n"], "two complete lengths")
    + refused(
      .invalidContentRange, [part("a") + "\r\n--B\r\nContent-Range: bytes 0-0/*\r\n\r\n"], "known, then unknown")
    + refused(.invalidContentRange, ["--B\r\nContent-Range: bytes 0-0/*\r\n\r\na" + part("a")], "unknown, then known")
    + refused(.conflictingContentLength, [part("a", fields: "Content-Length: 2\r\n")], "another length than the range")
    + refused(
      .conflictingContentLength, [part("a", fields: "Content-Length: 1\r\nContent-Length: 2\r\n")], "two lengths")
    + refused(.conflictingContentLength, [part("a", fields: "Content-Length: +1\r\n")], "no length")
    + refused(.unsupportedTransferCoding, [part("a", fields: "Transfer-Encoding: chunked\r\n")], "no coding in a part")
    + refused(
      .unsupportedTransferCoding, [part("a", fields: "Content-Transfer-Encoding: base64\r\n")], "a coding of MIME")
    + refused(.invalidFieldLine(line: 2), ["--B\r\nContent-Range : bytes 0-0/9\r\n\r\n"], "a blank before the colon")
    + refused(.invalidFieldLine(line: 2), ["--B\r\n X: y\r\n\r\n", "--B\r\n--B\r\n"], "no field")
    + refused(.controlInHead, ["--B\r\nX: a\rb\r\n\r\n", "--B\r\nX: \0\r\n\r\n"], "a control in the head of a part")
    + refused(.foldedFramingField, ["--B\r\nContent-Range: bytes\r\n 0-0/9\r\n\r\n"], "a fold in the field that frames")

  @Test(arguments: rows) func refuses(_ row: Refused) throws {
    #expect(try multipartOutcome(of: row.content).error == row.error)
  }

  /// Cut anywhere, it is not whole; only the line end behind the last delimiter may be missing.
  @Test func everyPrefixIsIncomplete() throws {
    let content = MultipartByteRangesTests.part("hello") + MultipartByteRangesTests.part("you")
    let whole = Array((content + MultipartByteRangesTests.close).utf8)
    for count in 0..<whole.count - 2 {
      #expect(try multipartOutcome(of: text(whole[..<count])).error == .incompleteMultipart, "\(count) bytes")
    }
    #expect(
      try multipartOutcome(of: text(whole[..<(whole.count - 1)])).error == .incompleteMultipart, "half a line end")
    #expect(try multipartOutcome(of: text(whole[..<(whole.count - 2)])).error == nil)
  }

  @Test func showsRangeAndFields() throws {
    let outcome = try multipartOutcome(of: MultipartByteRangesTests.part("hi", fields: "A: b\r\n c\r\n") + "\r\n--B--")
    let range = ContentRange.part(first: 5, last: 6, completeLength: 100)
    let fields = ["A: b c", "Content-Range: bytes 5-6/100"]
    #expect(outcome == MultipartOutcome(parts: [.init(range: range, fields: fields, content: bytes("hi"))]))
  }

  /// The second end finds nothing else than the first; content behind it is still refused.
  @Test func theEndMayBeSaidTwice() throws {
    let boundary = try #require(MultipartBoundary(contentType: bytes("multipart/byteranges;boundary=B")))
    var reader = MultipartByteRangesReader(boundary: boundary)
    let content = bytes("--B\r\nContent-Range: bytes 0-0/1\r\n\r\na\r\n--B--")
    var taken = 0
    while taken < content.count { taken += try reader.didReceive(content.span.extracting(taken...)).taken }
    try reader.contentDidEnd()
    try reader.contentDidEnd()
    let more = thrown { () throws(ProtocolError) in try reader.didReceive(bytes("\r\n").span) }
    #expect(more == .invalidMultipart)
  }
}
