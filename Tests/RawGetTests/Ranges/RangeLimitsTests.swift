import Posix
import Testing

@testable import RawGet

/// What a transfer may use, by what the caller wants.
struct RangeLimitsTests {
  struct Row: Sendable {
    var blockLength: Int64?, connections = ConnectionChoice.exactly(4), rate: Int64?
    var block: Int64?, window = RangeLimits.systemWindow, pipelines = true
    let because: String
  }

  static let rows = [
    Row(because: "all is left to the pace"),
    Row(connections: .exactly(1), because: "one connection"),
    Row(connections: .automatic, because: "as many as help"),
    Row(blockLength: 1 << 20, block: 1 << 20, because: "blocks of one length over several"),
    Row(blockLength: 1 << 20, connections: .automatic, block: 1 << 20, because: "over as many as help"),
    Row(
      blockLength: 1 << 20, connections: .exactly(1), block: 1 << 20, pipelines: false,
      because: "over one: a request when the answer before is in"),
    Row(blockLength: 1, block: 1, because: "byte by byte"),
    Row(rate: 1_000_000, block: 500_000, window: 1_000_000, because: "half a second in a block, a second in all"),
    Row(rate: 32_769, block: 16_384, window: 65_536, because: "no shorter blocks, no smaller window"),
    Row(rate: 131_072, block: 65_536, window: 131_072, because: "as much as the rate"),
    Row(rate: 1, block: 16_384, window: 65_536, because: "a byte a second"),
    Row(rate: 100_000_000, block: 50_000_000, window: 100_000_000, because: "long blocks for a high rate"),
    Row(
      blockLength: 4_096, rate: 1_000_000, block: 4_096, window: 1_000_000, because: "the caller's, if it is shorter"),
    Row(blockLength: 1 << 20, rate: 1_000_000, block: 500_000, window: 1_000_000, because: "or the rate's"),
  ]

  @Test(arguments: rows) func followTheOptions(_ row: Row) {
    var options = DownloadOptions()
    options.blockLength = row.blockLength
    options.connections = row.connections
    options.rateLimit = row.rate
    let limits = RangeLimits(options, size: 7)
    #expect(limits.blockLength == row.block, "\(row.because)")
    #expect(limits.window == row.window, "\(row.because)")
    #expect(limits.pipelines == row.pipelines, "\(row.because)")
    #expect(limits.size == 7)
    #expect(limits.systemLimit == StreamSocket.receiveLimit)
  }

  @Test func oneConnectionWithoutBlocksIsTheRule() {
    let options = DownloadOptions()
    #expect(options.connections == .exactly(1) && options.blockLength == nil)
  }
}
