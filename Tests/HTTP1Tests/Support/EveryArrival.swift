import Testing

@testable import HTTP1

/// Reads `response` under every arrival and returns the outcome, which may not depend on the arrival: whole, byte by
/// byte, cut in two at every place; long ones at some random places and around their end.
func outcome(
  of response: [UInt8], answering method: RequestMethod = .get, end: ResponseReader.ConnectionEnd? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) -> Outcome {
  let whole = Arrival(method: method, end: end).outcome(of: response)
  for cuts in everyCut(of: response.count) {
    let other = Arrival(method: method, cuts: cuts, end: end).outcome(of: response)
    if other == whole { continue }
    Issue.record("cut at \(cuts.prefix(8)): \(other), whole: \(whole)", sourceLocation: sourceLocation)
    break
  }
  return whole
}

func outcome(
  of response: String, answering method: RequestMethod = .get, end: ResponseReader.ConnectionEnd? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) -> Outcome {
  outcome(of: bytes(response), answering: method, end: end, sourceLocation: sourceLocation)
}

/// Where to cut `count` bytes, each time anew.
func everyCut(of count: Int) -> [[Int]] {
  if count < 2 { return [] }
  if count <= 800 { return [Array(1..<count)] + (1..<count).map { [$0] } }
  return randomCuts(of: count, times: 2) + (count - 2..<count).map { [$0] }
}

/// Some sets of up to 12 cuts.
func randomCuts(of count: Int, times: Int) -> [[Int]] {
  var generator = SeededGenerator(seed: UInt64(count))
  guard count > 1 else { return [] }
  return (0..<times).map { _ in
    let cuts = (0..<Int.random(in: 1...12, using: &generator)).map { _ in Int.random(in: 1..<count, using: &generator) }
    return Set(cuts).sorted()
  }
}
