@testable import HTTP1

/// A field line as it was read.
struct FieldText: Equatable {
  let name: [UInt8]
  var value: [UInt8]
}

extension Fields {
  var inText: [FieldText] { (0..<count).map { FieldText(name: name(at: $0), value: value(at: $0)) } }
}

/// All that a `ResponseReader` says of one response: equal for every arrival of the same bytes.
struct ResponseOutcome: Equatable {
  var end: Int?  // bytes up to the end of a whole message; nil for any other
  var headEnd: Int?  // bytes up to the end of the final head
  var interimCount = 0
  var statusLine: StatusLine?
  var fields: [FieldText] = []
  var framing = Framing.none
  var content: [UInt8] = []
  var trailers: [FieldText] = []
  var allowsPersistence = false
  var hasBegun = false
  var error: ProtocolError?

  var isComplete: Bool { end != nil }

  /// What the bounds of `HTTP1` promise of every message (`docs/SUPPORTED-HTTP.md`), in their own words here: a
  /// bound that is gone from there shows.
  func requireBounds() throws {
    try requireBounded(fields)
    try requireBounded(trailers)
    try require(interimCount <= 101, "more than 100 interim heads were taken")  // the one that is refused is counted
    try require((statusLine?.reason.count ?? 0) <= 65_536, "a status line beyond its bound")
    switch framing {
    case .none, .tunnel: try require(content.isEmpty, "content of a message that has none")
    case .length(let length):
      try require(Int64(content.count) <= length, "more content than Content-Length")
      try require(!isComplete || Int64(content.count) == length, "complete before the end")
    case .chunked, .untilClose: break
    }
  }
}

/// Bounds of one section of field lines.
func requireBounded(_ fields: [FieldText]) throws {
  try require(fields.count <= 2_000, "more than 2,000 fields")
  let size = fields.reduce(0) { $0 + $1.name.count + $1.value.count }
  try require(size <= 262_144, "fields of more than 262,144 bytes")
}
