/// Why a naive reader cannot go on.
enum NaiveStop: Error {
  case refused
  case incomplete
}

/// Reads lines and fields of input that is there as a whole, with the leniencies and bounds of
/// `docs/SUPPORTED-HTTP.md` and without any state between calls: a second opinion on the incremental readers.
struct NaiveCursor {
  let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next line without its end: CRLF, or LF alone. `room` is what its section may still take, in bytes.
  mutating func line(room: inout Int) throws(NaiveStop) -> ArraySlice<UInt8> {
    let rest = bytes[position...]
    let feed = rest.firstIndex(of: 0x0A)
    let whole = rest[..<(feed.map { $0 + 1 } ?? rest.endIndex)]
    for index in whole.indices {
      if bytes[index] == 0 { throw .refused }
      if bytes[index] == 0x0D, index + 1 < whole.endIndex, bytes[index + 1] != 0x0A { throw .refused }
    }
    guard whole.count <= 65_536, whole.count <= room else { throw .refused }
    room -= whole.count
    guard feed != nil else { throw .incomplete }
    position = whole.endIndex
    let line = whole.dropLast()
    return line.last == 0x0D ? line.dropLast() : line
  }

  /// Field lines up to the empty line (RFC 9112 §5).
  mutating func fields(room: Int = 262_144) throws(NaiveStop) -> [FieldText] {
    var room = room
    var fields: [FieldText] = []
    while true {
      let line = try line(room: &room)
      guard let first = line.first else { return fields }
      if first.isNaiveBlank {
        guard var field = fields.popLast(), !field.isNaivelyFraming else { throw .refused }
        let more = line.naivelyTrimmed
        if !field.value.isEmpty, !more.isEmpty { field.value.append(0x20) }
        field.value += more
        fields.append(field)
        continue
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex, fields.count < 2_000,
        line[..<colon].allSatisfy({ $0.isNaiveTokenCharacter })
      else { throw .refused }
      fields.append(FieldText(name: Array(line[..<colon]), value: Array(line[(colon + 1)...].naivelyTrimmed)))
    }
  }
}

extension FieldText {
  var isNaivelyFraming: Bool {
    ["content-length", "transfer-encoding", "content-range", "connection"].contains { name.isNaively($0) }
  }
}

extension [FieldText] {
  /// All members of the comma-separated lists with this name.
  func naiveMembers(of name: String) -> [ArraySlice<UInt8>] {
    filter { $0.name.isNaively(name) }.flatMap { field in
      field.value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { $0.naivelyTrimmed }
    }
  }
}
