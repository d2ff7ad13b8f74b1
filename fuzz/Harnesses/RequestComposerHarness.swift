import HTTP1

@testable import RawGet

/// `RequestComposer.head`: whatever target, fields, range and validator a caller or a server chose, a request has one
/// request line, one Host and no line that anyone smuggled in (RFC 9112 §3, §2.2), and secrets stay at their origin.
///
/// The input is lines: the target, a redirect's Location (empty for none), an entity tag, then fields; then the decisions:
/// ten bytes of a range.
extension Harness {
  static let requestComposer = Harness("request-composer") { input in
    var choices = Choices(input, count: 10)
    let lines = choices.text.split(separator: .lf, omittingEmptySubsequences: false).map { Array($0) }
    guard let original = try? TargetURI(text: lines[0], translation: asciiSpelling) else { return }
    let location = lines.dropFirst().first ?? []
    let next = location.isEmpty ? nil : try? original.resolving(reference: location, translation: asciiSpelling)
    let target = next ?? original
    let leftOrigin = target.origin != original.origin
    var request = DownloadRequest(target: original, destination: .standardOutput)
    request.fields = lines.dropFirst(3).compactMap { CallerField(text: $0) }.filter { !$0.isOwned }
    let range = chosenRange(lines.dropFirst(2).first ?? [], &choices)
    guard
      let head = RequestComposer.head(
        for: request, target: target, leftOrigin: leftOrigin, userAgent: Array("fuzz".utf8), .init(range: range))
    else { throw Violation(description: "a request that was read can't be sent") }
    let fields = try requireRequest(head, for: target)
    try requireRange(fields, range)
    if leftOrigin { try requireNoSecret(fields) }
  }
}

/// One request line, and a section of fields that reads back; returns that.
private func requireRequest(_ head: [UInt8], for target: TargetURI) throws -> Fields {
  let line = Array("GET ".utf8) + target.requestTarget + Array(" HTTP/1.1\r\n".utf8)
  try require(head.starts(with: line), "the request line is another")
  let ends = head.indices.filter { head[$0] == .lf || head[$0] == .cr }
  try require(ends.count % 2 == 0, "a bare CR or LF")
  for (number, place) in ends.enumerated() where head[place] != (number % 2 == 0 ? .cr : .lf) {
    throw Violation(description: "CR and LF out of turn")
  }
  try require(!head.contains(0), "a NUL")
  guard let fields = Fields(section: Array(head[line.count...])) else {
    throw Violation(description: "the fields do not read back")
  }
  for name in [FieldName.host, .acceptEncoding] {
    let values = (0..<fields.count).filter { fields.name(at: $0).equalsIgnoringCase(name.text) }
    try require(values.count == 1, "\(values.count) fields named \(name.text)")
  }
  try require(fields.value(of: .host) == target.hostField, "another Host")
  try require(fields.value(of: .acceptEncoding)?.elementsEqual("identity".utf8) == true, "a coding is asked for")
  for name in [FieldName.contentLength, .transferEncoding, .connection] {
    try require(!fields.contains(name), "a GET has \(name.text)")
  }
  return fields
}

/// If-Range only with Range, and only with a strong validator (RFC 9110 §13.1.5).
private func requireRange(_ fields: Fields, _ range: RangeRequest?) throws {
  try require(fields.value(of: .range) == range?.range.fieldValue, "another range")
  let condition = fields.value(of: .ifRange)
  try require(condition == range?.validator?.fieldValue, "another condition")
  guard let condition, condition.last == UInt8(ascii: "\"") else { return }
  try require(EntityTag(fieldValue: condition)?.isWeak == false, "a condition that proves nothing")
}

/// A redirect led to another origin: nothing that may be a credential goes there.
private func requireNoSecret(_ fields: Fields) throws {
  let sent = [
    "Host", "User-Agent", "Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "Pragma", "Want-Repr-Digest",
    "Range", "If-Range",
  ]
  for index in 0..<fields.count {
    let name = fields.name(at: index)
    try require(sent.contains { name.equalsIgnoringCase($0) }, "\(String(decoding: name, as: UTF8.self)) is sent away")
  }
}

private func chosenRange(_ tag: [UInt8], _ choices: inout Choices) -> RangeRequest? {
  let kind = choices.number(below: 4)
  var first: Int64 = 0
  for _ in 0..<8 { first = first << 8 | Int64(choices.byte()) }
  first &= .max
  let count = Int64(choices.byte())
  let range: ByteRange
  switch kind {
  case 1: range = .from(first)
  case 2: range = .closed(first: first, last: first.addingReportingOverflow(count).overflow ? .max : first + count)
  case 3: range = .suffix(length: first)
  default: return nil
  }
  let validator = Validator(entityTag: tag.isEmpty ? nil : tag, lastModified: nil, date: nil, now: 0)
  return RangeRequest(range: range, validator: validator)
}
