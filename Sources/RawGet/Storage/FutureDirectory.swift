internal import Posix

/// A directory that is not there: nothing is in it, and it is made, with those above it, when its first file is.
final class FutureDirectory: FileStore {
  private let path: [UInt8]
  private let files: any FileSystem
  private var made: (any FileStore)?

  init(_ path: [UInt8], on files: any FileSystem) {
    self.path = path
    self.files = files
  }

  func create(_ name: [UInt8]) throws(SystemError) -> any StoredFile {
    if made == nil {
      try files.makeDirectories(path)
      made = try files.directory(path)
    }
    return try store().create(name)
  }

  private func store() throws(SystemError) -> any FileStore {
    guard let made else { throw .missing }
    return made
  }

  func kind(of name: [UInt8]) throws(SystemError) -> EntryKind? { try made?.kind(of: name) }
  func measure(_ name: [UInt8]) throws(SystemError) -> FileMeasure? { try made?.measure(name) }
  func open(_ name: [UInt8]) throws(SystemError) -> any StoredFile { try store().open(name) }

  func names(_ name: [UInt8], _ file: any StoredFile) throws(SystemError) -> Bool {
    try store().names(name, file)
  }

  func renameWithoutReplacing(_ from: [UInt8], to: [UInt8]) throws(SystemError) {
    try store().renameWithoutReplacing(from, to: to)
  }

  func renameReplacing(_ from: [UInt8], to: [UInt8]) throws(SystemError) {
    try store().renameReplacing(from, to: to)
  }

  func remove(_ name: [UInt8]) throws(SystemError) { try store().remove(name) }
  func synchronize() throws(SystemError) { try made?.synchronize() }
  func freeSpace() -> Int64? { made?.freeSpace() }

  var locksExclude: Bool {
    get { made?.locksExclude ?? false }
    set { made?.locksExclude = newValue }
  }

  func openStream(_ name: [UInt8]) throws(SystemError) -> File { try store().openStream(name) }
}
