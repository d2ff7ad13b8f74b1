import Testing

@testable import HTTP1

/// 1xx heads before the final one (RFC 9110 §15.2): taken, counted, never acted on.
struct InterimResponseTests {
  static let interim = "HTTP/1.1 103 x\r\nLink: </a>\r\n\r\n"
  static let final = "HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\nhello"

  struct Row {
    let interim: String
    let because: String
  }

  static let skipped = [
    Row(interim: "HTTP/1.1 100 Continue\r\n\r\n", because: "100 without having asked"),
    Row(interim: "HTTP/1.1 102 x\r\nA: b\r\n\r\n", because: "102"),
    Row(interim: interim, because: "103"),
    Row(interim: "HTTP/1.1 199 x\n\n", because: "an unknown one, with LF alone"),
    Row(interim: "HTTP/1.1 100\r\nContent-Length: 9\r\n\r\n", because: "Content-Length does not frame it"),
    Row(interim: "HTTP/1.1 100 x\r\nContent-Length: bad\r\n\r\n", because: "nor is it read"),
    Row(interim: "HTTP/1.1 100 x\r\nTransfer-Encoding: chunked\r\n\r\n", because: "Transfer-Encoding neither"),
    Row(interim: "HTTP/1.1 100 x\r\nConnection: close\r\n\r\n", because: "Connection ends no reuse"),
    Row(interim: "HTTP/1.0 100 x\r\n\r\n", because: "its version does not count"),
  ]

  @Test(arguments: skipped) func skipsInterimResponse(_ row: Row) {
    let outcome = outcome(of: row.interim + InterimResponseTests.final)
    #expect(outcome.isComplete && outcome.interimCount == 1)
    #expect(outcome.status == 200)
    #expect(outcome.fields == ["Content-Length: 5"])
    #expect(text(outcome.content) == "hello")
    #expect(outcome.allowsPersistence)
  }

  struct Refused {
    let response: String
    let error: ProtocolError
    let because: String
  }

  static let refused = [
    Refused(response: "HTTP/1.1 101 x\r\n\r\n", error: .unexpectedUpgrade, because: "no Upgrade was sent"),
    Refused(response: interim + "HTTP/1.1 101 x\r\n\r\n", error: .unexpectedUpgrade, because: "after another"),
    Refused(response: "HTTP/1.1 100 x\r\nA\r\n\r\n", error: .invalidFieldLine(line: 2), because: "a head as any"),
    Refused(response: interim + "hello", error: .notHTTP, because: "1xx has no content"),
    Refused(
      response: "HTTP/1.1 100 x\r\n A: b\r\n\r\n", error: .invalidFieldLine(line: 2), because: "a fold of nothing"),
  ]

  @Test(arguments: refused) func refusesInterimResponse(_ row: Refused) {
    let outcome = outcome(of: row.response + InterimResponseTests.final)
    #expect(outcome.error == row.error)
    #expect(outcome.status == nil)
  }

  @Test func aHundredInARowAreEnough() {
    let hundred = String(repeating: "HTTP/1.1 100\n\n", count: 100)
    let outcome = outcome(of: hundred + InterimResponseTests.final)
    #expect(outcome.isComplete && outcome.interimCount == 100)
    let more = HTTP1Tests.outcome(of: hundred + "HTTP/1.1 100\n\n" + InterimResponseTests.final)
    #expect(more.error == .tooManyInterimResponses(limit: 100))
  }

  /// Each head has the bounds for itself: an interim one leaves all of them to the next.
  @Test func boundsBeginAnewWithEachHead() {
    let large = "HTTP/1.1 100 x\r\n" + String(repeating: "A: " + filler(60_000) + "\r\n", count: 4) + "\r\n"
    #expect(outcome(of: large + large + InterimResponseTests.final).isComplete)
  }
}
