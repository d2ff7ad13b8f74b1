import HTTP1
import Testing

@testable import RawGet

/// `NAME.part.meta`: reads back equal, or not at all; holds no secret and nothing that was injected.
struct PartRecordTests {
  static func record(
    _ lines: [String] = Known.strong, target: String = "http://example.org/x", mixedUnder: String? = nil
  ) throws -> PartRecord {
    let representation = try Known.representation(lines)
    return PartRecord(
      target: TargetIdentity(try Known.target(target)), finalOrigin: Array("http://example.org".utf8),
      representation: representation.fields, mixedUnder: mixedUnder.map { Array($0.utf8) }, durableLength: 65_536,
      boot: Array("4f2c-boot".utf8), owner: 4_242)
  }

  /// The record as another text with a check that agrees.
  private static func rechecked(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    let digits = String(fingerprint(bytes), radix: 16)
    return bytes + Array("Check: \(String(repeating: "0", count: 16 - digits.count))\(digits)\r\n\r\n".utf8)
  }

  private static func text(_ record: PartRecord) throws -> String {
    String(decoding: try #require(record.serialized()), as: UTF8.self)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let change: @Sendable (String) -> String
    let because: String
    var testDescription: String { because }
  }

  /// What a text with a check that agrees must have besides.
  static let otherTexts = [
    Row(change: { $0.replacing("Rawget-Part: 1", with: "Rawget-Part: 2") }, because: "a version from later"),
    Row(change: { $0.replacing("Rawget-Part: 1", with: "Rawget-Part: 0") }, because: "one that never was"),
    Row(change: { $0.replacing("Rawget-Part: 1", with: "Rawget-Part: 01") }, because: "not as this version writes it"),
    Row(change: { $0.replacing("Rawget-Part: 1\r\n", with: "") }, because: "no version"),
    Row(change: { $0 + "Rawget-Part: 2\r\n" }, because: "two versions"),
    Row(change: { $0.replacing("Target: http://example.org/x\r\n", with: "") }, because: "no target"),
    Row(change: { $0.replacing("Durable-Length: 65536\r\n", with: "") }, because: "no durable length"),
    Row(change: { $0.replacing("65536", with: "-1") }, because: "a negative durable length"),
    Row(change: { $0.replacing("65536", with: "9223372036854775808") }, because: "T12: a durable length of 2^63"),
    Row(change: { $0.replacing("65536", with: "65536.0") }, because: "T13: no floating point"),
    Row(change: { $0.replacing("65536", with: "065536") }, because: "not as this version writes it"),
    Row(change: { $0.replacing("Owner: 4242\r\n", with: "") }, because: "no owner"),
    Row(change: { $0.replacing("4242", with: "4294971538") }, because: "T12: an owner beyond 2^31"),
    Row(change: { $0 + "ETag: \"b\"\r\n" }, because: "a second tag"),
    Row(change: { $0 + "Mixed-Under: sha-256=00\r\n" }, because: "a mix, said in another place than this version does"),
    Row(change: { $0 + "Unknown: x\r\n" }, because: "a field that this version does not write"),
    Row(change: { $0.replacing("\r\n", with: "\n") }, because: "other line ends"),
    Row(change: { $0.replacing("Boot: ", with: "Boot:  ") }, because: "another blank"),
    Row(change: { _ in "" }, because: "nothing but a check"),
  ]

  @Test(arguments: otherTexts) func refuses(_ row: Row) throws {
    let text = try Self.text(Self.record())
    let body = String(text[..<(try #require(text.firstRange(of: "Check: "))).lowerBound])
    #expect(PartRecord(bytes: Self.rechecked(body)) != nil, "unchanged it is read")
    #expect(PartRecord(bytes: Self.rechecked(row.change(body))) == nil, "\(row.because)")
  }

  @Test func anyByteThatIsCutOrOtherMakesItAbsent() throws {
    let bytes = try #require(Self.record(Known.strongDate, target: "http://example.org/x?q").serialized())
    for count in bytes.indices where PartRecord(bytes: Array(bytes[..<count])) != nil {
      Issue.record("T16 T17: cut to \(count) of \(bytes.count) bytes")
    }
    for index in bytes.indices {
      for bit in 0..<8 {
        var flipped = bytes
        flipped[index] ^= 1 << bit
        if PartRecord(bytes: flipped) != nil { Issue.record("bit \(bit) of byte \(index) is flipped") }
      }
      var torn = bytes
      for later in torn.indices[index...] { torn[later] = 0 }
      if PartRecord(bytes: torn) != nil { Issue.record("zeros from byte \(index) on") }
    }
    #expect(PartRecord(bytes: bytes + bytes) == nil, "twice")
    #expect(PartRecord(bytes: bytes + [0x0A]) == nil, "a byte behind it")
    #expect(PartRecord(bytes: []) == nil, "an empty file")
    #expect(PartRecord(bytes: bytes) != nil, "as it is written, it is read")
  }

  @Test func everyOtherByteMakesItAbsent() throws {
    let bytes = try #require(Self.record().serialized())
    for index in bytes.indices {
      for value in UInt8.min...UInt8.max where value != bytes[index] {
        var changed = bytes
        changed[index] = value
        if PartRecord(bytes: changed) != nil { Issue.record("byte \(index) is \(value)") }
      }
    }
  }

  static let injections = [
    "a\r\nDurable-Length: 9", "a\nETag: \"b\"", "a\r", "a\u{0}b", "\u{7F}", "a\u{1}", "a\r\n\r\n", "Check: 0\r\n",
  ]

  @Test(arguments: injections) func aValueThatIsNoFieldValueIsNeverWritten(_ value: String) throws {
    let bytes = Array(value.utf8)
    let changes: [(inout PartRecord) -> Void] = [
      { $0.target = TargetIdentity(text: bytes, queryHash: nil) }, { $0.finalOrigin = bytes }, { $0.boot = bytes },
      { $0.representation.entityTag = bytes }, { $0.representation.lastModified = bytes },
      { $0.representation.date = bytes }, { $0.representation.mediaType = bytes },
      { $0.representation.contentCoding = bytes }, { $0.mixedUnder = bytes },
    ]
    for (index, change) in changes.enumerated() {
      var record = try Self.record()
      change(&record)
      #expect(record.serialized() == nil, "value \(index)")
    }
  }

  @Test func aValueThatLooksLikeTheCheckIsOnlyAValue() throws {
    var record = try Self.record()
    record.representation.mediaType = Array("x; y=\"Check: 0123456789abcdef\"".utf8)
    let bytes = try #require(record.serialized())
    #expect(PartRecord(bytes: bytes) == record)
  }

  @Test func whatIsTooLongToReadIsNotWritten() throws {
    var record = try Self.record()
    let room = PartRecord.sizeLimit - (try #require(record.serialized())).count - "Content-Type: \r\n".utf8.count
    record.representation.mediaType = [UInt8](repeating: 0x61, count: room)
    #expect(record.serialized().flatMap { PartRecord(bytes: $0) } == record, "the longest that fits")
    record.representation.mediaType?.append(0x61)
    #expect(record.serialized() == nil, "a byte more")
  }

  @Test func holdsNoSecret() throws {
    let secret = "http://someone:Pa55word@example.org/dir/x.zip?X-Signature=deadbeef&token=T0ken#fragment"
    var record = try Self.record(target: secret)
    let served = try Known.target("https://cdn.example/y?Policy=s3cret")
    record.finalOrigin = served.scheme.text + Array("://".utf8) + served.hostField
    let text = try Self.text(record)
    for word in ["someone", "Pa55word", "Signature", "deadbeef", "token", "T0ken", "s3cret", "Policy", "?", "@"] {
      #expect(!text.contains(word), "\(word) is in the record")
    }
    #expect(text.contains("Target: http://example.org/dir/x.zip\r\n"), "what is asked for can be shown")
    #expect(PartRecord(bytes: Array(text.utf8))?.target == TargetIdentity(try Known.target(secret)))
  }

  /// A mix that reads as a part of one representation would be continued without its digest.
  @Test func aMixSaysSo() throws {
    let record = try Self.record(mixedUnder: "sha-256=c0ffee")
    let text = try Self.text(record)
    #expect(text.contains("\r\nMixed-Under: sha-256=c0ffee\r\n"))
    #expect(PartRecord(bytes: Array(text.utf8))?.mixedUnder == Array("sha-256=c0ffee".utf8))
    #expect(try !Self.text(Self.record()).contains("Mixed"), "others are as they were")
    let body = String(text[..<(try #require(text.firstRange(of: "Check: "))).lowerBound])
    for said in ["Mixed-Under: \r\n", "Mixed-Under: nonsense\r\n"] {
      let changed = PartRecord(bytes: Self.rechecked(body.replacing("Mixed-Under: sha-256=c0ffee\r\n", with: said)))
      #expect(changed?.mixedUnder != nil, "whatever it is mixed under, it is a mix")
    }
  }

  @Test func readsBackEqual() throws {
    var random = SeededGenerator(seed: 16)
    for number in 0..<1_000 {
      let record = try RandomRecord.record(&random)
      let bytes = try #require(record.serialized())
      if PartRecord(bytes: bytes) != record {
        Issue.record("record \(number): \(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }
}

/// Records of any values that a response or a system may give.
private enum RandomRecord {
  static func record(_ random: inout SeededGenerator) throws -> PartRecord {
    var fields = RepresentationFields(Fields())
    fields.entityTag = value(&random, most: 60)
    fields.lastModified = value(&random, most: 40)
    fields.date = value(&random, most: 40)
    fields.mediaType = value(&random, most: 200)
    fields.contentCoding = value(&random, most: 10)
    fields.completeLength = Bool.random(using: &random) ? number(&random) : nil
    let path = (value(&random, most: 50) ?? []).map { $0.isTokenCharacter ? $0 : UInt8(ascii: "_") }
    let query = Bool.random(using: &random) ? "?\(UInt64.random(in: 0...UInt64.max, using: &random))" : ""
    let target = try TargetURI(text: Array("http://host.example/".utf8) + path + Array(query.utf8))
    return PartRecord(
      target: TargetIdentity(target), finalOrigin: value(&random, most: 30) ?? [], representation: fields,
      mixedUnder: value(&random, most: 80), durableLength: number(&random), boot: value(&random, most: 36) ?? [],
      owner: Int32.random(in: 0...Int32.max, using: &random))
  }

  private static func number(_ random: inout SeededGenerator) -> Int64 {
    Int64.random(in: 0...Int64.max, using: &random) >> Int64.random(in: 0...63, using: &random)
  }

  /// As a field section gives it: no controls, no blank at either end; empty stands for lines that differ.
  private static func value(_ random: inout SeededGenerator, most: Int) -> [UInt8]? {
    if Int.random(in: 0..<4, using: &random) == 0 { return nil }
    let allowed = (0x20...0xFF as ClosedRange<UInt8>).filter { $0 != 0x7F } + [.htab]
    let bytes = (0..<Int.random(in: 0...most, using: &random)).map { _ in allowed.randomElement(using: &random) ?? 0x61
    }
    return Array(bytes.drop(while: \.isBlank).reversed().drop(while: \.isBlank).reversed())
  }
}
