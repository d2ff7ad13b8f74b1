import LoopbackServer
import Testing

/// Which address is connected to, and from where.
struct DialingTests {
  private func hello() throws -> LoopbackServer { try LoopbackServer { $0.reply("200 OK", text: "hello") } }

  /// PORT stands for that of a server on 127.0.0.1 alone.
  static let reached: [([String], String)] = [
    (["-4", "http://127.0.0.1:PORT/file.bin"], "the family of the literal"),
    (["-4", "http://localhost:PORT/file.bin"], "a name's addresses of that family"),
    (["--ipv4", "--resolve", "a.example:PORT:::1,127.0.0.1", "http://a.example:PORT/file.bin"], "the other is left"),
    (["--resolve", "a.example:PORT:127.0.0.1", "http://a.example:PORT/file.bin"], "no name server"),
    (["--resolve=A.Example:PORT:127.0.0.1", "http://a.example:PORT/file.bin"], "names have no case"),
    (["--resolve", "a.example:PORT:[::1],127.0.0.1", "http://a.example:PORT/file.bin"], "brackets; the next address"),
    (["--resolve", "[::1]:PORT:127.0.0.1", "http://[::1]:PORT/file.bin"], "a literal has no need to be its address"),
    (
      ["--resolve", "a.example:PORT:::1", "--resolve", "a.example:PORT:127.0.0.1", "http://a.example:PORT/file.bin"],
      "the last word counts"
    ),
    (["--interface", "lo", "http://127.0.0.1:PORT/file.bin"], "an interface"),
    (["--interface", "127.0.0.1", "http://localhost:PORT/file.bin"], "only addresses of its family are tried"),
  ]

  @Test(arguments: reached) func reaches(_ row: (arguments: [String], because: String)) throws {
    let server = try hello()
    defer { server.stop() }
    let arguments = row.arguments.map { $0.replacing("PORT", with: String(server.port)) }
    try Command.run(["-q", "--retry", "0"] + arguments)
      .expect(.ok, leaving: ["file.bin": Summary("hello")], row.because)
    let host = arguments[arguments.count - 1].split(separator: "/")[1]
    #expect(server.requests.first?.field("Host") == String(host), "\(row.because): the target's own name is asked for")
  }

  static let unreached: [([String], String)] = [
    (["-6", "http://127.0.0.1:PORT/file.bin"], "a literal of the other family"),
    (["-6", "--resolve", "a.example:PORT:127.0.0.1", "http://a.example:PORT/file.bin"], "a given one too"),
    (["--resolve", "a.example:1:127.0.0.1", "http://a.example:PORT/file.bin"], "another port is another matter"),
    (["--interface", "::1", "http://127.0.0.1:PORT/file.bin"], "no way from that address"),
    (["--interface", "192.0.2.1", "http://127.0.0.1:PORT/file.bin"], "not an address of this machine"),
    (["-4", "-6", "http://127.0.0.1:PORT/file.bin"], "the last word counts"),
  ]

  @Test(arguments: unreached) func doesNotReach(_ row: (arguments: [String], because: String)) throws {
    let server = try hello()
    defer { server.stop() }
    let arguments = row.arguments.map { $0.replacing("PORT", with: String(server.port)) }
    try Command.run(["-q", "--retry", "0"] + arguments).expect(.network, leaving: [:], row.because)
    #expect(server.connectionCount == 0, "\(row.because)")
  }

  @Test func leavesFromTheAddressGiven() throws {
    let server = try TinyServer()
    defer { server.stop() }
    let uri = "http://127.0.0.1:\(server.port)/file.bin"
    try Command.run(["-q", "--interface", "127.0.0.7", uri]).expect(.ok, leaving: ["file.bin": Summary("hello")])
    #expect(server.peers == ["127.0.0.7"])
  }

  @Test func goesThroughASocketInTheFileSystem() throws {
    let folder = try Folder()
    let server = try TinyServer(path: folder.path + "/s")
    defer { server.stop() }
    let arguments = ["-q", "--unix-socket", "s", "http://nowhere.example/file.bin", "http://else.example/other.bin"]
    let run = try RunningCommand(arguments + ["-j", "1"], in: folder).outcome()
    let hello = Summary(TinyServer.content)
    #expect(run.ending == .exited(0), "\(run.standardError)")
    #expect(try run.folder.bytes(of: "file.bin") == Array("hello".utf8))
    #expect(try Summary(run.folder.bytes(of: "other.bin")) == hello)
    #expect(server.heads.map { $0.contains("Host: nowhere.example\r\n") } == [true, false])
  }

  @Test func aSocketThatIsNotThereIsANetworkFailure() throws {
    try Command.run(["-q", "--retry", "0", "--unix-socket", "none", "http://nowhere.example/"]).expect(.network)
  }

  static let refused: [([String], String)] = [
    (["--resolve", "a.example"], "no port"),
    (["--resolve", "a.example:80"], "no address"),
    (["--resolve", "a.example:80:"], "an empty address"),
    (["--resolve", "a.example:80:127.0.0.1,"], "an empty one behind another"),
    (["--resolve", "a.example:80:b.example"], "a name"),
    (["--resolve", "a.example:0:127.0.0.1"], "no such port"),
    (["--resolve", "a.example:65536:127.0.0.1"], "no such port"),
    (["--resolve", "a.example:http:127.0.0.1"], "a name of a port"),
    (["--resolve", ":80:127.0.0.1"], "no host"),
    (["--resolve", "a b:80:127.0.0.1"], "no host's name"),
    (["--resolve", "a.example:80:[127.0.0.1"], "half a bracket"),
    (["--resolve", "[::1:80:127.0.0.1"], "half a bracket"),
    (["--interface", ""], "nothing"),
    (["--interface", "none0"], "no such interface"),
    (["--interface", "127.0.0.1:80"], "a port"),
    (["--unix-socket", ""], "nothing"),
    (["--unix-socket", String(repeating: "s", count: 108)], "longer than the system takes"),
  ]

  @Test(arguments: refused) func refuses(_ row: (arguments: [String], because: String)) throws {
    let run = try Command.run(row.arguments + ["http://127.0.0.1:9/"])
    try run.expect(.usage, leaving: [:], row.because)
    let isNamed = run.standardError.contains(row.arguments[0]) && !run.standardError.contains("there is no option")
    #expect(isNamed, "the option is named: \(run.standardError)")
  }
}
