internal import HTTP1
internal import Posix

/// `NAME.part` and its record: at every instant a prefix of one representation, only ever appended to, until it is whole
/// and takes its name (docs/PROMISES.md, 3 to 5; the order of operations is in docs/DURABILITY.md).
///
/// One process at a time: the part is locked while it is open.
final class PartFile {
  /// What a power cut may take: the part is made durable after so much, or so long (docs/RESUME.md).
  static let syncBytes: Int64 = 256 << 20  // bytes
  static let syncInterval: Duration = .seconds(30)
  static let copiedAtOnce = 65_536  // bytes, compared or copied

  let names: PartNames
  let store: any FileStore
  let boot: [UInt8]
  private let syncBytes: Int64
  /// Permission bits that the file has once it is whole.
  let wholeMode: UInt32
  var file: any StoredFile
  /// Bytes in the file.
  var length: Int64
  /// Bytes that are what was written, whatever happened to the system since: what the record calls durable, and what was
  /// compared or written in this run.
  var trusted: Int64
  /// What an earlier run, or this one, knows of them.
  var record: PartRecord?
  /// It was made in this run: no record is beside it but ours.
  private var isNew: Bool
  /// A record is beside it, or may be.
  var isRecorded: Bool
  /// The record is to be written before the first byte, unless all of them come at once.
  var isRecordDue = false
  var durableLength: Int64
  var lastSync: Instant
  /// The file has its final name still: one that another tool began, to be renamed when it was proven.
  var isAdopted: Bool
  /// The file has no name yet: all of the content comes at once, and it takes its final one (docs/DURABILITY.md).
  var isNameless = false
  /// When the content was last changed, in seconds since 1970, where the whole file is to say so.
  var modified: Int64?
  /// Where locks do not exclude.
  private let claim: PartClaim?

  private init(
    _ names: PartNames, _ file: any StoredFile, in place: Place, isAdopted: Bool = false, isNew: Bool = false,
    now: Instant
  ) throws(DownloadError) {
    self.names = names
    self.isNew = isNew
    self.file = file
    self.isAdopted = isAdopted
    store = place.store
    boot = place.boot
    syncBytes = place.syncBytes
    wholeMode = place.wholeMode
    lastSync = now
    let name = isAdopted ? names.final : names.part
    let isOurs: Bool
    do throws(SystemError) {
      // Another process may have finished the part and renamed it between our opening and our locking.
      let isLocked = try file.tryLock()
      length = try file.length()
      let isNamed = try store.names(name, file)
      isOurs = isLocked && isNamed
    } catch {
      throw .file(error)
    }
    do throws(DownloadError) {
      claim = isOurs ? try PartClaim.needed(for: name, names, in: place) : nil
    } catch {
      // Whoever found the whole file there has just removed what lay beside it.
      if case .file(let system) = error, system.isMissing { throw .busy }
      throw error
    }
    if isNew && length > 0 { self.isNew = false }  // another process had the part for a moment
    isRecorded = !self.isNew
    record = isAdopted || self.isNew ? nil : PartRecord.read(names, place.store)
    let isThisBoot = record.map { $0.boot == place.boot && !place.boot.isEmpty } ?? true
    durableLength = min(length, record?.durableLength ?? 0)
    trusted = isThisBoot ? length : durableLength
    guard isOurs else { throw .busy }
    guard self.isNew else { return }
    // One that is here speaks of another part.
    do throws(SystemError) { try removeRecord() } catch { throw PartFile.failure(error) }
  }

  private init(nameless file: any StoredFile, _ names: PartNames, in place: Place, now: Instant) {
    self.names = names
    self.file = file
    store = place.store
    boot = place.boot
    syncBytes = place.syncBytes
    wholeMode = place.wholeMode
    (isNew, isNameless, isAdopted, isRecorded) = (true, true, false, false)
    (length, trusted, durableLength) = (0, 0, 0)
    lastSync = now
    claim = nil
  }

  /// Where parts are, and the boot in which this process writes them.
  struct Place {
    let store: any FileStore
    let boot: [UInt8]
    var syncBytes = PartFile.syncBytes
    var wholeMode = FileMode.newFile()
  }

  /// The part of `name` that is there; nil when none is. Nothing of it is changed.
  static func open(_ name: [UInt8], in place: Place, now: Instant) throws(DownloadError) -> PartFile? {
    let names = PartNames(name)
    let file: any StoredFile
    do throws(SystemError) {
      guard try place.store.kind(of: names.part) != nil else { return nil }
      file = try place.store.open(names.part)
    } catch {
      if error.isMissing { return nil }
      throw .file(error)
    }
    return try PartFile(names, file, in: place, now: now)
  }

  /// A file that another tool began, under its final name. It keeps that name until something is appended.
  static func adopt(_ name: [UInt8], in place: Place, now: Instant) throws(DownloadError) -> PartFile {
    let file: any StoredFile
    do throws(SystemError) { file = try place.store.open(name) } catch { throw .file(error) }
    return try PartFile(PartNames(name), file, in: place, isAdopted: true, now: now)
  }

  /// A new part. Two processes that create at once: the name goes to one of them.
  static func create(_ name: [UInt8], in place: Place, now: Instant) throws(DownloadError) -> PartFile {
    let names = PartNames(name)
    let file: any StoredFile
    do throws(SystemError) {
      file = try place.store.create(names.part)
    } catch {
      throw error.alreadyExists ? .busy : PartFile.failure(error)
    }
    return try PartFile(names, file, in: place, isNew: true, now: now)
  }

  /// What will be a whole file in a moment, or a part like any other if it is not; nil where a file must have a name, and
  /// where none can be made: to create one says why.
  static func createNameless(_ name: [UInt8], in place: Place, now: Instant) -> PartFile? {
    do throws(SystemError) {
      guard let file = try place.store.createNameless(mode: place.wholeMode) else { return nil }
      return PartFile(nameless: file, PartNames(name), in: place, now: now)
    } catch {
      return nil
    }
  }

  /// Whether a record of its own can wait for the first byte.
  func canWait(_ record: PartRecord) -> Bool {
    guard isNew, length == 0, let all = record.representation.completeLength else { return false }
    return all <= ResumePlan.comparedWhole
  }

  static func failure(_ error: SystemError) -> DownloadError {
    if error.isNoSpace { return .noSpace(needed: nil) }
    return error.alreadyExists ? .busy : .file(error)
  }

  // MARK: Writing

  /// Appends all of `bytes`; what was written before an error counts. Nothing is written behind bytes that are not
  /// trusted.
  func append(_ bytes: Span<UInt8>, now: Instant) throws(DownloadError) {
    precondition(trusted == length)
    if isAdopted { try takePartName() }
    do throws(SystemError) {
      if isNameless && !isRecordDue { try becomePart() }
      if isRecordDue { try recordBeforeFirst(bytes.count) }
      try write(bytes)
      let isDue = length - durableLength >= syncBytes || now - lastSync >= PartFile.syncInterval
      if isDue { try synchronizeData(now: now) }
    } catch {
      throw PartFile.failure(error)
    }
  }

  private func write(_ bytes: Span<UInt8>) throws(SystemError) {
    defer { trusted = length }
    try file.append(bytes, written: &length)
  }

  /// What was adopted is proven and about to grow: from here on it is a part. A record that is there speaks of an earlier
  /// one, and goes first.
  private func takePartName() throws(DownloadError) {
    let isTaken: Bool
    do throws(SystemError) { isTaken = try store.kind(of: names.part) != nil } catch { throw .file(error) }
    guard !isTaken else { throw .busy }
    do throws(SystemError) {
      if try store.removeIfPresent(names.record) { try store.synchronize() }
      try store.renameWithoutReplacing(names.final, to: names.part)
      try store.synchronize()
    } catch {
      throw error.alreadyExists ? .busy : .file(error)
    }
    isAdopted = false
    if let record { try write(record) }
  }

  /// Makes durable what is here, and says so in the record. Bytes that a power cut may have damaged get no better by
  /// that: only trusted ones count, and as long as there are others the record stays that of the other boot.
  func synchronizeData(now: Instant) throws(SystemError) {
    try file.synchronizeData()
    durableLength = trusted
    lastSync = now
    guard var record else { return }
    record.durableLength = trusted
    if trusted == length { record.boot = boot }
    try replaceRecord(record)
  }

  /// The bytes from `start` to `end` were compared, and are what the server has.
  func didCompare(from start: Int64, to end: Int64) {
    if start <= trusted { trusted = max(trusted, end) }
  }

  /// Whether the part still has its name: someone may have removed it, and another process begun its own.
  func hasName() throws(SystemError) -> Bool {
    if isNameless { return true }  // nobody can have taken what it has not
    return try store.names(isAdopted ? names.final : names.part, file)
  }

  /// Cuts bytes that were never durable and are not what was written.
  func cut(to length: Int64) throws(DownloadError) {
    do throws(SystemError) { try file.truncate(to: length) } catch { throw .file(error) }
    self.length = length
    trusted = length
    durableLength = min(durableLength, length)
  }

  // MARK: Comparing

  /// How many of `bytes`, from their front, are those of the part from `offset` on.
  func countOfEqual(_ bytes: Span<UInt8>, at offset: Int64) throws(DownloadError) -> Int {
    var here = [UInt8](repeating: 0, count: min(PartFile.copiedAtOnce, max(bytes.count, 1)))
    var equal = 0
    while equal < bytes.count {
      let count = min(try PartFile.read(file, at: offset + Int64(equal), into: &here), bytes.count - equal)
      guard count > 0 else { return equal }
      for index in 0..<count where here[index] != bytes[equal + index] { return equal + index }
      equal += count
    }
    return equal
  }

  static func read(
    _ file: any StoredFile, at offset: Int64, into bytes: inout [UInt8]
  ) throws(DownloadError) -> Int {
    var room = bytes.mutableSpan
    do throws(SystemError) { return try file.read(at: offset, into: &room) } catch { throw .file(error) }
  }

  /// Bytes that the file system still has room for; nil when it does not say.
  func freeSpace() -> Int64? { store.freeSpace() }
}
