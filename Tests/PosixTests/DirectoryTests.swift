import Foundation
import Posix
import Testing

struct DirectoryTests {
  // MARK: Opening

  struct PathRow: Sendable { let path: String, code: Int32?, because: String }  // nil: opens

  static let paths = [
    PathRow(path: "", code: nil, because: "the current directory"),
    PathRow(path: ".", code: nil, because: "the current directory by name"),
    PathRow(path: "/", code: nil, because: "the root"),
    PathRow(path: "/none-such-directory", code: ENOENT, because: "missing"),
    PathRow(path: "/dev/null", code: ENOTDIR, because: "not a directory"),
    PathRow(path: "/dev\0/pts", code: EINVAL, because: "NUL would cut it short"),
  ]

  @Test(arguments: paths) func opens(_ row: PathRow) {
    let failure = code { () throws(SystemError) in _ = try Directory(path: row.path.bytes) }
    #expect(failure == row.code, "\(row.because)")
  }

  // MARK: Names

  @Test(arguments: ["", ".", "..", "/", "a/b", "/etc/passwd", "../a", "a/", "a\0", "\0"])
  func refusesWhatIsNotOneComponent(_ name: String) throws {
    let folder = try TemporaryFolder()
    try folder.put("a", "kept")
    let directory = try folder.directory()
    let bytes = name.bytes
    let failures = [
      code { () throws(SystemError) in _ = try directory.kind(of: bytes) },
      code { () throws(SystemError) in _ = try directory.createFile(bytes) },
      code { () throws(SystemError) in _ = try directory.openFile(bytes) },
      code { () throws(SystemError) in _ = try directory.openForWriting(bytes) },
      code { () throws(SystemError) in try directory.remove(bytes) },
      code { () throws(SystemError) in try directory.renameWithoutReplacing("a".bytes, to: bytes) },
      code { () throws(SystemError) in try directory.renameWithoutReplacing(bytes, to: "b".bytes) },
      code { () throws(SystemError) in try directory.renameReplacing("a".bytes, to: bytes) },
      code { () throws(SystemError) in try directory.renameReplacing(bytes, to: "b".bytes) },
      code { () throws(SystemError) in
        guard let file = try directory.createNamelessFile(mode: 0o600) else { throw SystemError.unsupported }
        try directory.give(bytes, to: file)
      },
    ]
    #expect(failures == Array(repeating: EINVAL, count: failures.count))
    #expect(folder.text("a") == "kept")
  }

  @Test func aNameIsAnyBytes() throws {
    let folder = try TemporaryFolder()
    let directory = try folder.directory()
    for name: [UInt8] in [[0xFF, 0xFE], "...".bytes, "-rf".bytes, "a\nb".bytes, "19 上传大文件.mov".bytes] {
      _ = try directory.createFile(name)
      let kind = try directory.kind(of: name)
      #expect(kind == .regular(size: 0))
    }
    let tooLong = [UInt8](repeating: UInt8(ascii: "a"), count: 256)
    let failure = code { () throws(SystemError) in _ = try directory.createFile(tooLong) }
    #expect(failure == ENAMETOOLONG)
  }

  /// The temporary folder is on a file system of this machine, which can do it.
  @Test func aFileTakesItsFirstNameWhole() throws {
    let folder = try TemporaryFolder()
    let directory = try folder.directory()
    guard let file = try directory.createNamelessFile(mode: 0o640) else {
      Issue.record("a file has to have a name here")
      return
    }
    var written: Int64 = 0
    try file.appendAll("whole".bytes.span, written: &written)
    try folder.put("taken", "kept")
    let failure = code { () throws(SystemError) in try directory.give("taken".bytes, to: file) }
    #expect(failure == EEXIST)
    #expect(folder.text("taken") == "kept")
    let seen = try directory.kind(of: "x".bytes)
    #expect(seen == nil, "nothing is seen of it")
    try directory.give("x".bytes, to: file)
    #expect(folder.text("x") == "whole")
    let isNamed = try directory.names("x".bytes, try file.measure().identity)
    #expect(isNamed)
  }

  @Test func tellsKindsWithoutFollowing() throws {
    let folder = try TemporaryFolder()
    try folder.put("file", "12345")
    try folder.makeFolder("folder")
    try folder.link("link", to: "file")
    try folder.link("dangling", to: "nothing")
    folder.makeFIFO("fifo")
    let directory = try folder.directory()
    let rows: [(String, EntryKind?)] = [
      ("file", .regular(size: 5)), ("folder", .directory), ("link", .symbolicLink), ("dangling", .symbolicLink),
      ("fifo", .other), ("nothing", nil),
    ]
    for (name, expected) in rows {
      let kind = try directory.kind(of: name.bytes)
      #expect(kind == expected, "\(name)")
    }
  }

  // MARK: Creating and opening

  @Test func createsForThisUserAlone() throws {
    let folder = try TemporaryFolder()
    let directory = try folder.directory()
    let file = try directory.createFile("new".bytes)
    let flags = try flags(of: file.raw)
    #expect(flags & O_APPEND != 0)
    let mode = try folder.attribute(.posixPermissions, of: "new") as? Int
    #expect(mode == 0o600)
  }

  @Test(arguments: ["file", "folder", "link", "dangling", "fifo"])
  func createsNothingOverWhatIsThere(_ name: String) throws {
    let folder = try TemporaryFolder()
    try folder.put("file", "kept")
    try folder.makeFolder("folder")
    try folder.link("link", to: "file")
    try folder.link("dangling", to: "elsewhere")
    folder.makeFIFO("fifo")
    let directory = try folder.directory()
    let failure = code { () throws(SystemError) in _ = try directory.createFile(name.bytes) }
    #expect(failure == EEXIST)
    #expect(folder.text("file") == "kept")
    #expect(folder.text("elsewhere") == nil, "nothing appears behind a dangling link")
  }

  struct OpenRow: Sendable { let name: String, code: Int32?, because: String }

  static let opened = [
    OpenRow(name: "file", code: nil, because: "a regular file"),
    OpenRow(name: "link", code: ELOOP, because: "a symbolic link could lead anywhere (O_NOFOLLOW)"),
    OpenRow(name: "dangling", code: ELOOP, because: "a symbolic link to nothing"),
    OpenRow(name: "folder", code: EISDIR, because: "a directory"),
    OpenRow(name: "fifo", code: ENOTSUP, because: "a FIFO, which must not make us wait either"),
    OpenRow(name: "nothing", code: ENOENT, because: "missing, and not created"),
  ]

  /// S1-7: judged by the open file itself, regular files only.
  @Test(arguments: opened) func opensRegularFilesOnly(_ row: OpenRow) throws {
    let folder = try TemporaryFolder()
    try folder.put("file", "kept")
    try folder.link("link", to: "file")
    try folder.link("dangling", to: "nothing")
    try folder.makeFolder("folder")
    folder.makeFIFO("fifo")
    let directory = try folder.directory()
    let failure = code { () throws(SystemError) in _ = try directory.openFile(row.name.bytes) }
    #expect(failure == row.code, "\(row.because)")
    #expect(folder.text("file") == "kept", "T14: opening truncates nothing")
  }

  @Test func opensDevicesAndLinksForWriting() throws {
    let folder = try TemporaryFolder()
    try folder.put("file", "")
    try folder.link("link", to: "file")
    let directory = try folder.directory()
    let linked = try directory.openForWriting("link".bytes)
    _ = try linked.append("through".bytes.span)
    #expect(folder.text("file") == "through")

    let devices = try Directory(path: "/dev".bytes)
    let null = try devices.openForWriting("null".bytes)
    let count = try null.append("x".bytes.span)
    #expect(count == 1)
    let isRegular = try null.isRegular()
    #expect(!isRegular)
    let failure = code { () throws(SystemError) in _ = try directory.openForWriting("nothing".bytes) }
    #expect(failure == ENOENT, "creates nothing")
  }

  // MARK: Renaming and removing

  @Test func renamesTheWholeFile() throws {
    let folder = try TemporaryFolder()
    try folder.put("a.part", "content")
    let directory = try folder.directory()
    try directory.renameWithoutReplacing("a.part".bytes, to: "a".bytes)
    try directory.synchronize()
    #expect(folder.text("a") == "content")
    #expect(folder.text("a.part") == nil)
  }

  @Test(arguments: ["file", "folder", "link", "dangling", "fifo"])
  func renamesOverNothing(_ taken: String) throws {
    let folder = try TemporaryFolder()
    try folder.put("a.part", "new")
    try folder.put("file", "old")
    try folder.makeFolder("folder")
    try folder.link("link", to: "file")
    try folder.link("dangling", to: "elsewhere")
    folder.makeFIFO("fifo")
    let directory = try folder.directory()
    let before = try directory.kind(of: taken.bytes)
    let failure = code { () throws(SystemError) in
      try directory.renameWithoutReplacing("a.part".bytes, to: taken.bytes)
    }
    #expect(failure == EEXIST)
    #expect(folder.text("a.part") == "new")
    #expect(folder.text("file") == "old")
    let after = try directory.kind(of: taken.bytes)
    #expect(before == after)
  }

  @Test func renamesWhatIsThere() throws {
    let folder = try TemporaryFolder()
    let directory = try folder.directory()
    let failure = code { () throws(SystemError) in
      try directory.renameWithoutReplacing("nothing".bytes, to: "a".bytes)
    }
    #expect(failure == ENOENT)
  }

  @Test func replacesWhenTold() throws {
    let folder = try TemporaryFolder()
    try folder.put("new", "new")
    try folder.put("old", "old")
    let directory = try folder.directory()
    try directory.renameReplacing("new".bytes, to: "old".bytes)
    #expect(folder.text("old") == "new")
    #expect(folder.text("new") == nil)
  }

  @Test func removesFilesAndLinksNotDirectories() throws {
    let folder = try TemporaryFolder()
    try folder.put("file", "kept")
    try folder.link("link", to: "file")
    try folder.makeFolder("folder")
    let directory = try folder.directory()
    try directory.remove("link".bytes)
    #expect(folder.text("file") == "kept", "the link went, not what it names")
    try directory.remove("file".bytes)
    #expect(folder.text("file") == nil)
    #expect(code { () throws(SystemError) in try directory.remove("file".bytes) } == ENOENT)
    #expect(code { () throws(SystemError) in try directory.remove("folder".bytes) } == EISDIR)
  }

  @Test func knowsItsOpenFileByMoreThanTheName() throws {
    let folder = try TemporaryFolder()
    try folder.put("a.part", "1")
    let directory = try folder.directory()
    let file = try directory.openFile("a.part".bytes)
    let identity = try file.measure().identity
    var isNamed = try directory.names("a.part".bytes, identity)
    #expect(isNamed)
    try directory.renameWithoutReplacing("a.part".bytes, to: "a".bytes)
    isNamed = try directory.names("a.part".bytes, identity)
    #expect(!isNamed, "gone")
    try folder.put("a.part", "1")
    isNamed = try directory.names("a.part".bytes, identity)
    #expect(!isNamed, "another file under the old name")
    isNamed = try directory.names("a".bytes, identity)
    #expect(isNamed)
  }

  @Test func knowsWhetherAPathLeadsToItStill() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("here")
    let path = folder.path + "/here"
    let directory = try Directory(path: path.bytes)
    let identity = try directory.identity()
    try folder.link("link", to: "here")
    #expect(FileIdentity(path: path.bytes) == identity)
    #expect(FileIdentity(path: (folder.path + "/link").bytes) == identity, "through a link, as it would be opened")
    #expect(rename(path, folder.path + "/moved") == 0)
    #expect(FileIdentity(path: path.bytes) == nil, "nothing is there")
    try folder.makeFolder("here")
    #expect(FileIdentity(path: path.bytes) != identity, "another one under the old path")
    #expect(FileIdentity(path: []) == FileIdentity(path: ".".bytes))
  }

  @Test func tellsFreeSpace() throws {
    let folder = try TemporaryFolder()
    let directory = try folder.directory()
    let space = directory.freeSpace() ?? -1
    #expect(space > 0)
    let kernelFiles = try Directory(path: "/proc".bytes)
    let none = kernelFiles.freeSpace()
    #expect(none == 0)
  }

  /// The directory is held open: what happens to its path does not matter.
  @Test func staysWithTheDirectoryItOpened() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("here")
    let directory = try Directory(path: (folder.path + "/here").bytes)
    #expect(rename(folder.path + "/here", folder.path + "/moved") == 0)
    try folder.link("here", to: "/tmp")
    _ = try directory.createFile("file".bytes)
    #expect(folder.text("moved/file") == "")
  }
}
