/// The field lines of one head or trailer section, in the order in which they came (RFC 9110 §5.3).
///
/// Names and values stay where they were received, in one array; a line is four offsets into it.
public struct Fields: Sendable {
  struct Line: Sendable {
    var name: Range<Int>
    var value: Range<Int>
  }

  private var bytes: [UInt8]
  private var lines: [Line]

  public init() {
    bytes = []
    lines = []
  }

  init(bytes: [UInt8], lines: [Line]) {
    self.bytes = bytes
    self.lines = lines
  }

  /// Reads field lines up to the empty line that must end them, and nothing behind it; nil for anything else. The same
  /// rules and bounds as for a head: meant for files that are written in field syntax.
  public init?(section: [UInt8]) {
    var reader = FieldSection(continuing: LineCollector(), lineNumber: 0)
    var position = 0
    do throws(ProtocolError) {
      guard try reader.didReceive(section.span, at: &position), position == section.count else { return nil }
    } catch {
      return nil
    }
    self = reader.takeFields()
  }

  public var count: Int { lines.count }

  /// The name as it was received.
  public func name(at index: Int) -> [UInt8] { Array(bytes[lines[index].name]) }

  /// The value without the OWS around it; a fold inside it has become one SP (RFC 9112 §5.2).
  public func value(at index: Int) -> [UInt8] { Array(bytes[lines[index].value]) }

  /// The value of the first line with this name.
  public func value(of name: FieldName) -> [UInt8]? {
    guard let index = firstIndex(of: name, from: 0) else { return nil }
    return value(at: index)
  }

  /// The value, if every line with this name has the same: a field that may stand only once
  /// proves nothing when two lines differ.
  public func singleValue(of name: FieldName) -> [UInt8]? {
    guard let first = firstIndex(of: name, from: 0) else { return nil }
    let value = value(at: first)
    var index = first + 1
    while let next = firstIndex(of: name, from: index) {
      guard bytes[lines[next].value].elementsEqual(value) else { return nil }
      index = next + 1
    }
    return value
  }

  public func contains(_ name: FieldName) -> Bool { firstIndex(of: name, from: 0) != nil }

  /// The members of a comma-separated list field over all its lines, OWS cut, empty ones included
  /// (RFC 9110 §5.6.1). Quoted strings are not looked into: meant for lists of tokens and numbers.
  public func members(of name: FieldName) -> [[UInt8]] {
    var members: [[UInt8]] = []
    forEachMember(of: name) { members.append(Array($0)) }
    return members
  }

  /// The same members, one after the other: a list of many thousands costs no memory.
  func forEachMember<Failure>(
    of name: FieldName, _ body: (ArraySlice<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var index = 0
    while let line = firstIndex(of: name, from: index) {
      let value = lines[line].value
      var start = value.lowerBound
      for end in value.lowerBound...value.upperBound {
        guard end == value.upperBound || bytes[end] == UInt8(ascii: ",") else { continue }
        try body(bytes[trimmingBlanks(bytes.span, in: start..<end)])
        start = end + 1
      }
      index = line + 1
    }
  }

  /// The first line with this name from the line at `start` on.
  func firstIndex(of name: FieldName, from start: Int) -> Int? {
    guard let first = name.text.utf8.first?.lowercased else { return nil }
    let length = name.text.utf8.count
    var index = start
    while index < lines.count {
      let range = lines[index].name
      if range.count == length, bytes[range.lowerBound].lowercased == first, name.matches(bytes.span, in: range) {
        return index
      }
      index += 1
    }
    return nil
  }
}
