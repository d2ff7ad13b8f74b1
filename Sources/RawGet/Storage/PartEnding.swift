internal import Posix

extension PartFile {
  /// How a whole part takes its name.
  enum Naming {
    case withoutReplacing
    case replacing
  }

  /// The content is whole: what is left to do is to make it durable and to give it its name (`PartConclusion`).
  func conclude(
    _ naming: Naming, modified: Int64?, keepsOldPart: Bool = false
  ) throws(DownloadError) -> PartConclusion {
    try requireName()
    do throws(SystemError) {
      try setAttributes(modified)
    } catch {
      throw PartFile.failure(error)
    }
    return PartConclusion(of: self, naming, keepsOldPart: keepsOldPart)
  }

  private func setAttributes(_ modified: Int64?) throws(SystemError) {
    self.modified = modified
    if !isAdopted && !isNameless { try file.setMode(wholeMode) }
    if let modified { try file.setModificationTime(seconds: modified) }
  }

  func takeFinalName(_ naming: Naming) throws(SystemError) {
    if isNameless, try takeFirstName(naming) { return }
    switch naming {
    case .withoutReplacing: try store.renameWithoutReplacing(names.part, to: names.final)
    case .replacing: try store.renameReplacing(names.part, to: names.final)
    }
  }

  /// False where that can't be, and it is a part now.
  private func takeFirstName(_ naming: Naming) throws(SystemError) -> Bool {
    if naming == .withoutReplacing {
      do throws(SystemError) {
        try store.give(names.final, to: file)
        isNameless = false
        return true
      } catch {
        if error.alreadyExists || error.isNoSpace { throw error }
      }
    }
    try becomePart()
    try setAttributes(modified)
    try file.synchronize()
    return false
  }

  /// What has no name is gone after this run: from here on it is a part like any other. Where files can be without a name,
  /// locks exclude: such file systems are those of this machine.
  func becomePart() throws(SystemError) {
    let new = try store.create(names.part)
    _ = try new.tryLock()
    isRecorded = true
    if try store.removeIfPresent(names.record) { try store.synchronize() }  // it speaks of another part
    do throws(SystemError) { try copy(length, to: new) } catch {
      try store.remove(names.part)
      throw error
    }
    file = new
    isNameless = false
  }

  /// A kill right after the final rename leaves a record beside the whole file: it speaks of a part that is no more.
  static func removeLeftovers(of name: [UInt8], in place: Place) {
    let names = PartNames(name)
    do throws(SystemError) {
      guard try place.store.kind(of: names.part) == nil else { return }
      for name in [names.record, names.newRecord] { try place.store.removeIfPresent(name) }
    } catch {
      // The file is whole either way, and the next download of the name removes them.
    }
  }

  private func requireName() throws(DownloadError) {
    let isNamed: Bool
    do throws(SystemError) { isNamed = try hasName() } catch { throw .file(error) }
    guard isNamed else { throw .busy }
  }

  /// The download ends without being whole: makes durable what is here; a part without a byte is of no use to anyone.
  func settle(now: Instant) {
    if isAdopted { return }
    do throws(SystemError) {
      guard try hasName() else { return }
      if isNameless {
        if length == 0 { return }
        try becomePart()
      }
      if length == 0 {
        try store.remove(names.part)
        try removeRecord()
      } else if trusted > durableLength {
        try synchronizeData(now: now)
      }
    } catch {
      // What failed is told already; the bytes are in the file either way.
    }
  }

  /// Whole, and not what its digest says: out of the way, under a name that says so, and nothing of it is used again.
  /// Returns that name.
  func quarantine() throws(DownloadError) -> [UInt8] {
    try requireName()
    do throws(SystemError) {
      if isNameless { try becomePart() }
      try store.renameReplacing(isAdopted ? names.final : names.part, to: names.bad)
      try store.synchronize()
      try removeRecord()
    } catch {
      throw .file(error)
    }
    return names.bad
  }

  /// The server's representation differs from the part at `offset`: what is before that is copied into a new part, and
  /// the old one is set aside until the new one is whole. The record may stay until there is another, which the caller
  /// writes before it appends: the bytes that are copied are the beginning of both.
  func replace(keeping offset: Int64) throws(DownloadError) {
    try requireName()
    do throws(SystemError) {
      if isNameless { try becomePart() }
      try store.removeIfPresent(names.newPart)
      let new = try store.create(names.newPart)
      _ = try new.tryLock()
      try copy(offset, to: new)
      try new.synchronizeData()
      // Of two old parts the longer one is worth more.
      if let older = try store.measure(names.oldPart), older.size >= length {
        try store.remove(names.part)
      } else {
        try store.renameReplacing(names.part, to: names.oldPart)
      }
      try store.synchronize()
      try store.renameWithoutReplacing(names.newPart, to: names.part)
      try store.synchronize()
      file = new
    } catch {
      throw error.alreadyExists ? .busy : PartFile.failure(error)
    }
    length = offset
    trusted = offset
    durableLength = offset
  }

  private func copy(_ count: Int64, to new: any StoredFile) throws(SystemError) {
    var bytes = [UInt8](repeating: 0, count: PartFile.copiedAtOnce)
    var copied: Int64 = 0
    while copied < count {
      var room = bytes.mutableSpan
      let read = Int64(try file.read(at: copied, into: &room))
      let wanted = Int(min(read, count - copied))
      guard wanted > 0 else { throw .unexpectedEnd }
      try new.append(bytes.span.extracting(..<wanted), written: &copied)
    }
  }
}
