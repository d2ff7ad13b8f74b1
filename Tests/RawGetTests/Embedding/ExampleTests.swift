import Foundation
import Testing

/// The examples of docs/EMBEDDING.md are those of Examples/Download, which the build compiles.
struct ExampleTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func everyExampleIsOneThatCompiles() throws {
    let compiled = try Self.text("Examples/Download/Example.swift") + Self.text("Examples/Download/Forms.swift")
    let page = try Self.text("docs/EMBEDDING.md")
    let examples = page.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "\n```")[0] }
    #expect(examples.count == 5)
    for example in examples {
      for piece in example.components(separatedBy: "\n\nfunc ") {
        let piece = piece.hasPrefix("func ") || piece.hasPrefix("import") ? piece : "func " + piece
        #expect(compiled.contains(piece), "\(piece)")
      }
    }
    let lines = try #require(examples.first).components(separatedBy: "\n")
    #expect(lines.count <= 20)
  }
}
