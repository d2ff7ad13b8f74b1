import Foundation
import LoopbackServer
import Testing

/// `rawget -o - URL | slow`: signals and limits while the reader sleeps.
struct SlowReaderTests {
  private static let resource = Resource(length: 3_000_000, seed: 5)

  /// Standard output of a command, and the other end of it.
  final class Output {
    enum Kind: CaseIterable, Sendable { case pipe, socket, terminal }
    let reading: Int32
    private(set) var writing: Int32

    init(_ kind: Kind) throws {
      var ends: (Int32, Int32) = (-1, -1)
      switch kind {
      case .pipe:
        var both: [Int32] = [-1, -1]
        try #require(pipe(&both) == 0)
        ends = (both[0], both[1])
      case .socket:
        var both: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &both) == 0)
        ends = (both[0], both[1])
      case .terminal:
        try #require(openpty(&ends.0, &ends.1, nil, nil, nil) == 0)
        var modes = termios()
        try #require(tcgetattr(ends.1, &modes) == 0)
        cfmakeraw(&modes)
        try #require(tcsetattr(ends.1, TCSANOW, &modes) == 0)
      }
      (reading, writing) = ends
      for end in [reading, writing] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
      close(reading)
      forgetWriting()
    }

    /// The command has it.
    func forgetWriting() {
      if writing >= 0 { close(writing) }
      writing = -1
    }

    /// Bytes that wait for the reader.
    var waiting: Int {
      var count: Int32 = 0
      _ = ioctl(reading, UInt(FIONREAD), &count)
      return Int(count)
    }

    /// To the end; a terminal's is an error.
    func readAll() -> [UInt8] {
      var bytes: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 10_007)
      while case let count = read(reading, &piece, piece.count), count > 0 { bytes += piece[..<count] }
      return bytes
    }
  }

  /// A command whose reader has not read a byte, and which can't write any more.
  private func heldUp(
    _ kind: Output.Kind, _ options: [String], _ server: LoopbackServer
  ) throws -> (RunningCommand, Output, Folder) {
    let (folder, output) = (try Folder(), try Output(kind))
    let command = try RunningCommand(
      ["-q", "-o", "-"] + options + [server.uri("/file.bin")], in: folder, standardOutput: output.writing,
      standardError: "log")
    output.forgetWriting()
    // Full, as far as can be seen from here: nothing more came in all of this time.
    var (before, same) = (0, 0)
    #expect(
      command.wait {
        let now = output.waiting
        same = now > 0 && now == before ? same + 1 : 0
        before = now
        return same >= 100
      })
    return (command, output, folder)
  }

  private func lines(_ folder: Folder) -> Int {
    ((try? folder.bytes(of: "log")) ?? []).reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
  }

  /// In a terminal that takes no more the command is in a write that the system goes on with: it answers later.
  @Test("a question is answered, and ends nothing", arguments: Output.Kind.allCases, [[], ["-x", "4"]])
  func aSignalAsks(_ kind: Output.Kind, _ options: [String]) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let (command, output, folder) = try heldUp(kind, options, server)
    for number in 1...3 {
      command.signal(SIGCONT)
      command.signal(SIGUSR1)
      if kind != .terminal { #expect(command.wait { lines(folder) == number }, "\(kind) \(number)") }
    }
    let bytes = output.readAll()
    let run = try command.outcome()
    #expect(run.ending == .exited(0), "\(kind) \(options): \(run.standardError)")
    #expect(Summary(bytes) == Summary(Self.resource.bytes), "\(kind) \(options)")
  }

  @Test("a signal ends it, without its reader", arguments: [Output.Kind.pipe, .socket])
  func aSignalEnds(_ kind: Output.Kind) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let (command, output, _) = try heldUp(kind, [], server)
    command.signal(SIGTERM)
    #expect(try command.outcome().ending == .signalled(SIGTERM), "\(kind)")
    let bytes = output.readAll()
    #expect(bytes.count < 3_000_000 && Summary(bytes) == Summary(Self.resource.bytes(in: 0..<Int64(bytes.count))))
  }

  @Test("the limit of time holds", arguments: [Output.Kind.pipe, .socket])
  func theTimeEnds(_ kind: Output.Kind) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let output = try Output(kind)
    let command = try RunningCommand(
      ["-q", "-o", "-", "--max-time", "1", server.uri("/file.bin")], in: Folder(), standardOutput: output.writing)
    output.forgetWriting()
    try command.outcome().expect(.limit)
  }

  @Test("a reader that leaves is noticed", arguments: [Output.Kind.pipe, .socket])
  func theReaderLeaves(_ kind: Output.Kind) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let (command, output, _) = try heldUp(kind, [], server)
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    dup2(null, output.reading)
    close(null)
    let ending = try command.outcome().ending
    #expect(ending == .exited(ExitCode.file.rawValue) || ending == .signalled(SIGPIPE), "\(kind): \(ending)")
  }
}
