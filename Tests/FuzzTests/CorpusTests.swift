import Testing

@testable import FuzzHarnesses

/// The rules of `fuzz/README.md` for what is kept there.
struct CorpusTests {
  /// Lower-case words, joined by hyphens.
  static func isKebabCase(_ name: Substring) -> Bool {
    let words = name.split(separator: "-", omittingEmptySubsequences: false)
    return words.allSatisfy { word in
      !word.isEmpty && word.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }
  }

  @Test func namesOfHarnessesAreDistinctAndKebabCase() {
    let names = Harness.all.map(\.name)
    #expect(Set(names).count == names.count)
    for name in names { #expect(Self.isKebabCase(name[...])) }
  }

  @Test func kebabCaseIsTold() {
    for name in ["a", "two-words", "rfc850-date", "416"] { #expect(Self.isKebabCase(name[...])) }
    for name in ["", "-", "a-", "-a", "a--b", "Two", "two_words", "a.bin", "é"] {
      #expect(!Self.isKebabCase(name[...]))
    }
  }

  /// The scripts take the names of harnesses from the folders.
  @Test func everyHarnessHasSeedsAndEveryFolderAHarness() throws {
    let names = Harness.all.map(\.name).sorted()
    #expect(Corpus.seeds.harnesses == names)
    #expect(Corpus.reproducers.harnesses.allSatisfy(names.contains))
    for name in names {
      #expect(try Corpus.seeds.inputs(of: name).count >= 5, "\(name)")
    }
  }

  @Test(arguments: [Corpus.seeds, .reproducers])
  func inputsAreSmallDistinctAndNamedForWhatTheyShow(corpus: Corpus) throws {
    for harness in corpus.harnesses {
      var seen: [[UInt8]: String] = [:]
      for input in try corpus.inputs(of: harness) {
        let name = input.path.split(separator: "/").last ?? ""
        #expect(Self.isKebabCase(name), "\(input)")
        #expect(input.bytes.count <= 4_096, "\(input)")
        let twin = seen.updateValue(input.path, forKey: input.bytes)
        #expect(twin == nil, "\(input)")
      }
    }
  }
}
