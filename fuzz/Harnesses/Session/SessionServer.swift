import HTTP1

@testable import RawGet

/// What a server does with a request. In a script: its number; every number beyond the last is `honest`.
enum SessionConduct: Int {
  case honest, ignoresRange, ignoresCondition, startsEarlier, startsLater, endsEarlier, hidesLength, lengthTooLarge
  case lengthTooSmall, multipart, coded, leavesOutValidator, unsatisfied, refuses, loginPage, redirects, surplus,
    interim
  case wrongLength, damagedChunks, notHTTP, twoTags, twoLengths, garbledRange, twoRanges, oddStatus
}

/// A server of one resource in several versions, any of which may answer next. What it says of the bytes in an answer is
/// true, or can be seen to be false.
struct SessionServer {
  let versions: [SessionVersion]
  let loginPage = SessionVersion.noise(97, kind: 2)
  /// The version that answers next.
  var current = 0
  /// Nodes that answer in turn have the same tag for the same file at least.
  let switches: Bool
  /// Then nothing but fields can tell versions apart.
  private let differsInTwoBytes: Bool

  init(_ validators: SessionValidators, differsInTwoBytes: Bool, _ script: inout Script) {
    self.differsInTwoBytes = differsInTwoBytes
    versions = SessionVersion.all(validators, differsInTwoBytes: differsInTwoBytes, &script)
    switches = validators != .falseTag
  }

  /// Everything that a whole answer may bring.
  var wholes: [[UInt8]] { versions.map(\.content) + [loginPage] }

  mutating func turn(to version: Int) { current = version % versions.count }

  /// Five bytes of the script: conduct and, in its two highest bits, framing; the version (from 192 on another one answers);
  /// where the connection ends too early (0: it does not), by a reset if even; how many bytes arrive at once (0: all); and
  /// what the conduct does with it.
  mutating func answer(_ request: RangeRequest?, knownLength: Int64?, _ script: inout Script) -> SessionWire {
    let (code, version, cut, arrival, detail) = (
      script.byte(), script.byte(), script.byte(), script.byte(), script.byte()
    )
    if version >= 192, switches { turn(to: version) }
    let conduct = SessionConduct(rawValue: code & 63) ?? .honest
    let asked = asked(request, conduct, knownLength)
    var wire = SessionWire(bytes: [])
    if conduct == .notHTTP {
      wire.bytes = Array(SessionServer.notHTTP[detail % SessionServer.notHTTP.count].utf8)
    } else {
      var answer = reply(asked, conduct, detail)
      answer.framing = SessionFraming(rawValue: code >> 6) ?? .length
      misbehave(&answer, conduct, detail)
      wire.bytes = answer.bytes
    }
    if cut > 0 {
      wire.bytes.removeLast(wire.bytes.count - (cut - 1) * wire.bytes.count / 255)
      wire.end = cut % 2 == 0 ? .abrupt : .orderly
    }
    // In so few pieces that a long file takes no longer than a short one.
    if arrival > 0 { wire.arrival = max(arrival * arrival, wire.bytes.count / 256) }
    return wire
  }

  private static let notHTTP = [
    "", "\r\n", "\u{15}\u{3}\u{1}", "ICY 200 OK\r\n\r\n", "HTTP/2 200\r\n\r\n", "<html>", "H",
  ]

  // MARK: Which bytes

  /// What of the current version an answer is about; nil for the whole.
  private struct Asked {
    var first: Int
    var last: Int
    var knownLength: Int64?
  }

  private func asked(_ request: RangeRequest?, _ conduct: SessionConduct, _ knownLength: Int64?) -> Asked? {
    let version = versions[current]
    guard let request, let offset = request.offset, conduct != .ignoresRange, conduct != .loginPage else { return nil }
    guard conduct == .ignoresCondition || meets(request.validator, version) else { return nil }
    var last = version.content.count - 1
    if case .closed(_, let end) = request.range { last = min(Int(end), last) }
    return Asked(first: Int(min(offset, .max)), last: last, knownLength: knownLength)
  }

  private func meets(_ validator: Validator?, _ version: SessionVersion) -> Bool {
    guard let value = validator?.fieldValue else { return true }
    let text = String(decoding: value, as: UTF8.self)
    return version.isStrong && version.fields.contains { $0.hasSuffix(": " + text) }
  }

  private func reply(_ asked: Asked?, _ conduct: SessionConduct, _ detail: Int) -> SessionAnswer {
    let version = versions[current]
    switch conduct {
    case .refuses:
      let statuses = [503, 404, 429, 401, 500, 403, 416, 410]
      return SessionAnswer(lines: ["\(statuses[detail % 8]) No", "Retry-After: 1"], content: loginPage[...])
    case .loginPage: return SessionAnswer(lines: ["200 OK", "Content-Type: text/html"], content: loginPage[...])
    case .redirects:
      let places = ["/elsewhere", "//mirror.example/file", "", "http://example.org/file", "ftp://example.org/", "?a"]
      return SessionAnswer(lines: ["302 There", "Location: \(places[detail % 6])"], content: loginPage[...])
    case .oddStatus:
      let statuses = [204, 205, 304, 300, 101, 206, 599, 203]
      let status = statuses[detail % 8]
      let isWhole = status == 203
      return SessionAnswer(lines: ["\(status) Odd"] + (isWhole ? version.fields : []), content: version.content[...])
    default: break
    }
    let count = version.content.count
    guard let asked else { return whole(version) }
    guard asked.first < count, conduct != .unsatisfied else {
      var total = count
      if conduct == .unsatisfied { total += detail & 1 }
      // All of it would be here: seen to be false only by a client that knows the right length.
      if conduct == .unsatisfied, detail & 2 == 2, asked.knownLength == Int64(count) { total = asked.first }
      return SessionAnswer(lines: ["416 No", "Content-Range: bytes */\(total)"])
    }
    return part(version, asked, conduct, detail)
  }

  private func whole(_ version: SessionVersion) -> SessionAnswer {
    SessionAnswer(lines: ["200 OK", "Content-Type: application/zip"] + version.fields, content: version.content[...])
  }

  private func part(
    _ version: SessionVersion, _ asked: Asked, _ conduct: SessionConduct, _ detail: Int
  ) -> SessionAnswer {
    var (first, last, total) = (asked.first, max(asked.last, asked.first), "\(version.content.count)")
    switch conduct {
    case .startsEarlier: first -= detail * first / 255
    case .startsLater: first += (detail * (last - first) + 254) / 255
    case .endsEarlier: last -= detail * (last - first) / 255
    case .hidesLength: total = "*"
    case .lengthTooLarge: total = "\(version.content.count + 1)"
    case .lengthTooSmall:
      // Seen to be false only by a client that knows the right one.
      guard asked.knownLength == Int64(version.content.count), first < last else { break }
      last -= 1
      total = "\(last + 1)"
    default: break
    }
    let said = conduct == .garbledRange ? SessionServer.garbled(first, last, detail) : "bytes \(first)-\(last)/\(total)"
    var lines = ["206 Partial Content", "Content-Range: \(said)"]
    if conduct == .twoRanges { lines.append("Content-Range: bytes \(first)-\(last + 1)/\(total)") }
    let isLeftOut = conduct == .leavesOutValidator && (version.isStrong || version.fields.isEmpty)
    return SessionAnswer(lines: lines + (isLeftOut ? [] : version.fields), content: version.content[first...last])
  }

  private static func garbled(_ first: Int, _ last: Int, _ detail: Int) -> String {
    let ways = [
      "", "bytes", "bytes \(first)-\(last)", "bytes */\(last + 1)", "items \(first)-\(last)/\(last + 1)",
      "bytes \(last)-\(first - 1)/\(last + 1)", "bytes \(first)-\(last)/\(last)", "bytes +\(first)-\(last)/\(last + 1)",
    ]
    return ways[detail % ways.count]
  }

  // MARK: How it is said

  private func misbehave(_ answer: inout SessionAnswer, _ conduct: SessionConduct, _ detail: Int) {
    switch conduct {
    case .multipart where answer.lines[0].hasPrefix("206"):
      answer.lines.append("Content-Type: multipart/byteranges; boundary=x")
      answer.content = (Array("--x\r\nContent-Range: bytes 0-0/1\r\n\r\n".utf8) + answer.content)[...]
    case .coded: answer.lines.append("Content-Encoding: gzip")
    case .surplus where answer.framing != .close: answer.surplus = "HTTP/1.1 200 OK\r\n\r\nsurplus"
    case .interim: answer.before = String(repeating: "HTTP/1.1 103 Hints\r\nETag: \"0\"\r\n\r\n", count: detail % 128)
    case .wrongLength:
      // Fewer bytes than a whole has would be another representation: only a part's own range shows that as false.
      let isPart = answer.lines[0].hasPrefix("206")
      answer.claimedLength = max(answer.content.count + (isPart && detail & 1 == 1 ? -1 : 1), 0)
      answer.framing = .length
    case .damagedChunks:
      answer.framing = .chunked
      answer.damage = 1 + detail % SessionAnswer.damages
    case .twoTags where !differsInTwoBytes && answer.lines.contains { $0.hasPrefix("ETag:") }:
      answer.lines += [#"ETag: "other""#, #"ETag: W/"0""#].prefix(1 + detail % 2)
    case .twoLengths: answer.lines.append("Content-Length: \(answer.content.count + 1 + detail)")
    default: break
    }
  }
}
