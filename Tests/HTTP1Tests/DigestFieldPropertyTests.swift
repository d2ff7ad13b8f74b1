import Testing

@testable import HTTP1

/// Digest fields that nobody thought of: nothing traps, and what comes out can always be compared with a digest.
struct DigestFieldPropertyTests {
  static let kinds = [DigestField.Kind.representation, .content, .instance]

  private func expectSound(_ field: DigestField?, _ lines: String) {
    guard let digests = field?.digests else { return }
    let order = digests.map { DigestField.Algorithm.allCases.firstIndex(of: $0.algorithm) ?? -1 }
    #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 }, "each once, the strongest first: \(lines)")
    #expect(digests.allSatisfy { $0.value.count == $0.algorithm.byteCount }, "\(lines)")
  }

  /// Fields with one byte replaced, removed or put in, and cut at each place.
  @Test func damagedFieldsAreReadOrRefused() throws {
    var generator = SeededGenerator(seed: 9530)
    let whole = bytes(
      "x=(a \"b\\\"\";c=1.5);d, sha-256=:\(DigestFieldTests.a256):;v=?1, sha-512=:\(DigestFieldTests.a512):")
    let alphabet = bytes("a0=:;,\" \\()?.-*+/\tA\u{E9}\u{7F}")
    for place in whole.indices {
      for byte in alphabet {
        var damaged = whole
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: damaged[place] = byte
        case 1: damaged.insert(byte, at: place)
        default: damaged.remove(at: place)
        }
        for value in [damaged, Array(whole[..<place])] {
          let lines = "Repr-Digest: \(text(value))\r\nContent-Digest: \(text(value))\r\nDigest: \(text(value))\r\n"
          let fields = try FieldsTests.fields(lines)
          for kind in Self.kinds { expectSound(DigestField(kind, in: fields), lines) }
        }
      }
    }
  }

  /// Members and separators mostly of the grammar, so that many of the fields are read.
  private func randomValue(_ generator: inout SeededGenerator) -> String {
    let members = [
      DigestFieldTests.good, "sha-512=:\(DigestFieldTests.a512):", "sha-256=:AAAA:", "SHA-256=\(DigestFieldTests.a256)",
      "md5=\(DigestFieldTests.aMD5)", "sha=", "md5=:AA==:", "a", "a=?1", "a=(1 \"b\")", "a=*;b=-.5", "a=:", "=",
      "\u{E9}",
    ]
    let separators = [", ", ",", "\t,", ";a,", ";a=1.5 ,", ",,", " ", ";", "=", ":"]
    var value = ""
    for index in 0..<Int.random(in: 0...4, using: &generator) {
      let isOdd = generator.isOne(in: 8)
      if index > 0 { value += separators[isOdd ? Int.random(in: separators.indices, using: &generator) : index] }
      value += members.randomElement(using: &generator) ?? ""
    }
    return value
  }

  @Test func randomFieldsAreReadOrRefused() throws {
    var generator = SeededGenerator(seed: 8941)
    var usable = 0
    for _ in 0..<4_000 {
      let value = randomValue(&generator)
      let lines = "Repr-Digest: \(value)\r\nContent-Digest: \(value)\r\nDigest: \(value)\r\n"
      let fields = try FieldsTests.fields(lines)
      for kind in Self.kinds {
        let field = DigestField(kind, in: fields)
        expectSound(field, lines)
        if field?.digests.isEmpty == false { usable += 1 }
      }
    }
    #expect(usable > 500, "the members do make fields")
  }

  /// A Dictionary may be spread over lines at any of its commas (RFC 8941 §3.2).
  @Test func theOutcomeDoesNotDependOnTheLines() throws {
    var generator = SeededGenerator(seed: 3230)
    let members = [
      DigestFieldTests.good, "sha-256=:\(DigestFieldTests.b256):", "sha-512=:\(DigestFieldTests.a512):", "sha-512=1",
      "x",
      "y=(a b)", "z=\"a;b\"", "sha-256=:AAAA:", "broken=",
    ]
    for _ in 0..<500 {
      let chosen = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
        members.randomElement(using: &generator) ?? ""
      }
      let whole = try FieldsTests.fields("Repr-Digest: " + chosen.joined(separator: ", ") + "\r\n")
      let spread = try FieldsTests.fields(chosen.map { "Repr-Digest: \($0)\r\n" }.joined())
      #expect(DigestField(.representation, in: whole) == DigestField(.representation, in: spread), "\(chosen)")
    }
  }

  /// As large as a head may be: work that grew with the square of it would not come to an end here.
  @Test func largeFieldsTakeLinearTime() throws {
    for member in ["a", "a=()", "sha-256=1", "a=\"\\\\\"", "a;b", "sha-256=:\(DigestFieldTests.a256):"] {
      let line = "Repr-Digest: " + String(repeating: member + ",", count: 60_000 / (member.utf8.count + 1)) + "z\r\n"
      let fields = try FieldsTests.fields(String(repeating: line, count: 4))
      let isMalformed = member.hasSuffix("=1")
      #expect((DigestField(.representation, in: fields) == nil) == isMalformed)
    }
    let nested = "Repr-Digest: a=" + String(repeating: "(", count: 60_000) + "\r\n"
    #expect(DigestField(.representation, in: try FieldsTests.fields(nested)) == nil)
  }
}
