import Foundation
import Posix
import Testing

@testable import FuzzHarnesses
@testable import RawGet

/// The order of operations on the disk, to the letter: what a power cut can leave follows from it (docs/DURABILITY.md).
struct StorageOrderTests {
  private static let replacingTheRecord = [
    "create x.part.tmp", "append x.part.tmp", "sync x.part.tmp", "rename x.part.tmp to x.part.meta", "sync directory",
  ]
  private let now = StorageSetting.now

  /// Without the counts of bytes, which are another test's business.
  private func story(_ disk: SimulatedDisk) -> [String] {
    disk.story.map { line in
      line.hasPrefix("append") ? line.split(separator: " ").prefix(2).joined(separator: " ") : line
    }
  }

  private func open(_ disk: SimulatedDisk, syncBytes: Int64 = PartFile.syncBytes) throws -> PartFile {
    try #require(
      try PartFile.open(StorageSetting.name, in: StorageSetting.place(disk, syncBytes: syncBytes), now: now))
  }

  private func create(_ disk: SimulatedDisk, completeLength: Int64? = nil) throws -> PartFile {
    let part = try PartFile.create(StorageSetting.name, in: StorageSetting.place(disk), now: now)
    try part.write(StorageSetting.record(completeLength: completeLength))
    return part
  }

  @Test func theRecordComesBeforeTheFirstByte() throws {
    let disk = SimulatedDisk()
    let part = try create(disk)
    try part.append([1, 2, 3].span, now: now)
    #expect(story(disk) == ["create x.part"] + Self.replacingTheRecord + ["append x.part"])
  }

  /// What is whole at once has no use for a record.
  @Test func littleThatIsAllHereNeedsNone() throws {
    let disk = SimulatedDisk()
    let part = try create(disk, completeLength: 3)
    #expect(story(disk) == ["create x.part"], "it waits for the first byte")
    try part.append([1, 2, 3].span, now: now)
    try part.finish(.withoutReplacing, modified: nil)
    #expect(
      story(disk) == [
        "create x.part", "append x.part", "mode x.part", "sync all x.part", "rename x.part to x", "sync directory",
      ])
  }

  /// A piece of it, content of unknown length, and more than is compared as a whole.
  @Test(arguments: [4, nil, ResumePlan.comparedWhole + 1] as [Int64?])
  func anythingElseNeedsOne(_ completeLength: Int64?) throws {
    let disk = SimulatedDisk()
    let part = try create(disk, completeLength: completeLength)
    try part.append([1, 2, 3].span, now: now)
    try part.append([4].span, now: now)
    #expect(story(disk) == ["create x.part"] + Self.replacingTheRecord + ["append x.part", "append x.part"])
  }

  @Test func whatIsNotNewNeedsOne() throws {
    let disk = SimulatedDisk(StorageSetting.image([], StorageSetting.record()))
    let part = try open(disk)
    try part.write(StorageSetting.record(completeLength: 3))
    #expect(story(disk) == Self.replacingTheRecord, "there is one of something else")
  }

  @Test func anEndBeforeTheFirstByteLeavesNothing() throws {
    let disk = SimulatedDisk()
    try create(disk, completeLength: 3).settle(now: now)
    #expect(disk.names == [])
  }

  /// Once the part is ours: before that, it may be the record of whoever was faster.
  @Test func aRecordOfAnEarlierDownloadGoesFirst() throws {
    let disk = SimulatedDisk(DiskImage(files: ["x.part.meta": DiskImage.File(content: [1])]))
    _ = try create(disk)
    #expect(
      story(disk) == ["create x.part", "remove x.part.meta", "sync directory"] + Self.replacingTheRecord)
  }

  @Test func theRecordOfWhoeverWasFasterStays() throws {
    let disk = SimulatedDisk(StorageSetting.image([1], StorageSetting.record()))
    #expect(throws: DownloadError.self) { _ = try create(disk) }
    #expect(story(disk) == [])
  }

  @Test func aRecordThatFailedIsNeverTakenForTheNextOne() throws {
    let disk = SimulatedDisk()
    let part = try PartFile.create(StorageSetting.name, in: StorageSetting.place(disk), now: now)
    disk.fault = { $0 == "sync x.part.tmp" ? 5 : nil }
    #expect(throws: DownloadError.self) { try part.write(StorageSetting.record()) }
    disk.fault = nil
    try part.write(StorageSetting.record())
    var cut = PowerCut(disk.beginning)
    for operation in disk.log {
      cut.advance(operation)
      for entries in cut.entryFates {
        let image = cut.image(PowerCut.Fate(entries: entries, content: .lost, attributesKept: false))
        guard let record = image["x.part.meta"] else { continue }
        #expect(PartRecord(bytes: record) != nil, "\(disk.story), \(entries)")
      }
    }
  }

  @Test func finishing() throws {
    let disk = SimulatedDisk()
    let part = try create(disk)
    let before = story(disk)
    try part.finish(.withoutReplacing, modified: 5)
    #expect(
      story(disk).dropFirst(before.count) == [
        "mode x.part", "time x.part", "sync all x.part", "rename x.part to x", "sync directory", "remove x.part.meta",
      ])
  }

  @Test func settlingMakesDurableAndThenSaysSo() throws {
    let disk = SimulatedDisk()
    let part = try create(disk)
    try part.append([1, 2, 3].span, now: now)
    let before = story(disk)
    part.settle(now: now)
    #expect(Array(story(disk).dropFirst(before.count)) == ["sync x.part"] + Self.replacingTheRecord)
    #expect(StorageSetting.record(on: disk)?.durableLength == 3)
    part.settle(now: now)
    #expect(story(disk).count == before.count + 6, "once")
  }

  @Test func replacingCopiesFirstAndKeepsTheOldPart() throws {
    let disk = SimulatedDisk(StorageSetting.image(Array("0123456789".utf8), StorageSetting.record(durable: 10)))
    let part = try open(disk)
    try part.replace(keeping: 4)
    #expect(
      story(disk) == [
        "create x.part.new", "append x.part.new", "sync x.part.new", "rename x.part to x.part.old", "sync directory",
        "rename x.part.new to x.part", "sync directory",
      ])
    #expect(disk.content(of: "x.part") == Array("0123".utf8) && part.length == 4 && part.trusted == 4)
    #expect(disk.content(of: "x.part.old") == Array("0123456789".utf8), "S2-4")
    try part.finish(.withoutReplacing, modified: nil)
    #expect(disk.names == ["x"], "and it goes when the new one is whole")
  }

  @Test(arguments: [(9, "newer"), (10, "older"), (11, "older")])
  func ofTwoOldPartsTheLongerIsKept(_ older: Int, _ kept: String) throws {
    var image = StorageSetting.image([UInt8](repeating: 2, count: 10), nil)
    image.files["x.part.old"] = DiskImage.File(content: [UInt8](repeating: 1, count: older))
    let disk = SimulatedDisk(image)
    try open(disk).replace(keeping: 4)
    #expect(disk.content(of: "x.part.old")?.first == (kept == "older" ? 1 : 2))
  }

  @Test func quarantine() throws {
    let disk = SimulatedDisk()
    let part = try create(disk)
    let before = story(disk)
    _ = try part.quarantine()
    #expect(
      story(disk).dropFirst(before.count) == [
        "rename x.part to x.bad", "sync directory", "remove x.part.meta", "sync directory",
      ])
  }

  /// What another tool left is no part before it is proven; then it is one before it grows.
  @Test func adopting() throws {
    let stale = StorageSetting.image([], StorageSetting.record(durable: 99)).files["x.part.meta"]
    var image = DiskImage(files: ["x": DiskImage.File(content: [1, 2, 3])])
    image.files["x.part.meta"] = stale
    let disk = SimulatedDisk(image)
    let part = try PartFile.adopt(StorageSetting.name, in: StorageSetting.place(disk), now: now)
    #expect(part.record == nil, "the record is not this file's")
    try part.write(StorageSetting.record())
    part.settle(now: now)
    #expect(story(disk) == [], "nothing is changed before that")
    try part.append([4].span, now: now)
    #expect(
      story(disk) == ["remove x.part.meta", "sync directory", "rename x to x.part", "sync directory"]
        + Self.replacingTheRecord + ["append x.part"])
  }

  @Test func anAdoptedFileThatIsWholeOnlyBecomesDurable() throws {
    let disk = SimulatedDisk(DiskImage(files: ["x": DiskImage.File(content: [1], mode: 0o640)]))
    let part = try PartFile.adopt(StorageSetting.name, in: StorageSetting.place(disk), now: now)
    try part.finish(.withoutReplacing, modified: nil)
    #expect(story(disk) == ["sync all x", "sync directory"], "its mode is the user's")
  }

  // MARK: How often

  @Test func soManyBytesBecomeDurable() throws {
    let disk = SimulatedDisk(StorageSetting.image([1, 2], StorageSetting.record(durable: 2)))
    let part = try open(disk, syncBytes: 3)
    for count in 1...3 {
      try part.append([9].span, now: now)
      #expect(disk.story.contains("sync x.part") == (count == 3))
    }
    #expect(StorageSetting.record(on: disk)?.durableLength == 5)
  }

  @Test func soLongUntilTheyBecomeDurable() throws {
    let disk = SimulatedDisk()
    let part = try create(disk)
    try part.append([9].span, now: now + (PartFile.syncInterval - .nanoseconds(1)))
    #expect(!disk.story.contains("sync x.part"))
    try part.append([9].span, now: now + PartFile.syncInterval)
    #expect(StorageSetting.record(on: disk)?.durableLength == 2)
  }

  // MARK: Errors

  @Test func whatWasWrittenBeforeTheDiskWasFullCounts() throws {
    let disk = SimulatedDisk()
    let part = try create(disk)
    disk.room = 2
    do throws(DownloadError) {
      try part.append([1, 2, 3].span, now: now)
      Issue.record("there was no room")
    } catch {
      #expect(name(of: error) == "noSpace")
    }
    #expect(part.length == 2 && part.trusted == 2)
    part.settle(now: now)
    #expect(disk.content(of: "x.part") == [1, 2])
    #expect(StorageSetting.record(on: disk)?.durableLength == 0, "no room for another record: the old one stays, whole")
  }

  @Test(arguments: ["sync x.part", "sync x.part.tmp", "rename x.part.tmp to x.part.meta", "sync directory"])
  func aSyncThatFailsPromisesNothing(_ step: String) throws {
    let disk = SimulatedDisk(StorageSetting.image([1, 2], StorageSetting.record(durable: 2)))
    let part = try open(disk, syncBytes: 1)
    disk.fault = { $0 == step ? EIO : nil }
    do throws(DownloadError) {
      try part.append([3].span, now: now)
      Issue.record("\(step) failed unseen")
    } catch {
      #expect(name(of: error) == "file")
    }
    #expect(part.length == 3, "what is written is counted")
    let recorded = StorageSetting.record(on: disk)?.durableLength
    #expect(recorded == (step == "sync directory" ? 3 : 2), "the record is the old one or the new one")
  }

  @Test(arguments: ["mode x.part", "sync all x.part", "rename x.part to x"])
  func afterAFailedEndThePartIsStillThere(_ step: String) throws {
    let disk = SimulatedDisk()
    let part = try create(disk)
    try part.append([1].span, now: now)
    disk.fault = { $0 == step ? EIO : nil }
    do throws(DownloadError) {
      try part.finish(.withoutReplacing, modified: nil)
      Issue.record("\(step) failed unseen")
    } catch {
      #expect(name(of: error) == "file")
    }
    #expect(disk.names == ["x.part", "x.part.meta"])
  }
}
