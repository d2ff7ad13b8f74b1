internal import Posix

/// A whole part on its way to its name, with the others that became whole in the same turn of a loop: a disk makes many
/// durable in little more time than one.
///
/// After a power cut at any point there is the part or the whole file: the content and attributes of each become durable
/// before it takes its name, and then the names; what lay beside goes last (docs/DURABILITY.md).
final class PartConclusion {
  /// Parts concluded at once: meanwhile nothing is received.
  static let limit = 64

  private let part: PartFile
  private let naming: PartFile.Naming
  private let keepsOldPart: Bool
  /// This run made nothing but the file itself.
  private let wasNameless: Bool
  /// It is done, or has failed.
  private(set) var isOver = false
  private(set) var failure: DownloadError?

  init(of part: PartFile, _ naming: PartFile.Naming, keepsOldPart: Bool) {
    self.part = part
    self.naming = naming
    self.keepsOldPart = keepsOldPart
    wasNameless = part.isNameless
  }

  /// Concludes all of them, each as it can be.
  static func settle(_ conclusions: [PartConclusion]) {
    if conclusions.count > 1 {
      for conclusion in conclusions { conclusion.part.file.beginSynchronizing() }
    }
    for conclusion in conclusions { conclusion.takeName() }
    synchronizeDirectories(of: conclusions)
    for conclusion in conclusions {
      conclusion.removeLeftovers()
      conclusion.isOver = true
    }
  }

  private func takeName() {
    do throws(SystemError) {
      try part.file.synchronize()
      part.durableLength = part.length
      if part.isAdopted { return }
      try part.takeFinalName(naming)
    } catch {
      failure = error.alreadyExists ? .exists : PartFile.failure(error)
    }
  }

  /// Once for each, however many names it got.
  private static func synchronizeDirectories(of conclusions: [PartConclusion]) {
    var synchronized: [(store: any FileStore, failure: DownloadError?)] = []
    for conclusion in conclusions where conclusion.failure == nil {
      let store = conclusion.part.store
      if let known = synchronized.first(where: { $0.store === store }) {
        conclusion.failure = known.failure
        continue
      }
      do throws(SystemError) { try store.synchronize() } catch { conclusion.failure = PartFile.failure(error) }
      synchronized.append((store, conclusion.failure))
    }
  }

  /// From this run or one that ended on the way. What comes back after a power cut is removed by the next part of that
  /// name: a file that was never one does not look for it, since there are many such, and each look costs.
  private func removeLeftovers() {
    guard failure == nil else { return }
    let (store, names) = (part.store, part.names)
    do throws(SystemError) {
      if wasNameless && !part.isRecorded { return }
      if part.isRecorded { try store.removeIfPresent(names.record) }
      for name in [names.newRecord, names.newPart] { try store.removeIfPresent(name) }
      if !keepsOldPart { try store.removeIfPresent(names.oldPart) }
    } catch {
      failure = PartFile.failure(error)
    }
  }
}
