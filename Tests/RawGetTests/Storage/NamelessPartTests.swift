import Foundation
import Posix
import Testing

@testable import FuzzHarnesses
@testable import RawGet

/// A file whose content comes all at once: it has no name until it is whole, and whatever goes another way makes a part of
/// it (docs/DURABILITY.md).
struct NamelessPartTests {
  private let now = StorageSetting.now

  /// With the record of what is about to come, all of whose `completeLength` bytes were said to be here.
  private func create(_ disk: SimulatedDisk, completeLength: Int64 = 3) throws -> PartFile {
    let part = try #require(PartFile.createNameless(StorageSetting.name, in: StorageSetting.place(disk), now: now))
    try part.write(StorageSetting.record(completeLength: completeLength))
    return part
  }

  /// The files there are, with their content.
  private func files(_ disk: SimulatedDisk) -> [String] {
    disk.names.map { name in
      name.hasSuffix(".meta") ? name : "\(name) \(disk.content(of: name) ?? [])"
    }
  }

  @Test func wholeAtOnceItIsNeverSeenInPart() throws {
    let disk = SimulatedDisk()
    let part = try create(disk)
    try part.append([1, 2, 3].span, now: now)
    try part.finish(.withoutReplacing, modified: 5)
    #expect(
      disk.story == [
        "create (nameless)", "append (nameless) 3", "time (nameless)", "sync all (nameless)", "give x",
        "sync directory",
      ])
    let image = disk.image.files["x"]
    #expect(image?.content == [1, 2, 3] && image?.modified == 5)
    #expect(image?.mode == FileMode.newFile(), "it had its mode from the beginning")
  }

  @Test func emptyContentToo() throws {
    let disk = SimulatedDisk()
    try create(disk, completeLength: 0).finish(.withoutReplacing, modified: nil)
    #expect(disk.story == ["create (nameless)", "sync all (nameless)", "give x", "sync directory"])
  }

  /// A power cut may have brought a record back. It speaks of no part, and the next one of that name removes it: to look
  /// for it would be a call for every file.
  @Test func whatAnEarlierDownloadLeftIsNotLookedFor() throws {
    let disk = SimulatedDisk(DiskImage(files: ["x.part.meta": DiskImage.File(content: [9])]))
    let part = try create(disk)
    try part.append([1, 2, 3].span, now: now)
    try part.finish(.withoutReplacing, modified: nil)
    #expect(disk.names == ["x", "x.part.meta"])
    try PartFile.create(StorageSetting.name, in: StorageSetting.place(disk), now: now).settle(now: now)
    #expect(disk.names == ["x"])
  }

  struct Row: Sendable {
    let what: String, names: [String], error: String
    let act: @Sendable (PartFile, SimulatedDisk) throws -> Void
  }

  /// Everything that is not the one way ends in a part like any other, or in nothing where there is nothing to keep.
  static let rows = [
    Row(what: "an end before the first byte", names: [], error: "") { part, _ in part.settle(now: StorageSetting.now) },
    Row(what: "a piece", names: ["x.part [1]", "x.part.meta"], error: "") { part, _ in
      try part.append([1].span, now: StorageSetting.now)
    },
    Row(what: "more than all", names: ["x.part [1, 2, 3, 4]"], error: "") { part, _ in
      try part.append([1, 2, 3].span, now: StorageSetting.now)
      try part.append([4].span, now: StorageSetting.now)
    },
    Row(what: "an end before the name", names: ["x.part [1, 2, 3]", "x.part.meta"], error: "") { part, _ in
      try part.append([1, 2, 3].span, now: StorageSetting.now)
      part.settle(now: StorageSetting.now)
    },
    Row(what: "another representation", names: ["x.part []", "x.part.meta"], error: "") { part, _ in
      try part.write(StorageSetting.record(completeLength: nil))
    },
    Row(what: "a wrong digest", names: ["x.bad [1, 2, 3]"], error: "") { part, _ in
      try part.append([1, 2, 3].span, now: StorageSetting.now)
      _ = try part.quarantine()
    },
    Row(what: "the server changed", names: ["x.part [1]", "x.part.old [1, 2, 3]"], error: "") { part, _ in
      try part.append([1, 2, 3].span, now: StorageSetting.now)
      try part.replace(keeping: 1)
    },
    Row(what: "replacing what is there", names: ["x [1, 2, 3]"], error: "") { part, disk in
      try part.append([1, 2, 3].span, now: StorageSetting.now)
      disk.overwrite("x", with: [8])
      try part.finish(.replacing, modified: nil)
    },
    Row(what: "no name can be given", names: ["x [1, 2, 3]"], error: "") { part, disk in
      try part.append([1, 2, 3].span, now: StorageSetting.now)
      disk.fault = { $0 == "give x" ? EPERM : nil }
      try part.finish(.withoutReplacing, modified: 5)
    },
    Row(what: "the name was taken", names: ["x [8]"], error: "exists") { part, disk in
      try part.append([1, 2, 3].span, now: StorageSetting.now)
      disk.overwrite("x", with: [8])
      try part.finish(.withoutReplacing, modified: nil)
    },
    Row(what: "another process has begun a part", names: ["x.part [8]"], error: "busy") { part, disk in
      disk.overwrite("x.part", with: [8])
      try part.append([1].span, now: StorageSetting.now)
    },
    Row(what: "no room for the part", names: [], error: "noSpace") { part, disk in
      try part.append([1, 2, 3].span, now: StorageSetting.now)
      disk.room = 2
      try part.append([4].span, now: StorageSetting.now)
    },
    Row(what: "it can't be synchronised", names: ["x.part [1, 2, 3]", "x.part.meta"], error: "file") { part, disk in
      try part.append([1, 2, 3].span, now: StorageSetting.now)
      disk.fault = { $0 == "sync all (nameless)" ? EIO : nil }
      defer { part.settle(now: StorageSetting.now) }
      try part.finish(.withoutReplacing, modified: nil)
    },
  ]

  @Test(arguments: rows) func goesAnotherWay(_ row: Row) throws {
    let disk = SimulatedDisk()
    let part = try create(disk)
    var failure = ""
    do {
      try row.act(part, disk)
    } catch let error as DownloadError {
      failure = name(of: error)
    }
    #expect(failure == row.error, "\(row.what)")
    #expect(files(disk) == row.names, "\(row.what)")
  }

  @Test func theFallbackHasModeAndTime() throws {
    let disk = SimulatedDisk()
    let part = try create(disk)
    try part.append([1, 2, 3].span, now: now)
    disk.fault = { $0 == "give x" ? EPERM : nil }
    try part.finish(.withoutReplacing, modified: 5)
    let image = disk.image.files["x"]
    #expect(image?.modified == 5 && image?.mode == FileMode.newFile())
    #expect(disk.story.suffix(3) == ["sync all x.part", "rename x.part to x", "sync directory"])
  }

  @Test func aDiskThatCanNotSaysSo() {
    let disk = SimulatedDisk()
    disk.makesNameless = false
    #expect(PartFile.createNameless(StorageSetting.name, in: StorageSetting.place(disk), now: now) == nil)
    let full = SimulatedDisk()
    full.fault = { _ in ENOSPC }
    #expect(PartFile.createNameless(StorageSetting.name, in: StorageSetting.place(full), now: now) == nil)
  }
}
