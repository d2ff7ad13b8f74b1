import Foundation

/// The inputs that are kept for a harness: seeds, and what once showed a fault.
struct Corpus {
  struct Input: CustomStringConvertible {
    let path: String
    let bytes: [UInt8]
    var description: String { path }
  }

  let folder: URL

  static let fuzz = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../fuzz").standardized
  static let seeds = Corpus(folder: fuzz.appending(path: "corpus"))
  static let reproducers = Corpus(folder: fuzz.appending(path: "reproducers"))

  /// What a fuzzer gathered, one folder a harness: `RAWGET_FUZZ_CORPUS=build/fuzz/corpus`, to measure what it reaches.
  static let gathered = ProcessInfo.processInfo.environment["RAWGET_FUZZ_CORPUS"].map {
    Corpus(folder: URL(filePath: $0))
  }

  /// The names of the folders; none if there is no folder to hold them.
  var harnesses: [String] { Self.names(in: folder) }

  func inputs(of harness: String) throws -> [Input] {
    let files = folder.appending(path: harness)
    return try Self.names(in: files).map { name in
      let file = files.appending(path: name)
      return Input(path: file.path(percentEncoded: false), bytes: [UInt8](try Data(contentsOf: file)))
    }
  }

  private static func names(in folder: URL) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
    return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }
}
