import LoopbackServer
import Testing

@testable import FuzzHarnesses
@testable import RawGet

/// Several cuts in a row: what one run leaves is continued by another that is cut as well, some of them without reaching
/// the server, some while the server goes from one version to the other. Only versions that were served are ever named `x`.
struct ManyCutsTests {
  private static let size = 2_000_000  // bytes
  private static let syncBytes: Int64 = 400_000
  private static let first = Resource(length: Int64(size), seed: 11).bytes
  /// The same to far into the part.
  private static let second = Array(first[..<700_000]) + Resource(length: 1_100_000, seed: 12).bytes

  private struct Servers {
    let all: [(server: LoopbackServer, length: Int)]

    init(entityTags: Bool) throws {
      let (tagOne, tagTwo) = entityTags ? (#""one""#, #""two""#) : (nil, nil)
      let dates = ["Sat, 21 Mar 2026 09:30:00 GMT", "Sun, 22 Mar 2026 09:30:00 GMT"]
      let origins = [
        StoredOrigin(content: first, entityTag: tagOne, lastModified: dates[0]),
        StoredOrigin(content: second, entityTag: tagTwo, lastModified: dates[1]),
        StoredOrigin(content: first, entityTag: tagOne, lastModified: dates[0], dropsAfter: 300_000),
        StoredOrigin(
          content: first, entityTag: tagOne, lastModified: dates[0], ignoresRange: true, dropsAfter: 900_000),
        StoredOrigin(content: [1], status: "503 Service Unavailable"),
      ]
      all = try origins.map { origin in
        (try LoopbackServer { origin.respond(to: $0) }, origin.content.count)
      }
    }

    func stop() { for entry in all { entry.server.stop() } }
  }

  private func run(_ servers: Servers, _ index: Int, on disk: SimulatedDisk) throws -> DownloadResult {
    let (server, length) = servers.all[index]
    return try DiskRun(server, of: length, on: disk) {
      $0.syncBytes = Self.syncBytes
      $0.resume.overlap = 4_096
    }.result
  }

  @Test("S6-1: cut after cut", arguments: [true, false]) func cutAfterCut(_ entityTags: Bool) throws {
    let servers = try Servers(entityTags: entityTags)
    defer { servers.stop() }
    let rounds = PowerCuts.isExhaustive ? 2_000 : 40
    var wrong = 0
    for seed in 0..<rounds {
      var random = Numbers(seed: UInt64(seed))
      var image = DiskImage()
      var boot = 1
      var story: [String] = []
      for _ in 0..<random.next(2...5) {
        let disk = SimulatedDisk(image, boot: "boot-\(boot)")
        let index = random.next(0...4)
        let result = try run(servers, index, on: disk)
        story.append("server \(index): \(result.name)")
        image = left(of: disk, &random, &boot, &story)
        if image["x"] != nil { break }
      }
      let last = random.next(0...1)
      let disk = SimulatedDisk(image, boot: "boot-\(boot)")
      let result = try run(servers, last, on: disk)
      let wanted = [Self.first, Self.second]
      let isRight =
        image["x"] == nil
        ? result.name == "complete" && DiskRun.isEqual(disk.content(of: "x"), wanted[last])
        : wanted.contains { DiskRun.isEqual(disk.content(of: "x"), $0) }
      if isRight { continue }
      wrong += 1
      Issue.record("seed \(seed): \(story.joined(separator: "; ")); server \(last): \(result.name)")
    }
    print("power cuts in a row: rounds \(rounds), wrong \(wrong)")
  }

  /// A cut somewhere in the log, most often near its end; one in three is a kill.
  private func left(
    of disk: SimulatedDisk, _ random: inout Numbers, _ boot: inout Int, _ story: inout [String]
  ) -> DiskImage {
    let count = random.next(0...2) > 0 ? random.next(0...disk.log.count) : disk.log.count
    var cut = PowerCut(disk.beginning)
    for operation in disk.log[..<count] { cut.advance(operation) }
    if random.next(0...2) == 0 {
      story.append("killed after \(count) of \(disk.log.count)")
      return cut.image(PowerCut.Fate(entries: .max, content: .kept, attributesKept: true))
    }
    boot += 1
    let share = random.next(0...256)
    let contents: [PowerCut.Content] = [.lost, .kept, .torn(share: share), .zeros(share: share), .hole(share: share)]
    let fate = PowerCut.Fate(
      entries: UInt64(random.next(0...Int(cut.entryFates.upperBound - 1))), content: contents[random.next(0...4)],
      attributesKept: random.next(0...1) == 0)
    story.append("cut after \(count) of \(disk.log.count), \(fate.content), entries \(fate.entries)")
    return cut.image(fate)
  }
}

/// The same numbers for the same seed (SplitMix64).
private struct Numbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next(_ range: ClosedRange<Int>) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return range.lowerBound + Int((mixed ^ mixed >> 31) % UInt64(range.count))
  }
}
