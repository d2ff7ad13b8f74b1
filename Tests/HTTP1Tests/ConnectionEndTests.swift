import Testing

@testable import HTTP1

/// What the end of the connection makes of a message (RFC 9112 §8, §9.8).
struct ConnectionEndTests {
  struct Row {
    let response: String
    let end: ResponseReader.ConnectionEnd
    let error: ProtocolError?  // nil: a whole message
    let because: String
  }

  static let untilClose = "HTTP/1.1 200 x\r\n\r\n"

  static let rows = [
    Row(response: untilClose + "hello", end: .orderly, error: nil, because: "the end of the connection is its end"),
    Row(response: untilClose, end: .orderly, error: nil, because: "no content is content"),
    Row(response: "HTTP/1.0 200 x\r\n\r\nhello", end: .orderly, error: nil, because: "HTTP/1.0"),
    Row(response: untilClose + "hello", end: .abrupt, error: .unprovenEnd, because: "a reset proves no end"),
    Row(
      response: untilClose, end: .abrupt, error: .unprovenEnd, because: "as is TLS without close_notify (RFC 9112 §9.8)"
    ),
    Row(response: "HTTP/1.1 204 x\r\n\r\n", end: .abrupt, error: nil, because: "whole before the reset"),
    Row(response: "", end: .orderly, error: .noResponse, because: "not one byte: the request may be sent again"),
    Row(response: "", end: .abrupt, error: .noResponse, because: "not one byte"),
    Row(response: "H", end: .orderly, error: .incompleteHead, because: "a cut head"),
    Row(response: "HTTP/1.1 200 x", end: .orderly, error: .incompleteHead, because: "a cut head"),
    Row(response: "HTTP/1.1 200 x\r\n", end: .orderly, error: .incompleteHead, because: "a cut head"),
    Row(response: "HTTP/1.1 200 x\r\nA: b\r\n", end: .orderly, error: .incompleteHead, because: "no empty line"),
    Row(response: "HTTP/1.1 200 x\r\n\r", end: .abrupt, error: .incompleteHead, because: "half of the empty line"),
    Row(response: "HTTP/1.1 100 x\r\n\r\n", end: .orderly, error: .incompleteHead, because: "an interim head only"),
    Row(response: "HTTP/1.1 100 x\r\n", end: .orderly, error: .incompleteHead, because: "not even that"),
  ]

  @Test(arguments: rows) func judgesTheEnd(_ row: Row) {
    let outcome = outcome(of: row.response, end: row.end)
    #expect(outcome.error == row.error)
    #expect(outcome.isComplete == (row.error == nil))
    #expect(!outcome.allowsPersistence || outcome.framing == .none)
  }

  @Test func everyPrefixOfAHeadIsIncomplete() {
    let head = bytes("HTTP/1.1 100 x\r\n\r\nHTTP/1.1 200 x\r\nA: b\r\n c\r\nContent-Length: 0\r\n\r\n")
    for count in 1..<head.count {
      #expect(outcome(of: Array(head[..<count]), end: .orderly).error == .incompleteHead)
    }
    #expect(outcome(of: head, end: .orderly).isComplete)
  }

  @Test func contentUntilTheEndIsShownAsItComes() {
    let outcome = outcome(of: ConnectionEndTests.untilClose + "0\r\n\r\nhello")
    #expect(!outcome.isComplete, "nothing but the connection ends it")
    #expect(text(outcome.content) == "0\r\n\r\nhello")
  }

  @Test func aSecondEndOfAWholeMessageIsNoError() throws {
    var reader = ResponseReader(answering: .get)
    let response = bytes(ConnectionEndTests.untilClose)
    _ = try reader.didReceive(response.span)
    try reader.connectionDidEnd(.orderly)
    try reader.connectionDidEnd(.abrupt)
    let step = try reader.didReceive(response.span)
    #expect(step == ResponseReader.Step(taken: 0, event: .complete))
  }

  /// A reader that missed something stays failed: bytes that come late don't make it whole.
  @Test func nothingFollowsAnIncompleteMessage() throws {
    var reader = ResponseReader(answering: .get)
    let response = bytes("HTTP/1.1 200 x\r\nContent-Length: 1\r\n\r\n")
    _ = try reader.didReceive(response.span)
    let missing = ProtocolError.incompleteContent(missing: 1)
    #expect(thrown { () throws(ProtocolError) in try reader.connectionDidEnd(.orderly) } == missing)
    #expect(thrown { () throws(ProtocolError) in try reader.didReceive(bytes("x").span) } == missing)
    #expect(thrown { () throws(ProtocolError) in try reader.connectionDidEnd(.orderly) } == missing)
  }

  @Test func saysWhetherAResponseHasBegun() throws {
    var reader = ResponseReader(answering: .get)
    var begun = [reader.hasBegun]
    for input in ["", "H", ""] {
      _ = try reader.didReceive(bytes(input).span)
      begun.append(reader.hasBegun)
    }
    #expect(begun == [false, false, true, true], "nothing is no byte")
  }
}
