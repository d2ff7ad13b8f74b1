import Testing

@testable import HTTP1

/// Content of a known length (RFC 9112 §6.3, rule 6).
struct LengthDelimitedContentTests {
  static func response(_ length: String) -> String { "HTTP/1.1 200 x\r\nContent-Length: \(length)\r\n\r\n" }

  struct Row {
    let length: String
    let content: String
    var surplus = ""
    var end: ResponseReader.ConnectionEnd?
    let because: String
  }

  static let complete = [
    Row(length: "5", content: "hello", because: "the last byte completes it; the connection stays open"),
    Row(length: "0", content: "", because: "nothing to wait for"),
    Row(length: "5", content: "hello", end: .abrupt, because: "it was whole before the reset"),
    Row(length: "5", content: "hello", surplus: " world", because: "surplus is not ours"),
    Row(length: "0", content: "", surplus: "HTTP/1.1 200 x\r\n\r\n", because: "nor is a second response"),
    Row(length: "4", content: "\r\n\r\n", because: "content is not looked into"),
    Row(length: "700", content: filler(700), because: "many pieces"),
  ]

  @Test(arguments: complete) func endsAtItsLength(_ row: Row) {
    let response = LengthDelimitedContentTests.response(row.length) + row.content + row.surplus
    let outcome = outcome(of: response, end: row.end)
    #expect(outcome.isComplete)
    #expect(text(outcome.content) == row.content)
    #expect(outcome.leftoverCount == row.surplus.utf8.count)
  }

  struct Incomplete {
    let length: String
    let content: String
    let missing: Int64
    let because: String
  }

  static let incomplete = [
    Incomplete(length: "5", content: "", missing: 5, because: "nothing came"),
    Incomplete(length: "5", content: "hell", missing: 1, because: "one byte short"),
    Incomplete(length: "4294967301", content: "hello", missing: 1 << 32, because: "2^32+5 does not wrap to 5 (T12)"),
    Incomplete(length: "9223372036854775807", content: "hello", missing: .max - 5, because: "2^63-1 (T12)"),
  ]

  @Test(arguments: incomplete) func missesWhatDidNotCome(_ row: Incomplete) {
    let response = LengthDelimitedContentTests.response(row.length) + row.content
    #expect(!outcome(of: response).isComplete, "an open connection may bring the rest")
    for end in [ResponseReader.ConnectionEnd.orderly, .abrupt] {
      let outcome = outcome(of: response, end: end)
      #expect(outcome.error == .incompleteContent(missing: row.missing))
      #expect(text(outcome.content) == row.content, "what came stays good for a resume")
    }
  }

  @Test func countsByItself() {
    var content = LengthDelimitedContent(length: 10)
    let taken = [4, .max, 1].map { content.didReceive(count: $0) }
    #expect(taken == [4, 6, 0])
    #expect(thrown { () throws(ProtocolError) in try content.connectionDidEnd() } == nil)
  }
}
