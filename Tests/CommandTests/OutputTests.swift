import Foundation
import LoopbackServer
import Testing

/// Where the content goes: a file that replaces nothing, or standard output and nothing but content.
struct OutputTests {
  static let resource = Resource(length: 3_000_000)

  @Test func aLargeFileIsExact() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/file.bin")])
    try run.expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], "S2-8 S3-6 S3-8 T15")
  }

  @Test func standardOutputGetsTheContentAlone() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    for options in [["-q"], [], ["-v"]] {
      let run = try Command.run(options + ["-o", "-", server.uri("/file.bin")])
      #expect(run.ending == .exited(0), "\(run.standardError)")
      #expect(Summary(run.standardOutput) == Summary(Self.resource.bytes), "\(options)")
      #expect(try run.folder.files.isEmpty)
    }
  }

  @Test("T20: the last thing that is said is the whole, and not a zero") func theEndStaysVisible() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try Command.run([server.uri("/file.bin")])
    let lines = run.standardError.split(separator: "\n")
    #expect(lines.first == "rawget: file.bin, 3.0 MB")
    #expect(lines.last?.hasPrefix("rawget: file.bin: 3.0 MB in ") == true, "\(run.standardError)")
  }

  @Test func nothingElseUsesStandardOutput() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    for options in [["-q"], [], ["-v"]] {
      let run = try Command.run(options + [server.uri("/file.bin")])
      #expect(run.ending == .exited(0))
      #expect(run.standardOutput.isEmpty, "\(options)")
      #expect(try run.files == ["file.bin": Summary("hello")])
    }
  }

  @Test func aNamedTargetThatExistsIsNotReplaced() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "new") }
    defer { server.stop() }
    let run = try Command.run(["-q", "-o", "mine", server.uri("/file.bin")]) { try $0.write("mine", to: "mine") }
    try run.expect(.exists, leaving: ["mine": Summary("mine")], "T25")
    #expect(server.requests.count == 1, "asked once, whether it is the same")
  }

  @Test func aTargetNamedByTheServerIsNotReplacedEither() throws {
    let server = try LoopbackServer { exchange in
      exchange.reply("200 OK", ["Content-Disposition: attachment; filename=mine"], text: "new")
    }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/file.bin")]) { try $0.write("mine", to: "mine") }
    try run.expect(.exists, leaving: ["mine": Summary("mine")], "T25")
  }

  @Test func aTargetThatAppearsMeanwhileIsNotReplaced() throws {
    let gate = Gate()
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhel")
      exchange.wait(at: gate)
      exchange.send("lo!")
    }
    defer { server.stop() }
    let folder = try Folder()
    let command = try RunningCommand(["-q", server.uri("/file.bin")], in: folder)
    // Not before it has looked for the last time at what is there: content comes after that.
    #expect(command.wait { folder.size(of: "file.bin.part") == 3 })
    try folder.write("mine", to: "file.bin")
    gate.open()
    let run = try command.outcome()
    let expected = ["file.bin": Summary("mine"), "file.bin.part": Summary("hello!")]
    try run.expect(.exists, leaving: expected, "T25 both are kept")
  }

  @Test func aLinkIsNotFollowed() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    for name in ["file.bin", "file.bin.part"] {
      let run = try Command.run(["-q", "--retry", "0", server.uri("/file.bin")]) { folder in
        try folder.write("mine", to: "victim")
        try FileManager.default.createSymbolicLink(
          atPath: folder.path + "/" + name, withDestinationPath: folder.path + "/victim")
      }
      #expect(run.ending != .exited(0), "\(name) leads elsewhere")
      #expect(try run.folder.files["victim"] == Summary("mine"), "\(name) leads elsewhere")
    }
  }

  @Test func spaceIsCheckedBeforeTheContent() throws {
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 4611686018427387904\r\n\r\nhello")
      exchange.stall()
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "0", server.uri("/file.bin")])
    #expect(run.ending == .exited(ExitCode.noSpace.rawValue), "\(run.standardError)")
    run.expectOneLine()
    #expect(try run.files["file.bin"] == nil)
  }

  @Test func aFullDeviceIsSaid() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    let arguments = ["-q", "--retry", "0", "-o", "-", server.uri("/file.bin")]
    let run = try RunningCommand(arguments, in: Folder(), standardOutput: full).outcome()
    try run.expect(.noSpace)
  }

  /// `rawget -o - URL | head -c 1`
  @Test func aReaderThatLeavesEndsItQuietly() throws {
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\n\r\n")
      exchange.sendEndlessly([UInt8](repeating: 7, count: 65_536))
    }
    defer { server.stop() }
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let command = try RunningCommand(["-q", "-o", "-", server.uri("/")], in: Folder(), standardOutput: ends[1])
    close(ends[1])
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 1)
    close(ends[0])
    let run = try command.outcome()
    switch run.ending {
    case .exited(let code): #expect(code != 0)
    case .signalled(let signal): #expect(signal == SIGPIPE)
    }
    #expect(run.standardError.split(separator: "\n").count <= 1, "\(run.standardError)")
  }
}
