import LoopbackServer
import Testing

/// `-c`: a file that another tool began is continued if it is a beginning of the server's, and left alone if not.
struct AdoptionTests {
  static let resource = Rerun.resource

  struct Row: Sendable, CustomTestStringConvertible {
    /// What is there under the final name.
    let bytes: [UInt8]
    var resource = AdoptionTests.resource
    let exit: ExitCode
    let because: String
    var testDescription: String { because }
  }

  static let nameless = resource.withoutValidator()
  static let prefix = resource.bytes(in: 0..<Rerun.kept)

  /// `prefix` with one bit changed.
  static func damaged(at offset: Int) -> [UInt8] {
    var bytes = prefix
    bytes[offset] ^= 1
    return bytes
  }

  static let rows = [
    Row(bytes: resource.changed().bytes(in: 0..<Rerun.kept), exit: .changed, because: "another file"),
    Row(bytes: damaged(at: Int(Rerun.kept) - 1), exit: .changed, because: "the last byte differs"),
    Row(bytes: damaged(at: Int(Rerun.kept) - 65_536), exit: .changed, because: "the first of the overlap differs"),
    Row(bytes: damaged(at: 70_664), exit: .changed, because: "a byte of a sample differs"),
    Row(bytes: [UInt8](repeating: 0, count: 1_000_000), exit: .changed, because: "zeros, as preallocation leaves"),
    Row(
      bytes: prefix + [UInt8](repeating: 0, count: 771_600), exit: .changed, because: "preallocated to the whole length"
    ),
    Row(bytes: resource.bytes + [0], exit: .changed, because: "S1-5 T1 one byte more than there is"),
    Row(bytes: resource.with(length: 3_000_000).bytes, exit: .changed, because: "S1-5 T1 longer than there is"),
    Row(bytes: Array("mine".utf8), exit: .changed, because: "a few bytes of something else"),
    Row(bytes: prefix, exit: .ok, because: "S1-4 a beginning"),
    Row(bytes: Array(prefix.prefix(1)), exit: .ok, because: "one byte"),
    Row(bytes: Array(prefix.prefix(131_072)), exit: .ok, because: "as much as is compared whole"),
    Row(bytes: Array(prefix.prefix(131_073)), exit: .ok, because: "a byte more: samples"),
    Row(bytes: [], exit: .ok, because: "empty"),
    Row(bytes: resource.bytes, exit: .ok, because: "T22 T25 complete"),
    Row(bytes: prefix, resource: nameless, exit: .ok, because: "a beginning, and no validator"),
    Row(bytes: resource.bytes, resource: nameless, exit: .ok, because: "complete, and no validator"),
  ]

  @Test(arguments: rows) func continuesWhatIsProven(_ row: Row) throws {
    let server = try LoopbackServer { row.resource.respond(to: $0) }
    defer { server.stop() }
    for option in ["-c", "--existing=resume"] {
      let run = try Command.run(["-q", "--retry", "0", option, server.uri("/file.bin")]) { folder in
        try folder.write(row.bytes, to: "file.bin")
      }
      let expected = row.exit == .ok ? Summary(row.resource.bytes) : Summary(row.bytes)
      try run.expect(row.exit, leaving: ["file.bin": expected], row.because)
      #expect(try run.folder.files.count == 1, "nothing beside it: \(row.because)")
    }
  }

  /// A server without ranges is compared from the start.
  @Test(arguments: rows) func orComparesEverything(_ row: Row) throws {
    var conduct = Conduct.correct
    conduct.ignoresRange = true
    let whole = conduct
    let server = try LoopbackServer { row.resource.respond(to: $0, whole) }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "0", "-c", server.uri("/file.bin")]) { folder in
      try folder.write(row.bytes, to: "file.bin")
    }
    let expected = row.exit == .ok ? Summary(row.resource.bytes) : Summary(row.bytes)
    try run.expect(row.exit, leaving: ["file.bin": expected], row.because)
  }

  @Test func itsNameIsKeptUntilItIsProven() throws {
    let server = try LoopbackServer { $0.reply("404 Not Found", text: "no") }
    defer { server.stop() }
    let run = try Command.run(["-q", "-c", server.uri("/file.bin")]) { try $0.write(Self.prefix, to: "file.bin") }
    try run.expect(.server, leaving: ["file.bin": Summary(Self.prefix)], "T1")
  }

  @Test func aDropLeavesAPartLikeAnyOther() throws {
    let server = try LoopbackServer { exchange in
      let isRest = exchange.request.field("Range")?.hasSuffix("-") == true && exchange.requestNumber < 10
      Self.resource.respond(to: exchange, isRest ? .dropping(after: 200_000) : .correct)
    }
    defer { server.stop() }
    let folder = try Folder()
    try folder.write(Self.prefix, to: "file.bin")
    let cut = try RunningCommand(["-q", "--retry", "0", "-c", server.uri("/file.bin")], in: folder).outcome()
    let end = Rerun.kept - Rerun.overlap + 200_000
    try cut.expect(.incomplete, leaving: ["file.bin.part": Summary(Self.resource.bytes(in: 0..<end))])
    let run = try RunningCommand(["-q", server.uri("/file.bin")], in: folder).outcome()
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], "without -c from here on")
  }
}
