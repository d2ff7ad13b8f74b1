import Testing

@testable import HTTP1

/// What holds for any response, right or wrong. Each seed is one case, the same in every run.
struct ResponsePropertyTests {
  static func cuts(of count: Int) -> [[Int]] {
    (count > 1 ? [Array(1..<count)] : []) + randomCuts(of: count, times: 4)
  }

  /// A valid response reads back as what it was made of, under every arrival.
  @Test func validResponsesReadBack() {
    for seed in UInt64(0)..<600 {
      let response = RandomResponse(seed: seed)
      for cuts in [[]] + ResponsePropertyTests.cuts(of: response.bytes.count) {
        let outcome = Arrival(method: response.method, cuts: cuts, end: response.end).outcome(of: response.bytes)
        if outcome == response.expected { continue }
        Issue.record("seed \(seed), cut at \(cuts.prefix(8)): \(outcome), expected: \(response.expected)")
        break
      }
    }
  }

  /// Whatever is done to the bytes, the outcome does not depend on the arrival, nothing traps, and there is
  /// never more content than was announced.
  @Test func damagedResponsesAreReadTheSameHoweverTheyArrive() {
    for seed in UInt64(0)..<1_500 {
      let response = RandomResponse(seed: seed)
      var generator = SeededGenerator(seed: ~seed)
      var bytes = response.bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) { damage(&bytes, with: &generator) }
      let ends: [ResponseReader.ConnectionEnd?] = [nil, .orderly, .abrupt]
      let end = ends[Int.random(in: 0...2, using: &generator)]
      let whole = Arrival(method: response.method, end: end).outcome(of: bytes)
      for cuts in ResponsePropertyTests.cuts(of: bytes.count) {
        let other = Arrival(method: response.method, cuts: cuts, end: end).outcome(of: bytes)
        if other == whole { continue }
        Issue.record("seed \(seed), cut at \(cuts.prefix(8)): \(other), whole: \(whole)")
        break
      }
      requireSense(of: whole, from: bytes, seed: seed)
    }
  }

  private func requireSense(of outcome: Outcome, from bytes: [UInt8], seed: UInt64) {
    let count = Int64(outcome.content.count)
    var isSound = Int(count) + outcome.leftoverCount <= bytes.count
    if case .length(let length) = outcome.framing {
      isSound = isSound && (outcome.isComplete ? count == length : count <= length)
    }
    if [.none, .tunnel].contains(outcome.framing) { isSound = isSound && count == 0 }
    isSound = isSound && !(outcome.isComplete && outcome.error != nil)
    isSound = isSound && !(outcome.allowsPersistence && !outcome.isComplete)
    if !isSound { Issue.record("seed \(seed): \(outcome)") }
  }

  /// Bytes put for others, taken out, put in twice, or put where the grammar has its corners.
  private func damage(_ bytes: inout [UInt8], with generator: inout SeededGenerator) {
    guard let index = bytes.indices.randomElement(using: &generator) else { return }
    let piece = index..<min(bytes.count, index + Int.random(in: 1...12, using: &generator))
    let corners = ["\r", "\n", "\r\n", "\r\n\r\n", "\u{0}", ":", ";", "\"", " ", "0", "f", "-", ",", "HTTP/1.1 "]
    switch Int.random(in: 0...5, using: &generator) {
    case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes.removeSubrange(piece)
    case 2: bytes.insert(contentsOf: bytes[piece], at: index)
    case 3: bytes.removeSubrange(index...)
    default: bytes.insert(contentsOf: HTTP1Tests.bytes(corners.randomElement(using: &generator) ?? ""), at: index)
    }
  }

  /// Bytes that are no response at all.
  @Test func noiseIsRefusedTheSameHoweverItArrives() {
    var generator = SeededGenerator(seed: 7)
    let alphabet = bytes("HTP/1. 02\r\n:;aA\u{0}\u{FF}")
    for begin in ["", "HTTP/1.1 ", "HTTP/1.1 200 x\r\n", "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n"] {
      for _ in 0..<300 {
        let noise = bytes(begin) + generator.bytes(count: 1...40, from: alphabet)
        let whole = Arrival(end: .orderly).outcome(of: noise)
        for cuts in ResponsePropertyTests.cuts(of: noise.count) {
          let other = Arrival(cuts: cuts, end: .orderly).outcome(of: noise)
          if other != whole { Issue.record("\(noise), cut at \(cuts): \(other), whole: \(whole)") }
        }
      }
    }
  }
}
