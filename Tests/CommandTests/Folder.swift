import Foundation
import LoopbackServer

/// A folder for one run, removed with the last reference to it.
final class Folder: Sendable {
  let path: String

  /// - Parameter parent: with a slash at its end.
  init(in parent: String = NSTemporaryDirectory()) throws {
    path = parent + "rawget-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Every file in it and in its folders, by path from here.
  var files: [String: Summary] {
    get throws {
      var files: [String: Summary] = [:]
      for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isDirectory)
        if exists && !isDirectory.boolValue { files[name] = Summary(try bytes(of: name)) }
      }
      return files
    }
  }

  func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
  }

  /// -1 while there is no such file.
  func size(of name: String) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return (attributes?[.size] as? NSNumber)?.int64Value ?? -1
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: false)
  }
}

/// Stands for content in expectations: equal bytes, equal summaries, and a failure fits on a line.
struct Summary: Equatable, CustomStringConvertible {
  let count: Int  // bytes
  let digest: String

  init(_ bytes: [UInt8]) {
    count = bytes.count
    digest = SHA256.hexadecimal(bytes)
  }

  init(_ text: String) { self.init(Array(text.utf8)) }

  var description: String { "\(count) bytes \(digest.prefix(12))" }
}
