import HTTP1

@testable import RawGet

/// When an answer belongs behind kept bytes, said again and in another way than `Landing` says it.
struct LandingRule {
  private let answer: LandingHead
  private let context: Landing.Context
  private let known: LandingHead?

  init(_ answer: LandingHead, _ context: Landing.Context, _ known: LandingHead?) {
    (self.answer, self.context, self.known) = (answer, context, known)
  }

  func require(_ landing: Landing) throws {
    let status = answer.head.status
    let isWhole = (200...299).contains(status) && ![204, 205, 206].contains(status)
    switch landing {
    case .append(let position, let count, let completeLength):
      if isWhole {
        try FuzzHarnesses.require(context.kept == 0 && position == 0, "a whole is put behind a part")
        try FuzzHarnesses.require(count == completeLength, "a whole of another length than its own")
        return
      }
      let range = try continuation()
      try FuzzHarnesses.require(range != nil, "appended, though it does not continue what is here")
      try FuzzHarnesses.require(position == range?.first && count == range?.count, "appended elsewhere")
      try FuzzHarnesses.require(completeLength == range?.total ?? knownLength, "another complete length")
    case .whole: try FuzzHarnesses.require(isWhole && context.kept > 0, "no whole to compare with")
    case .complete: try FuzzHarnesses.require(provesComplete, "nothing says that this is all")
    case .notAContinuation:
      let isRefusal = status == 206 ? try continuation() == nil : status == 416 && !provesComplete
      try FuzzHarnesses.require(isRefusal && context.asked != nil, "a continuation is refused")
    case .notTheResource:
      let isAnonymous = values("etag", of: answer.head).isEmpty && values("last-modified", of: answer.head).isEmpty
      try FuzzHarnesses.require(isWhole && context.kept > 0 && isAnonymous, "a version of the resource is refused")
    case .refused(let code):
      try FuzzHarnesses.require(code == status && !isWhole && status != 206, "content is refused")
    case .violation:
      try FuzzHarnesses.require(status == 206 && context.asked == nil, "no violation that anyone knows of")
    }
  }

  // MARK: The rules

  private struct Numbers {
    let first: Int64
    let last: Int64
    let total: Int64?
    var count: Int64 { last - first + 1 }
  }

  /// The range of the answer, if all of the rules hold.
  private func continuation() throws -> Numbers? {
    guard answer.head.status == 206, let numbers, let asked = context.asked?.offset else { return nil }
    let end = numbers.last + 1
    let isCovered = numbers.first <= asked && (end > context.kept || end == context.kept && isAll(end, numbers))
    let hasRightLength = answer.framing == .length(numbers.count) || !isLengthDelimited
    let isOfKnownLength = numbers.total == nil || knownLength == nil || numbers.total == knownLength
    let fits = end <= numbers.total ?? knownLength ?? .max
    let mediaType = lowercased(single("content-type", of: answer.head) ?? [])
    let isOneRange = !mediaType.starts(with: "multipart/byteranges".utf8)
    let isOfOneResource = !context.isOtherTarget || numbers.total != nil
    guard isCovered, hasRightLength, isOfKnownLength, fits, isOneRange, isOfOneResource else { return nil }
    return isSameCoding && isSameRepresentation ? numbers : nil
  }

  private func isAll(_ end: Int64, _ numbers: Numbers) -> Bool { (numbers.total ?? knownLength) == end }

  private var isLengthDelimited: Bool { if case .length = answer.framing { true } else { false } }

  private var knownLength: Int64? {
    guard let known, known.head.status != 206, case .length(let length) = known.framing else { return nil }
    return length
  }

  private var isSameCoding: Bool {
    known.map { single("content-encoding", of: $0.head) == single("content-encoding", of: answer.head) } ?? true
  }

  /// The same strong validator; or, where the part has none, samples and nothing that contradicts them.
  private var isSameRepresentation: Bool {
    guard let known else { return context.isSampled }
    let before = strong(known.head)
    if before != nil { return before == strong(answer.head) }
    let (tag, answeredTag) = (single("etag", of: known.head), single("etag", of: answer.head))
    let (date, answeredDate) = (single("last-modified", of: known.head), single("last-modified", of: answer.head))
    if let tag, let answeredTag { return context.isSampled && tag == answeredTag }
    if let date, let answeredDate { return context.isSampled && date == answeredDate }
    return context.isSampled
  }

  private var provesComplete: Bool {
    guard let known, let tag = strong(known.head), answer.head.status == 416, let asked = context.asked?.offset else {
      return false
    }
    let said = single("content-range", of: answer.head).map { lowercased($0) }
    guard asked >= context.kept, said == Array("bytes */\(context.kept)".utf8) else { return false }
    guard knownLength ?? context.kept == context.kept else { return false }
    if let answered = single("etag", of: answer.head) { return answered == tag }
    // What says nothing contradicts nothing.
    guard single("etag", of: known.head) == nil, let date = single("last-modified", of: answer.head) else {
      return true
    }
    return date == single("last-modified", of: known.head)
  }

  // MARK: Fields, read once more

  /// The text of the strong validator: an entity tag without `W/`, or, where there is no tag at all, a date that lies a
  /// minute back.
  private func strong(_ head: ResponseHead) -> [UInt8]? {
    if let tag = single("etag", of: head) { return EntityTag(fieldValue: tag)?.isWeak == false ? tag : nil }
    guard let modified = single("last-modified", of: head), let made = single("date", of: head),
      let one = HTTPDate(fieldValue: modified, now: context.now), one.fieldValue == modified,
      let other = HTTPDate(fieldValue: made, now: context.now)
    else { return nil }
    return other.secondsSince1970 - one.secondsSince1970 >= 60 ? modified : nil
  }

  /// `bytes first-last/total`, every number below 2^63-1.
  private var numbers: Numbers? {
    guard let value = single("content-range", of: answer.head), lowercased(value).starts(with: "bytes ".utf8) else {
      return nil
    }
    let halves = value.dropFirst(6).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let ends = halves[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map { number($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < .max else { return nil }
    if halves[1].elementsEqual("*".utf8) { return Numbers(first: first, last: last, total: nil) }
    guard let total = number(halves[1]), last < total else { return nil }
    return Numbers(first: first, last: last, total: total)
  }

  private func number(_ text: ArraySlice<UInt8>) -> Int64? {
    text.isEmpty || !text.allSatisfy { $0.isDigit } ? nil : Int64(String(decoding: text, as: UTF8.self))
  }

  private func values(_ name: String, of head: ResponseHead) -> [[UInt8]] {
    let lines = (0..<head.fields.count).filter { head.fields.name(at: $0).equalsIgnoringCase(name) }
    return lines.map { head.fields.value(at: $0) }
  }

  /// nil without such a field; nothing that anything equals where lines differ.
  private func single(_ name: String, of head: ResponseHead) -> [UInt8]? {
    let all = values(name, of: head)
    guard let first = all.first else { return nil }
    return all.allSatisfy { $0 == first } ? first : []
  }

  private func lowercased(_ bytes: [UInt8]) -> [UInt8] { bytes.map { $0.lowercased } }
}
