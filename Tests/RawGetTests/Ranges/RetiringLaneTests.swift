import Foundation
import HTTP1
import LoopbackServer
import Posix
import Testing

@testable import RawGet

/// A lane that was called slow ends with the blocks that it keeps, and not before the last of them.
struct RetiringLaneTests {
  private static let content = Array("abcdefgh".utf8)

  /// How its answers end, each with whether the connection carries the next.
  private func ends(retiredAt end: Int64?) throws -> [Bool] {
    let server = try LoopbackServer { StoredOrigin(content: Self.content).respond(to: $0) }
    defer { server.stop() }
    let target = try TargetURI(text: Array(server.uri("/x").utf8))
    let lane = RangeLane(0, at: LanePlace(target, number: 0, now: .now()), on: try server.connection(), now: .now())
    for block in [Int64(0)..<4, 4..<8] {
      let head = "GET /x HTTP/1.1\r\nHost: x\r\nRange: bytes=\(block.lowerBound)-\(block.upperBound - 1)\r\n\r\n"
      lane.ask(for: block, head: Array(head.utf8), method: .get, now: .now())
    }
    var (serials, pace): (UInt64, LanePace) = (1, LanePace())
    try lane.advance(now: .now(), serials: &serials)
    if let end { lane.retire(at: end) }
    var ends: [Bool] = []
    while !lane.inquiries.isEmpty {
      try readFirst(lane)
      ends.append(lane.didComplete(&pace, now: .now()))
    }
    return ends
  }

  private func readFirst(_ lane: RangeLane) throws {
    var buffer = ReceiveBuffer(capacity: 4_096)
    var left: Int64 = 4
    while true {
      switch try lane.read(left: left, limit: 4_096, into: &buffer, now: .now()) {
      case .complete: return
      case .head: continue
      case .content(let range): left -= Int64(range.count)
      case .wait:
        let descriptor = try #require(lane.connection).interest(.readable).descriptor
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 30_000) == 1)
      }
    }
  }

  @Test func anyOtherIsAskedAgain() throws { #expect(try ends(retiredAt: nil) == [true, true]) }

  @Test(arguments: [5, 8] as [Int64]) func itBringsWhatItKeeps(_ end: Int64) throws {
    #expect(try ends(retiredAt: end) == [true, false])
  }

  @Test func whatLiesBehindItsEndIsSomebodyElses() throws { #expect(try ends(retiredAt: 4) == [false]) }
}
