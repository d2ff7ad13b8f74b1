import Posix
import Testing

@testable import FuzzHarnesses
@testable import RawGet

/// What is done when the name is taken (S2-5, T25): looked at, and changed by nobody here.
struct PlacementTests {
  private static let part = ["x.part": DiskImage.File(content: [7])]
  private static let file = ["x": DiskImage.File(content: [1, 2], modified: 9)]

  struct Row {
    let files: [String: DiskImage.File], policy: ExistingPolicy
    let outcome: String, because: String
    var name = "x"
  }

  static let rows = [
    Row(files: file, policy: .fail, outcome: "existing 2 9", because: "whether it is the same, the server tells"),
    Row(files: file + part, policy: .fail, outcome: "existing 2 9", because: "a part beside it changes nothing"),
    Row(files: file + part, policy: .resume, outcome: "exists", because: "which of the two is to go on?"),
    Row(files: file + part, policy: .skip, outcome: "skipped", because: "S2-5"),
    Row(files: file, policy: .resume, outcome: "adopted 2", because: "a part of another tool's"),
    Row(files: part, policy: .resume, outcome: "part 1", because: "our own part needs no adoption"),
    Row(files: [:], policy: .resume, outcome: "nothing", because: "a new download"),
    Row(files: file, policy: .replace, outcome: "nothing", because: "the old file stays until the new one is whole"),
    Row(files: file + part, policy: .replace, outcome: "part 1", because: "a replacement under way"),
    Row(files: file, policy: .rename, outcome: "nothing", because: "S2-5", name: "x.1"),
    Row(
      files: file + ["x.1": DiskImage.File(content: []), "x.2.part": DiskImage.File(content: [3, 4])], policy: .rename,
      outcome: "part 2", because: "the first that is free, and what is there of it", name: "x.2"),
    Row(files: part, policy: .fail, outcome: "part 1", because: "goes on"),
    Row(files: part, policy: .skip, outcome: "part 1", because: "a part is not the file"),
    Row(files: part, policy: .rename, outcome: "part 1", because: "the name is free"),
  ]

  @Test(arguments: rows) func finds(_ row: Row) throws {
    let disk = SimulatedDisk(DiskImage(files: row.files))
    #expect(outcome(disk, row.policy, row.name) == row.outcome, "\(row.because)")
    #expect(disk.story == [], "nothing is changed")
  }

  private func outcome(_ disk: SimulatedDisk, _ policy: ExistingPolicy, _ name: String) -> String {
    do throws(DownloadError) {
      let placement = try Placement(
        StorageSetting.name, in: StorageSetting.place(disk), policy, isExplicit: true, now: StorageSetting.now)
      #expect(placement.name == Array(name.utf8))
      #expect(placement.naming == (policy == .replace ? .replacing : .withoutReplacing))
      switch placement.finding {
      case .part(nil): return "nothing"
      case .part(let part?): return "\(part.isAdopted ? "adopted" : "part") \(part.length)"
      case .existing(let measure): return "existing \(measure.size) \(measure.modified)"
      case .skipped: return "skipped"
      case .device: return "device"
      }
    } catch {
      return RawGetTests.name(of: error)
    }
  }

  /// Only what is new, replaces nothing and has nothing to say of its origin comes to its name at once.
  @Test(arguments: rows) func comesToItsNameAtOnce(_ row: Row) throws {
    let disk = SimulatedDisk(DiskImage(files: row.files))
    guard
      let placement = try? Placement(
        StorageSetting.name, in: StorageSetting.place(disk), row.policy, isExplicit: true, now: StorageSetting.now)
    else { return }
    let isNew = row.outcome == "nothing" && row.policy != .replace
    #expect((placement.createNameless(recordsOrigin: false, now: StorageSetting.now) != nil) == isNew, "\(row.because)")
    #expect(placement.createNameless(recordsOrigin: true, now: StorageSetting.now) == nil)
  }

  @Test func thereAreOnlySoManyNumbers() throws {
    var files = Self.file
    for number in 1...Placement.renameLimit { files["x.\(number)"] = DiskImage.File(content: []) }
    #expect(outcome(SimulatedDisk(DiskImage(files: files)), .rename, "x") == "exists", "S6-3: it ends")
  }

  @Test(arguments: [ExistingPolicy.fail, .skip, .resume, .replace, .rename])
  func whatIsNoFileIsLeftAlone(_ policy: ExistingPolicy) throws {
    let folder = try Folder()
    try folder.put("mine", as: "victim")
    try folder.link("x", to: "victim")
    let place = PartFile.Place(store: try SystemFiles().directory(Array(folder.path.utf8)), boot: [])
    do throws(DownloadError) {
      _ = try Placement(StorageSetting.name, in: place, policy, isExplicit: true, now: StorageSetting.now)
      Issue.record("a link was followed")
    } catch {
      #expect(RawGetTests.name(of: error) == "exists")
    }
    #expect(folder.bytes(of: "victim") == Array("mine".utf8))
  }
}

private func + (left: [String: DiskImage.File], right: [String: DiskImage.File]) -> [String: DiskImage.File] {
  left.merging(right) { _, new in new }
}
