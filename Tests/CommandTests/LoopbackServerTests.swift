import Testing

@testable import LoopbackServer

/// The parts of the test server that everything else leans on.
struct LoopbackServerTests {
  static let ranges: [(value: String, length: Int64, range: ByteRangeRequest?, because: String)] = [
    ("bytes=0-0", 10, .satisfiable(0..<1), "S0-4 both ends are included"),
    ("bytes=0-9", 10, .satisfiable(0..<10), "all of it"),
    ("bytes=4-", 10, .satisfiable(4..<10), "to the end"),
    ("bytes=4-99", 10, .satisfiable(4..<10), "clipped"),
    ("bytes=-3", 10, .satisfiable(7..<10), "T5 the last three"),
    ("bytes=-99", 10, .satisfiable(0..<10), "more than there is"),
    ("bytes=10-", 10, .unsatisfiable, "T22 at the end"),
    ("bytes=-0", 10, .unsatisfiable, "nothing"),
    ("bytes=0-", 0, .unsatisfiable, "nothing to have"),
    ("Bytes=0-1", 10, nil, "T7 some servers compare exactly"),
    ("bytes=5-4", 10, nil, "backwards"),
    ("bytes=0-1,3-4", 10, nil, "several"),
    ("bytes=", 10, nil, "none"),
    ("bytes=a-b", 10, nil, "no numbers"),
    ("items=0-1", 10, nil, "another unit"),
  ]

  @Test(arguments: ranges)
  func readsARange(_ row: (value: String, length: Int64, range: ByteRangeRequest?, because: String)) {
    let read = ByteRangeRequest(fieldValue: row.value, length: row.length)
    #expect(read == row.range, "\(row.because)")
  }

  @Test func contentIsTheSameInPieces() {
    let resource = Resource(length: 1_000)
    let whole = resource.bytes
    for start in [0, 1, 7, 8, 9, 500] {
      for end in [start, start + 1, start + 8, 1_000] {
        #expect(resource.bytes(in: Int64(start)..<Int64(end)) == Array(whole[start..<end]))
      }
    }
    #expect(resource.changed().bytes != whole)
  }

  /// The example of FIPS 180-2, appendix B.1.
  @Test func digestsAreSHA256() {
    let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(SHA256.hexadecimal(Array("abc".utf8)) == known)
    #expect(Resource(length: 3_000_000).digest == SHA256.hexadecimal(Resource(length: 3_000_000).bytes))
  }
}
