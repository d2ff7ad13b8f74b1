internal import HTTP1
internal import Posix

extension PartRecord {
  /// The record beside a part; nil when there is none, or none that can be read whole.
  static func read(_ names: PartNames, _ store: any FileStore) -> PartRecord? {
    do throws(SystemError) {
      guard case .regular(let size)? = try store.kind(of: names.record), size <= PartRecord.sizeLimit else {
        return nil
      }
      let file = try store.open(names.record)
      var bytes = [UInt8](repeating: 0, count: Int(size))
      var room = bytes.mutableSpan
      guard try file.read(at: 0, into: &room) == Int(size) else { return nil }
      return PartRecord(bytes: bytes)
    } catch {
      return nil  // what can't be read proves nothing, and its part is compared instead
    }
  }
}

extension PartFile {
  /// Records what the part belongs to. Written and durable before the first byte of content that relies on it.
  func write(_ record: PartRecord) throws(DownloadError) {
    self.record = record
    if isAdopted { return }  // nothing is made beside a file that is not ours yet
    isRecordDue = canWait(record)
    if isRecordDue { return }
    do throws(SystemError) { try replaceRecord(record) } catch { throw PartFile.failure(error) }
  }

  /// `count` bytes are about to be the first. Where they are all there is, a record would be written to be removed: they
  /// are so few that a part of them is compared as a whole, whatever a record says.
  func recordBeforeFirst(_ count: Int) throws(SystemError) {
    guard let record else { return }
    if record.representation.completeLength != Int64(count) { try replaceRecord(record) }
    isRecordDue = false
  }

  /// Whole or not at all: under another name first, durable, then renamed over the old one. Where another process has the
  /// part's name by now, the record is that one's.
  func replaceRecord(_ record: PartRecord) throws(SystemError) {
    self.record = record
    if isNameless { try becomePart() }
    guard try hasName() else { return }
    guard let bytes = record.serialized() else { return try removeRecord() }
    try store.removeIfPresent(names.newRecord)
    isRecorded = true
    let file = try store.create(names.newRecord)
    var written: Int64 = 0
    try file.append(bytes.span, written: &written)
    try file.synchronizeData()
    try store.renameReplacing(names.newRecord, to: names.record)
    try store.synchronize()
  }

  /// No record is better than one that speaks of other bytes.
  func removeRecord() throws(SystemError) {
    record = nil
    isRecordDue = false
    if try store.removeIfPresent(names.record) { try store.synchronize() }
  }
}
