import Foundation
import LoopbackServer
import Testing

@testable import FuzzHarnesses
@testable import RawGet

/// One download of `/x` through the real loop, to a simulated disk.
struct DiskRun {
  static let syncBytes: Int64 = 4 << 20
  /// What a power cut may cost at most: what was not durable, what the buffer brought since, and the overlap.
  static let limit = syncBytes + Int64(EventLoop.bufferCapacity) + ResumeOptions().overlap

  let result: DownloadResult
  /// Content bytes that were asked for.
  let asked: Int64

  init(
    _ server: LoopbackServer, of length: Int, on disk: SimulatedDisk,
    _ change: (inout DownloadOptions) -> Void = { _ in }
  ) throws {
    var options = DownloadOptions()
    options.syncBytes = DiskRun.syncBytes
    options.retryLimit = 0
    change(&options)
    let target = try TargetURI(text: Array(server.uri("/x").utf8))
    var loop = try EventLoop(files: disk)
    let request = DownloadRequest(target: target, destination: .file(Array("/x".utf8)))
    loop.add(DownloadJob(Download(request, options)))
    var asked = 0
    while true {
      switch try loop.run(for: .seconds(60)) {
      case .event(_, .requested(let head)): asked += DiskRun.count(head, of: length)
      case .event: continue
      case .woken, .idle: Issue.record("nothing happened for too long")
      case .finished(_, let result):
        self.result = result
        self.asked = result.summary?.note == .alreadyComplete ? 0 : Int64(asked)
        return
      }
    }
  }

  private static func count(_ head: [UInt8], of length: Int) -> Int {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    guard let line = lines.first(where: { $0.hasPrefix("Range: ") }) else { return length }
    return StoredOrigin.range(String(line.dropFirst("Range: ".count)), of: length)?.count ?? 0
  }

  /// Compares as fast as the machine can.
  static func isEqual(_ left: [UInt8]?, _ right: [UInt8]) -> Bool {
    guard let left, left.count == right.count else { return false }
    return left.withUnsafeBytes { left in
      right.withUnsafeBytes { right in
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return memcmp(first, second, left.count) == 0
      }
    }
  }

  static func begins(_ bytes: [UInt8]?, with front: ArraySlice<UInt8>) -> Bool {
    guard let bytes, bytes.count >= front.count else { return false }
    return isEqual(Array(bytes[..<front.count]), Array(front))
  }
}

/// The power cuts that one run is put to.
struct PowerCuts {
  /// Every image of every cut, instead of some.
  static let isExhaustive = ProcessInfo.processInfo.environment["RAWGET_EXHAUSTIVE"] == "1"
  private static let contents: [PowerCut.Content] = [
    .lost, .kept, .torn(share: 85), .torn(share: 250), .zeros(share: 0), .zeros(share: 128), .hole(share: 30),
    .hole(share: 100),
  ]

  /// Unless it is said, as the environment has it.
  var triesAll = PowerCuts.isExhaustive
  private(set) var cuts = 0
  private(set) var images = 0
  private(set) var wrong = 0

  /// Calls `judge` with what may be left after each operation of `disk`, and with what a killed process leaves. It says what is wrong; nil when all is well.
  mutating func forEach(
    _ disk: SimulatedDisk, _ judge: (_ left: DiskImage, _ live: DiskImage, _ isKill: Bool) throws -> String?
  ) rethrows {
    var cut = PowerCut(disk.beginning)
    for index in 0...disk.log.count {
      if index > 0 { cut.advance(disk.log[index - 1]) }
      guard isOfInterest(index, disk) else { continue }
      cuts += 1
      let live = cut.image(PowerCut.Fate(entries: .max, content: .kept, attributesKept: true))
      if triesAll || cuts % 4 == 0 { note(try judge(live, live, true), index, disk, nil) }
      for fate in fates(cut, index) { note(try judge(cut.image(fate), live, false), index, disk, fate) }
    }
  }

  private mutating func note(_ complaint: String?, _ index: Int, _ disk: SimulatedDisk, _ fate: PowerCut.Fate?) {
    images += 1
    guard let complaint else { return }
    wrong += 1
    let before = disk.story[max(index - 4, 0)..<index].joined(separator: ", ")
    Issue.record("\(complaint): cut \(index) after \(before); \(fate.map { "\($0)" } ?? "killed")")
  }

  /// Cuts between two appends are much alike.
  private func isOfInterest(_ index: Int, _ disk: SimulatedDisk) -> Bool {
    guard !triesAll, index > 0, case .append = disk.log[index - 1] else { return true }
    return index % max(disk.log.count / 8, 1) == 0
  }

  private func fates(_ cut: PowerCut, _ index: Int) -> [PowerCut.Fate] {
    let contents = cut.hasPendingContent ? PowerCuts.contents : [.kept]
    var all: [PowerCut.Fate] = []
    for entries in cut.entryFates {
      for content in contents {
        all.append(PowerCut.Fate(entries: entries, content: content, attributesKept: all.count % 2 == 0))
      }
    }
    if triesAll { return all }
    let one = all[index * 7 % all.count]
    if contents.count == 1 { return [one] }
    let entries = UInt64(index) % cut.entryFates.upperBound
    return [one, PowerCut.Fate(entries: entries, content: .hole(share: 30), attributesKept: true)]
  }
}
