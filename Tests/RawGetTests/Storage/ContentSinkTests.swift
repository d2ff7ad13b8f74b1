import Posix
import Testing

@testable import FuzzHarnesses
@testable import RawGet

/// Compared, then appended: nothing is ever written behind a byte that differs (T3, T25).
struct ContentSinkTests {
  private static let whole = Array("0123456789".utf8)
  private static let kept = 6  // bytes
  private let now = StorageSetting.now

  private func sink(
    keeping bytes: some Sequence<UInt8>, on disk: inout SimulatedDisk, durable: Int64? = nil
  ) throws -> ContentSink {
    let record = durable.map { StorageSetting.record(durable: $0, boot: "boot-0") } ?? StorageSetting.record()
    disk = SimulatedDisk(StorageSetting.image(Array(bytes), record))
    let part = try #require(try PartFile.open(StorageSetting.name, in: StorageSetting.place(disk), now: now))
    return ContentSink(.part(part))
  }

  /// As a download does it; what became of the kept bytes.
  private func take(
    _ pieces: [ArraySlice<UInt8>], _ sink: ContentSink
  ) throws(DownloadError) -> [ContentSink.Change] {
    var changes: [ContentSink.Change] = []
    for piece in pieces {
      let (change, count) = try sink.compare(Array(piece).span)
      if change != .none { changes.append(change) }
      try sink.append(Array(piece.dropFirst(count)).span, now: now)
    }
    return changes
  }

  /// Every way to cut the bytes in up to three pieces.
  private static func cuts(_ bytes: [UInt8], from start: Int = 0) -> [[ArraySlice<UInt8>]] {
    (start...bytes.count).flatMap { first in
      (first...bytes.count).map { second in [bytes[start..<first], bytes[first..<second], bytes[second...]] }
    }
  }

  @Test(arguments: [ContentSink.Mode.continuation, .whole], 0...kept)
  func whereverContentBeginsAndIsCutItEndsWhole(_ mode: ContentSink.Mode, _ start: Int) throws {
    var disk = SimulatedDisk()
    for cut in Self.cuts(Self.whole, from: start) {
      let sink = try sink(keeping: Self.whole[..<Self.kept], on: &disk)
      try sink.begin(at: Int64(start), mode)
      #expect(sink.isProven == (start == Self.kept))
      #expect(try take(cut, sink) == [])
      #expect(sink.isProven && sink.length == 10 && sink.position == 10)
      #expect(try sink.complete() == .none)
      #expect(disk.content(of: "x.part") == Self.whole)
      #expect(!disk.story.contains { $0.hasPrefix("truncate") || $0.hasPrefix("rename") })
    }
  }

  @Test(arguments: 0..<kept) func aDifferenceRefutesAContinuation(_ place: Int) throws {
    var disk = SimulatedDisk()
    var changed = Self.whole
    changed[place] = 0x21
    for cut in Self.cuts(changed) {
      let sink = try sink(keeping: Self.whole[..<Self.kept], on: &disk)
      try sink.begin(at: 0, .continuation)
      do throws(DownloadError) {
        _ = try take(cut, sink)
        Issue.record("a difference at \(place) went unseen")
      } catch {
        #expect(name(of: error) == "notAContinuation")
      }
      #expect(sink.position == Int64(place) && !sink.isProven)
      #expect(disk.content(of: "x.part") == Array(Self.whole[..<Self.kept]), "T3: nothing is written behind it")
      #expect(disk.story == [])
    }
  }

  @Test(arguments: 0..<kept) func aDifferenceInTheWholeBeginsANewPart(_ place: Int) throws {
    var disk = SimulatedDisk()
    var changed = Self.whole
    changed[place] = 0x21
    for cut in Self.cuts(changed) {
      let sink = try sink(keeping: Self.whole[..<Self.kept], on: &disk)
      try sink.begin(at: 0, .whole)
      #expect(try take(cut, sink) == [.replaced(at: Int64(place))])
      #expect(disk.content(of: "x.part") == changed)
      #expect(disk.content(of: "x.part.old") == Array(Self.whole[..<Self.kept]), "S2-4")
    }
  }

  @Test func theWholeMayEndBeforeThePart() throws {
    var disk = SimulatedDisk()
    let sink = try sink(keeping: Self.whole, on: &disk)
    try sink.begin(at: 0, .whole)
    #expect(try take([Self.whole[..<4]], sink) == [])
    #expect(!sink.isProven)
    #expect(try sink.complete() == .replaced(at: 4))
    #expect(disk.content(of: "x.part") == Array(Self.whole[..<4]))
    #expect(disk.content(of: "x.part.old") == Self.whole)
  }

  @Test func aContinuationMayNot() throws {
    var disk = SimulatedDisk()
    let sink = try sink(keeping: Self.whole, on: &disk)
    try sink.begin(at: 2, .continuation)
    _ = try take([Self.whole[2..<4]], sink)
    do throws(DownloadError) {
      _ = try sink.complete()
      Issue.record("six bytes were not seen")
    } catch {
      #expect(name(of: error) == "notAContinuation")
    }
    #expect(disk.content(of: "x.part") == Self.whole)
  }

  /// What a power cut left behind the durable bytes is not what was written: it goes, and nothing before it.
  @Test(arguments: [ContentSink.Mode.continuation, .whole], [3, 4, 5])
  func aTornTailIsCut(_ mode: ContentSink.Mode, _ good: Int) throws {
    var disk = SimulatedDisk()
    let torn = Self.whole[..<good] + [UInt8](repeating: 0, count: 8 - good)
    for cut in Self.cuts(Self.whole) {
      let sink = try sink(keeping: torn, on: &disk, durable: 3)
      try sink.begin(at: 0, mode)
      #expect(try take(cut, sink) == [.cut])
      #expect(disk.content(of: "x.part") == Self.whole)
      #expect(disk.names == ["x.part", "x.part.meta"], "nothing to set aside")
    }
  }

  @Test func aDifferenceBeforeThatIsAnotherMatter() throws {
    var disk = SimulatedDisk()
    let sink = try sink(keeping: Array("01!3".utf8), on: &disk, durable: 3)
    try sink.begin(at: 0, .whole)
    #expect(try take([Self.whole[...]], sink) == [.replaced(at: 2)], "durable bytes are what was written")
  }

  /// A file of another tool is the user's: it may be continued, and is never replaced.
  @Test func anAdoptedFileThatDiffersStays() throws {
    let disk = SimulatedDisk(DiskImage(files: ["x": DiskImage.File(content: Array("01!".utf8))]))
    let sink = ContentSink(
      .part(try PartFile.adopt(StorageSetting.name, in: StorageSetting.place(disk), now: now)))
    try sink.begin(at: 0, .whole)
    do throws(DownloadError) {
      _ = try take([Self.whole[...]], sink)
      Issue.record("the file differs")
    } catch {
      #expect(name(of: error) == "changed")
    }
    #expect(disk.story == [] && disk.names == ["x"])
  }

  /// A comparison that was cut short, and then a continuation from the end, as after a reconnect.
  @Test func anInterruptedComparisonIsForgotten() throws {
    var disk = SimulatedDisk()
    let sink = try sink(keeping: Self.whole[..<Self.kept], on: &disk)
    try sink.begin(at: 0, .whole)
    _ = try take([Self.whole[..<3]], sink)
    try sink.begin(at: 0, .whole)
    #expect(sink.position == 0, "from the front again")
    try sink.begin(at: Int64(Self.kept), .continuation)
    _ = try take([Self.whole[Self.kept...]], sink)
    #expect(disk.content(of: "x.part") == Self.whole)
  }

  @Test func spaceIsAskedForBeforeTheContent() throws {
    var disk = SimulatedDisk()
    let sink = try sink(keeping: [], on: &disk)
    disk.room = 70_000
    for (needed, isEnough) in [(Int64.max, false), (70_001, false), (70_000, true), (0, true), (-1, true)] {
      do throws(DownloadError) {
        try sink.requireSpace(for: needed)
        #expect(isEnough, "\(needed)")
      } catch {
        #expect(!isEnough && name(of: error).hasPrefix("noSpace"), "\(needed)")
      }
    }
    disk.room = 1
    try sink.requireSpace(for: ContentSink.unquestioned)
    disk.room = nil
    try sink.requireSpace(for: .max)
  }
}
