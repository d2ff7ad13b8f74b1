import Foundation
import Testing

@testable import FuzzHarnesses

/// Every seed and every reproducer through its harness, without libFuzzer; then what lies near each seed.
struct ReplayTests {
  static let names = Harness.all.map(\.name)

  /// Changed seeds for one harness, however many seeds it has. A debug build runs about 200 inputs a second.
  static let mutations = ProcessInfo.processInfo.environment["RAWGET_EXHAUSTIVE"] == nil ? 500 : 4_000

  /// What did not hold of the input; `nil` if all did.
  static func violation(of harness: Harness, on input: [UInt8]) -> String? {
    do {
      try harness.run(input)
      return nil
    } catch {
      return "\(harness.name): \(error)"
    }
  }

  @Test(arguments: names) func everySeedAndReproducerHolds(name: String) throws {
    let harness = try #require(Harness.named(name))
    for corpus in [Corpus.seeds, .reproducers] + [Corpus.gathered].compactMap(\.self) {
      for input in try corpus.inputs(of: name) {
        let violation = Self.violation(of: harness, on: input.bytes)
        #expect(violation == nil, "\(input)")
      }
    }
  }

  @Test(arguments: names) func everyPrefixOfASeedHolds(name: String) throws {
    let harness = try #require(Harness.named(name))
    for seed in try Corpus.seeds.inputs(of: name) {
      for length in stride(from: 0, to: seed.bytes.count, by: max(1, seed.bytes.count / 256)) {
        let violation = Self.violation(of: harness, on: Array(seed.bytes.prefix(length)))
        #expect(violation == nil, "the first \(length) bytes of \(seed)")
      }
    }
  }

  @Test(arguments: names) func whatIsNearASeedHolds(name: String) throws {
    let harness = try #require(Harness.named(name))
    let seeds = try Corpus.seeds.inputs(of: name)
    for seed in seeds {
      var mutations = Mutations(of: seed.bytes)
      for _ in 0..<min(200, Self.mutations / seeds.count) {
        let input = mutations.next(seed.bytes)
        let violation = Self.violation(of: harness, on: input)
        #expect(violation == nil, "near \(seed), in base64: \(Data(input).base64EncodedString())")
      }
    }
  }

  /// A replay that cannot fail would prove nothing.
  @Test func aViolationIsSeen() throws {
    let harness = Harness("never-empty") { input in try require(!input.isEmpty, "an input has bytes") }
    #expect(Self.violation(of: harness, on: [1]) == nil)
    #expect(Self.violation(of: harness, on: []) == "never-empty: an input has bytes")
  }

  @Test func mutationsAreTheSameInEveryRunAndDiffer() {
    let seed = Array("HTTP/1.1 200 OK\r\n".utf8)
    var first = Mutations(of: seed)
    var second = Mutations(of: seed)
    let inputs = (0..<100).map { _ in first.next(seed) }
    #expect(inputs == (0..<100).map { _ in second.next(seed) })
    #expect(Set(inputs).count > 90)
  }
}
