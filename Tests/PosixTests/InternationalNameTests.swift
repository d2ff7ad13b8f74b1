import Posix
import Testing

struct InternationalNameTests {
  static let isAvailable = InternationalName.ascii("a".bytes) != .unavailable

  struct Row: Sendable { let name: String, ascii: String?, because: String }  // nil: must be invalid

  static let rows = [
    Row(name: "bücher.example", ascii: "xn--bcher-kva.example", because: "one letter beyond ASCII"),
    Row(name: "BÜCHER.example", ascii: "xn--bcher-kva.example", because: "mapped to lower case (UTS #46)"),
    Row(name: "bu\u{308}cher.example", ascii: "xn--bcher-kva.example", because: "normalised (NFC)"),
    Row(name: "faß.example", ascii: "xn--fa-hia.example", because: "nontransitional: not fass"),
    Row(name: "日本語。example", ascii: "xn--wgv71a119e.example", because: "an ideographic full stop is a dot"),
    Row(name: "example.com", ascii: "example.com", because: "ASCII stays"),
    Row(name: "", ascii: nil, because: "empty"),
    Row(name: "ü\0.example", ascii: nil, because: "NUL would cut it short"),
    Row(name: "ü.example.", ascii: "xn--tda.example.", because: "the root's dot"),
    Row(name: "_ü.example", ascii: "xn--_-eha.example", because: "an underscore"),
    Row(name: "ü..example", ascii: nil, because: "an empty label"),
    Row(name: ".ü.example", ascii: nil, because: "an empty label first"),
    Row(name: "ü.evil／example", ascii: nil, because: "a full-width slash becomes a slash"),
    Row(name: "ü＠example", ascii: nil, because: "a full-width at sign"),
    Row(name: "ü.example：80", ascii: nil, because: "a full-width colon"),
    Row(name: "ü.a／b＃c？d", ascii: nil, because: "everything that ends a host"),
    Row(name: "ü.a b", ascii: nil, because: "a blank"),
    Row(name: "ü.a\r\nX: y", ascii: nil, because: "the start of another field"),
    Row(name: "ü.a%2Fb", ascii: nil, because: "percent-encoding is the URI's, and undone before"),
    Row(name: "-ü.example", ascii: nil, because: "a hyphen first (RFC 5891 §4.2.3.1)"),
    Row(name: "\u{308}a.example", ascii: nil, because: "a combining mark first (RFC 5891 §4.2.3.2)"),
    Row(name: "a\u{2603}b\u{E000}.example", ascii: nil, because: "a private-use character"),
    Row(name: String(repeating: "ü", count: 64) + ".example", ascii: nil, because: "a label over 63 bytes"),
    Row(
      name: Array(repeating: "ümlaut-ümlaut", count: 20).joined(separator: "."), ascii: nil,
      because: "a name over 253 bytes"),
  ]

  @Test(.enabled(if: isAvailable), arguments: rows) func converts(_ row: Row) {
    let expected = row.ascii.map { InternationalName.Outcome.ascii($0.bytes) } ?? .invalid
    #expect(InternationalName.ascii(row.name.bytes) == expected, "\(row.because)")
  }

  @Test(.enabled(if: isAvailable), arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]])
  func refusesWhatIsNotUTF8(_ bytes: [UInt8]) {
    #expect(InternationalName.ascii(bytes + ".example".bytes) == .invalid)
  }
}
