import Foundation
import Posix
import Testing

struct FileTests {
  /// S2-8, S0-9: every write goes to the end, whoever else wrote meanwhile.
  @Test func appendsToTheEnd() throws {
    let folder = try TemporaryFolder()
    let directory = try folder.directory()
    let one = try directory.createFile("file".bytes)
    let other = try directory.openFile("file".bytes)
    _ = try one.append("ab".bytes.span)
    _ = try other.append("cd".bytes.span)
    _ = try one.append("ef".bytes.span)
    #expect(folder.text("file") == "abcdef")
    let length = try one.length()
    #expect(length == 6)
    truncate(folder.path + "/file", 1)
    _ = try one.append("z".bytes.span)
    #expect(folder.text("file") == "az", "no hole where the old end was")
  }

  @Test func readsAnywhereWithoutMovingTheEnd() throws {
    let folder = try TemporaryFolder()
    try folder.put("file", "0123456789")
    let directory = try folder.directory()
    let file = try directory.openFile("file".bytes)
    let rows: [(Int64, Int, String)] = [(0, 4, "0123"), (8, 4, "89"), (10, 4, ""), (99, 4, ""), (3, 0, "")]
    for (offset, capacity, expected) in rows {
      var bytes = [UInt8](repeating: 0, count: capacity)
      var span = bytes.mutableSpan
      let count = try file.read(at: offset, into: &span)
      #expect(String(decoding: bytes[..<count], as: UTF8.self) == expected, "at \(offset)")
    }
    _ = try file.append("!".bytes.span)
    #expect(folder.text("file") == "0123456789!")
    let failure = code { () throws(SystemError) in
      var bytes: [UInt8] = [0]
      var span = bytes.mutableSpan
      _ = try file.read(at: -1, into: &span)
    }
    #expect(failure == EINVAL, "before the start")
  }

  /// T12: lengths and offsets are 64 bits wide.
  @Test(arguments: [1 << 31, 1 << 32, (1 << 32) + 5, 1 << 40] as [Int64])
  func countsBeyond32Bits(_ length: Int64) throws {
    let folder = try TemporaryFolder()
    try folder.put("sparse", "")
    truncate(folder.path + "/sparse", Int(length))
    let directory = try folder.directory()
    let file = try directory.openFile("sparse".bytes)
    let kind = try directory.kind(of: "sparse".bytes)
    #expect(kind == .regular(size: length))
    _ = try file.append("end".bytes.span)
    let longer = try file.length()
    #expect(longer == length + 3)
    var bytes = [UInt8](repeating: 0, count: 8)
    var span = bytes.mutableSpan
    let count = try file.read(at: length, into: &span)
    #expect(bytes[..<count] == "end".bytes[...])
  }

  @Test func noSpaceIsTold() throws {
    let devices = try Directory(path: "/dev".bytes)
    let full = try devices.openForWriting("full".bytes)
    #expect(throws: SystemError(code: ENOSPC, operation: .write)) { _ = try full.append("x".bytes.span) }
    var written: Int64 = 7
    let failure = code { () throws(SystemError) in try full.appendAll("x".bytes.span, written: &written) }
    #expect(failure == ENOSPC)
    #expect(SystemError(code: ENOSPC, operation: .write).isNoSpace)
    #expect(written == 7)
  }

  /// S3-9.
  @Test func nothingIsNotWritten() throws {
    // Write nothing to a descriptor that cannot be written: a call would fail.
    let reading = File(adopting: Descriptor(adopting: open("/dev/null", O_RDONLY)))
    let count = try reading.append("".bytes.span)
    #expect(count == 0)
    var written: Int64 = 0
    try reading.appendAll("".bytes.span, written: &written)
    #expect(written == 0)
    #expect(code { () throws(SystemError) in _ = try reading.append("x".bytes.span) } == EBADF)
  }

  /// What was taken before a failure is counted: here the largest file size cuts a write in two.
  @Test func whatWasWrittenIsKnownAfterAFailure() async {
    await #expect(processExitsWith: .success) {
      Signals.ignoreBrokenPipe()  // SIGXFSZ too
      let folder = try TemporaryFolder()
      let directory = try folder.directory()
      let file = try directory.createFile("file".bytes)
      var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      var written: Int64 = 0
      let block = [UInt8](repeating: 1, count: 700)
      try file.appendAll(block.span, written: &written)
      #expect(written == 700)
      let failure = code { () throws(SystemError) in try file.appendAll(block.span, written: &written) }
      #expect(failure == EFBIG)
      #expect(SystemError(code: EFBIG, operation: .write).isNoSpace)
      #expect(written == 1000)
      let length = try file.length()
      #expect(length == 1000)
    }
  }

  @Test func appendsAllInSeveralWrites() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let file = File(adopting: Descriptor(adopting: ends[1]))
    let reading = ends[0]
    let reader = Thread {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while read(reading, &bytes, bytes.count) > 0 {}
      close(reading)
    }
    reader.start()
    var written: Int64 = 0
    let block = [UInt8](repeating: 1, count: 1 << 20)
    try file.appendAll(block.span, written: &written)
    #expect(written == 1 << 20)
  }

  @Test func oneHasTheLock() throws {
    let folder = try TemporaryFolder()
    try folder.put("file", "")
    let directory = try folder.directory()
    let second = try directory.openFile("file".bytes)
    do {
      let first = try directory.openFile("file".bytes)
      let isFirst = try first.tryLock()
      #expect(isFirst)
      let isAgain = try first.tryLock()
      #expect(isAgain, "one's own")
      let isSecond = try second.tryLock()
      #expect(!isSecond, "S3-4: in the same process too")
    }
    let isSecond = try second.tryLock()
    #expect(isSecond, "closed, so free")
  }

  @Test func setsModeAndTime() throws {
    let folder = try TemporaryFolder()
    let directory = try folder.directory()
    let file = try directory.createFile("file".bytes)
    try file.setMode(0o644)
    try file.setModificationTime(seconds: 1_000_000_000)
    let mode = try folder.attribute(.posixPermissions, of: "file") as? Int
    #expect(mode == 0o644)
    let date = try folder.attribute(.modificationDate, of: "file") as? Date
    #expect(date?.timeIntervalSince1970 == 1_000_000_000)
  }

  @Test func synchronizes() throws {
    let folder = try TemporaryFolder()
    let directory = try folder.directory()
    let file = try directory.createFile("file".bytes)
    _ = try file.append("x".bytes.span)
    try file.synchronizeData()
    try file.synchronize()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    let pipe = File(adopting: Descriptor(adopting: ends[1]))
    #expect(throws: SystemError(code: EINVAL, operation: .synchronize)) { try pipe.synchronizeData() }
  }
}
