import Foundation
import LoopbackServer
import Testing

/// How many downloads share a run: places, connections, memory, and an end in the middle.
struct BatchRunTests {
  private static func list(_ server: LoopbackServer, _ count: Int) -> String {
    (0..<count).map { server.uri("/\($0)") + "\n" }.joined()
  }

  /// Requests under way, and the most that there were.
  private struct Crowd {
    var present = 0
    var most = 0
    var answered = 0
  }

  @Test(arguments: [1, 3, 40]) func soManyAreUnderWayAtOnce(_ jobs: Int) throws {
    let crowd = Guarded(Crowd())
    let isFull = Gate()
    let server = try LoopbackServer { exchange in
      crowd.withLock { crowd in
        crowd.present += 1
        crowd.most = max(crowd.most, crowd.present)
        if crowd.present == jobs { isFull.open() }
      }
      exchange.wait(at: isFull)  // until all places are taken: fewer would never be answered
      crowd.withLock { $0.present -= 1 }
      exchange.reply("200 OK", text: "x")
    }
    defer { server.stop() }
    let list = Self.list(server, 3 * jobs)
    let run = try Command.run(["-q", "-j\(jobs)", "-i", "list"]) { try $0.write(list, to: "list") }
    #expect(run.ending == .exited(0), "\(run.standardError)")
    #expect(try run.files.count == 3 * jobs + 1)
    #expect(crowd.withLock { $0.most } == jobs)
  }

  /// No more connections than places, however many files (RFC 9112 §9.3).
  @Test(arguments: [1, 4]) func connectionsAreUsedAgain(_ jobs: Int) throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "x") }
    defer { server.stop() }
    let list = Self.list(server, 50)
    let run = try Command.run(["-q", "-j\(jobs)", "-i", "list"]) { try $0.write(list, to: "list") }
    #expect(run.ending == .exited(0), "\(run.standardError)")
    #expect(server.requests.count == 50)
    #expect(server.connectionCount <= jobs, "\(server.connectionCount) connections")
  }

  /// A process that may have few files open has fewer downloads at once, says so in a line, and fails none of them.
  @Test(arguments: [(64, 12), (24, 2), (20, 1), (16, 1)]) func fewOpenFiles(_ limit: Int, _ jobs: Int) throws {
    let crowd = Guarded(Crowd())
    let server = try LoopbackServer { exchange in
      crowd.withLock { crowd in
        crowd.present += 1
        crowd.most = max(crowd.most, crowd.present)
      }
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx")
      crowd.withLock { $0.present -= 1 }
      exchange.send("x")
      exchange.keepOpen()
    }
    defer { server.stop() }
    let folder = try Folder()
    try folder.write(Self.list(server, 60), to: "list")
    let run = try RunningCommand(["-q", "--retry", "0", "-j50", "-i", "list"], in: folder, openFiles: limit).outcome()
    #expect(run.ending == .exited(0), "\(run.standardError)")
    #expect(try run.files.count == 61)
    #expect(crowd.withLock { $0.most } <= jobs)
    #expect(server.connectionCount <= jobs)
    let line = "warning: too few files may be open (ulimit -n) for 50 downloads at once; there will be \(jobs)"
    #expect(run.standardError == "rawget: \(line)\n")
  }

  @Test func aLimitThatIsNotReachedIsNotTold() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "x") }
    defer { server.stop() }
    let run = try RunningCommand(["-q", "-j50", server.uri("/a")], in: try Folder(), openFiles: 24).outcome()
    #expect(run.ending == .exited(0))
    #expect(run.standardError == "", "one URL is one download")
  }

  /// A connection that the server closes after each answer is no failure of the next download.
  @Test func aServerThatClosesIsAskedOnNewConnections() throws {
    let server = try LoopbackServer { exchange in
      exchange.reply("200 OK", ["Connection: close"], text: "x")
      exchange.close()
    }
    defer { server.stop() }
    let list = Self.list(server, 20)
    let run = try Command.run(["-q", "--retry", "0", "-j4", "-i", "list"]) { try $0.write(list, to: "list") }
    #expect(run.ending == .exited(0), "\(run.standardError)")
    #expect(server.requests.count == 20)
  }

  @Test(arguments: [SIGINT, SIGTERM]) func aSignalKeepsEveryPart(_ signal: Int32) throws {
    let resource = Resource(length: 200_000)
    let early = 100_000  // bytes
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nETag: \"x\"\r\nContent-Length: \(resource.length)\r\n\r\n")
      exchange.send(Array(resource.bytes[..<early]))
      exchange.stall()
    }
    defer { server.stop() }
    let folder = try Folder()
    let list = Self.list(server, 10)
    try folder.write(list, to: "list")
    let command = try RunningCommand(["-q", "-j3", "-i", "list"], in: folder)
    let names = ["0.part", "1.part", "2.part"]
    #expect(command.wait { names.allSatisfy { folder.size(of: $0) == Int64(early) } })
    command.signal(signal)
    let run = try command.outcome()
    #expect(run.ending == .signalled(signal))
    let part = Summary(Array(resource.bytes[..<early]))
    #expect(try run.files == ["list": Summary(list), "0.part": part, "1.part": part, "2.part": part])
    #expect(server.requests.count == 3, "none begins after the signal")
  }

  /// Nothing is under way: the signal has to end the wait for the list itself.
  @Test(arguments: [SIGINT, SIGHUP]) func aSignalEndsTheWaitForAList(_ signal: Int32) throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "x") }
    defer { server.stop() }
    let folder = try Folder()
    let input = try InputPipe()
    let command = try RunningCommand(["-q", "-i", "-"], in: folder, standardInput: input.reading)
    input.write(server.uri("/a") + "\n" + server.uri("/unfinished"))
    #expect(command.wait { folder.size(of: "a") == 1 })
    command.signal(signal)
    let run = try command.outcome()
    #expect(run.ending == .signalled(signal))
    #expect(try run.files == ["a": Summary("x")])
    #expect(run.standardError.isEmpty)
  }

  /// A line is begun when it has come, though others are under way and the list has not ended.
  @Test func aSlowListHoldsNothingUp() throws {
    let gate = Gate()
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/held" { exchange.wait(at: gate) }
      exchange.reply("200 OK", text: "x")
    }
    defer { server.stop() }
    let folder = try Folder()
    let input = try InputPipe()
    let command = try RunningCommand(["-q", "-i", "-"], in: folder, standardInput: input.reading)
    input.write(server.uri("/held") + "\n")
    #expect(command.wait { server.requests.count == 1 })
    let second = server.uri("/second") + "\n"
    input.write(String(second.prefix(9)))
    input.write(String(second.dropFirst(9)))
    #expect(command.wait { folder.size(of: "second") == 1 }, "while the first is under way")
    gate.open()
    #expect(command.wait { folder.size(of: "held") == 1 }, "while the list says nothing")
    input.write(server.uri("/third") + "\n")
    #expect(command.wait { folder.size(of: "third") == 1 }, "after nothing was under way")
    input.close()
    try command.outcome().expect(.ok, leaving: ["held": Summary("x"), "second": Summary("x"), "third": Summary("x")])
  }

  /// Lists of which a small one and a large one need the same memory.
  static let lists: [(line: String, count: Int, because: String)] = [
    ("# " + String(repeating: "x", count: 1_022) + "\n", 4_000, "4 MB of comments"),
    ("SERVER/skipped\ttaken\n", 3_000, "downloads that end at once"),

  ]

  @Test(arguments: lists, [true, false])
  func aLongListNeedsNoMoreMemory(_ row: (line: String, count: Int, because: String), _ isStream: Bool) throws {
    let short = try peakMemory(of: row.line, count: 20, isStream)
    let long = try peakMemory(of: row.line, count: row.count, isStream)
    #expect(long < short + 1_500, "\(row.because): \(short) kB for 20 lines, \(long) kB for \(row.count)")
  }

  /// In kB, when all lines but the last have been dealt with.
  private func peakMemory(of line: String, count: Int, _ isStream: Bool) throws -> Int {
    let gate = Gate()
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/last" { exchange.wait(at: gate) }
      exchange.reply("200 OK", text: "x")
    }
    defer { server.stop() }
    let folder = try Folder()
    let list = String(repeating: line.replacing("SERVER", with: server.origin), count: count)
    try folder.write(list + server.uri("/last") + "\n", to: "list")
    try folder.write("", to: "taken")
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.path + "/list"))
    let command = try RunningCommand(
      ["-q", "--existing", "skip", "-j1", "-i", isStream ? "-" : "list"], in: folder,
      standardInput: file.fileDescriptor)
    #expect(command.wait { server.requests.contains { $0.target == "/last" } })
    let peak = try #require(command.peakMemory)
    gate.open()
    #expect(try command.outcome().ending == .exited(0))
    return peak
  }
}
