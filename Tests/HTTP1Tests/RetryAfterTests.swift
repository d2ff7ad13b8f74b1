import Testing

@testable import HTTP1

/// Retry-After (RFC 9110 §10.2.3): believed as far as it goes; whoever waits caps it.
struct RetryAfterTests {
  static let now: Int64 = 784_111_777  // Sun, 06 Nov 1994 08:49:37 GMT

  struct Row {
    let fieldValue: String
    let delay: Int64?  // seconds; nil: must be refused
    let because: String
  }

  static let rows = [
    Row(fieldValue: "120", delay: 120, because: "delay-seconds"),
    Row(fieldValue: "0", delay: 0, because: "at once"),
    Row(fieldValue: "0010", delay: 10, because: "leading zeros"),
    Row(fieldValue: "31536000", delay: 31_536_000, because: "a year"),
    Row(fieldValue: "9223372036854775807", delay: .max, because: "2^63-1"),
    Row(fieldValue: "Sun, 06 Nov 1994 08:50:37 GMT", delay: 60, because: "a date"),
    Row(fieldValue: "Sun Nov  6 08:49:47 1994", delay: 10, because: "an old form"),
    Row(fieldValue: "Sun, 06 Nov 1994 08:49:37 GMT", delay: 0, because: "now"),
    Row(fieldValue: "Sat, 05 Nov 1994 08:49:37 GMT", delay: 0, because: "a date that has passed"),
    Row(fieldValue: "Sat, 01 Jan 0000 00:00:00 GMT", delay: 0, because: "long ago"),
    Row(fieldValue: "Fri, 31 Dec 9999 23:59:59 GMT", delay: 253_402_300_799 - now, because: "far away"),
    Row(fieldValue: "", delay: nil, because: "empty"),
    Row(fieldValue: "9223372036854775808", delay: nil, because: "beyond 2^63-1, never wrapped"),
    Row(fieldValue: "99999999999999999999999", delay: nil, because: "far beyond"),
    Row(fieldValue: "-1", delay: nil, because: "a sign"),
    Row(fieldValue: "+1", delay: nil, because: "a sign"),
    Row(fieldValue: "1.5", delay: nil, because: "a fraction"),
    Row(fieldValue: "1e3", delay: nil, because: "an exponent"),
    Row(fieldValue: "120s", delay: nil, because: "a unit"),
    Row(fieldValue: "1, 2", delay: nil, because: "a list"),
    Row(fieldValue: "soon", delay: nil, because: "a word"),
    Row(fieldValue: "1994-11-06T08:50:37Z", delay: nil, because: "ISO 8601"),
  ]

  @Test(arguments: rows) func readsDelay(_ row: Row) {
    let field = RetryAfter(fieldValue: bytes(row.fieldValue), now: RetryAfterTests.now)
    #expect(field?.delay(now: RetryAfterTests.now) == row.delay)
  }

  @Test func neverTrapsWhateverTheClockSays() {
    let far = RetryAfter.date(HTTPDate(secondsSince1970: .max))
    let past = RetryAfter.date(HTTPDate(secondsSince1970: .min))
    #expect(far.delay(now: .min) == .max)
    #expect(far.delay(now: .max) == 0)
    #expect(past.delay(now: .max) == 0)
    #expect(past.delay(now: .min) == 0)
    #expect(RetryAfter.seconds(5).delay(now: .max) == 5)
  }

  @Test func severalLines() throws {
    func delay(_ lines: String) throws -> Int64? {
      try #require(Fields(section: bytes(lines + "\r\n"))).retryDelay(now: RetryAfterTests.now)
    }
    #expect(try delay("Retry-After: 7\r\n") == 7)
    #expect(try delay("Retry-After: 7\r\nretry-after: 7\r\n") == 7, "said twice")
    #expect(try delay("Retry-After: 7\r\nRetry-After: 8\r\n") == nil, "which of them nobody knows")
    #expect(try delay("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n") == nil, "there is none")
  }
}
