import Glibc
import Posix
import Testing

struct ReceiveBufferTests {
  private func text(_ buffer: borrowing ReceiveBuffer, _ range: Range<Int>) -> String {
    let span = buffer.filled(range)
    return String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
  }

  private func put(_ text: String, into buffer: inout ReceiveBuffer, at offset: Int) {
    var span = buffer.writable(from: offset)
    for (index, byte) in text.utf8.enumerated() { span[index] = byte }
  }

  /// S3-6: the bound is what was asked for, not what the pages would hold.
  @Test(arguments: [1, 4096, 4097, 512_000]) func isPageAlignedAndAsLargeAsAsked(_ capacity: Int) {
    var buffer = ReceiveBuffer(capacity: capacity)
    let address = buffer.filled(0..<1).withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
    #expect(address % Int(sysconf(Int32(_SC_PAGESIZE))) == 0)
    let room = buffer.writable(from: 0).count
    #expect(room == capacity)
    let part = buffer.writable(from: 0, count: 1).count
    #expect(part == 1)
    let noMore = buffer.writable(from: 1, count: .max).count
    #expect(noMore == capacity - 1)
    let end = buffer.writable(from: capacity).count
    #expect(end == 0)
    let nothing = buffer.filled(capacity..<capacity).count
    #expect(nothing == 0)
  }

  @Test func holdsWhatWasWritten() {
    var buffer = ReceiveBuffer(capacity: 10)
    #expect(text(buffer, 0..<2) == "\0\0")
    put("abc", into: &buffer, at: 0)
    put("def", into: &buffer, at: 3)
    #expect(text(buffer, 1..<5) == "bcde")
  }

  struct Row: Sendable { let range: Range<Int>, offset: Int, expected: String, because: String }

  static let rows = [
    Row(range: 2..<8, offset: 0, expected: "23456767 89", because: "down, overlapping"),
    Row(range: 0..<6, offset: 2, expected: "01012345 89", because: "up, overlapping"),
    Row(range: 0..<3, offset: 8, expected: "01234567012", because: "apart, to the very end"),
    Row(range: 4..<4, offset: 11, expected: "01234567 89", because: "nothing, to the end"),
    Row(range: 0..<11, offset: 0, expected: "01234567 89", because: "onto itself"),
  ]

  @Test(arguments: rows) func moves(_ row: Row) {
    var buffer = ReceiveBuffer(capacity: 11)
    put("01234567 89", into: &buffer, at: 0)
    buffer.move(row.range, to: row.offset)
    #expect(text(buffer, 0..<11) == row.expected, "\(row.because)")
  }

  @Test func receivesFromASocket() throws {
    let pair = try ConnectedPair()
    pair.peerSends("hello")
    var buffer = ReceiveBuffer(capacity: 8)
    var span = buffer.writable(from: 5)
    let first = try pair.client.receive(into: &span)
    #expect(first == .bytes(3), "no more than there is room for")
    #expect(text(buffer, 5..<8) == "hel")
  }

  @Test func outOfBoundsTraps() async {
    await #expect(processExitsWith: .failure) { _ = ReceiveBuffer(capacity: 0) }
    await #expect(processExitsWith: .failure) {
      let buffer = ReceiveBuffer(capacity: 10)
      _ = buffer.filled(0..<11).count
    }
    await #expect(processExitsWith: .failure) {
      let buffer = ReceiveBuffer(capacity: 10)
      _ = buffer.filled(-1..<1).count
    }
    await #expect(processExitsWith: .failure) {
      var buffer = ReceiveBuffer(capacity: 10)
      _ = buffer.writable(from: 11).count
    }
    await #expect(processExitsWith: .failure) {
      var buffer = ReceiveBuffer(capacity: 10)
      _ = buffer.writable(from: 0, count: -1).count
    }
    await #expect(processExitsWith: .failure) {
      var buffer = ReceiveBuffer(capacity: 10)
      buffer.move(0..<6, to: 5)
    }
    await #expect(processExitsWith: .failure) {
      var buffer = ReceiveBuffer(capacity: 10)
      buffer.move(0..<2, to: -1)
    }
  }
}
