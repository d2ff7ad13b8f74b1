import LoopbackServer
import Testing

/// Something has the target's name already: nothing of it is touched without proof or a word of the caller's (T25).
struct ExistingTests {
  static let resource = Rerun.resource
  static let mine = Summary("mine")

  private func server(_ resource: Resource = ExistingTests.resource) throws -> LoopbackServer {
    try LoopbackServer { resource.respond(to: $0) }
  }

  /// The file that is here, and its time.
  static let agreements: [(length: Int64, modified: Int64, exit: ExitCode, because: String)] = [
    (2_000_000, Resource.modified, .ok, "size and time are the server's"),
    (2_000_000, Resource.modified - 1, .exists, "T9 a second older"),
    (2_000_000, Resource.modified + 1, .exists, "T9 a second newer"),
    (1_999_999, Resource.modified, .exists, "S1-4 a byte shorter"),
    (2_000_001, Resource.modified, .exists, "S1-5 T1 a byte longer"),
    (0, Resource.modified, .exists, "empty"),
  ]

  @Test(arguments: agreements)
  func isCompleteOnlyIfItAgrees(_ row: (length: Int64, modified: Int64, exit: ExitCode, because: String)) throws {
    let server = try server()
    defer { server.stop() }
    let bytes = Self.resource.with(length: row.length).bytes
    let run = try Command.run([server.uri("/file.bin")]) { folder in
      try folder.write(bytes, to: "file.bin")
      try folder.setModificationTime(of: "file.bin", to: row.modified)
    }
    #expect(run.ending == .exited(row.exit.rawValue), "\(row.because): \(run.standardError)")
    #expect(run.standardError.contains("already complete") == (row.exit == .ok), "\(row.because)")
    #expect(try run.folder.files == ["file.bin": Summary(bytes)], "\(row.because)")
    #expect(server.requests.map(\.method) == ["GET"], "\(row.because)")
  }

  /// Without the server's time nothing agrees, whatever the size.
  @Test func aServerWithoutATimeAgreesWithNothing() throws {
    let undated = Self.resource.withoutValidator()
    let server = try server(undated)
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/file.bin")]) { try $0.write(undated.bytes, to: "file.bin") }
    try run.expect(.exists, leaving: ["file.bin": Summary(undated.bytes)], "T9")
  }

  @Test func theSameCommandTwiceIsComplete() throws {
    let server = try server()
    defer { server.stop() }
    let folder = try Folder()
    let uri = server.uri("/file.bin")
    try RunningCommand(["-q", uri], in: folder).outcome().expect(
      .ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
    let run = try RunningCommand([uri], in: folder).outcome()
    try run.expectWhole(Self.resource, saying: ["file.bin: already complete"], "T25 never a second copy")
  }

  /// A kill between the last rename and the end leaves them; they speak of a part that is no more.
  @Test func whatAKillLeftBesideAWholeFileGoes() throws {
    let server = try server()
    defer { server.stop() }
    let folder = try Folder()
    let uri = server.uri("/file.bin")
    try RunningCommand(["-q", uri], in: folder).outcome().expect(
      .ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
    try folder.write("Rawget-Part: 1", to: "file.bin.part.meta")
    try folder.write("Rawget-Part: 1", to: "file.bin.part.tmp")
    try RunningCommand(["-q", uri], in: folder).outcome().expect(
      .ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
  }

  @Test func anErrorIsNoAgreement() throws {
    let server = try LoopbackServer { $0.reply("404 Not Found", text: "no") }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/file.bin")]) { try $0.write("mine", to: "file.bin") }
    try run.expect(.server, leaving: ["file.bin": Self.mine], "T1")
  }

  // MARK: --existing

  static let policies: [(policy: String, exit: ExitCode, connections: Int, files: [String: Summary])] = [
    ("fail", .exists, 1, ["file.bin": mine]),
    ("skip", .ok, 0, ["file.bin": mine]),
    ("resume", .changed, 1, ["file.bin": mine]),
    ("replace", .ok, 1, ["file.bin": Summary(resource.bytes)]),
    ("rename", .ok, 1, ["file.bin": mine, "file.bin.1": Summary(resource.bytes)]),
  ]

  @Test(arguments: policies)
  func obeys(_ row: (policy: String, exit: ExitCode, connections: Int, files: [String: Summary])) throws {
    let server = try server()
    defer { server.stop() }
    for name in [[], ["-o", "file.bin"]] {
      let arguments = ["-q", "--retry", "0", "--existing=\(row.policy)"] + name + [server.uri("/file.bin")]
      let run = try Command.run(arguments) { try $0.write("mine", to: "file.bin") }
      try run.expect(row.exit, leaving: row.files, "T25 \(arguments)")
    }
    #expect(server.connectionCount == 2 * row.connections, "\(row.policy)")
  }

  @Test(arguments: ["fail", "skip", "resume", "replace", "rename"])
  func withNothingThereAllAreTheSame(_ policy: String) throws {
    let server = try server()
    defer { server.stop() }
    let run = try Command.run(["-q", "--existing", policy, server.uri("/file.bin")])
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], policy)
  }

  @Test func replacingWaitsUntilTheNewOneIsWhole() throws {
    let server = try LoopbackServer { exchange in
      Self.resource.respond(to: exchange, exchange.requestNumber == 1 ? .dropping(after: Rerun.kept) : .correct)
    }
    defer { server.stop() }
    let folder = try Folder()
    try folder.write("mine", to: "file.bin")
    let arguments = ["-q", "--retry", "0", "--existing=replace", server.uri("/file.bin")]
    let part = Summary(Self.resource.bytes(in: 0..<Rerun.kept))
    try RunningCommand(arguments, in: folder).outcome()
      .expect(.incomplete, leaving: ["file.bin": Self.mine, "file.bin.part": part], "a drop leaves both")
    try RunningCommand(arguments, in: folder).outcome()
      .expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], "and the next run goes on")
    #expect(server.requests.last?.field("Range") == "bytes=1162864-")
  }

  @Test func renamingTakesTheFirstFreeNumber() throws {
    let server = try server()
    defer { server.stop() }
    let run = try Command.run(["-q", "--existing=rename", server.uri("/file.bin")]) { folder in
      for name in ["file.bin", "file.bin.1", "file.bin.3"] { try folder.write("mine", to: name) }
    }
    #expect(run.ending == .exited(0))
    #expect(try run.files["file.bin.2"] == Summary(Self.resource.bytes))
    #expect(try run.files.count == 4)
  }
}
