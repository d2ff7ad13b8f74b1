import Testing

@testable import FuzzHarnesses
@testable import RawGet

/// Random parts, answers, kills, power cuts and changes of the file, over several processes (docs/PROMISES.md, 1, 2 and 5):
/// whatever happens, a part is a prefix of one version, the longest good part stays, and the end is one version, whole.
/// The story is that of the harness `session`, which searches where this draws lots.
struct NeverMixedPropertyTests {
  @Test(arguments: SessionValidators.allCases) func smallFiles(_ validators: SessionValidators) throws {
    var endings: [SessionStory.Ending] = []
    for seed in 0..<700 { endings.append(try tell(UInt64(seed), validators, length: nil)) }
    #expect(endings.count { !$0.isHonest } > 100, "the chaos itself leads to the end often enough to be a test")
    #expect(endings.count { $0.powerCuts > 0 } > 100, "power cuts")
    #expect(endings.count { $0.replacements > 0 } > 20, "a part that the server's version replaced")
  }

  /// Long enough for samples.
  @Test(arguments: [SessionValidators.weakTag, .recentDate, .none])
  func longFiles(_ validators: SessionValidators) throws {
    var endings: [SessionStory.Ending] = []
    for seed in 0..<100 { endings.append(try tell(UInt64(seed), validators, length: 220)) }
    #expect(endings.count { $0.isSampled } > 10, "parts that were sampled")
  }

  /// The settings are those of the input's first bytes, the rest is as it comes.
  private func tell(
    _ seed: UInt64, _ validators: SessionValidators, length: UInt8?
  ) throws -> SessionStory.Ending {
    var random = SeededGenerator(seed: seed)
    var input = (0..<Int.random(in: 20...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    input[0] = UInt8(validators.rawValue)
    input[1] = length ?? UInt8.random(in: 0..<200, using: &random)
    var story = SessionStory(input)
    do {
      return try story.tell()
    } catch {
      Issue.record("seed \(seed): \(error)")
      throw error
    }
  }
}
