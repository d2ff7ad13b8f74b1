import Foundation

@testable import RawGet

/// A folder of its own that goes with the last reference to it.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "rawget-engine-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// As a destination whose names the server or the target URI gives.
  var destination: Destination { .directory(Array(path.utf8)) }

  /// As the engine sees it.
  var store: any FileStore {
    get throws { try SystemFiles().directory(Array(path.utf8)) }
  }

  var place: PartFile.Place {
    get throws { PartFile.Place(store: try store, boot: SystemFiles().bootIdentity) }
  }

  func path(of name: String) -> [UInt8] { Array("\(path)/\(name)".utf8) }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// What is kept and what is whole; the records beside the parts are looked at elsewhere.
  var namesWithoutRecords: [String] {
    get throws { try names.filter { !$0.hasSuffix(".part.meta") } }
  }

  /// nil if there is no such file.
  func bytes(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: "\(path)/\(name)").map(Array.init)
  }

  func put(_ bytes: [UInt8], as name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
  }

  func put(_ text: String, as name: String) throws { try put(Array(text.utf8), as: name) }

  func rename(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: "\(path)/\(name)", toPath: "\(path)/\(other)")
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
  }

  func attribute(_ key: FileAttributeKey, of name: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[key] as? NSNumber)?.intValue
  }
}
