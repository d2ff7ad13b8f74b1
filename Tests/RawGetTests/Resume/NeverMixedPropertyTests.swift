import Testing

@testable import FuzzHarnesses
@testable import RawGet

/// Random parts, answers, kills, power cuts and changes of the file, over several processes (docs/PROMISES.md, 1, 2 and 5):
/// whatever happens, a part is a prefix of one version, the longest good part stays, and the end is one version, whole.
/// The story is that of the harness `session`, which searches where this draws lots.
struct NeverMixedPropertyTests {
  @Test(arguments: SessionValidators.allCases) func smallFiles(_ validators: SessionValidators) throws {
    var endings: [SessionStory.Ending] = []
    for seed in 0..<700 {
      var random = SeededGenerator(seed: UInt64(seed))
      var input = settings(validators, length: UInt8.random(in: 0..<200, using: &random), &random)
      for _ in 0..<Int.random(in: 10...190, using: &random) { input.append(UInt8.random(in: 0...255, using: &random)) }
      endings.append(try tell(input, seed: seed))
    }
    #expect(endings.count { !$0.isHonest } > 100, "the chaos itself leads to the end often enough to be a test")
    #expect(endings.count { $0.powerCuts > 0 } > 100, "power cuts")
    #expect(endings.count { $0.replacements > 0 } > 20, "a part that the server's version replaced")
  }

  /// Long enough for samples, cut where most of it is here, and then calm enough for all eight of them.
  @Test(arguments: [SessionValidators.weakTag, .recentDate, .none])
  func longFiles(_ validators: SessionValidators) throws {
    var endings: [SessionStory.Ending] = []
    for seed in 0..<100 {
      var random = SeededGenerator(seed: UInt64(seed))
      var input = settings(validators, length: 220, &random)
      input += [0, 0, 0, 0, UInt8.random(in: 230...255, using: &random), 0, 0]
      for _ in 0..<150 {
        input.append(Int.random(in: 0..<16, using: &random) == 0 ? UInt8.random(in: 0...255, using: &random) : 0)
      }
      endings.append(try tell(input, seed: seed))
    }
    #expect(endings.count { $0.isSampled } > 30, "parts that were sampled")
  }

  private func settings(
    _ validators: SessionValidators, length: UInt8, _ random: inout SeededGenerator
  ) -> [UInt8] {
    [UInt8(validators.rawValue), length] + (0..<7).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private func tell(_ input: [UInt8], seed: Int) throws -> SessionStory.Ending {
    var story = SessionStory(input)
    do {
      return try story.tell()
    } catch {
      Issue.record("seed \(seed): \(error)")
      throw error
    }
  }
}
