import Testing

@testable import HTTP1

/// What is neither digits nor data, in one body: at most 65,536 bytes of padding, extensions and surplus zeros,
/// so that a peer can't send without end and say nothing.
struct ChunkExtensionBoundTests {
  static let tooLong = ProtocolError.chunkExtensionsTooLong(limit: 65_536)
  static let end = "\r\nx\r\n0\r\n\r\n"

  struct Row {
    let atBound: String
    let overBound: String
    let because: String
  }

  static let rows = [
    Row(
      atBound: "1;" + filler(65_535) + end, overBound: "1;" + filler(65_536) + end,
      because: "one extension, its semicolon counted"),
    Row(
      atBound: "1" + filler(65_536, of: " ") + end, overBound: "1" + filler(65_537, of: " ") + end,
      because: "padding"),
    Row(
      atBound: filler(65_551, of: "0") + "1" + end, overBound: filler(65_552, of: "0") + "1" + end,
      because: "zeros beyond 16 digits"),
    Row(
      atBound: String(repeating: "1;\r\nx\r\n", count: 500) + "1;" + filler(65_035) + end,
      overBound: String(repeating: "1;\r\nx\r\n", count: 500) + "1;" + filler(65_036) + end,
      because: "the sum over all chunks"),
    Row(
      atBound: "1;\"" + filler(65_533) + "\"" + end, overBound: "1;\"" + filler(65_534) + "\"" + end,
      because: "quoted"),
    Row(
      atBound: "1\r\nx\r\n0;" + filler(65_535) + "\r\n\r\n", overBound: "1\r\nx\r\n0;" + filler(65_536) + "\r\n\r\n",
      because: "on the last chunk"),
  ]

  @Test(arguments: rows) func extensionsAreBounded(_ row: Row) {
    #expect(ChunkedContentTests.read(row.atBound).isComplete)
    #expect(ChunkedContentTests.read(row.overBound).error == ChunkExtensionBoundTests.tooLong)
  }

  /// Digits of sizes are not counted: so many chunks are only so much content.
  @Test func sizesAreNotCounted() {
    let chunks = String(repeating: "0000000000000001\r\nx\r\n", count: 5_000)
    #expect(ChunkedContentTests.read(chunks + "0\r\n\r\n").content.count == 5_000)
  }
}
