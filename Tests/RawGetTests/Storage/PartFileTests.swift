import Foundation
import LoopbackServer
import Posix
import Testing

@testable import FuzzHarnesses
@testable import RawGet

/// `NAME.part` on a real file system: append-only, one writer, whole before it takes its name (docs/PROMISES.md, 3 to 5).
/// In which order things happen is `StorageOrderTests`.
@Suite(.serialized) struct PartFileTests {
  private let folder: Folder
  private let now = Instant.now()

  init() throws { folder = try Folder() }

  private func place() throws(DownloadError) -> PartFile.Place {
    let files = SystemFiles()
    do throws(SystemError) {
      return PartFile.Place(store: try files.directory(Array(folder.path.utf8)), boot: files.bootIdentity)
    } catch {
      throw .file(error)
    }
  }

  private func create() throws(DownloadError) -> PartFile {
    try PartFile.create(Array("x".utf8), in: try place(), now: now)
  }

  private func open() throws(DownloadError) -> PartFile? {
    try PartFile.open(Array("x".utf8), in: try place(), now: now)
  }

  private func failure(_ body: () throws(DownloadError) -> Void) -> String {
    do throws(DownloadError) {
      try body()
      return "none"
    } catch {
      return name(of: error)
    }
  }

  @Test func isCreatedForThisUserAlone() throws {
    let part = try create()
    #expect(part.length == 0 && part.trusted == 0 && part.record == nil)
    #expect(try folder.names == ["x.part"])
    #expect(try folder.attribute(.posixPermissions, of: "x.part") == 0o600)
  }

  @Test func whereNothingIsNothingIsMade() throws {
    #expect(try open() == nil)
    #expect(try folder.names == [])
  }

  @Test func nothingOfAnExistingOneIsChanged() throws {
    try folder.put("kept", as: "x.part")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path + "/x.part")
    let part = try #require(try open())
    #expect(part.length == 4)
    #expect(failure { () throws(DownloadError) in _ = try create() } == "busy", "T14: never truncated")
    #expect(folder.bytes(of: "x.part") == Array("kept".utf8))
    #expect(try folder.attribute(.posixPermissions, of: "x.part") == 0o640)
    #expect(try folder.names == ["x.part"])
  }

  @Test func appendsBehindWhatIsThere() throws {
    try folder.put("kept", as: "x.part")
    let part = try #require(try open())
    for text in [" and", "", " more"] { try part.append(Array(text.utf8).span, now: now) }
    #expect(part.length == 13 && part.trusted == 13)
    #expect(folder.bytes(of: "x.part") == Array("kept and more".utf8), "S0-9 S2-8")
  }

  // MARK: One writer

  @Test func aSecondOneIsBusy() throws {
    let first = try create()
    try first.append(Array("mine".utf8).span, now: now)
    #expect(failure { () throws(DownloadError) in _ = try open() } == "busy", "S2-7")
    #expect(failure { () throws(DownloadError) in _ = try create() } == "busy", "S2-7")
    #expect(folder.bytes(of: "x.part") == Array("mine".utf8), "and touches nothing")
    withExtendedLifetime(first) {}
  }

  @Test func theLockGoesWithTheFile() throws {
    do { _ = try create() }
    #expect(failure { () throws(DownloadError) in _ = try open() } == "none")
    #expect(try folder.names == ["x.part"], "locks exclude here: no claim is made")
  }

  /// Locked by another program, as by another process of this one; flock goes by the open file.
  @Test func aForeignLockIsBusy() throws {
    try folder.put("kept", as: "x.part")
    let other = Glibc.open(folder.path + "/x.part", O_RDONLY | O_CLOEXEC)
    defer { close(other) }
    try #require(flock(other, LOCK_EX | LOCK_NB) == 0)
    #expect(failure { () throws(DownloadError) in _ = try open() } == "busy")
  }

  /// Someone removed the part, and another process began its own: that one's is not ours to name or to describe.
  @Test(arguments: ["removed", "another's"]) func aPartThatLostItsNameIsLeftAlone(_ what: String) throws {
    let part = try create()
    try part.append(Array("ours".utf8).span, now: now)
    try FileManager.default.removeItem(atPath: folder.path + "/x.part")
    if what == "another's" {
      try folder.put("theirs", as: "x.part")
      try folder.put("their record", as: "x.part.meta")
    }
    let before = try folder.names
    #expect(failure { () throws(DownloadError) in try part.finish(.withoutReplacing, modified: nil) } == "busy")
    #expect(failure { () throws(DownloadError) in _ = try part.quarantine() } == "busy")
    #expect(failure { () throws(DownloadError) in try part.replace(keeping: 1) } == "busy")
    #expect(failure { () throws(DownloadError) in try part.write(StorageSetting.record()) } == "none")
    part.settle(now: now)
    #expect(try folder.names == before)
    #expect(folder.bytes(of: "x.part") == (what == "another's" ? Array("theirs".utf8) : nil))
  }

  static let obstacles = ["a link", "a link to nowhere", "a directory", "a FIFO"]

  @Test(arguments: obstacles) func whatIsNoFileIsLeftAlone(_ obstacle: String) throws {
    try folder.put("mine", as: "victim")
    switch obstacle {
    case "a link": try folder.link("x.part", to: "victim")
    case "a link to nowhere": try folder.link("x.part", to: "nowhere")
    case "a directory":
      try FileManager.default.createDirectory(atPath: folder.path + "/x.part", withIntermediateDirectories: false)
    default: mkfifo(folder.path + "/x.part", 0o600)
    }
    let before = try folder.names
    #expect(failure { () throws(DownloadError) in _ = try open() } == "file")
    #expect(failure { () throws(DownloadError) in _ = try create() } == "busy")
    #expect(try folder.names == before)
    #expect(folder.bytes(of: "victim") == Array("mine".utf8))
  }

  // MARK: The end

  @Test func finishingGivesItItsName() throws {
    let part = try create()
    try part.write(StorageSetting.record())
    try part.append(Array("whole".utf8).span, now: now)
    try part.finish(.withoutReplacing, modified: 1_000_000_000)
    #expect(try folder.names == ["x"])
    #expect(folder.bytes(of: "x") == Array("whole".utf8))
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/x")
    #expect((attributes[.modificationDate] as? Date)?.timeIntervalSince1970 == 1_000_000_000)
  }

  @Test(arguments: ["a file", "a link to nowhere", "a directory"])
  func finishingReplacesNothing(_ obstacle: String) throws {
    let part = try create()
    try part.append(Array("whole".utf8).span, now: now)
    switch obstacle {
    case "a file": try folder.put("mine", as: "x")
    case "a link to nowhere": try folder.link("x", to: "nowhere")
    default: try FileManager.default.createDirectory(atPath: folder.path + "/x", withIntermediateDirectories: false)
    }
    #expect(
      failure { () throws(DownloadError) in try part.finish(.withoutReplacing, modified: nil) } == "exists", "T25")
    #expect(try folder.names == ["x", "x.part"])
    #expect(folder.bytes(of: "x.part") == Array("whole".utf8), "and nothing is lost")
    if obstacle == "a file" { #expect(folder.bytes(of: "x") == Array("mine".utf8)) }
  }

  @Test func replacingIsForThoseWhoAskForIt() throws {
    try folder.put("old", as: "x")
    let part = try create()
    try part.append(Array("new".utf8).span, now: now)
    #expect(folder.bytes(of: "x") == Array("old".utf8), "until the new one is whole")
    try part.finish(.replacing, modified: nil)
    #expect(folder.bytes(of: "x") == Array("new".utf8))
    #expect(try folder.names == ["x"])
  }

  @Test(arguments: [0o022, 0o077, 0o002, 0o000]) func theModeFollowsTheUmask(_ mask: mode_t) throws {
    let before = umask(mask)
    defer { umask(before) }
    let part = try create()
    #expect(try folder.attribute(.posixPermissions, of: "x.part") == 0o600, "until it is complete")
    try part.finish(.withoutReplacing, modified: nil)
    #expect(try folder.attribute(.posixPermissions, of: "x") == Int(0o666 & ~mask))
  }

  @Test func settlingRemovesAnEmptyPart() throws {
    let part = try create()
    try part.write(StorageSetting.record())
    part.settle(now: now)
    #expect(try folder.names == [], "S2-1: of no use to anyone")
  }

  @Test func settlingKeepsEveryByte() throws {
    let part = try create()
    try part.append([7].span, now: now)
    part.settle(now: now)
    part.settle(now: now)
    #expect(folder.bytes(of: "x.part") == [7], "S3-8 T19")
  }

  @Test func whatFailedItsDigestIsPutAside() throws {
    try folder.put("an earlier one", as: "x.bad")
    let part = try create()
    try part.write(StorageSetting.record())
    try part.append(Array("damaged".utf8).span, now: now)
    #expect(try part.quarantine() == Array("x.bad".utf8))
    #expect(try folder.names == ["x.bad"])
    #expect(folder.bytes(of: "x.bad") == Array("damaged".utf8))
  }
}
