internal import HTTP1
internal import Posix

/// Who writes a part, where locks exclude nobody: some network file systems grant every one.
///
/// A file beside the part names the process and its boot. It is written under a name of the process's own and then renamed
/// to where all look, replacing nothing: of two processes one gets it, and nobody sees half of it. That of a process that
/// is gone is replaced by one process at a time: the one that holds the claim to do that.
///
/// It tells processes of one system apart. Of two systems that share a directory whose locks do not exclude, the later one
/// takes the other's claim for that of an earlier boot.
final class PartClaim {
  /// Claims to replace claims: a process would have to die in the moment between two renames, and then another.
  private static let depthLimit = 3

  private let store: any FileStore
  private let name: [UInt8]
  private let file: any StoredFile

  private init(_ name: [UInt8], _ file: any StoredFile, _ store: any FileStore) {
    self.name = name
    self.file = file
    self.store = store
  }

  deinit {
    do throws(SystemError) {
      if try store.names(name, file) { try store.remove(name) }
    } catch {
      // It names a process that will be gone: the next one sees that.
    }
  }

  /// The claim on the part that is open and locked as `name`; nil where the lock does exclude, as a second descriptor
  /// tells: once for each directory.
  ///
  /// - Throws: `busy` when another process has it.
  static func needed(
    for name: [UInt8], _ names: PartNames, in place: PartFile.Place
  ) throws(DownloadError) -> PartClaim? {
    if place.store.locksExclude { return nil }
    do throws(SystemError) {
      let second = try place.store.open(name)
      guard try second.tryLock() else {
        place.store.locksExclude = true
        return nil
      }
      if let claim = try acquire(names.claim, in: place, depth: 1) { return claim }
    } catch {
      throw error.isMissing || error.alreadyExists ? .busy : PartFile.failure(error)
    }
    throw .busy
  }

  /// nil when another process has it.
  private static func acquire(
    _ name: [UInt8], in place: PartFile.Place, depth: Int
  ) throws(SystemError) -> PartClaim? {
    let store = place.store
    let own = name + [UInt8(ascii: ".")] + Int64(SystemIdentity.process()).decimalDigits
    let file = try write(own, in: place)
    defer { removeQuietly(own, store) }
    do throws(SystemError) {
      try store.renameWithoutReplacing(own, to: name)
      return PartClaim(name, file, store)
    } catch {
      guard error.alreadyExists else { throw error }
    }
    guard depth < depthLimit, let holder = try read(name, store), isOver(holder, in: place),
      let replacing = try acquire(name + Array(".x".utf8), in: place, depth: depth + 1)
    else { return nil }
    defer { withExtendedLifetime(replacing) {} }
    // Nobody else replaces it now; but it may have been replaced before.
    guard try read(name, store) == holder else { return nil }
    try store.renameReplacing(own, to: name)
    return PartClaim(name, file, store)
  }

  /// A file that says who this is, under a name that no other process uses.
  private static func write(_ own: [UInt8], in place: PartFile.Place) throws(SystemError) -> any StoredFile {
    try place.store.removeIfPresent(own)
    let file = try place.store.create(own)
    let text = Int64(SystemIdentity.process()).decimalDigits + [UInt8(ascii: " ")] + place.boot
    var written: Int64 = 0
    try file.append(text.span, written: &written)
    return file
  }

  private static func removeQuietly(_ name: [UInt8], _ store: any FileStore) {
    do throws(SystemError) { try store.removeIfPresent(name) } catch {
      // Only this process looks at it, and begins by removing it.
    }
  }

  /// nil when it has just gone.
  private static func read(_ name: [UInt8], _ store: any FileStore) throws(SystemError) -> [UInt8]? {
    guard try store.kind(of: name) != nil else { return nil }
    let file = try store.open(name)
    var bytes = [UInt8](repeating: 0, count: 128)  // a number and a boot's name
    var room = bytes.mutableSpan
    let count = try file.read(at: 0, into: &room)
    return Array(bytes[..<count])
  }

  /// Its process is gone. What can't be read was damaged by a power cut, and that boot is over.
  private static func isOver(_ holder: [UInt8], in place: PartFile.Place) -> Bool {
    guard let blank = holder.firstIndex(of: UInt8(ascii: " ")), let process = decimalValue(Array(holder[..<blank])),
      holder[(blank + 1)...] == place.boot[...], let number = Int32(exactly: process)
    else { return true }
    return !SystemIdentity.processExists(number)
  }
}
