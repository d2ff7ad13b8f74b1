import Testing

@testable import HTTP1

/// The bounds of a head: exactly at each, and one over it (line 65,536 bytes, head 262,144, fields 2,000).
struct HeadBoundsTests {
  static let statusLine = "HTTP/1.1 204 x\r\n"

  /// A field line of `count` bytes, its end included.
  static func line(_ count: Int, end: String = "\r\n") -> String {
    "A: " + filler(count - 3 - end.unicodeScalars.count) + end
  }

  /// A head of `count` bytes, the empty line included.
  static func head(_ count: Int) -> String {
    let rest = count - statusLine.unicodeScalars.count - 2
    return statusLine + String(repeating: line(64_000), count: 4) + line(rest - 4 * 64_000) + "\r\n"
  }

  static let tooLong = ProtocolError.lineTooLong(limit: 65_536)
  static let tooLarge = ProtocolError.headTooLarge(limit: 262_144)
  static let tooMany = ProtocolError.tooManyFields(limit: 2_000)

  @Test(arguments: ["\r\n", "\n"]) func aLineMayFillItsBound(end: String) {
    #expect(outcome(of: HeadBoundsTests.statusLine + HeadBoundsTests.line(65_536, end: end) + "\r\n").isComplete)
    let over = outcome(of: HeadBoundsTests.statusLine + HeadBoundsTests.line(65_537, end: end) + "\r\n")
    #expect(over.error == HeadBoundsTests.tooLong)
  }

  @Test func aStatusLineIsALine() {
    let begin = "HTTP/1.1 204 "
    let room = 65_536 - begin.utf8.count - 2
    #expect(outcome(of: begin + filler(room) + "\r\n\r\n").isComplete)
    #expect(outcome(of: begin + filler(room + 1) + "\r\n\r\n").error == HeadBoundsTests.tooLong)
  }

  @Test func aHeadMayFillItsBound() {
    #expect(outcome(of: HeadBoundsTests.head(262_144)).isComplete)
    #expect(outcome(of: HeadBoundsTests.head(262_145)).error == HeadBoundsTests.tooLarge)
  }

  @Test func aHeadMayHaveSoManyFields() {
    let many = outcome(of: HeadBoundsTests.statusLine + String(repeating: "A:\n", count: 2_000) + "\n")
    #expect(many.isComplete && many.fields.count == 2_000)
    let over = outcome(of: HeadBoundsTests.statusLine + String(repeating: "A:\n", count: 2_001) + "\n")
    #expect(over.error == HeadBoundsTests.tooMany)
  }

  @Test func boundsHoldForWhatNeverEnds() {
    #expect(outcome(of: "HTTP/1.1 204 " + filler(70_000)).error == HeadBoundsTests.tooLong)
    #expect(outcome(of: HeadBoundsTests.statusLine + filler(65_536)).error == nil)
    #expect(outcome(of: HeadBoundsTests.statusLine + filler(65_537)).error == HeadBoundsTests.tooLong)
  }

  @Test func aCRAtTheBoundIsTooLate() {
    let begun = HeadBoundsTests.statusLine + "A: " + filler(65_532) + "\r"
    #expect(outcome(of: begun).error == nil)
    #expect(outcome(of: begun + "\n\r\n").error == HeadBoundsTests.tooLong)
  }

  /// As many folds as a head holds. Looking at the whole value again for each would be 10^10 steps.
  @Test func foldsTakeLinearTime() {
    let folds = String(repeating: " \n", count: 130_000)
    let outcome = Arrival().outcome(of: bytes(HeadBoundsTests.statusLine + "A: b\n" + folds + "C: d\n\n"))
    #expect(outcome.fields == ["A: b", "C: d"])
    let words = String(repeating: " c\n", count: 87_000)
    let long = Arrival().outcome(of: bytes(HeadBoundsTests.statusLine + "A: b\n" + words + "\n"))
    #expect(long.isComplete && long.fields.first?.utf8.count == 4 + 87_000 * 2)
  }

  /// A list of as many members as a line holds.
  @Test func aListOfEmptyMembersIsRead() {
    let commas = filler(65_000, of: ",")
    let line = "Connection: " + commas + "close\r\n"
    #expect(!outcome(of: HeadBoundsTests.statusLine + line + "\r\n").allowsPersistence)
    let length = outcome(of: "HTTP/1.1 200 x\r\nContent-Length: 5" + commas + "\r\n\r\n")
    #expect(length.error == .invalidContentLength)
  }
}
