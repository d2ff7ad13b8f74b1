import HTTP1

@testable import RawGet

/// A selection against a server that draws lots: how much it answers, where it breaks off, when the file changes.
struct SelectionStory {
  /// A byte of content, as what it is.
  struct Byte: Equatable {
    let version: Int
    let place: Int64
  }

  private var random: SeededGenerator
  private var selection: RangeSelection
  private var version = 0
  private var length: Int64
  private var content: [Byte] = []
  private(set) var restarts = 0

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    length = Int64.random(in: 1...60, using: &random)
    var ranges: [ByteRange] = []
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let first = Int64.random(in: 0..<length, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: ranges.append(.closed(first: first, last: first + Int64.random(in: 0..<70, using: &random)))
      case 1: ranges.append(.from(first))
      default: ranges.append(.suffix(length: first + 1))
      }
    }
    guard var wanted = WantedRanges(ranges) else { throw Unexpected(answer: nil) }
    wanted.areAskedAtOnce = Bool.random(using: &random)
    selection = RangeSelection(wanted)
  }

  /// What all ranges are in the version that the last byte is of; with a count, only so many bytes.
  func expected(upTo count: Int? = nil) -> [Byte] {
    let version = content.last?.version ?? 0
    let all = selection.wanted.flatMap { places(of: $0).map { Byte(version: version, place: $0) } }
    return Array(all.prefix(count ?? all.count))
  }

  private func places(of range: ByteRange) -> Range<Int64> {
    switch range {
    case .closed(let first, let last): first..<min(last + 1, length)
    case .from(let first): first..<length
    case .suffix(let count): max(length - count, 0)..<length
    }
  }

  /// Returns what was received in the end.
  mutating func tell() throws -> [Byte] {
    var turns = 0
    while let request = selection.nextRequest() {
      turns += 1
      if turns > 1_000 { break }
      if selection.position == 0 { content = [] }
      if turns < 12, Int.random(in: 0..<8, using: &random) == 0 { version += 1 }
      try answer(request)
    }
    return content
  }

  private var tag: String { "ETag: \"\(version)\"" }

  private mutating func answer(_ request: RangeRequest) throws {
    let isCurrent = request.validator.map { $0.fieldValue == Array("\"\(version)\"".utf8) }
    // A server that does not know If-Range sends the new version's range all the same.
    guard isCurrent ?? true || Bool.random(using: &random) else {
      return try take(head: SelectionAnswers.whole(Int(length), [tag]))
    }
    guard request.others.isEmpty || Bool.random(using: &random) else { return try answerAtOnce(request) }
    let places = places(of: request.range)
    let count = Bool.random(using: &random) ? Int64(places.count) : .random(in: 1...Int64(places.count), using: &random)
    let range = "\(places.lowerBound)-\(places.lowerBound + count - 1)/\(length)"
    try take(head: SelectionAnswers.part(range, [tag]), at: places.lowerBound)
  }

  private mutating func take(head: [String], at first: Int64 = 0) throws {
    switch try judged(head) {
    case .part(let count):
      receive(Bool.random(using: &random) ? count : .random(in: 0...count, using: &random), at: first)
    case .changed: restart()
    case let answer: throw Unexpected(answer: answer)
    }
  }

  struct Unexpected: Error { let answer: RangeSelection.Answer? }

  private mutating func answerAtOnce(_ request: RangeRequest) throws {
    switch try judged(SelectionAnswers.parts([tag])) {
    case .parts: break
    case .changed: return restart()
    case let answer: throw Unexpected(answer: answer)
    }
    let seen = try seen(try TestResponse(SelectionAnswers.parts([tag])))
    for range in [request.range] + request.others {
      let places = places(of: range)
      let answer = selection.didReceivePart(
        first: places.lowerBound, last: places.upperBound - 1, completeLength: length, seen)
      if let answer { throw Unexpected(answer: answer) }
      if Int.random(in: 0..<6, using: &random) == 0 { return receive(Int64(places.count) / 2, at: places.lowerBound) }
      receive(Int64(places.count), at: places.lowerBound)
    }
  }

  private func seen(_ response: TestResponse) throws -> Representation {
    Representation(of: response.head, framing: response.framing, at: try Known.target(), now: Known.now)
  }

  private mutating func judged(_ lines: [String]) throws -> RangeSelection.Answer {
    let response = try TestResponse(lines)
    return selection.didReceiveHead(response.head, framing: response.framing, try seen(response))
  }

  private mutating func receive(_ count: Int64, at first: Int64) {
    selection.didReceive(count)
    content += (0..<count).map { Byte(version: version, place: first + $0) }
  }

  private mutating func restart() {
    restarts += 1
    selection.restart()
    content = []
  }
}
