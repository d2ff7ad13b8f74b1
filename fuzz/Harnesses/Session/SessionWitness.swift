#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import RawGet

/// Looks at a disk at every instant, and knows what may be there (docs/PROMISES.md, 1 to 5; docs/DURABILITY.md).
final class SessionWitness {
  private let wholes: [[UInt8]]
  private let names = PartNames(SessionClient.name)
  /// What a power cut left of a part, which may end in anything: until it is compared, no byte may follow it.
  private var damaged: [[UInt8]] = []
  /// The longest good part that was seen since the last power cut, in bytes.
  private var longest: Int64 = 0
  private var lastRecord: [UInt8] = []
  /// The first thing that was wrong: no error can be thrown where it is seen.
  private var seen: Violation?

  init(_ wholes: [[UInt8]]) { self.wholes = wholes }

  func watch(_ disk: SimulatedDisk) {
    disk.watch = { [unowned self, unowned disk] in self.look(at: disk) }
  }

  /// Nothing on the disk is a mixture, nor was at any instant since the last call.
  func requireSeen() throws { if let seen { throw seen } }

  private func look(at disk: SimulatedDisk) {
    for name in ["file.part", "file.part.old", "file"] {
      guard seen == nil, let content = disk.content(of: name) else { continue }
      if isGood(content[...]) || damaged.contains(content) { continue }
      seen = Violation(description: "\(name) is mixed, \(content.count) bytes; last: \(disk.story.suffix(3))")
    }
    guard seen == nil, let record = disk.content(of: "file.part.meta"), record != lastRecord else { return }
    lastRecord = record
    if PartRecord(bytes: record)?.serialized() != record {
      seen = Violation(description: "the record does not read back")
    }
  }

  private func isGood(_ content: ArraySlice<UInt8>) -> Bool { wholes.contains { begins($0, with: content) } }

  /// A process begins: everything is still there. What the one before it compared after a power cut is compared again.
  func requireKept(_ client: SessionClient, _ disk: SimulatedDisk) throws {
    guard let part = client.sink?.part else { return }
    let old = Int64(disk.content(of: "file.part.old")?.count ?? 0)
    try require(max(part.length, old) >= longest, "\(longest - max(part.length, old)) bytes are gone between processes")
    longest = min(longest, max(part.trusted, old))
  }

  /// After an attempt: no good byte is gone, but those of a part whose replacement is whole.
  func requireWell(_ client: SessionClient, _ disk: SimulatedDisk) throws {
    look(at: disk)
    try requireSeen()
    guard disk.content(of: "file") == nil, let part = client.sink?.part else { return }
    guard let content = disk.content(of: "file.part") else { return }
    try require(isGood(content.prefix(Int(part.trusted))), "what is trusted is mixed")
    let present = max(part.trusted, Int64(disk.content(of: "file.part.old")?.count ?? 0))
    try require(present >= longest, "\(longest - present) good bytes are gone")
    longest = max(longest, part.trusted)
  }

  /// After a power cut: what a record calls durable is there, and a part that nothing speaks of has no content.
  func requireDurable(_ disk: SimulatedDisk) throws {
    longest = 0
    damaged = ["file.part", "file.part.old"].compactMap { disk.content(of: $0) }
    guard disk.content(of: "file") == nil else { return }
    let part = disk.content(of: "file.part") ?? []
    let old = disk.content(of: "file.part.old") ?? []
    guard let record = disk.content(of: "file.part.meta").flatMap({ PartRecord(bytes: $0) }) else {
      return try require(isGood(part[...]), "nothing says of a damaged part that it may be damaged")
    }
    let durable = Int(record.durableLength)
    try require(max(part.count, old.count) >= durable, "durable bytes are gone")
    // Between two names the record still speaks of the old part; beside a new one it does not.
    let spokenOf = disk.content(of: "file.part") == nil ? old : part
    try require(isGood(spokenOf.prefix(durable)), "durable bytes are damaged")
    longest = Int64(durable)
  }

  /// The final name leads to one version: whole, or its beginning where nothing but a close showed the end. At the end
  /// of a process nothing is beside it but an old part, and that only if the end is not proven.
  func requireWhole(_ disk: SimulatedDisk, isProven: Bool?, isEnd: Bool = true) throws {
    guard let content = disk.content(of: "file"), let isProven else {
      throw Violation(description: "complete, and there is no file")
    }
    try require(isGood(content[...]), "the file is mixed")
    try require(
      !isProven || wholes.contains { begins($0, with: content[...]) && $0.count == content.count }, "it is cut")
    guard isEnd else { return }
    let left = disk.names.filter { $0 != "file" && (isProven || $0 != "file.part.old") }
    try require(left.isEmpty, "\(left) is left")
  }
}

/// Faster than `starts(with:)`, which an instrumented build does not vectorise.
private func begins(_ whole: [UInt8], with start: ArraySlice<UInt8>) -> Bool {
  guard start.count <= whole.count else { return false }
  return whole.withUnsafeBytes { whole in
    start.withUnsafeBytes { start in
      guard let one = whole.baseAddress, let other = start.baseAddress else { return start.isEmpty }
      return memcmp(one, other, start.count) == 0
    }
  }
}
