import Foundation
import Posix
import Testing

@testable import FuzzHarnesses
@testable import RawGet

/// Parts that became whole together: each by the order of docs/DURABILITY.md, and a directory synchronised once.
struct PartConclusionTests {
  private let disk = SimulatedDisk()
  private let now = StorageSetting.now

  private func conclusion(of name: String) throws -> PartConclusion {
    let part = try PartFile.create(Array(name.utf8), in: StorageSetting.place(disk), now: now)
    try part.write(StorageSetting.record(completeLength: 3))
    try part.append(Array("\(name)\(name)\(name)".utf8).span, now: now)
    return try part.conclude(.withoutReplacing, modified: nil)
  }

  private func failures(_ conclusions: [PartConclusion]) -> [String] {
    conclusions.map { $0.failure.map { name(of: $0) } ?? ($0.isOver ? "whole" : "waiting") }
  }

  @Test func theirDirectoryIsSynchronisedOnce() throws {
    let conclusions = try ["a", "b", "c"].map { try conclusion(of: $0) }
    #expect(failures(conclusions) == ["waiting", "waiting", "waiting"])
    let before = disk.story.count
    PartConclusion.settle(conclusions)
    #expect(
      disk.story.dropFirst(before) == [
        "sync all a.part", "rename a.part to a", "sync all b.part", "rename b.part to b", "sync all c.part",
        "rename c.part to c", "sync directory",
      ])
    #expect(failures(conclusions) == ["whole", "whole", "whole"])
    #expect(disk.names == ["a", "b", "c"])
  }

  @Test func twoDirectoriesAreTwo() throws {
    let other = SimulatedDisk()
    let part = try PartFile.create([UInt8(ascii: "z")], in: StorageSetting.place(other), now: now)
    PartConclusion.settle([
      try conclusion(of: "a"), try part.conclude(.withoutReplacing, modified: nil), try conclusion(of: "b"),
    ])
    for disk in [disk, other] { #expect(disk.story.filter { $0 == "sync directory" }.count == 1) }
  }

  struct Row {
    let fault: String, outcome: [String], names: [String], because: String
  }

  static let rows = [
    Row(
      fault: "sync all b.part", outcome: ["whole", "file", "whole"], names: ["a", "b.part", "c"],
      because: "what is not durable gets no name"),
    Row(
      fault: "rename b.part to b", outcome: ["whole", "file", "whole"], names: ["a", "b.part", "c"],
      because: "the others have theirs"),
    Row(
      fault: "sync directory", outcome: ["file", "file", "file"], names: ["a", "b", "c"],
      because: "no name is known to last"),
  ]

  @Test(arguments: rows) func oneThatFailsKeepsNoOtherBack(_ row: Row) throws {
    let conclusions = try ["a", "b", "c"].map { try conclusion(of: $0) }
    disk.fault = { $0 == row.fault ? EIO : nil }
    PartConclusion.settle(conclusions)
    #expect(failures(conclusions) == row.outcome, "\(row.because)")
    #expect(disk.names == row.names)
  }

  @Test func whoseNameWasTakenMeanwhileSaysSo() throws {
    let conclusions = try ["a", "b"].map { try conclusion(of: $0) }
    disk.overwrite("a", with: [1])
    PartConclusion.settle(conclusions)
    #expect(failures(conclusions) == ["exists", "whole"])
    #expect(disk.content(of: "a") == [1] && disk.content(of: "a.part") == Array("aaa".utf8))
  }

  /// Wherever the power is cut: nothing has its final name that is not whole, and what is told is there.
  @Test func atEveryCutANameIsWhole() throws {
    let names = ["a", "b", "c"]
    let conclusions = try names.map { try conclusion(of: $0) }
    PartConclusion.settle(conclusions)
    let contents: [PowerCut.Content] = [.lost, .kept, .torn(share: 100), .zeros(share: 0), .hole(share: 90)]
    var cut = PowerCut(disk.beginning)
    for operation in disk.log {
      cut.advance(operation)
      for entries in cut.entryFates {
        for content in contents {
          let image = cut.image(PowerCut.Fate(entries: entries, content: content, attributesKept: false))
          for name in names where image[name] != nil {
            #expect(image[name] == Array("\(name)\(name)\(name)".utf8), "\(entries), \(content)")
            #expect(image.files[name]?.mode == FileMode.newFile(), "attributes too")
          }
        }
      }
    }
    let image = cut.image(PowerCut.Fate(entries: 0, content: .lost, attributesKept: false))
    #expect(names.allSatisfy { image[$0] != nil }, "and in the end all are there")
  }
}
