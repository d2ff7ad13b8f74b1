import HTTP1
import Testing

@testable import RawGet

/// How much one receive may take of a connection on which another answer follows.
struct ReceiveLimitTests {
  static let most = EventLoop.bufferCapacity

  static let rows: [(left: Int64, framing: Framing, headCount: Int64?, limit: Int, because: String)] = [
    (1_000, .length(1_000), nil, 1_000, "the content"), (1, .length(1_000), nil, 1, "the last byte"),
    (0, .length(1_000), nil, 1, "a receive of nothing is none"), (.min, .length(1_000), nil, 1, "nor of less"),
    (1_000, .none, 0, 1_057, "the shortest head, and the content"), (1_000, .none, 56, 1_001, "its last byte"),
    (1_000, .none, 57, 1_001, "a longer head has one byte at least"),
    (1_000, .none, .max, 1_001, "or a much longer one"), (0, .none, 0, 57, "a head alone"),
    (1_000, .chunked, nil, 1_007, "the content, its CRLF, and the last chunk"),
    (1, .chunked, nil, 8, "the last byte, and what is behind it"),
    (0, .chunked, nil, 1, "who knows how much of what is behind it has been taken"),
    (Int64(most), .length(1 << 20), nil, most, "what the buffer holds"),
    (.max, .length(.max), nil, most, "no more than that"), (.max, .none, 0, most, "with a head"),
    (.max, .chunked, nil, most, "in chunks"),
  ]

  @Test(arguments: rows)
  func isWhatSurelyBelongsToTheAnswer(
    _ row: (left: Int64, framing: Framing, headCount: Int64?, limit: Int, because: String)
  ) {
    let limit = RangeLane.receiveLimit(left: row.left, framing: row.framing, headCount: row.headCount)
    #expect(limit == row.limit, "\(row.because)")
  }

  /// One byte of two, by a server that spares every byte: it is what the reader grants.
  static let shortest = "HTTP/1.1 206\nContent-Range:bytes 0-0/2\nContent-Length:1\n\n"

  @Test func noHeadIsShorter() throws {
    var reader = ResponseReader(answering: .get)
    let step = try reader.didReceive(Array(Self.shortest.utf8).span)
    #expect(step.event == .head && step.taken == Self.shortest.utf8.count)
    #expect(RangeLane.receiveLimit(left: 1, framing: .none, headCount: 0) == Self.shortest.utf8.count + 1)
  }

  /// However an answer arrives, and whatever is behind it on the connection: all of it is received, and no more.
  @Test(arguments: [false, true]) func noReceiveTakesOfTheNextAnswer(_ isChunked: Bool) throws {
    for seed in 0..<3_000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let answer = Self.answer(isChunked: isChunked, &random)
      let (taken, content) = try Self.received(answer.bytes, of: answer.count, &random)
      if taken != answer.bytes.count { Issue.record("seed \(seed): \(taken) of \(answer.bytes.count) bytes") }
      if content != answer.count { Issue.record("seed \(seed): \(content) of \(answer.count) bytes of content") }
    }
  }

  private static func answer(
    isChunked: Bool, _ random: inout SeededGenerator
  ) -> (bytes: [UInt8], count: Int64) {
    let most: Int64 = Bool.random(using: &random) ? 9 : 300
    let count = Int64.random(in: 1...most, using: &random)
    let end = Bool.random(using: &random) ? "\n" : "\r\n"
    var lines = ["HTTP/1.1 206", "Content-Range:bytes 0-\(count - 1)/\(count + 1)"]
    lines.append(isChunked ? "Transfer-Encoding:chunked" : "Content-Length:\(count)")
    if Bool.random(using: &random) {
      lines.append("X:" + String(repeating: "x", count: .random(in: 0...200, using: &random)))
    }
    if Int.random(in: 0..<4, using: &random) == 0 { lines.insert(contentsOf: ["HTTP/1.1 103", ""], at: 0) }
    var text = (lines + ["", ""]).joined(separator: end)
    var left = isChunked ? Int(count) : 0
    while left > 0 {
      let size = Int.random(in: 1...left, using: &random)
      text += String(size, radix: 16)
      text += "\r\n"
      text += String(repeating: "c", count: size)
      text += "\r\n"
      left -= size
    }
    text += isChunked ? "0\r\n\r\n" : String(repeating: "c", count: Int(count))
    return (Array(text.utf8), count)
  }

  /// Bytes that were received until the answer was complete, and how many of them were content. The next answer is
  /// behind it from the beginning.
  private static func received(
    _ bytes: [UInt8], of count: Int64, _ random: inout SeededGenerator
  ) throws -> (taken: Int, content: Int64) {
    let wire = bytes + Array("HTTP/1.1 206 Next".utf8)
    var reader = ResponseReader(answering: .get)
    var (taken, content) = (0, Int64(0))
    while true {
      let headCount = reader.head == nil ? Int64(taken) : nil
      let limit = RangeLane.receiveLimit(left: count - content, framing: reader.framing, headCount: headCount)
      let arrived = Int.random(in: 1...(Bool.random(using: &random) ? 9 : 400), using: &random)
      var rest = wire[taken..<min(taken + min(limit, arrived), wire.count)]
      taken = rest.endIndex
      reading: while true {
        let step = try reader.didReceive(Array(rest).span)
        rest = rest.dropFirst(step.taken)
        switch step.event {
        case .content(let range): content += Int64(range.count)
        case .head: continue
        case .needsMore: break reading
        case .complete: return (taken, content)
        }
      }
    }
  }
}
