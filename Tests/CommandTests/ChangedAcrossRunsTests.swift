import LoopbackServer
import Testing

/// The server has another file when the command is run again: it is never joined to what is here, the new one is
/// downloaded whole, one line says so, and the old part is gone only then (T9).
struct ChangedAcrossRunsTests {
  static let first = Rerun.resource
  static let changed = first.changed()

  struct Row: Sendable, CustomTestStringConvertible {
    var before = ChangedAcrossRunsTests.first
    let after: Resource
    var options: [String] = []
    let because: String
    var testDescription: String { because }
  }

  /// `first`, and different from the middle of what is kept on.
  static let rows = [
    Row(after: changed, because: "T9 the same size, another ETag"),
    Row(after: changed.withoutValidator(), because: "the same size, no validator left"),
    Row(after: changed.with(entityTag: nil), because: "the same size, a later date"),
    Row(after: changed.with(entityTag: "W/\"first\""), because: "the same tag, but weak"),
    Row(after: changed.with(length: 1_500_000), because: "smaller"),
    Row(after: changed.with(length: 1_000_000), because: "smaller than what is here"),
    Row(after: changed.with(length: 1), because: "one byte"),
    Row(after: changed.with(length: 3_000_000), because: "larger"),
    Row(after: first.with(length: 1_000_000).with(entityTag: "\"cut\""), because: "S1-5 the beginning of it alone"),
    Row(after: changed.with(entityTag: "\"first\"").with(length: 2_000_001), because: "the same tag, another length"),
    Row(after: changed, options: ["--paranoid"], because: "compared as a whole"),
    Row(after: changed, options: ["--no-resume"], because: "fetched again"),
    Row(
      before: first.withoutValidator(), after: changed.withoutValidator(), because: "never a validator, the same size"),
    Row(
      before: first.withoutValidator(), after: changed.withoutValidator().with(length: 2_500_000),
      because: "never a validator, larger"),
    Row(
      before: first.withoutValidator(), after: changed.withoutValidator().with(length: 900_000),
      because: "never a validator, smaller"),
    Row(before: first.with(entityTag: "W/\"a\""), after: changed.with(entityTag: "W/\"a\""), because: "one weak tag"),
    Row(before: first.withoutValidator(), after: changed, because: "a validator where none was"),
  ]

  @Test(arguments: rows) func isNeverMixed(_ row: Row) throws {
    let rerun = try Rerun(row.before) { row.after.respond(to: $0) }
    defer { rerun.server.stop() }
    let run = try rerun.again(row.options)
    try run.expectWhole(row.after, row.because)
    #expect(run.lines(with: "changed (11)").count == 1, "one line says so: \(run.standardError)")
  }

  /// If-Range is ignored: 206 whatever the validator.
  @Test(arguments: rows) func norByAServerWithoutConditions(_ row: Row) throws {
    var conduct = Conduct.correct
    conduct.ignoresIfRange = true
    let careless = conduct
    let rerun = try Rerun(row.before) { row.after.respond(to: $0, careless) }
    defer { rerun.server.stop() }
    let run = try rerun.again(["--retry", "1"] + row.options)
    try run.expectNeverMixed("file.bin", [row.before, row.after])
    try run.expectWhole(row.after, row.because)
  }

  /// What neither tag nor length tells, the overlap does: a server that gives new bytes the old validator.
  @Test func aLyingValidatorIsFoundByTheOverlap() throws {
    let liar = Self.changed.with(entityTag: "\"first\"")
    let rerun = try Rerun { liar.respond(to: $0) }
    defer { rerun.server.stop() }
    try rerun.again().expectWhole(liar, saying: ["changed (11)"])
    #expect(rerun.ranges == ["bytes=1162864-", nil])
  }

  /// Whatever is in common is kept and not asked for again.
  @Test func theOldPartWaitsUntilTheNewOneIsWhole() throws {
    let delivered = Gate()
    let goOn = Gate()
    let rerun = try Rerun { exchange in
      let bytes = Self.changed.bytes
      exchange.send("HTTP/1.1 200 OK\r\nETag: \"first-changed\"\r\nContent-Length: \(bytes.count)\r\n\r\n")
      exchange.send(Array(bytes[..<500_000]))
      exchange.awaitDelivery()
      delivered.open()
      exchange.wait(at: goOn)
      exchange.send(Array(bytes[500_000...]))
    }
    defer { rerun.server.stop() }
    let command = try RunningCommand([rerun.server.uri("/file.bin")], in: rerun.folder)
    #expect(delivered.wait())
    #expect(command.wait { rerun.folder.size(of: "file.bin.part") == 500_000 })
    #expect(Summary(try rerun.folder.bytes(of: "file.bin.part.old")) == Summary(Self.first.bytes(in: 0..<Rerun.kept)))
    goOn.open()
    try command.outcome().expectWhole(Self.changed, "and then it is gone")
  }

  @Test func theOldPartGoesWithARunThatOnlyContinues() throws {
    let rerun = try Rerun { exchange in
      Self.changed.respond(to: exchange, exchange.requestNumber == 2 ? .dropping(after: 700_000) : .correct)
    }
    defer { rerun.server.stop() }
    let second = try rerun.again(["--retry", "0"])
    #expect(second.ending == .exited(ExitCode.incomplete.rawValue))
    #expect(try second.files.keys.sorted() == ["file.bin.part", "file.bin.part.old"])
    try rerun.again().expectWhole(Self.changed, "a third run leaves nothing behind")
  }

  @Test func aFileThatChangesTwice() throws {
    let third = Self.changed.changed()
    let rerun = try Rerun { exchange in
      if exchange.requestNumber == 2 {
        Self.changed.respond(to: exchange, .dropping(after: 1_500_000))
      } else {
        third.respond(to: exchange)
      }
    }
    defer { rerun.server.stop() }
    let run = try rerun.again(["--retry", "1"])
    try run.expectWhole(third)
    #expect(run.lines(with: "changed (11)").count == 2, "\(run.standardError)")
  }

  /// Other bytes from the middle of the part on: what is before that is kept.
  @Test func whatIsInCommonIsKept() throws {
    let common = 900_000  // bytes
    let bytes = Array(Self.first.bytes[..<common] + Self.changed.bytes[common...])
    let rerun = try Rerun { $0.reply("200 OK", ["ETag: \"half\""], content: bytes) }
    defer { rerun.server.stop() }
    let run = try rerun.again()
    #expect(run.ending == .exited(0))
    #expect(try run.folder.files == ["file.bin": Summary(bytes)])
    #expect(run.standardError.contains("a new part keeps 900 kB"), "\(run.standardError)")
  }

  /// The server's file grew, as a log does: the same beginning, another validator.
  @Test func aFileThatGrewIsContinued() throws {
    let grown = Self.first.with(length: 2_500_000).with(entityTag: "\"grown\"")
    let rerun = try Rerun { grown.respond(to: $0) }
    defer { rerun.server.stop() }
    let run = try rerun.again()
    try run.expectWhole(grown)
    #expect(run.lines(with: "changed (11)").isEmpty, "nothing that is here is wrong: \(run.standardError)")
  }
}
