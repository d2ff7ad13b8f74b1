import Testing

@testable import HTTP1

/// The bounds of multipart content: exactly at each, and one over it (1,000 parts, 256 bytes of padding; a head of a part
/// has those of every head).
struct MultipartBoundsTests {
  static let part = "\r\n--B\r\nContent-Range: bytes 0-0/1\r\n\r\na"

  static func parts(_ count: Int) -> String { String(repeating: part, count: count) }

  @Test func thereMayBeSoManyParts() throws {
    let whole = try multipartOutcome(of: MultipartBoundsTests.parts(1_000) + "\r\n--B--\r\n")
    #expect(whole.error == nil && whole.parts.count == 1_000)
    let over = try multipartOutcome(of: MultipartBoundsTests.parts(1_001) + "\r\n--B--\r\n")
    #expect(over.error == .tooManyParts(limit: 1_000) && over.parts.count == 1_000)
  }

  @Test func oneMoreIsRefusedBeforeItsHead() throws {
    let begun = MultipartBoundsTests.parts(1_000) + "\r\n--B\r\n"
    #expect(try multipartOutcome(of: begun).error == .tooManyParts(limit: 1_000))
  }

  @Test func aDelimiterMayHaveSoMuchPadding() throws {
    let begin = "--B", rest = MultipartBoundsTests.part.unicodeScalars.dropFirst(5)
    let close = "\r\n--B--"
    for (count, isGranted) in [(256, true), (257, false)] {
      let padding = filler(count, of: " ")
      let error: ProtocolError? = isGranted ? nil : .invalidMultipart
      #expect(try multipartOutcome(of: begin + padding + String(rest) + close + "\r\n").error == error)
      #expect(try multipartOutcome(of: MultipartBoundsTests.parts(1) + close + padding + "\r\n").error == error)
      #expect(try multipartOutcome(of: MultipartBoundsTests.parts(1) + close + padding).error == error)
    }
  }

  @Test func aHeadOfAPartHasTheBoundsOfEveryHead() throws {
    let begin = "--B\r\n", line = filler(65_537)
    #expect(try multipartOutcome(of: begin + line).error == .lineTooLong(limit: 65_536))
    let large = String(repeating: "A: " + filler(64_000) + "\r\n", count: 5)
    #expect(try multipartOutcome(of: begin + large).error == .headTooLarge(limit: 262_144))
    let many = String(repeating: "A:\n", count: 2_001)
    #expect(try multipartOutcome(of: begin + many).error == .tooManyFields(limit: 2_000))
  }

  /// Each part has its own bounds: they are not used up by those before it.
  @Test func theNextPartHasTheSameBounds() throws {
    let part = "\r\n--B\r\nA: " + filler(65_000) + "\r\nContent-Range: bytes 0-0/1\r\n\r\na"
    let outcome = try multipartOutcome(of: String(repeating: part, count: 6) + "\r\n--B--")
    #expect(outcome.error == nil && outcome.parts.count == 6)
  }

  @Test func aPartMayHoldAsMuchAsCanBeCounted() throws {
    let begun = "--B\r\nContent-Range: bytes 0-9223372036854775806/9223372036854775807\r\n\r\na"
    let outcome = try multipartOutcome(of: begun)
    #expect(outcome.error == .incompleteMultipart && outcome.parts.first?.content == bytes("a"))
  }

  @Test func theLongestBoundaryIsRead() throws {
    let boundary = filler(69, of: "-") + "B"
    let content = "--\(boundary)\r\nContent-Range: bytes 0-0/1\r\n\r\na\r\n--\(boundary)--"
    #expect(try multipartOutcome(of: content, boundary: boundary).error == nil)
    #expect(try multipartOutcome(of: content, boundary: filler(69, of: "-")).error == .invalidMultipart)
  }
}
