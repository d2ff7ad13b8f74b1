import HTTP1

extension Harness {
  /// A whole response stream: text and the eight decisions of `Arrival`. What comes out depends on the bytes and on how
  /// the connection ends, never on the pieces in which they arrive; and a naive reader comes to the same.
  static let response = Harness("response") { input in
    var choices = Choices(input, count: 8)
    let text = choices.text
    var arrival = Arrival(&choices)
    arrival.pieces = arrival.pieces.scaled(to: text.count)
    let outcome = try sameOutcome(of: text, as: arrival)
    try outcome.requireBounds()
    try NaiveResponse(text, as: arrival).requireSame(as: outcome)

    var open = arrival
    open.end = nil
    let decided = try open.outcome(of: text)
    guard decided.isComplete || decided.error != nil else { return }
    try require(open.outcome(of: text + text) == decided, "what is decided stays so when more bytes come")
    guard let end = decided.end else { return }
    var cut = arrival
    cut.end = .orderly
    for count in [end - 1, end / 2, end * choices.number(below: 256) / 256] {
      try require(!cut.outcome(of: Array(text[..<count])).isComplete, "complete after \(count) bytes of \(end)")
    }
  }
}

/// The outcome of `text`, which has to be the same whole, in the pieces of `arrival`, and byte by byte.
func sameOutcome(of text: [UInt8], as arrival: Arrival) throws -> ResponseOutcome {
  var other = arrival
  other.pieces = Pieces(sizes: [])
  let whole = try other.outcome(of: text)
  try require(arrival.outcome(of: text) == whole, "cut in pieces of \(arrival.pieces.sizes) it is another response")
  other.pieces = .bytes
  if text.count <= Pieces.byteByByteLimit {
    try require(other.outcome(of: text) == whole, "byte by byte it is another response")
  }
  return whole
}
