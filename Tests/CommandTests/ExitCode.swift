import LoopbackServer
import Testing

/// The meanings that scripts rely on (docs: exit codes).
enum ExitCode: Int32 {
  case ok = 0
  case usage = 2
  case file = 3
  case network = 4
  case tls = 5
  case authorization = 6
  case protocolBroken = 7
  case server = 8
  case incomplete = 9
  case integrity = 10
  case changed = 11
  case exists = 12
  case busy = 13
  case noSpace = 14
  case limit = 15
  case unsupported = 16
}

extension Outcome {
  /// Expects this end and exactly these files. A quiet success says nothing; a failure says one
  /// line (S0-20).
  func expect(
    _ code: ExitCode, leaving expected: [String: Summary] = [:], _ because: String = "",
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let comment: Comment = "\(because); it said: \(standardError)"
    #expect(ending == .exited(code.rawValue), comment, sourceLocation: location)
    #expect(try files == expected, comment, sourceLocation: location)
    if code == .ok {
      #expect(standardError.isEmpty, comment, sourceLocation: location)
    } else {
      expectOneLine(because, at: location)
    }
  }

  /// The server had another file than the part was begun from: success, and the one warning that `-q` leaves.
  func expectChanged(leaving expected: [String: Summary], _ because: String = "") throws {
    #expect(ending == .exited(ExitCode.ok.rawValue), "\(because); it said: \(standardError)")
    #expect(try files == expected, "\(because)")
    expectOneLine(because)
    #expect(standardError.contains("changed (11)"))
  }

  /// One line on standard error, for people: not empty, ended, printable.
  func expectOneLine(_ because: String = "", at location: SourceLocation = #_sourceLocation) {
    let lines = standardError.split(separator: "\n", omittingEmptySubsequences: false)
    let isOneLine = lines.count == 2 && !lines[0].isEmpty && lines[1].isEmpty
    #expect(isOneLine, "\(because); not one line: \(standardError)", sourceLocation: location)
    let isPrintable = standardError.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" }
    #expect(isPrintable, "\(because); control characters: \(standardError)", sourceLocation: location)
  }

  /// Expects that `name` is whole and exact if the command says success, and otherwise absent, its
  /// part the beginning of one representation: bytes of two are never joined.
  func expectNeverMixed(
    _ name: String, _ representations: [Resource], at location: SourceLocation = #_sourceLocation
  ) throws {
    let names = try folder.files
    if ending == .exited(0) {
      let isWhole = representations.contains { names[name] == Summary($0.bytes) }
      #expect(isWhole, "\(name) is not one representation: \(names)", sourceLocation: location)
      #expect(names[name + ".part"] == nil, sourceLocation: location)
    } else {
      #expect(names[name] == nil, "the final name appeared: \(names)", sourceLocation: location)
      guard names[name + ".part"] != nil else { return }
      let part = try folder.bytes(of: name + ".part")
      let isPrefix = representations.contains { $0.bytes.starts(with: part) }
      #expect(isPrefix, "the part is no beginning of one representation: \(names)", sourceLocation: location)
    }
  }
}
