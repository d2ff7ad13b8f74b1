import Foundation
import Posix
import Testing

@testable import RawGet

/// Directories that stay open from one download to the next.
struct HeldDirectoryTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func make(_ name: String) throws -> [UInt8] {
    try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
    return folder.path(of: name)
  }

  private var openCount: Int { OpenDescriptors.names(in: folder).count }

  @Test func oneIsOpenedOnce() throws {
    let files = SystemFiles(holdingDirectories: .seconds(3_600))
    let paths = [try make("a"), try make("b")]
    let first = try paths.map { try files.directory($0) }
    for _ in 0..<10 {
      for (path, store) in zip(paths, first) { #expect(try files.directory(path) === store) }
    }
    #expect(openCount == 2)
  }

  @Test func whoHoldsNoneOpensThemAnew() throws {
    let files = SystemFiles()
    let path = try make("a")
    for _ in 0..<3 { _ = try files.directory(path) }
    #expect(openCount == 0)
  }

  @Test func noMoreAreHeldThanTheBoundSays() throws {
    let files = SystemFiles(holdingDirectories: .seconds(3_600))
    for number in 0...SystemFiles.heldLimit + 2 { _ = try files.directory(try make("\(number)")) }
    #expect(openCount == SystemFiles.heldLimit)
  }

  /// A path is looked after: what was renamed is not written to under its old name for longer than that.
  @Test func anotherDirectoryInItsPlaceIsSeen() throws {
    let files = SystemFiles(holdingDirectories: .zero)
    let path = try make("a")
    let store = try files.directory(path)
    #expect(try files.directory(path) === store)
    try folder.rename("a", to: "moved")
    _ = try make("a")
    _ = try files.directory(path).create(Array("x".utf8))
    #expect(folder.bytes(of: "a/x") == [] && folder.bytes(of: "moved/x") == nil)
  }

  @Test func aPathThatLeadsNowhereIsNoDirectory() throws {
    let files = SystemFiles(holdingDirectories: .zero)
    let path = try make("a")
    _ = try files.directory(path)
    try folder.rename("a", to: "moved")
    #expect(throws: SystemError.self) { try files.directory(path) }
  }

  @Test func whatIsKnownOfLocksStaysWithTheDirectory() throws {
    let files = SystemFiles(holdingDirectories: .seconds(3_600))
    let path = try make("a")
    #expect(try !files.directory(path).locksExclude)
    let place = PartFile.Place(store: try files.directory(path), boot: files.bootIdentity)
    _ = try PartFile.create(Array("x".utf8), in: place, now: .now())
    #expect(try files.directory(path).locksExclude, "a second descriptor was kept out, and none is tried again")
  }
}
