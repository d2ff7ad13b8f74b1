import Testing

@testable import HTTP1

/// What holds for any multipart content, right or wrong (S2-5). Each seed is one case, the same in every run.
struct MultipartPropertyTests {
  /// Content made of random parts, and what must be read of it.
  struct Written {
    var content: [UInt8] = []
    var expected = MultipartOutcome(parts: [])
    let boundary: MultipartBoundary

    init(seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      let name = generator.bytes(count: 1...6, from: bytes("-B"))
      let contentType = bytes("multipart/byteranges; boundary=") + name
      boundary = try #require(MultipartBoundary(contentType: contentType))
      let delimiter = bytes("\r\n--") + name
      let completeLength = generator.isOne(in: 4) ? nil : Int64(1_000)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let data = generator.bytes(count: 1...40, from: bytes("\r\n--B") + [0])
        let first = Int64.random(in: 0...900, using: &generator)
        let range = ContentRange.part(
          first: first, last: first + Int64(data.count) - 1, completeLength: completeLength)
        let field = bytes("Content-Range: ") + range.fieldValue
        content += delimiter + bytes(generator.isOne(in: 4) ? " \t" : "") + [.cr, .lf]
        content += field + bytes("\r\n\r\n") + data
        expected.parts.append(.init(range: range, fields: [text(field)], content: data))
      }
      content += delimiter + bytes("--") + bytes(["", "\r\n", " \r\n"].randomElement(using: &generator) ?? "")
      if generator.isOne(in: 2) { content.removeFirst(2) }
    }
  }

  static func cuts(of count: Int) -> [[Int]] {
    (count > 1 ? [Array(1..<count)] : []) + randomCuts(of: count, times: 6)
  }

  @Test func whatIsWrittenReadsBack() throws {
    for seed in UInt64(0)..<600 {
      let written = try Written(seed: seed)
      for cuts in [[]] + MultipartPropertyTests.cuts(of: written.content.count) {
        let outcome = MultipartOutcome(of: written.content, cuts: cuts, boundary: written.boundary)
        if outcome == written.expected { continue }
        Issue.record("seed \(seed), cut at \(cuts.prefix(8)): \(outcome), expected: \(written.expected)")
        break
      }
    }
  }

  /// Whatever is done to the bytes: one outcome for all arrivals, and no part holds more than its range says, or less
  /// when another begins behind it.
  @Test func damagedContentIsReadTheSameHoweverItArrives() throws {
    var refusedCount = 0
    for seed in UInt64(0)..<1_000 {
      let written = try Written(seed: seed)
      var generator = SeededGenerator(seed: ~seed)
      var content = written.content
      for _ in 0..<Int.random(in: 1...3, using: &generator) { damage(&content, with: &generator) }
      let whole = MultipartOutcome(of: content, cuts: [], boundary: written.boundary)
      for cuts in MultipartPropertyTests.cuts(of: content.count) {
        let other = MultipartOutcome(of: content, cuts: cuts, boundary: written.boundary)
        if other == whole { continue }
        Issue.record("seed \(seed), cut at \(cuts.prefix(8)): \(other), whole: \(whole)")
        break
      }
      if !isSound(whole) { Issue.record("seed \(seed): \(whole)") }
      if whole.error != nil { refusedCount += 1 }
    }
    #expect(refusedCount > 500, "most damage is seen")
  }

  private func isSound(_ outcome: MultipartOutcome) -> Bool {
    for (index, part) in outcome.parts.enumerated() {
      guard case .part(let first, let last, _) = part.range else { return false }
      let missing = last - first + 1 - Int64(part.content.count)
      let mayMiss = index == outcome.parts.count - 1 && outcome.error == .incompleteMultipart
      guard missing == 0 || missing > 0 && mayMiss else { return false }
    }
    return outcome.error != nil || !outcome.parts.isEmpty
  }

  private func damage(_ content: inout [UInt8], with generator: inout SeededGenerator) {
    guard let index = content.indices.randomElement(using: &generator) else { return }
    let piece = index..<min(content.count, index + Int.random(in: 1...12, using: &generator))
    let corners = ["\r", "\n", "\r\n", "\r\n\r\n", "\r\n--B", "--", "-", " ", "0", "9", "\u{0}", "/*", ":"]
    switch Int.random(in: 0...4, using: &generator) {
    case 0: content[index] = UInt8.random(in: 0...255, using: &generator)
    case 1: content.removeSubrange(piece)
    case 2: content.insert(contentsOf: content[piece], at: index)
    case 3: content.removeSubrange(index...)
    default: content.insert(contentsOf: bytes(corners.randomElement(using: &generator) ?? ""), at: index)
    }
  }
}
