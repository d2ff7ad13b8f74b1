internal import Posix

/// How much each lane asks for at once, and how early. A lane is one of the connections of a download, a block the
/// closed byte range of one request. Pure: it has no clock.
///
/// Content is taken in file order, so all lanes but one wait, and the kernel keeps what they receive. Hence
/// - a block is short: the contiguous prefix lags by half a block for each lane;
/// - yet a block fits the receive buffer whole: the end of one that does not comes only when its lane's turn has come,
///   which costs a round trip for each lane, and segments that find no room are dropped;
/// - the next request is under way before the present answer is in, or each block costs a round trip; but no earlier
///   than that, for a block once asked for cannot go to a faster lane.
struct LanePace {
  private static let ratesKept = 32  // finished blocks
  /// A shorter block says more about the clock and the first window of TCP than about the connection.
  private static let shortestMeasured: Int64 = 16 << 10  // bytes
  /// Bytes that were all there at the first look took less, but how much less nobody saw.
  private static let shortestTime = Duration.milliseconds(1)

  /// The longest block with which 64 MiB over 16 lanes kept an even pace, by measurement.
  static let longestBlock: Int64 = 4 << 20  // bytes
  private static let usualBlocks: ClosedRange<Int64> = 512 << 10...2 << 20  // bytes
  /// Below this, fields are more than 0.2 % of what is received.
  private static let shortestBlock: Int64 = 256 << 10  // bytes
  /// Below this they are 1 %, which is still better than a block that does not fit the receive buffer.
  private static let shortestFitting: Int64 = 64 << 10  // bytes
  private static let usualTime = Duration.milliseconds(100)
  /// Some servers close after 5 s without a request, and a lane may have to wait while each of the others ends a block.
  private static let longestTime = Duration.seconds(4)
  /// Each of N lanes gets at least this many blocks, so that none has nothing to do at the end.
  private static let blocksOfALane: Int64 = 4

  /// At the end fields may be more: 0.4 % of so little is nothing.
  private static let shortestLast: Int64 = 128 << 10  // bytes

  static let depths = 2...8  // requests under way on a connection

  /// What a lane has room for in any case: eight blocks of 512 KiB, for while another one is being replaced. The room is
  /// made when it connects (later the window hardly grows), and takes memory only as far as it is filled.
  private static let leastLowWater: Int64 = 4 << 20  // bytes
  private static let fieldsAllowance: Int64 = 4 << 10  // bytes that precede the content of an answer
  private static let longestHeadLowWater: Int64 = 64 << 10  // bytes
  private static let headTime = Duration.milliseconds(20)

  private var rates: [Int64] = []  // bytes a second; at most `ratesKept`
  private var oldest = 0  // index of the one to give way

  /// Bytes a second of one connection: a third of the blocks finished last were faster; nil before any. A slow lane
  /// cannot move it, and the first blocks of all lanes, in which TCP began slowly, are not half of it for long.
  private(set) var rate: Int64?

  /// From a request on an idle connection to the first byte of its answer, the smallest seen; nil before any.
  private(set) var roundTrip: Duration?

  /// Of the answer that was last read to its end, in bytes; nil before any.
  var headLength: Int64?

  /// `time` is from the block's first byte to its last.
  mutating func didFinishBlock(bytes: Int64, in time: Duration) {
    guard bytes >= LanePace.shortestMeasured else { return }
    let measured = max(Pace.rate(of: bytes, in: max(time, LanePace.shortestTime)), 1)
    if rates.count < LanePace.ratesKept {
      rates.append(measured)
    } else {
      rates[oldest] = measured
      oldest = (oldest + 1) % LanePace.ratesKept
    }
    rate = rates.sorted()[rates.count * 2 / 3]
  }

  mutating func didAnswer(after time: Duration) {
    let time = Duration.nanoseconds(Pace.nanoseconds(time))
    roundTrip = min(roundTrip ?? time, time)
  }

  /// A tenth of a second of one connection, as a power of two; `size` is what was still to fetch when the transfer
  /// began, `kernelLimit` the largest receive buffer (tcp_rmem[2]) in bytes, nil where nobody says.
  ///
  /// It doubles as long as not even the greatest depth covers a round trip, and never exceeds half the receive buffer:
  /// with packets of 1500 bytes the other half is the kernel's own. A limit below 256 KiB fits no block at all; there
  /// the content of waiting lanes needs another place.
  func blockLength(size: Int64, connections: Int, kernelLimit: Int64?) -> Int64 {
    var length = LanePace.usualBlocks.lowerBound
    if let rate {
      let usual = LanePace.usualBlocks
      let wanted = min(max(Pace.bytes(in: LanePace.usualTime, at: rate), usual.lowerBound), usual.upperBound)
      length = LanePace.nearestPowerOfTwo(wanted)
      while length < LanePace.longestBlock, requests(covering: length) > Int64(LanePace.depths.upperBound) {
        length *= 2
      }
      length = min(length, max(Pace.bytes(in: LanePace.longestTime, at: rate), LanePace.shortestBlock))
    }
    let share = size / LanePace.blocksOfALane / Int64(max(connections, 1))
    length = min(length, max(share, LanePace.shortestBlock))
    if let kernelLimit {
      length = min(length, max(kernelLimit / 2 - LanePace.longestHeadLowWater, LanePace.shortestFitting))
    }
    return LanePace.powerOfTwo(upTo: length)
  }

  /// Where `free` bytes are not asked for yet, a block is at most half of what is left for each, so that all lanes end
  /// together, instead of waiting for the one that took the last long block. Still, six of them cover what is on the way.
  func lastBlock(free: Int64, connections: Int) -> Int64 {
    let half = LanePace.powerOfTwo(upTo: free / 2 / Int64(max(connections, 1)))
    return max(half, LanePace.shortestLast, (onTheWay ?? 0) / Int64(LanePace.depths.upperBound - 2))
  }

  /// How many requests a connection may have under way: one, and what covers 1.5 round trips. While a block is being
  /// fetched a second time the other lanes may run far ahead instead of waiting for it.
  func depth(blockLength: Int64, isHedging: Bool) -> Int {
    if isHedging { return LanePace.depths.upperBound }
    let depths = LanePace.depths
    return min(max(Int(clamping: requests(covering: blockLength)), depths.lowerBound), depths.upperBound)
  }

  /// The next request is due when fewer bytes than this are still to come on the connection, at the next tick at the
  /// latest; `.max` (at once) while the rate or the round trip is unknown.
  func requestAhead(tick: Duration) -> Int64 {
    guard let rate, let onTheWay else { return .max }
    return Pace.sum(onTheWay, Pace.bytes(in: tick, at: rate))
  }

  /// SO_RCVLOWAT of a connection that waits, set before it connects: the kernel makes a receive buffer of twice that.
  /// Half a block is a cliff (3 times as slow with packets of 1500 bytes), so it is never less than the whole.
  func lowWater(blockLength: Int64, kernelLimit: Int64?) -> Int {
    let block = max(blockLength, 1)
    let ahead = Pace.sum(Pace.sum(block, onTheWay ?? 0), LanePace.fieldsAllowance)
    let wanted = max(ahead, LanePace.leastLowWater)
    let allowed = kernelLimit.map { min(wanted, $0 / 2) } ?? wanted
    return Int(min(max(allowed, block), Int64(Int32.max)))  // an `int` to the kernel
  }

  /// SO_RCVLOWAT of the connection that is read now: 20 ms of its content, at most 64 KiB, and never more than `left`,
  /// the bytes still to come, or it would not wake. While the rate is unknown any byte wakes: it may be a slow one.
  func headLowWater(left: Int64) -> Int {
    let wanted = min(Pace.bytes(in: LanePace.headTime, at: rate ?? 0), LanePace.longestHeadLowWater)
    return Int(max(min(wanted, left), 1))
  }

  /// How often to look at the lanes that wait: an eighth of the round trip is soon enough for a request 1.5 round
  /// trips ahead.
  static func tick(roundTrip: Duration?) -> Duration {
    min(max((roundTrip ?? .zero) / 8, .milliseconds(5)), .milliseconds(25))
  }

  /// Bytes that come in 1.5 round trips; nil while unknown. The half is for a server and a clock that are late.
  private var onTheWay: Int64? {
    guard let rate, let roundTrip else { return nil }
    return Pace.bytes(in: roundTrip * 3 / 2, at: rate)
  }

  private func requests(covering blockLength: Int64) -> Int64 {
    let block = max(blockLength, 1)
    let (whole, rest) = (onTheWay ?? 0).quotientAndRemainder(dividingBy: block)
    return Pace.sum(whole, rest > 0 ? 2 : 1)
  }

  private static func nearestPowerOfTwo(_ length: Int64) -> Int64 {
    let lower = powerOfTwo(upTo: length)
    return length - lower < lower / 2 ? lower : lower * 2
  }

  /// The greatest one that is no more than `length`, which is at least 1.
  private static func powerOfTwo(upTo length: Int64) -> Int64 {
    1 << Int64(Int64.bitWidth - 1 - max(length, 1).leadingZeroBitCount)
  }
}
