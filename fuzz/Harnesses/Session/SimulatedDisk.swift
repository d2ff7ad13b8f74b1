import Posix

@testable import RawGet

/// One directory on a disk of its own, which remembers every operation in order: `PowerCut` tells what any of them may
/// leave behind. Reads see what was written, as on a real system that stays up.
final class SimulatedDisk: FileSystem, FileStore {
  /// What a name leads to; names come and go.
  final class Inode {
    let number: Int
    var content: [UInt8]
    var mode: UInt32 = 0o600
    var modified: Int64 = 1  // seconds since 1970
    weak var lockHolder: SimulatedFile?

    init(number: Int, content: [UInt8] = []) {
      self.number = number
      self.content = content
    }
  }
  enum Operation {
    case create(String, inode: Int)
    case createNameless(inode: Int, mode: UInt32)
    /// Its first name.
    case give(String, inode: Int)
    case append(inode: Int, [UInt8])
    case truncate(inode: Int, to: Int)
    case setMode(inode: Int, UInt32)
    case setModified(inode: Int, Int64)
    /// Content and length; with `attributes`, mode and times too.
    case synchronize(inode: Int, attributes: Bool)
    case rename(String, to: String, inode: Int)
    case remove(String)
    case synchronizeDirectory
  }

  let bootIdentity: [UInt8]
  /// Before the first operation.
  let beginning: DiskImage
  private(set) var log: [Operation] = []
  /// The same for people: `append x.part 5`.
  private(set) var story: [String] = []
  private(set) var entries: [String: Inode] = [:]
  private var inodeCount = 0

  /// How often anything was asked of it or done on it, but opening a directory.
  fileprivate(set) var calls = 0

  /// As some network file systems do it.
  var locksAlwaysSucceed = false
  var locksExclude = false
  /// Files need not have a name.
  var makesNameless = true
  /// Bytes that may still be written; nil for no bound.
  var room: Int64?
  /// The errno that an operation is to fail with, by its story.
  var fault: ((String) -> Int32?)?
  /// Called before each operation.
  var watch: (() -> Void)?

  init(_ image: DiskImage = DiskImage(), boot: String = "boot-1") {
    bootIdentity = Array(boot.utf8)
    beginning = image
    for (name, file) in image.files.sorted(by: { $0.key < $1.key }) {
      let inode = makeInode(file.content)
      inode.mode = file.mode
      inode.modified = file.modified
      entries[name] = inode
    }
  }

  /// What is there now, as a process finds it that starts after this one was killed.
  var image: DiskImage {
    DiskImage(
      files: entries.mapValues { DiskImage.File(content: $0.content, mode: $0.mode, modified: $0.modified) })
  }

  /// As another process does it that this disk knows nothing of.
  func overwrite(_ name: String, with content: [UInt8]) { entries[name] = makeInode(content) }

  func content(of name: String) -> [UInt8]? { entries[name]?.content }
  var names: [String] { entries.keys.sorted() }

  private func makeInode(_ content: [UInt8] = []) -> Inode {
    inodeCount += 1
    return Inode(number: inodeCount, content: content)
  }

  /// Fails if it is to fail, else remembers.
  fileprivate func note(
    _ operation: Operation, _ text: String, _ kind: SystemError.Operation
  ) throws(SystemError) {
    calls += 1
    watch?()
    if let code = fault?(text) { throw SystemError(code: code, operation: kind) }
    log.append(operation)
    story.append(text)
  }

  fileprivate func name(of inode: Inode) -> String { entries.first { $0.value === inode }?.key ?? "(nameless)" }

  // MARK: FileSystem and FileStore

  func directory(_ path: [UInt8]) throws(SystemError) -> any FileStore { self }

  func kind(of name: [UInt8]) throws(SystemError) -> EntryKind? {
    calls += 1
    return entries[text(name)].map { .regular(size: Int64($0.content.count)) }
  }

  func measure(_ name: [UInt8]) throws(SystemError) -> FileMeasure? {
    calls += 1
    return entries[text(name)].map { FileMeasure(size: Int64($0.content.count), modified: $0.modified) }
  }

  func create(_ name: [UInt8]) throws(SystemError) -> any StoredFile {
    guard entries[text(name)] == nil else { throw SystemError(code: Errno.exists, operation: .create) }
    let inode = makeInode()
    try note(.create(text(name), inode: inode.number), "create \(text(name))", .create)
    entries[text(name)] = inode
    return SimulatedFile(inode, on: self)
  }

  func createNameless(mode: UInt32) throws(SystemError) -> (any StoredFile)? {
    if !makesNameless { return nil }
    let inode = makeInode()
    inode.mode = mode
    try note(.createNameless(inode: inode.number, mode: mode), "create (nameless)", .create)
    return SimulatedFile(inode, on: self)
  }

  func give(_ name: [UInt8], to file: any StoredFile) throws(SystemError) {
    guard let file = file as? SimulatedFile, entries[text(name)] == nil else {
      throw SystemError(code: Errno.exists, operation: .rename)
    }
    try note(.give(text(name), inode: file.inode.number), "give \(text(name))", .rename)
    entries[text(name)] = file.inode
  }

  func open(_ name: [UInt8]) throws(SystemError) -> any StoredFile {
    calls += 1
    guard let inode = entries[text(name)] else { throw SystemError(code: Errno.missing, operation: .open) }
    return SimulatedFile(inode, on: self)
  }

  func names(_ name: [UInt8], _ file: any StoredFile) throws(SystemError) -> Bool {
    calls += 1
    guard let file = file as? SimulatedFile else { return false }
    return entries[text(name)] === file.inode
  }

  func renameWithoutReplacing(_ from: [UInt8], to: [UInt8]) throws(SystemError) {
    guard entries[text(to)] == nil else { throw SystemError(code: Errno.exists, operation: .rename) }
    try renameReplacing(from, to: to)
  }

  func renameReplacing(_ from: [UInt8], to: [UInt8]) throws(SystemError) {
    guard let inode = entries[text(from)] else { throw SystemError(code: Errno.missing, operation: .rename) }
    try note(
      .rename(text(from), to: text(to), inode: inode.number), "rename \(text(from)) to \(text(to))", .rename)
    entries[text(from)] = nil
    entries[text(to)] = inode
  }

  func remove(_ name: [UInt8]) throws(SystemError) {
    guard entries[text(name)] != nil else { throw SystemError(code: Errno.missing, operation: .remove) }
    try note(.remove(text(name)), "remove \(text(name))", .remove)
    entries[text(name)] = nil
  }

  func synchronize() throws(SystemError) { try note(.synchronizeDirectory, "sync directory", .synchronize) }

  func freeSpace() -> Int64? {
    calls += 1
    return room
  }

  func openStream(_ name: [UInt8]) throws(SystemError) -> Posix.File {
    throw SystemError(code: Errno.unsupported, operation: .open)
  }

  private func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }
}

/// An open file of a `SimulatedDisk`.
final class SimulatedFile: StoredFile {
  let inode: SimulatedDisk.Inode
  private let disk: SimulatedDisk

  init(_ inode: SimulatedDisk.Inode, on disk: SimulatedDisk) {
    self.inode = inode
    self.disk = disk
  }

  private var name: String { disk.name(of: inode) }

  func length() throws(SystemError) -> Int64 {
    disk.calls += 1
    return Int64(inode.content.count)
  }

  /// As much as there is room for, and then the error.
  func append(_ bytes: Span<UInt8>, written: inout Int64) throws(SystemError) {
    let count = Int(min(Int64(bytes.count), disk.room ?? .max))
    let taken = bytes.withUnsafeBufferPointer { [UInt8](UnsafeBufferPointer(rebasing: $0[..<count])) }
    if count > 0 || bytes.isEmpty {
      try disk.note(.append(inode: inode.number, taken), "append \(name) \(count)", .write)
      inode.content += taken
      written += Int64(count)
      disk.room = disk.room.map { $0 - Int64(count) }
    }
    if count < bytes.count { throw SystemError(code: Errno.noSpace, operation: .write) }
  }

  func read(at offset: Int64, into bytes: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
    let count = max(min(inode.content.count - Int(offset), bytes.count), 0)
    guard count > 0 else { return 0 }
    inode.content.withUnsafeBytes { source in
      bytes.withUnsafeMutableBytes { target in
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[Int(offset)..<(Int(offset) + count)]))
      }
    }
    return count
  }

  func truncate(to length: Int64) throws(SystemError) {
    try disk.note(.truncate(inode: inode.number, to: Int(length)), "truncate \(name) \(length)", .write)
    inode.content.removeSubrange(Int(length)...)
  }

  func synchronizeData() throws(SystemError) {
    try disk.note(.synchronize(inode: inode.number, attributes: false), "sync \(name)", .synchronize)
  }

  func synchronize() throws(SystemError) {
    try disk.note(.synchronize(inode: inode.number, attributes: true), "sync all \(name)", .synchronize)
  }

  func setMode(_ mode: UInt32) throws(SystemError) {
    try disk.note(.setMode(inode: inode.number, mode), "mode \(name)", .changeAttributes)
    inode.mode = mode
  }

  func setModificationTime(seconds: Int64) throws(SystemError) {
    try disk.note(.setModified(inode: inode.number, seconds), "time \(name)", .changeAttributes)
    inode.modified = seconds
  }

  func tryLock() throws(SystemError) -> Bool {
    disk.calls += 1
    if disk.locksAlwaysSucceed { return true }
    if let holder = inode.lockHolder, holder !== self { return false }
    inode.lockHolder = self
    return true
  }
}

/// As Linux numbers them.
private enum Errno {
  static let missing: Int32 = 2
  static let exists: Int32 = 17
  static let noSpace: Int32 = 28
  static let unsupported: Int32 = 95
}
