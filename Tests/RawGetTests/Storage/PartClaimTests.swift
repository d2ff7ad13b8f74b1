import Foundation
import Posix
import Testing

@testable import FuzzHarnesses
@testable import RawGet

/// Where locks always succeed, the file `NAME.part.lock` decides who writes a part.
struct PartClaimTests {
  private static let gone: Int32 = 0x3FFF_FFFE  // above every process number that Linux gives
  private let now = StorageSetting.now

  private func disk(_ claims: [String: String] = [:]) -> SimulatedDisk {
    var image = StorageSetting.image([1, 2], StorageSetting.record())
    for (name, text) in claims { image.files[name] = DiskImage.File(content: Array(text.utf8)) }
    let disk = SimulatedDisk(image)
    disk.locksAlwaysSucceed = true
    return disk
  }

  private func open(_ disk: SimulatedDisk) throws(DownloadError) -> PartFile? {
    try PartFile.open(StorageSetting.name, in: StorageSetting.place(disk), now: now)
  }

  private func outcome(_ disk: SimulatedDisk) -> String {
    do throws(DownloadError) { return try open(disk) == nil ? "nothing" : "open" } catch { return name(of: error) }
  }

  struct Row {
    let holder: String, outcome: String, because: String
    /// Of the claim to replace that claim.
    var replacer: String?
  }

  private static let own = ProcessInfo.processInfo.processIdentifier

  static let rows = [
    Row(holder: "\(own) boot-1", outcome: "busy", because: "a process that runs"),
    Row(holder: "1 boot-1", outcome: "busy", because: "another process that runs"),
    Row(
      holder: "\(gone) boot-1", outcome: "busy", because: "someone else is about to replace it", replacer: "1 boot-1"),
    Row(holder: "\(gone) boot-1", outcome: "open", because: "its process is gone"),
    Row(holder: "1 boot-0", outcome: "open", because: "its boot is over"),
    Row(holder: "", outcome: "open", because: "torn by a power cut"),
    Row(holder: "1", outcome: "open", because: "torn by a power cut"),
    Row(holder: "\u{0}\u{0}\u{0}", outcome: "open", because: "torn by a power cut"),
    Row(
      holder: "\(gone) boot-1", outcome: "open", because: "who was about to replace it is gone too",
      replacer: "\(gone) boot-1"),
  ]

  @Test(arguments: rows) func decides(_ row: Row) throws {
    var claims = ["x.part.lock": row.holder]
    claims["x.part.lock.x"] = row.replacer
    let disk = disk(claims)
    #expect(outcome(disk) == row.outcome, "\(row.because)")
    if row.outcome == "busy" {
      #expect(disk.content(of: "x.part.lock") == Array(row.holder.utf8), "and it stays")
    } else {
      #expect(disk.names == ["x.part", "x.part.meta"], "nothing is left of any claim")
    }
  }

  @Test func oneOfTwoHasThePart() throws {
    let disk = disk()
    let first = try #require(try open(disk))
    #expect(disk.content(of: "x.part.lock") == Array("\(Self.own) boot-1".utf8))
    #expect(outcome(disk) == "busy", "S2-7")
    #expect(disk.names == ["x.part", "x.part.lock", "x.part.meta"])
    withExtendedLifetime(first) {}
  }

  @Test func itGoesWithThePart() throws {
    let disk = disk()
    do { _ = try open(disk) }
    #expect(disk.names == ["x.part", "x.part.meta"])
    #expect(outcome(disk) == "open")
  }

  @Test func aNewPartIsClaimedToo() throws {
    let disk = SimulatedDisk()
    disk.locksAlwaysSucceed = true
    let part = try PartFile.create(StorageSetting.name, in: StorageSetting.place(disk), now: now)
    #expect(disk.names == ["x.part", "x.part.lock"])
    #expect(outcome(disk) == "busy")
    try part.finish(.withoutReplacing, modified: nil)
    #expect(disk.content(of: "x") == [])
  }

  @Test func whereLocksExcludeNoClaimIsMade() throws {
    let disk = SimulatedDisk(StorageSetting.image([1], nil))
    let part = try open(disk)
    #expect(disk.story == [])
    withExtendedLifetime(part) {}
  }

  /// Between seeing that a claim is over and having the right to replace it, another process may have replaced it.
  @Test func aClaimThatWasReplacedMeanwhileIsLeftAlone() throws {
    let disk = disk(["x.part.lock": "\(Self.gone) boot-1"])
    let other = Array("1 boot-1".utf8)
    disk.fault = { [unowned disk] step in
      if step.hasSuffix("to x.part.lock.x") { disk.overwrite("x.part.lock", with: other) }
      return nil
    }
    #expect(outcome(disk) == "busy")
    #expect(disk.content(of: "x.part.lock") == other)
    #expect(disk.names == ["x.part", "x.part.lock", "x.part.meta"])
  }

  @Test(arguments: [EIO, EROFS, ENOSPC]) func withoutAClaimNothingIsWritten(_ code: Int32) throws {
    let disk = disk()
    disk.fault = { $0.hasPrefix("create") ? code : nil }
    #expect(outcome(disk) == (code == ENOSPC ? "noSpace" : "file"))
  }
}
