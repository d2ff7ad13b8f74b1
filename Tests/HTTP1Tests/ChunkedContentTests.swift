import Testing

@testable import HTTP1

/// The chunked transfer coding (RFC 9112 §7.1): sizes, data and extensions. Its trailers are elsewhere.
struct ChunkedContentTests {
  static func read(_ body: String, end: ResponseReader.ConnectionEnd? = nil) -> Outcome {
    outcome(of: "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n" + body, end: end)
  }

  struct Accepted {
    let body: String
    let content: String
    let because: String
  }

  static let accepted = [
    Accepted(body: "0\r\n\r\n", content: "", because: "no content"),
    Accepted(body: "5\r\nhello\r\n0\r\n\r\n", content: "hello", because: "one chunk"),
    Accepted(body: "1\r\nh\r\n4\r\nello\r\n0\r\n\r\n", content: "hello", because: "two chunks"),
    Accepted(body: "a\r\n0123456789\r\n0\r\n\r\n", content: "0123456789", because: "a small HEXDIG"),
    Accepted(body: "A\r\n0123456789\r\n0\r\n\r\n", content: "0123456789", because: "a capital HEXDIG"),
    Accepted(body: "1C\r\n\(filler(28))\r\n0\r\n\r\n", content: filler(28), because: "two digits"),
    Accepted(body: "005\r\nhello\r\n000\r\n\r\n", content: "hello", because: "leading zeros"),
    Accepted(body: "00000000000000000005\r\nhello\r\n0\r\n\r\n", content: "hello", because: "more than 16 digits"),
    Accepted(body: "4\r\n\r\n\r\n\r\n0\r\n\r\n", content: "\r\n\r\n", because: "data is not looked into"),
    Accepted(body: "5\r\n0\r\n\r\n\r\n0\r\n\r\n", content: "0\r\n\r\n", because: "data that looks like the end"),
    Accepted(body: "5 \t\r\nhello\r\n0 \r\n\r\n", content: "hello", because: "granted: padding after the size"),
  ]

  @Test(arguments: accepted) func decodesChunks(_ row: Accepted) {
    let outcome = ChunkedContentTests.read(row.body)
    #expect(outcome.isComplete && outcome.leftoverCount == 0)
    #expect(text(outcome.content) == row.content)
  }

  static let extensions = [
    Accepted(body: "5;a\r\nhello\r\n0\r\n\r\n", content: "hello", because: "a name"),
    Accepted(body: "5;a=b;c\r\nhello\r\n0;d\r\n\r\n", content: "hello", because: "several, on the last chunk too"),
    Accepted(body: "5 ; a = b\r\nhello\r\n0\r\n\r\n", content: "hello", because: "with blanks around (BWS)"),
    Accepted(body: "5;\r\nhello\r\n0\r\n\r\n", content: "hello", because: "nothing behind the semicolon"),
    Accepted(body: "5;a=\"b;c\"\r\nhello\r\n0\r\n\r\n", content: "hello", because: "quoted"),
    Accepted(body: "5;a=\"\\\"\"\r\nhello\r\n0\r\n\r\n", content: "hello", because: "an escaped quote"),
    Accepted(body: "5;a=\"\\\\\"\r\nhello\r\n0\r\n\r\n", content: "hello", because: "an escaped backslash"),
    Accepted(body: "5;a=\"\t\u{E9}\";\u{FF}\t\r\nhello\r\n0\r\n\r\n", content: "hello", because: "HTAB and obs-text"),
  ]

  @Test(arguments: extensions) func skipsExtensions(_ row: Accepted) { decodesChunks(row) }

  struct Refused {
    let body: String
    let error: ProtocolError
    var content = ""
    let because: String
  }

  static func sizes(_ sizes: [String], _ because: String) -> [Refused] {
    sizes.map { Refused(body: "\($0)\r\nhello\r\n0\r\n\r\n", error: .invalidChunkSize, because: because) }
  }

  static let refused =
    sizes(["", "g", "x5", ";a", "\"5\"", "five"], "no HEXDIG")
    + sizes([" 5", "\t5"], "a blank before it")
    + sizes(["+5", "-5", "0x5", "0X5"], "a sign or a prefix")
    + sizes(["5 5", "5 a", "5,", "5.0", "5h", "5\u{B}", "5\u{0}", "5\u{A0}"], "not followed by an end or a semicolon")
    + sizes(["8000000000000000", "FFFFFFFFFFFFFFFF", "10000000000000005"], "2^63 and more, never wrapped (T12)")
    + sizes([filler(40, of: "f")], "far too many digits")
    + [
      Refused(body: "\nhello", error: .invalidChunkSize, because: "LF for a size"),
      Refused(body: "5\nhello\r\n0\r\n\r\n", error: .invalidChunkLineEnd, because: "LF alone after a size"),
      Refused(body: "5;a\nhello\r\n0\r\n\r\n", error: .invalidChunkLineEnd, because: "LF alone after an extension"),
      Refused(body: "5 \nhello\r\n0\r\n\r\n", error: .invalidChunkLineEnd, because: "LF alone after padding"),
      Refused(body: "5\rhello\r\n0\r\n\r\n", error: .invalidChunkLineEnd, because: "CR alone after a size"),
      Refused(body: "5\r\rhello\r\n0\r\n\r\n", error: .invalidChunkLineEnd, because: "CR CR"),
      Refused(body: "5\r\nhello\n0\r\n\r\n", error: .invalidChunkLineEnd, content: "hello", because: "LF after data"),
      Refused(body: "5\r\nhello\n\n0\r\n\r\n", error: .invalidChunkLineEnd, content: "hello", because: "LF LF"),
      Refused(body: "5\r\nhello\r\r0\r\n\r\n", error: .invalidChunkLineEnd, content: "hello", because: "CR CR"),
      Refused(body: "5\r\nhello\r0\r\n\r\n", error: .invalidChunkLineEnd, content: "hello", because: "CR after data"),
      Refused(
        body: "5\r\nhello0\r\n\r\n", error: .invalidChunkLineEnd, content: "hello", because: "nothing after data"),
      Refused(body: "4\r\nhello\r\n0\r\n\r\n", error: .invalidChunkLineEnd, content: "hell", because: "size too small"),
      Refused(
        body: "6\r\nhello\r\n0\r\n\r\n", error: .invalidChunkLineEnd, content: "hello\r", because: "size too large"),
      Refused(
        body: "1\r\nx\r\n7FFFFFFFFFFFFFFF\r\nx", error: .invalidChunkSize, content: "x",
        because: "the sum of the sizes is 2^63 (T12)"),
      Refused(body: "5\r\nhello\r\n\r\n", error: .invalidChunkSize, content: "hello", because: "no last chunk"),
      Refused(body: "5\r\nhello\r\n0\n\n", error: .invalidChunkLineEnd, content: "hello", because: "LF at the end"),
      Refused(body: "5;a=\"b\r\nhello", error: .invalidChunkExtension, because: "CR inside quotes"),
      Refused(body: "5;a=\"b\\\r\nhello", error: .invalidChunkExtension, because: "an escaped CR"),
      Refused(body: "5;a=\"b\nhello", error: .invalidChunkLineEnd, because: "LF inside quotes"),
      Refused(body: "5;a=\"\\\nhello", error: .invalidChunkLineEnd, because: "an escaped LF"),
      Refused(body: "5;a\u{0}\r\nhello", error: .invalidChunkExtension, because: "NUL"),
      Refused(body: "5;a\u{B}\r\nhello", error: .invalidChunkExtension, because: "a control"),
      Refused(body: "5;a\u{7F}\r\nhello", error: .invalidChunkExtension, because: "DEL"),
      Refused(body: "5;a=\"\u{1F}\"\r\nhello", error: .invalidChunkExtension, because: "a control inside quotes"),
      Refused(body: "5;a=\"\\\u{1F}\"\r\nhello", error: .invalidChunkExtension, because: "an escaped control"),
    ]

  @Test(arguments: refused) func refusesChunks(_ row: Refused) {
    let outcome = ChunkedContentTests.read(row.body)
    #expect(outcome.error == row.error)
    #expect(text(outcome.content) == row.content, "what came before the fault stays good")
  }

  @Test func theLargestSizeIsAccepted() {
    let outcome = ChunkedContentTests.read("7FFFFFFFFFFFFFFF\r\nhello", end: .orderly)
    #expect(outcome.error == .incompleteChunkedContent)
    #expect(text(outcome.content) == "hello")
  }

  /// Promise 1: a cut chunk is never a success. Every prefix of a whole body is incomplete, however it ends.
  @Test func everyPrefixIsIncomplete() {
    let body = bytes("5;a=\"b\"\r\nhello\r\n1 \r\n!\r\n0\r\nA: b\r\n\r\n")
    for count in body.indices {
      let begun = text(body[..<count])
      #expect(!ChunkedContentTests.read(begun).isComplete)
      for end in [ResponseReader.ConnectionEnd.orderly, .abrupt] {
        let outcome = ChunkedContentTests.read(begun, end: end)
        #expect(outcome.error == .incompleteChunkedContent)
        #expect("hello!".utf8.starts(with: outcome.content))
      }
    }
    #expect(ChunkedContentTests.read(text(body), end: .abrupt).isComplete, "whole before the reset")
  }

  @Test func takesNothingAfterItsEnd() throws {
    var content = ChunkedContent()
    let body = bytes("0\r\n\r\nhello")
    var position = 0
    for _ in 0..<2 {
      #expect(try content.didReceive(body.span, at: &position) == nil)
      #expect(position == 5)
    }
    #expect(thrown { () throws(ProtocolError) in try content.connectionDidEnd() } == nil)
  }

  @Test func surplusIsLeftOver() {
    let outcome = ChunkedContentTests.read("5\r\nhello\r\n0\r\n\r\nHTTP/1.1 200 x\r\n")
    #expect(outcome.isComplete && outcome.leftoverCount == 16)
  }
}
