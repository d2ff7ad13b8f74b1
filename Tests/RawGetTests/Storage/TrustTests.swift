import Posix
import Testing

@testable import FuzzHarnesses
@testable import RawGet

/// Which bytes are what was written: all of them within one boot, after another only those that were durable, and
/// whatever was compared since (docs/RESUME.md).
struct TrustTests {
  private static let content = Array("0123456789".utf8)
  private let now = StorageSetting.now

  struct Row {
    let durable: Int64?  // nil: no record
    var boot = "boot-1"
    let trusted: Int64, because: String
  }

  static let rows = [
    Row(durable: 4, boot: "boot-0", trusted: 4, because: "another boot: only what was durable"),
    Row(durable: 0, boot: "boot-0", trusted: 0, because: "nothing was durable"),
    Row(durable: 99, boot: "boot-0", trusted: 10, because: "the length of the part is the truth"),
    Row(durable: 4, boot: "", trusted: 4, because: "an unknown boot is another one"),
    Row(durable: 4, trusted: 10, because: "this boot: the system kept everything"),
    Row(durable: nil, trusted: 10, because: "no record: everything is compared in any case"),
  ]

  @Test(arguments: rows) func trusts(_ row: Row) throws {
    let record = row.durable.map { StorageSetting.record(durable: $0, boot: row.boot) }
    let part = try open(SimulatedDisk(StorageSetting.image(Self.content, record)))
    #expect(part.trusted == row.trusted, "\(row.because)")
    #expect(part.length == 10)
  }

  @Test func aSystemThatDoesNotTellItsBootTrustsNothingElse() throws {
    let disk = SimulatedDisk(StorageSetting.image(Self.content, StorageSetting.record(durable: 4, boot: "")), boot: "")
    #expect(try open(disk).trusted == 4)
  }

  private func open(_ disk: SimulatedDisk) throws -> PartFile {
    try #require(try PartFile.open(StorageSetting.name, in: StorageSetting.place(disk), now: now))
  }

  private func countOfEqual(_ range: Range<Int>, _ sink: ContentSink) throws -> Int {
    let bytes = Array(Self.content[range])
    return try sink.compare(bytes.span).count
  }

  /// A run that gets nothing from the server must not call durable what the power cut before it may have damaged.
  @Test func settlingMakesNothingTrusted() throws {
    let image = StorageSetting.image(Self.content, StorageSetting.record(durable: 4, boot: "boot-0"))
    let disk = SimulatedDisk(image)
    try open(disk).settle(now: now)
    #expect(try open(disk).trusted == 4)
    #expect(try open(SimulatedDisk(disk.image, boot: "boot-2")).trusted == 4)
  }

  @Test func whatWasComparedIsTrusted() throws {
    let disk = SimulatedDisk(StorageSetting.image(Self.content, StorageSetting.record(durable: 4, boot: "boot-0")))
    let part = try open(disk)
    let sink = ContentSink(.part(part))
    try sink.begin(at: 3, .continuation)
    #expect(try countOfEqual(3..<8, sink) == 5)
    #expect(part.trusted == 8)
    part.settle(now: now)
    #expect(StorageSetting.record(on: disk)?.durableLength == 8)
    #expect(try open(SimulatedDisk(disk.image)).trusted == 8, "the rest is still that of the other boot")
    #expect(try countOfEqual(8..<10, sink) == 2)
    #expect(part.trusted == 10)
    part.settle(now: now)
    #expect(StorageSetting.record(on: disk)?.boot == Array("boot-1".utf8), "all of it is of this boot now")
  }

  @Test func whatLiesBehindAGapIsNot() throws {
    let part = try open(
      SimulatedDisk(StorageSetting.image(Self.content, StorageSetting.record(durable: 4, boot: "boot-0"))))
    let sink = ContentSink(.part(part))
    try sink.begin(at: 6, .continuation)
    #expect(try countOfEqual(6..<10, sink) == 4)
    #expect(part.trusted == 4, "the bytes between were not compared")
  }
}
