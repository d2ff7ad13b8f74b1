import Foundation

/// The binary under test: what `RAWGET_BINARY` names, else the product built beside these tests.
enum Command {
  static let path: String = environment["RAWGET_BINARY"].map(absolute) ?? productDirectory + "/rawget"

  /// False when the binary was built without TLS (`RAWGET_WITHOUT_TLS=1`).
  static let hasTLS = environment["RAWGET_WITHOUT_TLS"] != "1"

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// The test runner is `PRODUCTS/rawgetPackageTests.xctest`, or is told that file's path.
  private static var productDirectory: String {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
    return absolute(bundle).split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
  }

  /// Runs to the end in a fresh folder.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], prepare: (Folder) throws -> Void = { _ in }
  ) throws -> Outcome {
    let folder = try Folder()
    try prepare(folder)
    return try RunningCommand(arguments, in: folder, environment: environment).outcome()
  }
}

/// How a process ended.
enum Ending: Equatable, CustomStringConvertible {
  case exited(Int32)
  case signalled(Int32)

  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .exited((waitStatus >> 8) & 0xFF) : .signalled(signal)
  }

  var description: String {
    switch self {
    case .exited(let code): "exit \(code)"
    case .signalled(let signal): "signal \(signal)"
    }
  }
}

/// What a finished run left behind.
struct Outcome {
  let ending: Ending
  let standardOutput: [UInt8]
  let standardError: String
  let folder: Folder

  /// The folder's files by name, the resume record of an unfinished download apart.
  var files: [String: Summary] {
    get throws { try folder.files.filter { !$0.key.hasSuffix(".part.meta") } }
  }
}
