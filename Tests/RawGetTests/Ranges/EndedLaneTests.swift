import Foundation
import HTTP1
import LoopbackServer
import Posix
import Testing

@testable import RawGet

/// A lane whose peer goes while it waits: what had come by then is read in its turn, and what will be missing is known
/// before.
struct EndedLaneTests {
  /// It was asked for 3 blocks of 100,000 bytes, and got so much of their answers before the connection ended.
  struct Row: Sendable, CustomTestStringConvertible {
    let whole: Int  // answers
    let of: Int  // bytes of the content of the one behind them
    var isReset = false
    let index: Int
    var testDescription: String { "\(whole) answers and \(of) bytes, reset: \(isReset)" }
  }

  static let rows = [
    Row(whole: 1, of: 40_000, index: 1), Row(whole: 2, of: 70_000, index: 2), Row(whole: 0, of: 60_000, index: 0),
    Row(whole: 1, of: 40_000, isReset: true, index: 1), Row(whole: 1, of: 0, index: 1), Row(whole: 3, of: 0, index: 3),
  ]
  private static let length = 100_000  // bytes of a block

  @Test(arguments: rows) func tellsWhatItWillBring(_ row: Row) throws {
    let server = try LoopbackServer { exchange in
      let isLast = exchange.numberOnConnection == row.whole + 1
      guard exchange.numberOnConnection <= row.whole || isLast && row.of > 0 else { return exchange.close() }
      exchange.send("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-99999/300000\r\n")
      exchange.send("Content-Length: 100000\r\n\r\n" + String(repeating: "x", count: isLast ? row.of : Self.length))
      if isLast { return row.isReset ? exchange.reset() : exchange.close() }
      exchange.numberOnConnection == 3 ? exchange.close() : exchange.keepOpen()
    }
    defer { server.stop() }
    let target = try TargetURI(text: Array(server.uri("/x").utf8))
    let lane = RangeLane(0, at: LanePlace(target, number: 0, now: .now()), on: try server.connection(), now: .now())
    var (serials, pace): (UInt64, LanePace) = (1, LanePace())
    lane.rest(lowWater: 1 << 20)
    for _ in 0..<3 { ask(lane) }
    try lane.advance(now: .now(), serials: &serials)
    try awaitEnd(of: lane)

    let told = try #require(lane.noticeEnd(&pace, now: .now()))
    #expect(told.index == row.index)
    let least = row.of - Int(LaneArrival.firstHeadLength) * 2 * (row.whole + 1)  // of none a head was seen
    #expect(Int(told.received) <= row.of && Int(told.received) >= least, "\(told.received)")
    #expect(lane.hasEnded && lane.noticeEnd(&pace, now: .now()) == nil, "it is told once")

    ask(lane)  // too late, and nothing is lost by it
    try lane.advance(now: .now(), serials: &serials)
    try lane.advance(now: .now(), serials: &serials)
    #expect(try read(lane, &pace) == row.whole * Self.length + row.of)
  }

  @Test func nothingWaitsAndTheRequestCannotBeSent() throws {
    let server = try LoopbackServer { $0.reset() }
    defer { server.stop() }
    let target = try TargetURI(text: Array(server.uri("/x").utf8))
    let lane = RangeLane(0, at: LanePlace(target, number: 0, now: .now()), on: try server.connection(), now: .now())
    var serials: UInt64 = 1
    ask(lane)
    try lane.advance(now: .now(), serials: &serials)
    try awaitEnd(of: lane)
    ask(lane)
    #expect(throws: DownloadError.self) { try lane.advance(now: .now(), serials: &serials) }
  }

  private func ask(_ lane: RangeLane) {
    let head = Array("GET /x HTTP/1.1\r\nHost: x\r\nRange: bytes=0-99999\r\n\r\n".utf8)
    lane.ask(for: 0..<Int64(Self.length), head: head, method: .get, now: .now())
  }

  private func awaitEnd(of lane: RangeLane) throws {
    let descriptor = try #require(lane.connection).interest(.readable).descriptor
    var entry = pollfd(fd: descriptor, events: Int16(bitPattern: UInt16(0x2000)), revents: 0)  // POLLRDHUP
    #expect(poll(&entry, 1, 30_000) == 1)
  }

  /// The content that is there, up to the end.
  private func read(_ lane: RangeLane, _ pace: inout LanePace) throws -> Int {
    var buffer = ReceiveBuffer(capacity: 65_536)
    var count = 0
    while !lane.inquiries.isEmpty {
      let left = Int64(Self.length - count % Self.length)
      do throws(DownloadError) {
        switch try lane.read(left: left, limit: 65_536, into: &buffer, now: .now()) {
        case .complete: _ = lane.didComplete(&pace, now: .now())
        case .content(let range): count += range.count
        case .head, .wait: continue
        }
      } catch {
        return count
      }
    }
    return count
  }
}
