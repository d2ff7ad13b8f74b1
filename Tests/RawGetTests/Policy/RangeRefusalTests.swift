import HTTP1
import Posix
import TLS
import Testing

@testable import RawGet

/// Whether the failure of a request for the first bytes alone is due to the range.
struct RangeRefusalTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let error: DownloadError
    var isAnswered = false
    var fruitless = 1
    let refusal: RangeRefusal?
    let because: String
    var testDescription: String { because }
  }

  private static let reset = SystemError(code: 104, operation: .receive)

  private static func status(_ status: Int, isAnswered: Bool = true, _ refusal: RangeRefusal?) -> Row {
    Row(
      error: .refused(status: status, retryAfter: nil), isAnswered: isAnswered, fruitless: 0, refusal: refusal,
      because: isAnswered ? "\(status)" : "\(status) of another answer")
  }

  static let statuses =
    [400, 405, 406, 412, 500, 501].map { status($0, .said) }
    + [401, 403, 404, 407, 408, 410, 416, 429, 502, 503, 504].map { status($0, nil) }
    + [status(500, isAnswered: false, nil)]

  static let failures = [
    Row(error: .connectionLost(reset), refusal: .suspected, because: "a reset, again"),
    Row(error: .connectionLost(reset), fruitless: 0, refusal: nil, because: "a reset, once"),
    Row(error: .connectionLost(reset), isAnswered: true, refusal: nil, because: "in the content"),
    Row(error: .tls(.connection(code: 104)), refusal: .suspected, because: "a reset under TLS"),
    Row(error: .protocolViolation(.noResponse), refusal: .suspected, because: "a close"),
    Row(error: .protocolViolation(.incompleteHead), refusal: .suspected, because: "a close in the head"),
    Row(error: .timedOut(.response), refusal: .suspected, because: "no answer"),
    Row(
      error: .protocolViolation(.incompleteContent(missing: 1)), isAnswered: true, refusal: nil,
      because: "a close in the content"),
    Row(error: .protocolViolation(.invalidContentRange), isAnswered: true, refusal: nil, because: "wrong numbers"),
    Row(error: .timedOut(.connection), refusal: nil, because: "no request went out: no connection"),
    Row(error: .timedOut(.handshake), refusal: nil, because: "no request went out: no handshake"),
    Row(error: .unreachable(reset), refusal: nil, because: "no request went out: refused"),
    Row(error: .timedOut(.content), isAnswered: true, refusal: nil, because: "silence in the content"),
    Row(
      error: .proxy([], .refused(status: 501, retryAfter: nil)), isAnswered: true, refusal: nil,
      because: "what a proxy says for itself"),
    Row(error: .notAContinuation, isAnswered: true, refusal: nil, because: "another range"),
    Row(error: .file(reset), isAnswered: true, refusal: nil, because: "this end"),
  ]

  @Test(arguments: statuses + failures) func whatItSaysOfRanges(_ row: Row) {
    #expect(RangeRefusal(row.error, isAnswered: row.isAnswered, fruitless: row.fruitless) == row.refusal)
  }
}
