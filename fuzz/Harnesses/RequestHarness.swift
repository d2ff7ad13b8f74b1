import HTTP1

extension Harness {
  /// A request as it is written: method, target and field lines, with 0x1E between them. What is accepted reads back
  /// equal by a splitter that knows CRLF alone; what would end a line early is never written.
  static let request = Harness("request") { input in
    let records = input.split(separator: 0x1E, omittingEmptySubsequences: false).map { Array($0) }
    guard records.count >= 2, let method = RequestMethod(records[0]) else { return }
    try require(!records[0].isEmpty && records[0].allSatisfy { $0.isNaiveTokenCharacter }, "not a method")
    let isTarget = !records[1].isEmpty && records[1].allSatisfy { (0x21...0x7E).contains($0) }
    var head = RequestHead(method: method, target: records[1])
    try require((head != nil) == isTarget, "a target is VCHAR alone")

    var written: [FieldText] = []
    for record in records.dropFirst(2) {
      let colon = record.firstIndex(of: UInt8(ascii: ":")) ?? record.endIndex
      let field = FieldText(name: Array(record[..<colon]), value: Array(record[colon...].dropFirst()))
      try requireFieldLine(record, field)
      guard let isWritten = head?.append(name: field.name, value: field.value) else { continue }
      try require(isWritten == field.isNaivelyWritable, "\(field) was \(isWritten ? "written" : "refused")")
      if isWritten { written.append(field) }
    }
    guard let bytes = head?.finished() else { return }
    let lines = try splitAtCRLF(bytes)
    let endsEmpty = lines.count == written.count + 3 && lines.suffix(2).allSatisfy { $0.isEmpty }
    try require(endsEmpty, "one empty line, at the end")
    try require(lines[0] == records[0] + [0x20] + records[1] + Array(" HTTP/1.1".utf8), "another request line")
    for (line, field) in zip(lines.dropFirst(), written) {
      try require(line == field.name + Array(": ".utf8) + field.value, "another field line")
    }
    guard bytes.count <= 65_536, written.count <= 2_000 else { return }  // the bounds of what is read
    let read = Fields(section: Array(bytes.dropFirst(lines[0].count + 2)))?.inText
    let expected = written.map { FieldText(name: $0.name, value: Array($0.value[...].naivelyTrimmed)) }
    try require(read == expected, "the fields read back as others")
  }

  /// A line as a person writes it is read as its parts are, without the blanks around the value.
  private static func requireFieldLine(_ text: [UInt8], _ field: FieldText) throws {
    let line = FieldLine(text: text)
    let value = Array(field.value[...].naivelyTrimmed)
    let parts = text.contains(UInt8(ascii: ":")) ? FieldLine(name: field.name, value: value) : nil
    try require(line == parts, "\(String(describing: line)) is not \(String(describing: parts))")
  }

  private static func splitAtCRLF(_ bytes: [UInt8]) throws -> [[UInt8]] {
    var lines: [[UInt8]] = [[]]
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A {
        lines.append([])
        index += 2
      } else {
        try require(![0x00, 0x0A, 0x0D].contains(bytes[index]), "CR, LF or NUL within a line")
        lines[lines.count - 1].append(bytes[index])
        index += 1
      }
    }
    return lines
  }
}

extension FieldText {
  fileprivate var isNaivelyWritable: Bool {
    !name.isEmpty && name.allSatisfy { $0.isNaiveTokenCharacter }
      && value.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }
  }
}
