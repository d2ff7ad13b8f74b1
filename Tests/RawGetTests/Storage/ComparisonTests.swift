import LoopbackServer
import Posix
import Testing

@testable import RawGet

/// Content that begins again is compared with the part, byte by byte, wherever it was cut on the way.
struct ComparisonTests {
  private static let size: Int64 = 65_536 * 2 + 100  // bytes: two reads and a bit
  private static let bytes = Resource(length: size, seed: 5).bytes

  private let folder: Folder
  private let now = Instant.now()

  init() throws {
    folder = try Folder()
    try folder.put(Self.bytes, as: "x.part")
  }

  private func open() throws -> PartFile {
    try #require(try PartFile.open(Array("x".utf8), in: folder.place, now: now))
  }

  /// Offsets and counts around the size of one read.
  static let edges = [0, 1, 2, 99, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, Int(size) - 1, Int(size)]

  @Test(arguments: edges) func equalBytesAreCounted(_ offset: Int) throws {
    let part = try open()
    for count in Self.edges {
      let end = min(offset + count, Self.bytes.count)
      let repeated = Array(Self.bytes[offset..<end])
      #expect(try part.countOfEqual(repeated.span, at: Int64(offset)) == repeated.count)
      // What lies behind the end equals nothing.
      let longer = repeated + [0]
      let expected = end < Self.bytes.count && Self.bytes[end] == 0 ? longer.count : repeated.count
      #expect(try part.countOfEqual(longer.span, at: Int64(offset)) == expected)
    }
  }

  @Test(arguments: edges.filter { $0 < size }) func theFirstDifferenceEndsIt(_ place: Int) throws {
    let part = try open()
    var changed = Self.bytes
    changed[place] ^= 1
    for offset in Self.edges where offset <= place {
      let rest = Array(changed[offset...])
      #expect(try part.countOfEqual(rest.span, at: Int64(offset)) == place - offset)
    }
    #expect(part.length == Self.size, "comparing writes nothing")
  }

  @Test func beyondTheEndNothingIsEqual() throws {
    let part = try open()
    #expect(try part.countOfEqual([0].span, at: Self.size) == 0)
    #expect(try part.countOfEqual([0].span, at: Self.size + 1_000_000) == 0)
    #expect(try part.countOfEqual([UInt8]().span, at: 0) == 0)
  }
}
