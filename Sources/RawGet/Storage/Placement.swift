internal import HTTP1
internal import Posix

/// What to do when the target's name is taken.
public enum ExistingPolicy: Equatable, Sendable {
  /// Success if it agrees with the server in size and time, else an error.
  case fail
  /// Success, without a look at the server.
  case skip
  /// Continued, as a part without a record: compared first, and left alone if it differs.
  case resume
  /// Replaced, once the new content is whole.
  case replace
  /// Left alone: the new content gets a name with a number.
  case rename
}

/// A name in a directory, and what is there under it before anything is downloaded.
final class Placement {
  static let renameLimit = 1_000  // numbers tried

  enum Finding {
    /// Nothing under the final name; a part may be there.
    case part(PartFile?)
    case device
    /// The final name is taken: whether by what would be downloaded, the server's head tells.
    case existing(FileMeasure)
    case skipped
  }

  private(set) var name: [UInt8]
  let place: PartFile.Place
  let finding: Finding
  let naming: PartFile.Naming

  /// Looks at the disk, and changes nothing there.
  init(
    _ name: [UInt8], in place: PartFile.Place, _ policy: ExistingPolicy, isExplicit: Bool, now: Instant
  ) throws(DownloadError) {
    self.place = place
    self.name = name
    naming = policy == .replace ? .replacing : .withoutReplacing
    switch try Placement.kind(of: name, in: place) {
    case nil:
      // Another process may finish between the two looks: `wasTaken` tells before anything is fetched.
      finding = .part(try PartFile.open(name, in: place, now: now))
    case .other where isExplicit:
      finding = .device
    case .regular where policy == .replace:
      finding = .part(try PartFile.open(name, in: place, now: now))
    case .regular where policy == .skip:
      finding = .skipped
    case .regular where policy == .resume:
      let part = try PartFile.open(name, in: place, now: now)
      guard part == nil else { throw .exists }
      finding = .part(try PartFile.adopt(name, in: place, now: now))
    case .regular where policy == .rename:
      self.name = try Placement.freeName(name, in: place)
      finding = .part(try PartFile.open(self.name, in: place, now: now))
    case .regular(let size):
      finding = .existing(try Placement.measure(name, in: place) ?? FileMeasure(size: size, modified: 0))
    case .symbolicLink, .directory, .other:
      throw .exists
    }
  }

  /// Another process has finished since we looked: whoever has the part's name, as we do now, is the only one who can.
  func wasTaken() throws(DownloadError) -> Bool {
    guard case .part(nil) = finding, naming == .withoutReplacing else { return false }
    return try Placement.kind(of: name, in: place) != nil
  }

  /// For content that is all here: what will be the file at once; nil where it has to be a part first. What the file says
  /// of its origin is said of a part, which may take its time.
  func createNameless(recordsOrigin: Bool, now: Instant) -> PartFile? {
    guard case .part(nil) = finding, naming == .withoutReplacing, !recordsOrigin else { return nil }
    return PartFile.createNameless(name, in: place, now: now)
  }

  /// `name.1`, `name.2` and so on: the first that nothing has.
  private static func freeName(_ name: [UInt8], in place: PartFile.Place) throws(DownloadError) -> [UInt8] {
    for number in 1...renameLimit {
      let numbered = name + Text(".\(number)").bytes
      if try kind(of: numbered, in: place) == nil { return numbered }
    }
    throw .exists
  }

  private static func kind(of name: [UInt8], in place: PartFile.Place) throws(DownloadError) -> EntryKind? {
    do throws(SystemError) { return try place.store.kind(of: name) } catch { throw .file(error) }
  }

  private static func measure(_ name: [UInt8], in place: PartFile.Place) throws(DownloadError) -> FileMeasure? {
    do throws(SystemError) { return try place.store.measure(name) } catch { throw .file(error) }
  }
}
