import Foundation
import Testing

@testable import RawGet

/// Whatever bytes go in: a line of JSON comes out, which reads back, and which no terminal obeys.
struct JSONObjectTests {
  struct Row: CustomTestStringConvertible {
    let bytes: [UInt8]
    let text: String
    let because: String
    var testDescription: String { because }

    init(_ string: String, _ text: String, _ because: String) {
      self.init(bytes: Array(string.utf8), text: text, because: because)
    }
    init(bytes: [UInt8], text: String, because: String) {
      self.bytes = bytes
      self.text = text
      self.because = because
    }
  }

  static let rows = [
    Row("", "", "nothing"),
    Row("plain/path.bin", "plain/path.bin", "nothing to escape, the slash neither"),
    Row(#"a"b\c"#, #"a\"b\\c"#, "what JSON itself needs"),
    Row("\u{1B}[31m\n\r\t\0", #"\u001b[31m\u000a\u000d\u0009\u0000"#, "C0 controls: a line stays a line"),
    Row("\u{7F}\u{9B}", #"\u007f\u009b"#, "DEL and C1: CSI is one of them"),
    Row("é上🎉", "é上🎉", "UTF-8 stays, beyond the first plane too"),
    Row("\u{202E}gpj.exe\u{2066}", #"\u202egpj.exe\u2066"#, "marks that turn the direction"),
    Row("\u{2028}\u{2029}\u{FEFF}", #"\u2028\u2029\ufeff"#, "line separators, and a byte order mark"),
    Row(bytes: [0x61, 0xFF, 0x62], text: #"a\ufffdb"#, because: "a byte that is not UTF-8"),
    Row(bytes: [0xC3], text: #"\ufffd"#, because: "a sequence that is cut"),
    Row(bytes: [0xC0, 0x80], text: #"\ufffd\ufffd"#, because: "an overlong NUL"),
  ]

  @Test(arguments: rows) func escapes(_ row: Row) throws {
    var object = JSONObject()
    object.add("s", row.bytes)
    let line = object.line.bytes
    #expect(String(decoding: line, as: UTF8.self) == "{\"s\":\"\(row.text)\"}\n", "\(row.because)")
    let read = try JSONSerialization.jsonObject(with: Data(line)) as? [String: String]
    #expect(read == ["s": String(decoding: row.bytes, as: UTF8.self)], "\(row.because)")
  }

  @Test func everyByteReadsBack() throws {
    for byte in UInt8.min...UInt8.max {
      var object = JSONObject()
      object.add("s", [byte])
      let line = object.line.bytes
      #expect(line.filter { $0 < 0x20 } == [0x0A], "byte \(byte)")
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line)) }
    }
  }

  @Test func everyKindOfMember() {
    var inner = JSONObject()
    inner.add("a", 1)
    var object = JSONObject()
    object.add("n", -9_223_372_036_854_775_808)
    object.add("yes", true)
    object.add("no", false)
    object.add("words", "x")
    object.add("none", strings: [])
    object.add("strings", strings: [[0x61], [0x22]])
    object.add("objects", objects: [inner, inner])
    let text = String(decoding: object.line.bytes, as: UTF8.self)
    #expect(
      text == #"{"n":-9223372036854775808,"yes":true,"no":false,"words":"x","none":[],"strings":["a","\""],"#
        + #""objects":[{"a":1},{"a":1}]}"# + "\n")
    #expect(String(decoding: JSONObject().line.bytes, as: UTF8.self) == "{}\n")
  }
}
