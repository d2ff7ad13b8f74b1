import Posix

@testable import RawGet

/// A directory in memory, for tests of what is decided about a part. It has one user, so every lock succeeds.
final class MemoryStore: FileStore {
  final class Stored: StoredFile {
    var bytes: [UInt8] = []

    func length() -> Int64 { Int64(bytes.count) }

    func append(_ new: Span<UInt8>, written: inout Int64) {
      new.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
      written += Int64(new.count)
    }

    func read(at offset: Int64, into room: inout MutableSpan<UInt8>) -> Int {
      let count = min(room.count, bytes.count - Int(offset))
      guard count > 0 else { return 0 }
      room.withUnsafeMutableBytes { $0.copyBytes(from: bytes[Int(offset)..<(Int(offset) + count)]) }
      return count
    }

    func truncate(to length: Int64) { bytes.removeLast(bytes.count - Int(length)) }
    func synchronizeData() {}
    func synchronize() {}
    func setMode(_ mode: UInt32) {}
    func setModificationTime(seconds: Int64) {}
    func tryLock() -> Bool { true }
  }

  private(set) var files: [[UInt8]: Stored] = [:]

  private static let missing = SystemError(code: 2, operation: .open)  // ENOENT
  private static let exists = SystemError(code: 17, operation: .create)  // EEXIST

  private func stored(_ name: [UInt8]) throws(SystemError) -> Stored {
    guard let file = files[name] else { throw MemoryStore.missing }
    return file
  }

  func kind(of name: [UInt8]) -> EntryKind? { files[name].map { .regular(size: $0.length()) } }
  func measure(_ name: [UInt8]) -> FileMeasure? { files[name].map { FileMeasure(size: $0.length(), modified: 0) } }

  func create(_ name: [UInt8]) throws(SystemError) -> any StoredFile {
    guard files[name] == nil else { throw MemoryStore.exists }
    let file = Stored()
    files[name] = file
    return file
  }

  func open(_ name: [UInt8]) throws(SystemError) -> any StoredFile { try stored(name) }

  func names(_ name: [UInt8], _ file: any StoredFile) -> Bool { files[name] === file }

  func renameWithoutReplacing(_ from: [UInt8], to: [UInt8]) throws(SystemError) {
    guard files[to] == nil else { throw MemoryStore.exists }
    try renameReplacing(from, to: to)
  }

  func renameReplacing(_ from: [UInt8], to: [UInt8]) throws(SystemError) {
    files[to] = try stored(from)
    files[from] = nil
  }

  func remove(_ name: [UInt8]) throws(SystemError) {
    _ = try stored(name)
    files[name] = nil
  }

  func synchronize() {}
  func freeSpace() -> Int64? { nil }
  func openStream(_ name: [UInt8]) throws(SystemError) -> File { throw MemoryStore.missing }
}
