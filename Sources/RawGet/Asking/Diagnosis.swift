/// How well a server lets downloads be resumed: a grade, and a finding for each thing that makes it. A pure table.
package struct Diagnosis: Sendable {
  /// What it means for a download that breaks off.
  package enum Grade: Int, Comparable, Sendable {
    /// It goes on where it broke off, and is proven to.
    case a
    /// It does, with something that may trip other tools, or cost time.
    case b
    /// It goes on after a comparison only, for want of proof.
    case c
    /// It begins anew.
    case d
    /// The server says what is not so.
    case f

    package static func < (left: Grade, right: Grade) -> Bool { left.rawValue < right.rawValue }

    package var letter: String {
      switch self {
      case .a: "A"
      case .b: "B"
      case .c: "C"
      case .d: "D"
      case .f: "F"
      }
    }

    package var meaning: String {
      switch self {
      case .a: "a broken download goes on where it broke off"
      case .b: "a broken download goes on, with flaws"
      case .c: "a broken download goes on after a comparison only"
      case .d: "a broken download begins anew"
      case .f: "what the server says of ranges is wrong"
      }
    }
  }

  package struct Finding: Sendable {
    /// Stays the same when sentences change.
    package let code: String
    package let grade: Grade
    package let sentence: String
  }

  /// Where redirects led.
  package let target: TargetURI
  package let requestCount: Int64
  package let findings: [Finding]

  /// The worst of them.
  package var grade: Grade { findings.map { $0.grade }.max() ?? .a }

  init(of seen: Observations, target: TargetURI) {
    self.target = target
    requestCount = seen.requestCount
    findings = Diagnosis.findings(of: seen).map { Finding(code: $0, grade: $1, sentence: $2) }
  }

  typealias Row = (String, Grade, String)

  /// What ranges do not speak of is judged only where they work.
  static func findings(of seen: Observations) -> [Row] {
    var rows = [ranges(seen), head(seen), said(seen)]
    if case .part = seen.first {
      rows += [length(seen), suffix(seen), pastEnd(seen), itsValidator(seen), anotherValidator(seen)]
    }
    rows += [validator(seen), stability(seen), coding(seen), persistence(seen), digest(seen)]
    return rows.compactMap { $0 }
  }

  private static func ranges(_ seen: Observations) -> Row? {
    switch seen.first {
    case .part(0, 0, let total):
      guard let total, let middle = seen.middle, middle != .part(first: total / 2, last: total / 2, total: total) else {
        return ("ranges", .a, "a range is answered with exactly its bytes")
      }
      return ("ranges", .f, "a range in the middle is not answered with its bytes")
    case .part, .misplaced: return ("ranges", .f, "a range is answered with other bytes than were asked for")
    case .whole: return ("ranges", .d, "ranges are ignored")
    case .unsatisfied(0?): return ("ranges", .a, "the file is empty")
    case .unsatisfied: return ("ranges", .f, "the first byte is said to lie behind the end")
    case .other, .broken: return ("ranges", .f, "a range is answered with an error")
    }
  }

  private static func head(_ seen: Observations) -> Row? {
    guard let head = seen.head, (200..<300).contains(head.status) else { return ("head", .b, "HEAD is refused") }
    guard let length = head.length else { return ("head", .b, "HEAD does not tell the length") }
    if let complete = seen.completeLength, complete != length {
      return ("head", .b, "HEAD tells another length than GET")
    }
    return ("head", .a, "HEAD tells the length")
  }

  private static func said(_ seen: Observations) -> Row? {
    let works = if case .part = seen.first { true } else { false }
    switch seen.head?.saysRanges {
    case .yes? where !works && seen.completeLength != 0: return ("accept-ranges", .d, "Accept-Ranges promises ranges")
    case .no? where works: return ("accept-ranges", .b, "Accept-Ranges says that there are none")
    case .yes?, .no?, .unknown?, nil: return nil
    }
  }

  private static func length(_ seen: Observations) -> Row? {
    if seen.completeLength != nil { return nil }
    return ("length", .c, "a range does not tell the complete length")
  }

  private static func suffix(_ seen: Observations) -> Row? {
    guard let reply = seen.suffix else { return nil }
    if case .part(let first, let last, let total) = reply, first == last, total == nil || first + 1 == total {
      return ("suffix", .a, "the last bytes can be asked for")
    }
    return ("suffix", .b, "the last bytes can't be asked for")
  }

  private static func pastEnd(_ seen: Observations) -> Row? {
    guard let reply = seen.pastEnd, let total = seen.completeLength else { return nil }
    if reply == .unsatisfied(total: total) { return ("past-end", .a, "416 with the length behind the end") }
    if case .unsatisfied = reply { return ("past-end", .b, "416 without the right length behind the end") }
    return ("past-end", .b, "no 416 behind the end")
  }

  private static func itsValidator(_ seen: Observations) -> Row? {
    guard let reply = seen.underItsValidator else { return nil }
    if case .part(0, 0, _) = reply { return ("if-range", .a, "If-Range goes on with the same file") }
    return ("if-range", .c, "If-Range does not go on though the file is the same")
  }

  private static func anotherValidator(_ seen: Observations) -> Row? {
    guard let reply = seen.underAnother else { return nil }
    switch reply {
    case .whole: return ("stale-if-range", .a, "If-Range with an old validator brings the whole file")
    case .part: return ("stale-if-range", .b, "If-Range is ignored: a tool that trusts it mixes two files")
    case .misplaced, .unsatisfied, .other, .broken:
      return ("stale-if-range", .b, "If-Range with an old validator is answered with an error")
    }
  }

  private static func validator(_ seen: Observations) -> Row? {
    if seen.hasStrongValidator { return ("validator", .a, "a strong validator names the file") }
    let hasTag = seen.fields.contains { $0.entityTag != nil }
    return ("validator", .c, hasTag ? "the entity tag is weak" : "no strong validator names the file")
  }

  private static func stability(_ seen: Observations) -> Row? {
    guard let first = seen.fields.first else { return nil }
    let isSame = seen.fields.allSatisfy { $0.entityTag == first.entityTag && $0.lastModified == first.lastModified }
    return isSame
      ? ("stability", .a, "every answer has the same validators")
      : ("stability", .c, "answers differ in their validators")
  }

  private static func coding(_ seen: Observations) -> Row? {
    if seen.fields.allSatisfy({ $0.contentCoding == nil }) { return nil }
    return ("coding", .c, "content is coded although that was refused")
  }

  private static func persistence(_ seen: Observations) -> Row? {
    seen.keepsAlive
      ? ("keep-alive", .a, "connections are used again")
      : ("keep-alive", .b, "every answer costs a connection")
  }

  private static func digest(_ seen: Observations) -> Row? {
    seen.hasDigest
      ? ("digest", .a, "a digest field proves the content")
      : ("digest", .a, "no digest field; only framing proves the content")
  }
}
