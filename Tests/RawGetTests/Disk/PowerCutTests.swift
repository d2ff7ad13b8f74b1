import LoopbackServer
import Testing

@testable import FuzzHarnesses
@testable import RawGet

/// Whatever a power cut leaves of a download, the same command ends with the right bytes, and fetches little again
/// (docs/PROMISES.md, 2 to 5; docs/DURABILITY.md).
@Suite(.serialized) struct PowerCutTests {
  private static let size = 20_000_000  // bytes
  private static let content = Resource(length: Int64(size)).bytes
  private static let beginning = 12_000_000  // bytes of an earlier run
  /// The front of both representations, where the server has changed meanwhile.
  private static let common = 6_000_000  // bytes
  private static let changed = Array(content[..<common]) + Resource(length: 9_000_000, seed: 7).bytes

  private func serve(_ origin: StoredOrigin) throws -> LoopbackServer {
    try LoopbackServer { origin.respond(to: $0) }
  }

  /// Whatever gets the part's name, a record follows before its first new byte.
  private func expectRecordsFirst(_ disk: SimulatedDisk) {
    var isRecorded = false
    for step in disk.story {
      if step == "create x.part" || step.hasSuffix(" to x.part") { isRecorded = false }
      if step == "rename x.part.tmp to x.part.meta" { isRecorded = true }
      if step.hasPrefix("append x.part ") { #expect(isRecorded, "\(step) before its record") }
    }
  }

  private func report(_ cuts: PowerCuts, _ what: String, atLeast least: Int = 10) {
    print("power cuts, \(what): cuts \(cuts.cuts), images \(cuts.images), wrong \(cuts.wrong)")
    #expect(cuts.cuts >= least, "the log was read")
  }

  /// A strong entity tag, a date alone, nothing at all.
  static let origins = [
    StoredOrigin(content: content),
    StoredOrigin(content: content, entityTag: nil),
    StoredOrigin(content: content, entityTag: nil, lastModified: nil),
  ]

  private static let chosen = PowerCuts.isExhaustive ? [0, 1, 2] : [0, 2]

  @Test("S6-1: a new download", arguments: chosen) func aNewDownload(_ index: Int) throws {
    try cutNewDownload(from: Self.origins[index], "a new download, origin \(index)") { _ in }
  }

  /// The disk sees the same: bytes in their order. A block that was cut for its slowness is asked for twice.
  @Test("S6-1: a new download over four connections") func overSeveralConnections() throws {
    try cutNewDownload(from: Self.origins[0], "over four connections", slack: 4 << 20) { $0.connections = .exactly(4) }
  }

  private func cutNewDownload(
    from origin: StoredOrigin, _ what: String, slack: Int64 = 0, _ change: (inout DownloadOptions) -> Void
  ) throws {
    let server = try serve(origin)
    defer { server.stop() }
    let disk = SimulatedDisk()
    try #require(try DiskRun(server, of: Self.size, on: disk, change).result.name == "complete")
    let isDated = origin.lastModified != nil
    expectRecordsFirst(disk)
    var cuts = PowerCuts()
    try cuts.forEach(disk) { left, live, isKill in
      let next = SimulatedDisk(left, boot: isKill ? "boot-1" : "boot-2")
      let run = try DiskRun(server, of: Self.size, on: next, change)
      guard DiskRun.isEqual(next.content(of: "x"), Self.content) else { return "wrong content, \(run.result.name)" }
      // Without a date, a file that is there can't be told from another of its size.
      guard run.result.name == "complete" || left["x"] != nil && !isDated else { return run.result.name }
      guard left["x"] == nil else { return nil }
      let again = Int64((live["x.part"] ?? live["x"] ?? []).count) + run.asked - Int64(Self.size)
      let limit = slack + (isKill ? ResumeOptions().overlap : DiskRun.limit) + (isDated ? 0 : 2 * PrefixSamples.total)
      return again > limit ? "\(again) bytes fetched again" : next.names == ["x"] ? nil : "left over: \(next.names)"
    }
    report(cuts, what)
  }

  /// Whole in one piece, and without a record; or without a name, where the disk can do that. The record of an earlier
  /// download may come back, and so may what it speaks of: alike in all but the first byte, and with as little compared
  /// as can be asked for.
  @Test("S6-1: a small file", arguments: [false, true]) func aSmallFile(_ isNameless: Bool) throws {
    let rest = [UInt8](repeating: 7, count: 19_999)
    let small: [UInt8] = [1] + rest[..<9_999]
    let earlier: [UInt8] = [2] + rest
    let smallOrigin = StoredOrigin(content: small, entityTag: #""small""#, inOnePiece: true)
    let earlierOrigin = StoredOrigin(content: earlier, entityTag: #""earlier""#, inOnePiece: true)
    let origin = Guarded(smallOrigin)
    let server = try LoopbackServer { exchange in origin.withLock { $0 }.respond(to: exchange) }
    defer { server.stop() }
    let disk = SimulatedDisk(try recorded(earlier.count, of: server))
    disk.makesNameless = isNameless
    try #require(try DiskRun(server, of: small.count, on: disk).result.name == "complete")
    #expect(!disk.story.contains("create x.part.tmp"))
    #expect(disk.story.contains("create x.part") != isNameless)
    #expect(disk.names == (isNameless ? ["x", "x.part.meta"] : ["x"]), "only a part looks for the record of another")
    var cuts = PowerCuts()
    try cuts.forEach(disk) { left, _, isKill in
      let boot = isKill ? "boot-1" : "boot-2"
      origin.withLock { $0 = smallOrigin }
      if isNameless, let x = left["x"], x != small { return "a name for what is not whole" }
      if let complaint = try resume(left, boot, server, small) { return complaint }
      if left["x"] != nil { return nil }
      origin.withLock { $0 = earlierOrigin }
      return try resume(left, boot, server, earlier) { $0.resume.overlap = 1 }.map { $0 + ", changed back" }
    }
    report(cuts, isNameless ? "a small file without a name" : "a small file", atLeast: isNameless ? 6 : 10)
  }

  /// The record that a download of so many bytes left.
  private func recorded(_ count: Int, of server: LoopbackServer) throws -> DiskImage {
    var record = StorageSetting.record(durable: Int64(count), boot: "boot-0", completeLength: Int64(count))
    record.target = TargetIdentity(try TargetURI(text: Array(server.uri("/x").utf8)))
    record.representation.entityTag = Array(#""earlier""#.utf8)
    return DiskImage(files: ["x.part.meta": DiskImage.File(content: try #require(record.serialized()))])
  }

  /// The part belongs to a representation that is gone: it is set aside, and nothing of it is lost before the new one
  /// is whole. The server may change back meanwhile.
  @Test("S6-1 T3: the server changed") func theServerChanged() throws {
    let server = try serve(StoredOrigin(content: Self.changed, entityTag: #""changed""#))
    let reverted = try serve(StoredOrigin(content: Self.content))
    defer { for server in [server, reverted] { server.stop() } }
    let disk = SimulatedDisk(try earlierRun())
    try #require(try DiskRun(server, of: Self.changed.count, on: disk).result.name == "complete")
    #expect(disk.names == ["x"])
    #expect(disk.story.contains("rename x.part to x.part.old"))
    expectRecordsFirst(disk)
    var cuts = PowerCuts()
    try cuts.forEach(disk) { left, _, isKill in
      let boot = isKill ? "boot-1" : "boot-2"
      let isNew = DiskRun.isEqual(left["x"], Self.changed)
      let kept = [left["x.part"], left["x.part.old"]]
      guard isNew || kept.contains(where: { DiskRun.begins($0, with: Self.content[..<Self.beginning]) }) else {
        return "the old part is lost"
      }
      if let complaint = try resume(left, boot, server, Self.changed) { return complaint }
      return isNew ? nil : try resume(left, boot, reverted, Self.content).map { $0 + ", changed back" }
    }
    report(cuts, "the server changed")
  }

  /// What a run left that reached `beginning`.
  private func earlierRun() throws -> DiskImage {
    let server = try serve(StoredOrigin(content: Self.content, dropsAfter: Self.beginning))
    defer { server.stop() }
    let disk = SimulatedDisk()
    _ = try DiskRun(server, of: Self.size, on: disk)
    try #require(disk.content(of: "x.part")?.count == Self.beginning)
    return disk.image
  }

  private func resume(
    _ image: DiskImage, _ boot: String, _ server: LoopbackServer, _ content: [UInt8],
    _ change: (inout DownloadOptions) -> Void = { _ in }
  ) throws -> String? {
    let disk = SimulatedDisk(image, boot: boot)
    let run = try DiskRun(server, of: content.count, on: disk, change)
    guard run.result.name == "complete", DiskRun.isEqual(disk.content(of: "x"), content) else {
      return "wrong content, \(run.result.name)"
    }
    return nil
  }

  @Test("S6-1: --existing=replace") func anExistingFileIsReplaced() throws {
    let server = try serve(StoredOrigin(content: Self.content))
    defer { server.stop() }
    let old = Array("what the user has".utf8)
    let disk = SimulatedDisk(DiskImage(files: ["x": DiskImage.File(content: old)]))
    try #require(try DiskRun(server, of: Self.size, on: disk) { $0.existing = .replace }.result.name == "complete")
    expectRecordsFirst(disk)
    var cuts = PowerCuts()
    try cuts.forEach(disk) { left, _, isKill in
      guard left["x"] == old || DiskRun.isEqual(left["x"], Self.content) else { return "neither old nor new" }
      let next = SimulatedDisk(left, boot: isKill ? "boot-1" : "boot-2")
      let run = try DiskRun(server, of: Self.size, on: next) { $0.existing = .replace }
      return DiskRun.isEqual(next.content(of: "x"), Self.content) ? nil : "wrong content, \(run.result.name)"
    }
    report(cuts, "an existing file is replaced")
  }

  @Test("S6-1: -c over a file of another tool") func aFileIsAdopted() throws {
    let server = try serve(StoredOrigin(content: Self.content))
    defer { server.stop() }
    let front = Self.content[..<Self.beginning]
    let disk = SimulatedDisk(DiskImage(files: ["x": DiskImage.File(content: Array(front))]))
    try #require(try DiskRun(server, of: Self.size, on: disk) { $0.existing = .resume }.result.name == "complete")
    #expect(disk.story.contains("rename x to x.part"))
    expectRecordsFirst(disk)
    var cuts = PowerCuts()
    try cuts.forEach(disk) { left, _, isKill in
      guard DiskRun.begins(left["x"] ?? left["x.part"], with: front) else { return "what was there is lost" }
      let next = SimulatedDisk(left, boot: isKill ? "boot-1" : "boot-2")
      let run = try DiskRun(server, of: Self.size, on: next) { $0.existing = .resume }
      return DiskRun.isEqual(next.content(of: "x"), Self.content) ? nil : "wrong content, \(run.result.name)"
    }
    report(cuts, "a file is adopted")
  }
}
