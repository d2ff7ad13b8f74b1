import HTTP1

extension Harness {
  /// Heads, interim ones included: text, then the four decisions of `amplified`, then four sizes of pieces. They answer
  /// HEAD, so that the message ends with its head whatever that says.
  static let responseHead = Harness("response-head") { input in
    var choices = Choices(input, count: 8)
    let text = amplified(choices.text, &choices)
    var arrival = Arrival()
    arrival.method = .head
    arrival.pieces = Pieces(&choices, count: 4).scaled(to: text.count)
    let outcome = try sameOutcome(of: text, as: arrival)
    try outcome.requireBounds()
    try NaiveResponse(text, as: arrival).requireSame(as: outcome)
    try require(outcome.content.isEmpty && outcome.framing == .none, "an answer to HEAD has no content")
    try require(outcome.end == outcome.headEnd, "the message ends with its head")
  }
}
