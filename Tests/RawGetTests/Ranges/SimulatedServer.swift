import Posix

@testable import RawGet

/// A server and a path, as far as throughput goes: connections that begin slowly, up to a rate each and one in all.
struct SimulatedServer {
  var ofEach: Double  // bytes a second
  var inAll = Double.infinity  // bytes a second
  var roundTrip: Duration
  var initialWindow = 14_480.0  // bytes: ten segments (RFC 6928)
  /// Rates vary by up to this part either way, anew after each `noiseTime`.
  var noise = 0.0
  var noiseTime = Duration.milliseconds(20)
  /// Sends what its rate allows for this long at once, as some servers with a limit do.
  var burst: Duration?
  /// Refuses this connection (the third, say) and every later one.
  var refused = Int.max
  /// How long each connection lasts, and how long until the next has taken its place.
  var lifetime: Duration?

  /// One call of didReceive in each: as often as a loop looks.
  static let tick = Duration.milliseconds(20)

  /// When more connections were wanted than ever before, in seconds after the first byte: [1] is for two.
  func raises(of count: inout LaneCount, for time: Duration, seed: UInt64) -> [Double] {
    var random = SeededGenerator(seed: seed)
    let setUp = roundTrip * 2  // TCP, request
    var begun = [Duration.zero]  // of the lanes, at their first byte
    var raises = [0.0]
    var total = 0.0
    var factor = 1.0
    var noiseEnds = Duration.zero
    var now = Duration.zero
    while now < time {
      now += Self.tick
      if now >= noiseEnds {
        factor = noise == 0 ? 1 : Double.random(in: (1 - noise)...(1 + noise), using: &random)
        noiseEnds = now + noiseTime
      }
      let came = begun.reduce(0) { $0 + bytes(after: now - $1) }
      total += min(came, inAll * seconds(Self.tick)) * factor
      count.didReceive(
        total: Int64(total), open: begun.count { $0 < now }, roundTrip: roundTrip, now: Self.start + now)
      if count.wanted > raises.count { raises.append(seconds(now)) }
      if count.wanted > begun.count {
        if begun.count + 1 >= refused {
          count.wasRefused(open: begun.count + 1)
        } else {
          begun.append(now + setUp)
        }
      }
      while begun.count > count.wanted { begun.removeLast() }
    }
    return raises
  }

  private static let start = Instant(nanoseconds: 5_000_000_000)

  /// What a connection brings in the tick that ends `age` after its first byte.
  private func bytes(after age: Duration) -> Double {
    guard age > .zero else { return 0 }
    let tick = seconds(Self.tick)
    if let lifetime, seconds(age).truncatingRemainder(dividingBy: seconds(lifetime + roundTrip * 2)) > seconds(lifetime)
    {
      return 0
    }
    if let burst {
      return seconds(age - Self.tick).truncatingRemainder(dividingBy: seconds(burst)) < tick
        ? ofEach * seconds(burst) : 0
    }
    var window = initialWindow
    for _ in 0..<min(max(Int((age - Self.tick) / roundTrip), 0), 40) { window *= 2 }
    return min(window / seconds(roundTrip), ofEach) * tick
  }

  private func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
}
