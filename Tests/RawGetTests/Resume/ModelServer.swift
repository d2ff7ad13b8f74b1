import HTTP1

@testable import RawGet

/// An answer as it reaches the client, its transfer coding removed.
struct ModelAnswer {
  var lines: [String]
  var content: ArraySlice<UInt8> = []
  /// The connection ends before the message does.
  var isCut = false
}

/// A server of one resource in several versions, of which any may answer next, and which keeps to the rules of ranges only
/// sometimes. What it says of the bytes in an answer is true, or can be seen to be false.
struct ModelServer {
  enum Validators: CaseIterable {
    case strongTag, strongDate, weakTag, recentDate, none
    /// A strong tag that stays when the file changes.
    case falseTag

    /// Nothing but compared bytes can tell versions apart.
    var areSilent: Bool { self == .none || self == .falseTag }
  }

  struct Version {
    let content: [UInt8]
    let fields: [String]
    let isStrong: Bool
  }

  let versions: [Version]
  private let loginPage: [UInt8]
  /// The version that answers next; under way from one to the other, as nodes of a network may be.
  var current = 0
  /// Keeps to the rules, and neither cuts nor changes.
  var isHonest = false
  /// One answer in so many breaks the rules.
  private let calmness: Int
  /// Nodes that answer in turn have the same tag for the same file at least.
  private let switches: Bool

  init(_ versions: [Version], loginPage: [UInt8], calmness: Int, switches: Bool) {
    self.versions = versions
    self.loginPage = loginPage
    self.calmness = calmness
    self.switches = switches
  }

  mutating func change(_ random: inout SeededGenerator) {
    current = versions.indices.randomElement(using: &random) ?? 0
  }

  /// Everything that a whole answer may bring.
  var wholes: [[UInt8]] { versions.map(\.content) + [loginPage] }

  mutating func answer(_ request: RangeRequest?, _ random: inout SeededGenerator) -> ModelAnswer {
    if isHonest { return honest(request, versions[current]) }
    if switches, Int.random(in: 0..<min(1 + calmness, 8), using: &random) == 0 { change(&random) }
    let isWrong = Int.random(in: 0..<calmness, using: &random) == 0
    var answer = isWrong ? dishonest(request, versions[current], &random) : honest(request, versions[current])
    if Int.random(in: 0..<(request == nil ? 2 : 2 * calmness), using: &random) == 0 {
      answer.content = answer.content.prefix(Int.random(in: 0...answer.content.count, using: &random))
      answer.isCut = true
    }
    return answer
  }

  private func honest(_ request: RangeRequest?, _ version: Version, _ way: Int = 0) -> ModelAnswer {
    guard let request, let offset = request.offset, meets(request.validator, version) else {
      return whole(version, framing(version.content.count, way))
    }
    let end = last(of: request, version)
    guard offset < version.content.count else { return unsatisfied(version.content.count) }
    return part(version, Int(offset)...end, total: "\(version.content.count)", framing(end + 1 - Int(offset), way))
  }

  private func dishonest(
    _ request: RangeRequest?, _ version: Version, _ random: inout SeededGenerator
  ) -> ModelAnswer {
    let count = version.content.count
    let way = Int.random(in: 0..<3, using: &random)
    switch Int.random(in: 0..<18, using: &random) {
    case 0: return ModelAnswer(lines: ["503 Later", "Content-Length: 5"], content: [1, 2, 3, 4, 5])
    case 1: return ModelAnswer(lines: ["404 Nothing", "Content-Length: 5"], content: [1, 2, 3, 4, 5])
    case 2:
      return ModelAnswer(
        lines: ["200 OK", "Content-Type: text/html", framing(loginPage.count, way)], content: loginPage[...])
    case 3...4: return whole(version, framing(count, way))
    case 5 where request != nil: return unsatisfied(count + Int.random(in: 0...1, using: &random))
    case 6...14:
      guard let request, let offset = request.offset, offset < count, meets(request.validator, version) || way > 0
      else {
        return honest(request, version)
      }
      return unreliable(request, Int(offset), version, framing: way, &random)
    default: return honest(request, version, way)
    }
  }

  /// A 206 of a range that begins inside: perhaps a condition was not met, perhaps it is of another range.
  private func unreliable(
    _ request: RangeRequest, _ offset: Int, _ version: Version, framing way: Int, _ random: inout SeededGenerator
  ) -> ModelAnswer {
    let (count, end) = (version.content.count, last(of: request, version))
    var (first, last, total) = (offset, end, "\(count)")
    var more: [String] = []
    switch Int.random(in: 0..<12, using: &random) {
    case 0: first = Int.random(in: 0...offset, using: &random)
    case 1: first = Int.random(in: offset...end, using: &random)
    case 2: last = Int.random(in: offset...end, using: &random)
    case 3: total = "*"
    case 4: total = "\(count + 1)"
    case 5: more = ["Content-Type: multipart/byteranges; boundary=x"]
    case 6: more = ["Content-Encoding: gzip"]
    default: break
    }
    var answer = part(version, first...last, total: total, framing(last + 1 - first, way))
    answer.lines += more
    if version.isStrong, Int.random(in: 0..<6, using: &random) == 0 { answer.lines.removeSubrange(2...) }
    return answer
  }

  private func meets(_ validator: Validator?, _ version: Version) -> Bool {
    guard let value = validator?.fieldValue else { return true }
    let text = String(decoding: value, as: UTF8.self)
    return version.isStrong && version.fields.contains { $0.hasSuffix(": " + text) }
  }

  private func last(of request: RangeRequest, _ version: Version) -> Int {
    guard case .closed(_, let last) = request.range else { return version.content.count - 1 }
    return min(Int(last), version.content.count - 1)
  }

  private func framing(_ count: Int, _ way: Int) -> String {
    way == 0 ? "Content-Length: \(count)" : way == 1 ? "Transfer-Encoding: chunked" : "Connection: close"
  }

  private func whole(_ version: Version, _ framing: String) -> ModelAnswer {
    let lines = ["200 OK", framing, "Content-Type: application/zip"] + version.fields
    return ModelAnswer(lines: lines, content: version.content[...])
  }

  private func part(_ version: Version, _ range: ClosedRange<Int>, total: String, _ framing: String) -> ModelAnswer {
    let said = "Content-Range: bytes \(range.lowerBound)-\(range.upperBound)/\(total)"
    return ModelAnswer(
      lines: ["206 Partial Content", said] + version.fields + [framing], content: version.content[range])
  }

  private func unsatisfied(_ count: Int) -> ModelAnswer {
    ModelAnswer(lines: ["416 Range Not Satisfiable", "Content-Range: bytes */\(count)", "Content-Length: 0"])
  }
}

extension ModelServer {
  /// Versions that differ in one byte, from some byte on, in length, or wholly. Where nothing but compared bytes can tell
  /// them apart, each byte differs from the first that does.
  static func random(
    _ validators: Validators, count: ClosedRange<Int>, calmness: Int, _ random: inout SeededGenerator
  ) -> ModelServer {
    let content = bytes(Int.random(in: count, using: &random), &random)
    var contents = [content]
    for mask in ([0x55, 0xAA] as [UInt8]).prefix(Int.random(in: 1...2, using: &random)) {
      var other = content
      switch Int.random(in: 0..<6, using: &random) {
      case 0: other += bytes(Int.random(in: 1...40, using: &random), &random)
      case 1: other.removeLast(Int.random(in: 0...min(other.count, 40), using: &random))
      case 2...4 where !validators.areSilent && !other.isEmpty:
        other[Int.random(in: other.indices, using: &random)] ^= 1
      default:
        for index in Int.random(in: 0...other.count, using: &random)..<other.count { other[index] ^= mask }
      }
      if !contents.contains(other) { contents.append(other) }
    }
    let versions = contents.enumerated().map { number, content in
      Version(
        content: content, fields: fields(validators, number),
        isStrong: validators == .strongTag || validators == .strongDate || validators == .falseTag)
    }
    return ModelServer(
      versions, loginPage: bytes(Int.random(in: 1...300, using: &random), &random), calmness: calmness,
      switches: validators != .falseTag)
  }

  private static func fields(_ validators: Validators, _ number: Int) -> [String] {
    switch validators {
    case .strongTag: ["ETag: \"\(number)\""]
    case .weakTag: ["ETag: W/\"\(number)\""]
    case .strongDate: [Known.date, "Last-Modified: Sat, 21 Mar 2026 09:30:0\(number) GMT"]
    case .recentDate: [Known.date, "Last-Modified: Mon, 30 Nov 2026 09:59:5\(number) GMT"]
    case .falseTag: [#"ETag: "always""#]
    case .none: []
    }
  }

  private static func bytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
    return Array(bytes.prefix(count))
  }
}
