/// One thing to fuzz: a name, and a function that throws when an input shows that a property does not hold.
///
/// A harness is deterministic and owns everything it touches: no network, no file, no clock, nothing global. It is run
/// by libFuzzer (`fuzz/LibFuzzer`), by a program that reads standard input (`fuzz/Stdin`), and by the tests, which
/// replay the corpora without either (`Tests/FuzzTests`).
public struct Harness: Sendable {
  public let name: String
  public let run: @Sendable ([UInt8]) throws -> Void

  init(_ name: String, _ run: @escaping @Sendable ([UInt8]) throws -> Void) {
    self.name = name
    self.run = run
  }

  /// All of them. The name is that of the program, of the folder in `fuzz/corpus`, and of the one in
  /// `fuzz/reproducers`.
  public static let all: [Harness] = [
    .responseHead, .response, .chunked, .contentRange, .contentDisposition, .httpDate, .digest, .request, .validator,
    .targetURI, .partRecord, .requestComposer, .landing, .session, .multipart, .link,
  ]

  public static func named(_ name: String) -> Harness? { all.first { $0.name == name } }
}

/// A property that an input broke.
public struct Violation: Error, CustomStringConvertible {
  public let description: String
}

/// Throws unless the property holds.
func require(_ condition: Bool, _ property: @autoclosure () -> String) throws {
  if !condition { throw Violation(description: property()) }
}
