internal import Posix

/// The one seam between the engine and file systems: a test can put a disk of its own behind it, and cut its power.
protocol FileSystem: AnyObject {
  func directory(_ path: [UInt8]) throws(SystemError) -> any FileStore
  /// Makes what is missing of the path.
  func makeDirectories(_ path: [UInt8]) throws(SystemError)
  /// Differs after every boot; empty where that is not known.
  var bootIdentity: [UInt8] { get }
  /// Permission bits of a file that is whole.
  var newFileMode: UInt32 { get }
}

extension FileSystem {
  func makeDirectories(_ path: [UInt8]) throws(SystemError) { throw .unsupported }
  var newFileMode: UInt32 { FileMode.newFile() }
}

/// One directory. Names are single components.
protocol FileStore: AnyObject {
  func kind(of name: [UInt8]) throws(SystemError) -> EntryKind?
  /// Size in bytes and modification time in seconds since 1970; nil unless it is a regular file.
  func measure(_ name: [UInt8]) throws(SystemError) -> FileMeasure?
  /// A new file for this user alone, for reading and appending; an error if the name is taken.
  func create(_ name: [UInt8]) throws(SystemError) -> any StoredFile
  /// A new file that has no name yet, for reading and appending, with the mode it will have; nil where that can't be.
  func createNameless(mode: UInt32) throws(SystemError) -> (any StoredFile)?
  /// The first name of such a file; an error if the name is taken.
  func give(_ name: [UInt8], to file: any StoredFile) throws(SystemError)
  /// A regular file that exists, for reading and appending; never through a symbolic link.
  func open(_ name: [UInt8]) throws(SystemError) -> any StoredFile
  /// Whether the name still is that of the open file.
  func names(_ name: [UInt8], _ file: any StoredFile) throws(SystemError) -> Bool
  func renameWithoutReplacing(_ from: [UInt8], to: [UInt8]) throws(SystemError)
  func renameReplacing(_ from: [UInt8], to: [UInt8]) throws(SystemError)
  func remove(_ name: [UInt8]) throws(SystemError)
  /// Names given, changed and removed outlast a power cut.
  func synchronize() throws(SystemError)
  /// Bytes that this user may still write; nil when the file system does not say.
  func freeSpace() -> Int64?
  /// A device or a FIFO, as a stream.
  func openStream(_ name: [UInt8]) throws(SystemError) -> File
  /// A lock was seen to keep a second descriptor out: then it does so for all files here (`PartClaim`).
  var locksExclude: Bool { get set }
}

extension FileStore {
  func createNameless(mode: UInt32) throws(SystemError) -> (any StoredFile)? { nil }
  func give(_ name: [UInt8], to file: any StoredFile) throws(SystemError) { throw .unsupported }

  /// False when there was nothing to remove.
  @discardableResult
  func removeIfPresent(_ name: [UInt8]) throws(SystemError) -> Bool {
    guard try kind(of: name) != nil else { return false }
    try remove(name)
    return true
  }
}

struct FileMeasure: Equatable {
  let size: Int64  // bytes
  let modified: Int64  // seconds since 1970
}

/// An open file that is read anywhere and written at its end.
protocol StoredFile: AnyObject {
  func length() throws(SystemError) -> Int64
  /// Appends everything; `written` counts what got there, an error in between included.
  func append(_ bytes: Span<UInt8>, written: inout Int64) throws(SystemError)
  /// The bytes read; fewer than there is room for only at the end.
  func read(at offset: Int64, into bytes: inout MutableSpan<UInt8>) throws(SystemError) -> Int
  func truncate(to length: Int64) throws(SystemError)
  /// Content and length outlast a power cut.
  func synchronizeData() throws(SystemError)
  /// Mode and times too.
  func synchronize() throws(SystemError)
  /// What follows soon may begin: it is for several files at once.
  func beginSynchronizing()
  func setMode(_ mode: UInt32) throws(SystemError)
  func setModificationTime(seconds: Int64) throws(SystemError)
  /// An extended attribute, where the file system has such.
  func setAttribute(_ name: [UInt8], _ value: [UInt8]) throws(SystemError)
  /// False when another process, or another descriptor, has the lock.
  func tryLock() throws(SystemError) -> Bool
}

extension StoredFile {
  func beginSynchronizing() {}
  func setAttribute(_ name: [UInt8], _ value: [UInt8]) throws(SystemError) { throw .unsupported }
}

/// The file systems of this machine.
final class SystemFiles: FileSystem {
  /// Directories held open, which take a descriptor each.
  static let heldLimit = 4

  private struct Held {
    let path: [UInt8]
    let identity: FileIdentity
    let directory: SystemDirectory
    /// When the path was last seen to lead there.
    var seen: Instant
  }

  let bootIdentity = SystemIdentity.boot()
  /// Asked for once: a process does not change its umask, and the answer costs as much as a small file.
  let newFileMode = FileMode.newFile()
  /// Of the last downloads, the oldest first.
  private var held: [Held] = []
  private let trust: Duration?

  /// - Parameter trust: for many downloads to few directories: these stay open as long as this lives, and it is looked
  ///   after so long whether their paths still lead to them. nil: each download opens its own.
  init(holdingDirectories trust: Duration? = nil) { self.trust = trust }

  func directory(_ path: [UInt8]) throws(SystemError) -> any FileStore {
    guard let trust else { return SystemDirectory(try Directory(path: path)) }
    let now = Instant.now()
    if let index = held.firstIndex(where: { $0.path == path }) {
      if now - held[index].seen < trust { return held[index].directory }
      // It may have been renamed, and another one made in its place.
      if FileIdentity(path: path) == held[index].identity {
        held[index].seen = now
        return held[index].directory
      }
      held.remove(at: index)
    }
    let opened = try Directory(path: path)
    let identity = try opened.identity()
    let directory = SystemDirectory(opened)
    if held.count == SystemFiles.heldLimit { held.removeFirst() }
    held.append(Held(path: path, identity: identity, directory: directory, seen: now))
    return directory
  }

  func makeDirectories(_ path: [UInt8]) throws(SystemError) { try Directory.make(path: path) }
}

private final class SystemDirectory: FileStore {
  private let directory: Directory
  var locksExclude = false

  init(_ directory: consuming Directory) { self.directory = directory }

  func kind(of name: [UInt8]) throws(SystemError) -> EntryKind? { try directory.kind(of: name) }

  func measure(_ name: [UInt8]) throws(SystemError) -> FileMeasure? {
    guard let measured = try directory.measure(name) else { return nil }
    return FileMeasure(size: measured.size, modified: measured.modified)
  }

  func create(_ name: [UInt8]) throws(SystemError) -> any StoredFile { SystemFile(try directory.createFile(name)) }
  func open(_ name: [UInt8]) throws(SystemError) -> any StoredFile { SystemFile(try directory.openFile(name)) }

  func createNameless(mode: UInt32) throws(SystemError) -> (any StoredFile)? {
    guard let file = try directory.createNamelessFile(mode: mode) else { return nil }
    return SystemFile(file)
  }

  func give(_ name: [UInt8], to file: any StoredFile) throws(SystemError) {
    guard let file = file as? SystemFile else { throw .unsupported }
    try file.take(name, in: directory)
  }

  func names(_ name: [UInt8], _ file: any StoredFile) throws(SystemError) -> Bool {
    guard let file = file as? SystemFile else { return false }
    return try directory.names(name, try file.identity())
  }

  func renameWithoutReplacing(_ from: [UInt8], to: [UInt8]) throws(SystemError) {
    try directory.renameWithoutReplacing(from, to: to)
  }

  func renameReplacing(_ from: [UInt8], to: [UInt8]) throws(SystemError) {
    try directory.renameReplacing(from, to: to)
  }

  func remove(_ name: [UInt8]) throws(SystemError) { try directory.remove(name) }
  func synchronize() throws(SystemError) { try directory.synchronize() }
  func freeSpace() -> Int64? { directory.freeSpace() }
  func openStream(_ name: [UInt8]) throws(SystemError) -> File { try directory.openForWriting(name) }
}

private final class SystemFile: StoredFile {
  private let file: File
  /// It stays as long as the file is open.
  private var knownIdentity: FileIdentity?

  init(_ file: consuming File) { self.file = file }

  func identity() throws(SystemError) -> FileIdentity {
    if let knownIdentity { return knownIdentity }
    let identity = try file.measure().identity
    knownIdentity = identity
    return identity
  }

  func take(_ name: [UInt8], in directory: borrowing Directory) throws(SystemError) {
    try directory.give(name, to: file)
  }

  func length() throws(SystemError) -> Int64 {
    let (identity, length) = try file.measure()
    knownIdentity = identity
    return length
  }

  func append(_ bytes: Span<UInt8>, written: inout Int64) throws(SystemError) {
    try file.appendAll(bytes, written: &written)
  }

  func read(at offset: Int64, into bytes: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
    try file.read(at: offset, into: &bytes)
  }

  func truncate(to length: Int64) throws(SystemError) { try file.truncate(to: length) }
  func synchronizeData() throws(SystemError) { try file.synchronizeData() }
  func synchronize() throws(SystemError) { try file.synchronize() }
  func beginSynchronizing() { file.beginSynchronizing() }
  func setMode(_ mode: UInt32) throws(SystemError) { try file.setMode(mode) }

  func setModificationTime(seconds: Int64) throws(SystemError) { try file.setModificationTime(seconds: seconds) }

  func setAttribute(_ name: [UInt8], _ value: [UInt8]) throws(SystemError) { try file.setAttribute(name, value) }

  func tryLock() throws(SystemError) -> Bool { try file.tryLock() }
}
