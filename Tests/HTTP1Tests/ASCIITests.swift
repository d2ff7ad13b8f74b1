import Testing

@testable import HTTP1

/// The character classes of RFC 9110 §5.6 and RFC 5234, each over all 256 bytes.
struct ASCIITests {
  static let everyByte = (0...255).map { UInt8($0) }

  @Test func classesHoldExactlyTheirBytes() {
    let digits = "0123456789"
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    let hold = { (member: (UInt8) -> Bool) in text(ASCIITests.everyByte.filter(member)) }
    #expect(hold { $0.isDigit } == digits)
    #expect(Set(hold { $0.isLetter }) == Set(letters))
    #expect(hold { $0.isBlank } == "\t ")
    #expect(Set(hold { $0.isTokenCharacter }) == Set("!#$%&'*+-.^_`|~" + digits + letters))
  }

  @Test func hexadecimalDigitsCountInEitherCase() {
    let values = ASCIITests.everyByte.compactMap { byte in byte.hexadecimalValue.map { (byte, $0) } }
    #expect(text(values.map(\.0)) == "0123456789ABCDEFabcdef")
    #expect(values.map(\.1) == Array(0...9) + Array(10...15) + Array(10...15))
  }

  @Test func onlyAsciiLettersChangeCase() {
    let changed = ASCIITests.everyByte.filter { $0.lowercased != $0 }
    #expect(text(changed) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    #expect(text(changed.map(\.lowercased)) == "abcdefghijklmnopqrstuvwxyz")
  }

  struct NumberRow {
    let digits: String
    let value: Int64?  // nil: must be refused
    let because: String
  }

  static let numbers = [
    NumberRow(digits: "0", value: 0, because: "the smallest"),
    NumberRow(digits: "0042", value: 42, because: "leading zeros are part of 1*DIGIT, and not octal"),
    NumberRow(digits: "2147483648", value: 1 << 31, because: "2^31 (T12)"),
    NumberRow(digits: "4294967296", value: 1 << 32, because: "2^32 (T12)"),
    NumberRow(digits: "9007199254740993", value: 1 << 53 + 1, because: "2^53+1, which no Double holds (T12, T13)"),
    NumberRow(digits: "9223372036854775807", value: .max, because: "2^63-1 (T12)"),
    NumberRow(digits: String(repeating: "0", count: 500) + "7", value: 7, because: "zeros never overflow"),
    NumberRow(digits: "9223372036854775808", value: nil, because: "2^63: the sum overflows"),
    NumberRow(digits: "18446744073709551621", value: nil, because: "2^64+5 may not wrap to 5"),
    NumberRow(digits: "92233720368547758070", value: nil, because: "the product overflows"),
    NumberRow(digits: "", value: nil, because: "1*DIGIT, not *DIGIT"),
    NumberRow(digits: "-1", value: nil, because: "no sign"),
    NumberRow(digits: "+1", value: nil, because: "no sign"),
    NumberRow(digits: " 1", value: nil, because: "no blank before"),
    NumberRow(digits: "1 ", value: nil, because: "no blank after"),
    NumberRow(digits: "0x1", value: nil, because: "not hexadecimal"),
    NumberRow(digits: "1e3", value: nil, because: "no exponent"),
    NumberRow(digits: "1.0", value: nil, because: "no point"),
    NumberRow(digits: "1_0", value: nil, because: "no separator"),
    NumberRow(digits: "\u{B2}", value: nil, because: "a superscript two is no DIGIT"),
  ]

  @Test(arguments: numbers) func readsNumbers(_ row: NumberRow) {
    #expect(decimalValue(bytes(row.digits)) == row.value)
  }

  static let written: [Int64] = [0, 1, -1, 1 << 31, 1 << 53 + 1, .max, .min]

  @Test(arguments: written) func writesNumbers(_ value: Int64) {
    #expect(text(value.decimalDigits) == "\(value)")
  }

  @Test func comparesWithAndWithoutCase() {
    #expect(bytes("ChUnKeD").equalsIgnoringCase("chunked"))
    #expect(!bytes("chunkedx").equalsIgnoringCase("chunked"))
    #expect(!bytes("chunke").equalsIgnoringCase("chunked"))
    #expect(!bytes("\u{EB}eep").equalsIgnoringCase("keep"))
    #expect(bytes("GET").equals("GET"))
    #expect(!bytes("get").equals("GET"))
  }

  @Test func blanksAreCutFromBothEndsOnly() {
    let cases = [("  a b\t", 2..<5), ("", 0..<0), (" \t ", 3..<3), ("a", 0..<1), ("\u{A0}a", 0..<2)]
    for (padded, kept) in cases {
      let padded = bytes(padded)
      #expect(trimmingBlanks(padded.span, in: padded.indices) == kept)
    }
  }
}
