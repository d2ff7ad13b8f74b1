import HTTP1

@testable import RawGet

/// `NAME.part.meta`: what is read is a record as this version writes it, to the byte; what is written reads back equal.
///
/// The input is the bytes of a record, whose first line that says `Check: ?` is completed. A first byte of 0x01 makes its
/// other lines values instead: target, origin, entity tag, Last-Modified, Date, media type, coding, boot, and numbers.
extension Harness {
  static let partRecord = Harness("part-record") { input in
    guard input.first == 1 else { return try requireExact(withCheck(input)) }
    guard let record = record(of: input.dropFirst()), let bytes = record.serialized() else { return }
    try require(bytes.count <= PartRecord.sizeLimit, "longer than what would be read")
    try require(PartRecord(bytes: bytes) == record, "what was written reads back as something else")
    try requireTearingShows(bytes, at: Int(record.durableLength))
  }
}

/// nil, or a record that is written with these bytes.
private func requireExact(_ bytes: [UInt8]) throws {
  guard let record = PartRecord(bytes: bytes) else { return }
  try require(record.serialized() == bytes, "a record is read that nobody writes like that")
  try require(bytes.count <= PartRecord.sizeLimit, "a record beyond the bound is read")
  try require(record.durableLength >= 0 && record.representation.completeLength ?? 0 >= 0, "a length below zero")
  try requireTearingShows(bytes, at: bytes.count / 2)
}

/// Cut, with zeros from there on, with a bit changed, or with something behind it, a record is none.
private func requireTearingShows(_ bytes: [UInt8], at place: Int) throws {
  let place = place % bytes.count
  try require(PartRecord(bytes: Array(bytes[..<place])) == nil, "a cut record is read")
  let zeros = [UInt8](repeating: 0, count: bytes.count - place)
  try require(PartRecord(bytes: bytes[..<place] + zeros) == nil, "a record with zeros is read")
  var flipped = bytes
  flipped[place] ^= 1
  try require(PartRecord(bytes: flipped) == nil, "a damaged record is read")
  try require(PartRecord(bytes: bytes + [.cr, .lf]) == nil, "a record with something behind it is read")
}

/// So that a mutation of a readable seed comes further than to its checksum.
private func withCheck(_ input: [UInt8]) -> [UInt8] {
  let mark = Array("Check: ".utf8)
  guard
    let start = input.indices.first(where: { input[$0...].starts(with: mark + [UInt8(ascii: "?")]) })
  else { return input }
  let digits = String(fingerprint(input[..<start]), radix: 16)
  let padded = String(repeating: "0", count: 16 - digits.utf8.count) + digits
  return input[..<start] + mark + Array(padded.utf8) + input[(start + mark.count + 1)...]
}

private func record(of input: ArraySlice<UInt8>) -> PartRecord? {
  let lines = input.split(separator: .lf, maxSplits: 8, omittingEmptySubsequences: false).map { Array($0) }
  guard lines.count == 9 else { return nil }
  func value(_ index: Int) -> [UInt8]? { lines[index].isEmpty ? nil : trimmed(lines[index]) }
  var fields = RepresentationFields(Fields())
  (fields.entityTag, fields.lastModified, fields.date) = (value(2), value(3), value(4))
  (fields.mediaType, fields.contentCoding) = (value(5), value(6))
  var numbers = Choices(lines[8], count: lines[8].count)
  var number: Int64 = 0
  for _ in 0..<8 { number = number << 8 | Int64(numbers.byte()) }
  fields.completeLength = numbers.flag() ? Int64(numbers.byte()) << (number & 0x37) : nil
  return PartRecord(
    target: TargetIdentity(text: trimmed(lines[0]), queryHash: numbers.flag() ? UInt64(bitPattern: number) : nil),
    finalOrigin: trimmed(lines[1]), representation: fields, durableLength: number & .max, boot: trimmed(lines[7]),
    owner: Int32(truncatingIfNeeded: number & 0x7FFF_FFFF))
}

/// A field value has no OWS around it (RFC 9110 §5.5): what was received or composed never has.
private func trimmed(_ bytes: [UInt8]) -> [UInt8] { Array(bytes[trimmingBlanks(bytes.span, in: bytes.indices)]) }
