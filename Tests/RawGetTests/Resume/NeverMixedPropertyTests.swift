import Foundation
import Testing

@testable import RawGet

/// Random parts, answers, kills, power cuts and changes of the file, over several processes (docs/PROMISES.md, 1, 2 and 5):
/// whatever happens, a part is a prefix of one version, the longest good part stays, and the end is one version, whole.
struct NeverMixedPropertyTests {
  @Test(arguments: ModelServer.Validators.allCases) func smallFiles(_ validators: ModelServer.Validators) throws {
    var completed = 0
    for seed in 0..<700 { completed += try tell(UInt64(seed), validators, 0...300, calmness: 1 + seed % 3) }
    #expect(completed > 100, "the chaos itself leads to the end often enough to be a test")
  }

  /// Long enough for samples.
  @Test(arguments: [ModelServer.Validators.weakTag, .recentDate, .none])
  func longFiles(_ validators: ModelServer.Validators) throws {
    for seed in 0..<100 { _ = try tell(UInt64(seed), validators, 90_000...120_000, calmness: 12) }
  }

  private func tell(
    _ seed: UInt64, _ validators: ModelServer.Validators, _ count: ClosedRange<Int>, calmness: Int
  ) throws -> Int {
    var story = Story(seed: seed, validators, count: count, calmness: calmness)
    return try story.tell()
  }
}

/// What happens to one file, from a seed.
private struct Story {
  private let seed: UInt64
  private var random: SeededGenerator
  private var server: ModelServer
  private let validators: ModelServer.Validators
  private let store = MemoryStore()
  private let names = PartNames(ModelClient.name)
  private var options = ResumeOptions()
  private var boot = 0
  private var recordIsLost = false
  /// The longest good part that was seen since the last power cut.
  private var longest: Int64 = 0  // bytes

  init(seed: UInt64, _ validators: ModelServer.Validators, count: ClosedRange<Int>, calmness: Int) {
    self.seed = seed
    self.validators = validators
    random = SeededGenerator(seed: seed)
    server = .random(validators, count: count, calmness: calmness, &random)
    options.overlap = Int64.random(in: 1...40, using: &random)
    options.isParanoid = Int.random(in: 0..<20, using: &random) == 0
    options.isOff = Int.random(in: 0..<20, using: &random) == 0
  }

  /// 1 when it came to its end before the server became honest.
  mutating func tell() throws -> Int {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      var client = try begin()
      let attempts = server.wholes[0].count > 1_000 ? 30 : 6
      for _ in 0..<Int.random(in: 1...attempts, using: &random) {
        let end = try client.attempt(&server, &random)
        if case .complete(let isProven)? = end {
          expectWhole(isProven)
          expectNothingLost(client, isProven)
          return 1
        }
        expectOneVersion(client)
        if end == .failed { break }
      }
      if Bool.random(using: &random) { client.settle() }
    }
    try finishHonestly()
    return 0
  }

  /// A new process, perhaps after a power cut, perhaps with another link, perhaps without the record.
  private mutating func begin() throws -> ModelClient {
    if Bool.random(using: &random) { server.change(&random) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0 where !recordIsLost: cutPower()
    case 1 where validators == .none && store.files[names.record] != nil:
      try store.remove(names.record)
      recordIsLost = true
    default: break
    }
    let place = PartFile.Place(
      store: store, boot: Array("boot \(boot)".utf8), syncBytes: Int64.random(in: 1...200, using: &random))
    let link = Int.random(in: 0..<8, using: &random) == 0 ? "?signature=2" : ""
    return try ModelClient(in: place, Known.target("http://example.org/file\(link)"), options)
  }

  /// What was not durable is kept, lost in part, or zeros.
  private mutating func cutPower() {
    boot += 1
    longest = 0
    guard let part = store.files[names.part] else { return }
    let durable = Int(PartRecord.read(names, store)?.durableLength ?? 0)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: part.truncate(to: Int64(Int.random(in: durable...part.bytes.count, using: &random)))
    case 1: for index in durable..<part.bytes.count { part.bytes[index] = 0 }
    default: break
    }
  }

  private mutating func expectOneVersion(_ client: ModelClient) {
    guard let part = client.sink?.part, let file = store.files[names.part] else { return }
    let trusted = file.bytes.prefix(Int(part.trusted))
    if !server.wholes.contains(where: { begins($0, with: trusted) }) {
      Issue.record("seed \(seed): the part is mixed")
    }
    let old = store.files[names.oldPart]?.bytes ?? []
    if !server.wholes.contains(where: { begins($0, with: old[...]) }), boot == 0 {
      Issue.record("seed \(seed): the old part is mixed")
    }
    let present = max(part.trusted, Int64(old.count))
    if present < longest { Issue.record("seed \(seed): \(longest - present) good bytes are gone") }
    longest = max(longest, part.trusted)
  }

  /// A close proves no end: it takes nothing away from what was here.
  private func expectNothingLost(_ client: ModelClient, _ isProven: Bool) {
    guard !isProven, let part = client.sink?.part, !client.hasReplaced, part.length < client.keptBefore else {
      return
    }
    Issue.record("seed \(seed): \(client.keptBefore - part.length) bytes are gone with a close")
  }

  private func expectWhole(_ isProven: Bool) {
    let bytes = store.files[names.final]?.bytes ?? []
    let isRight = server.wholes.contains { begins($0, with: bytes[...]) && (!isProven || $0.count == bytes.count) }
    if !isRight { Issue.record("seed \(seed): the end is not one version, whole (\(bytes.count) bytes)") }
    for name in [names.part, names.record, names.newRecord, names.newPart] where store.files[name] != nil {
      Issue.record("seed \(seed): \(String(decoding: name, as: UTF8.self)) is left")
    }
  }

  /// Whatever is here, a server that keeps to the rules leads to its version, whole.
  private mutating func finishHonestly() throws {
    // Begun from a login page: then it is the file that looks like something else, and the caller has to say so.
    if PartRecord.read(names, store)?.representation.mediaType == Array("text/html".utf8), validators == .none {
      return
    }
    server.isHonest = true
    var client = try begin()
    for _ in 0..<16 {
      switch try client.attempt(&server, &random) {
      case nil: continue
      case .complete(let isProven)?:
        expectWhole(isProven)
        let isRight = store.files[names.final]?.bytes == server.versions[server.current].content
        if !isRight || !isProven { Issue.record("seed \(seed): not the version that an honest server has") }
        return
      case .failed?:
        Issue.record("seed \(seed): an honest server is refused")
        return
      }
    }
    Issue.record("seed \(seed): no end with an honest server")
  }
}

/// Faster than `starts(with:)`, which a build for tests does not specialise.
private func begins(_ whole: [UInt8], with start: ArraySlice<UInt8>) -> Bool {
  guard start.count <= whole.count else { return false }
  return whole.withUnsafeBytes { whole in
    start.withUnsafeBytes { start in
      guard let one = whole.baseAddress, let other = start.baseAddress else { return start.isEmpty }
      return memcmp(one, other, start.count) == 0
    }
  }
}
