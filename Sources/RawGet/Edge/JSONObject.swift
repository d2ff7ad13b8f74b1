internal import HTTP1

/// A JSON object under construction, on one line (RFC 8259 §4). Its text is UTF-8 without anything
/// that a terminal or a line reader would take for something else, whatever bytes its strings came from.
package struct JSONObject {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  package init() {}

  @inline(never) package mutating func add(_ name: String, _ string: [UInt8]) {
    begin(name)
    addString(string)
  }

  @inline(never) package mutating func add(_ name: String, _ words: String) { add(name, Array(words.utf8)) }

  @inline(never) package mutating func add(_ name: String, _ number: Int64) {
    begin(name)
    bytes += number.decimalDigits
  }

  @inline(never) package mutating func add(_ name: String, _ truth: Bool) {
    begin(name)
    bytes += Array((truth ? "true" : "false").utf8)
  }

  package mutating func add(_ name: String, strings: [[UInt8]]) {
    begin(name)
    for (index, string) in strings.enumerated() {
      bytes.append(UInt8(ascii: index == 0 ? "[" : ","))
      addString(string)
    }
    endList(isEmpty: strings.isEmpty)
  }

  package mutating func add(_ name: String, objects: [JSONObject]) {
    begin(name)
    for (index, object) in objects.enumerated() {
      bytes.append(UInt8(ascii: index == 0 ? "[" : ","))
      bytes += object.bytes + [UInt8(ascii: "}")]
    }
    endList(isEmpty: objects.isEmpty)
  }

  /// The object, and the end of its line.
  package var line: Text {
    var text = Text(harmless: bytes)
    text.add("}\n")
    return text
  }

  private mutating func endList(isEmpty: Bool) { bytes += Array((isEmpty ? "[]" : "]").utf8) }

  private mutating func begin(_ name: String) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    addString(Array(name.utf8))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func addString(_ string: [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in String(decoding: string, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
      default: if JSONObject.isEscaped(scalar) { addEscaped(scalar) } else { bytes += Array(scalar.utf8) }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Controls, what ends a line or turns its direction, and what stands for bytes that are not UTF-8.
  private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFD: true
    default: false
    }
  }

  /// All of them have four digits.
  private mutating func addEscaped(_ scalar: Unicode.Scalar) {
    let digits = Array("0123456789abcdef".utf8)
    bytes += Array("\\u".utf8)
    for shift: UInt32 in [12, 8, 4, 0] { bytes.append(digits[Int(scalar.value >> shift & 15)]) }
  }
}
