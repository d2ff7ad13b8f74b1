/// Reads field lines up to the empty line that ends a head or a trailer section (RFC 9112 §5).
///
///     reading ──empty line──▶ complete
///        └──any broken rule──▶ throws
///
/// Granted: LF alone as line end, and obs-fold on fields that do not frame the message.
struct FieldSection: ~Copyable {
  static let fieldLimit = 2_000  // field lines
  private static let usualCount = 32  // field lines, enough for most heads without growing

  private var collector: LineCollector
  private var lines: [Fields.Line] = []
  private var lineNumber: Int
  private var isComplete = false

  /// `collector` may hold a status line already; `lineNumber` is that of the last line taken.
  init(continuing collector: LineCollector, lineNumber: Int) {
    self.collector = collector
    self.lineNumber = lineNumber
    lines.reserveCapacity(FieldSection.usualCount)
  }

  /// Takes bytes from `position` on; true when the empty line was among them.
  mutating func didReceive(_ input: Span<UInt8>, at position: inout Int) throws(ProtocolError) -> Bool {
    while !isComplete {
      guard let line = try collector.nextLine(from: input, at: &position) else { return false }
      lineNumber += 1
      if line.isEmpty {
        isComplete = true
      } else if collector.bytes[line.lowerBound].isBlank {
        try didReadFold(line)
      } else {
        try didReadField(line)
      }
    }
    return true
  }

  private mutating func didReadField(_ line: Range<Int>) throws(ProtocolError) {
    guard lines.count < FieldSection.fieldLimit else { throw .tooManyFields(limit: FieldSection.fieldLimit) }
    guard let field = FieldSection.split(line, of: collector.bytes.span) else {
      throw .invalidFieldLine(line: lineNumber)
    }
    lines.append(field)
  }

  /// Name and value of `field-name ":" OWS field-value OWS`; nil for anything else.
  private static func split(_ line: Range<Int>, of bytes: Span<UInt8>) -> Fields.Line? {
    var colon = line.lowerBound
    while colon < line.upperBound, bytes[colon].isTokenCharacter { colon += 1 }
    guard colon > line.lowerBound, colon < line.upperBound, bytes[colon] == UInt8(ascii: ":") else { return nil }
    let value = trimmingBlanks(bytes, in: (colon + 1)..<line.upperBound)
    return Fields.Line(name: line.lowerBound..<colon, value: value)
  }

  /// A line that begins with a blank continues the value before it (RFC 9112 §5.2).
  private mutating func didReadFold(_ line: Range<Int>) throws(ProtocolError) {
    guard var field = lines.popLast() else { throw .invalidFieldLine(line: lineNumber) }
    if FieldName.isFraming(collector.bytes.span, in: field.name) { throw .foldedFramingField }
    field.value = collector.join(field.value, with: trimmingBlanks(collector.bytes.span, in: line))
    lines.append(field)
  }

  mutating func takeFields() -> Fields {
    let taken = Fields(bytes: collector.takeBytes(), lines: lines)
    lines = []
    return taken
  }
}
