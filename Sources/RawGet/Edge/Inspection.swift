internal import HTTP1
internal import Posix

/// What an earlier run left of a file, and what a download of it would do: without network, and changing nothing.
package struct Inspection: Sendable {
  /// Bytes in the part.
  package let kept: Int64
  /// Bytes of them that outlast a power cut.
  package let durable: Int64
  /// nil when no record knows it.
  package let completeLength: Int64?
  /// What was asked for, without query; nil without a record.
  package let target: [UInt8]?
  /// The validator that `If-Range` would name.
  package let validator: [UInt8]?
  /// How a download would go on.
  package let reason: ResumeReason

  /// Looks at the part of `path`; nil when none is there.
  ///
  /// - Throws: `busy` while another process downloads, `file` for what can't be read.
  package static func of(_ path: [UInt8], _ options: ResumeOptions = ResumeOptions()) throws(DownloadError)
    -> Inspection?
  {
    guard let place = FilePlace(path: path) else { throw .invalidRequest }
    let files = SystemFiles()
    let store: any FileStore
    do throws(SystemError) { store = try files.directory(place.directory) } catch { throw .file(error) }
    let found = PartFile.Place(store: store, boot: files.bootIdentity)
    guard let part = try PartFile.open(place.name, in: found, now: .now()) else { return nil }
    let known = part.record.map {
      Representation(recorded: $0.representation, now: WallClock.secondsSince1970())
    }
    let state = PartState(
      length: part.length, trusted: part.trusted, known: known, isSameTarget: true,
      isUndecidedMix: part.record?.mixedUnder != nil)
    return Inspection(
      kept: part.length, durable: part.durableLength, completeLength: known?.fields.completeLength,
      target: part.record?.target.text, validator: known?.validator?.fieldValue,
      reason: ResumePlan(state, options, continuationRefused: false).reason)
  }
}
