import LoopbackServer
import Testing

/// How arguments are taken apart: GNU conventions, and names that are exact.
struct ArgumentTests {
  /// URI stands for a server's; the content lands in `name`.
  static let accepted: [(arguments: [String], name: String, because: String)] = [
    (["-q", "URI"], "file.bin", "an option before the operand"),
    (["URI", "-q"], "file.bin", "and after it"),
    (["--quiet", "--output=x", "URI"], "x", "an argument behind ="),
    (["--quiet", "--output", "x", "URI"], "x", "an argument of its own"),
    (["--output=a=b", "-q", "URI"], "a=b", "the first = ends the name"),
    (["-qox", "URI"], "x", "a cluster, an argument at its end"),
    (["-qo", "x", "URI"], "x", "a cluster, its argument next"),
    (["-qo=x", "URI"], "=x", "a letter has no = before its argument"),
    (["-o", "--quiet", "URI", "-q"], "--quiet", "an argument that looks like an option"),
    (["-q", "-o", "y", "-o", "x", "URI"], "x", "the last counts"),
    (["-q", "-o", "x", "--", "URI"], "x", "-- ends the options"),
    (["-q", "-o", "--", "URI"], "--", "but not as an argument"),
    (["-qcq", "URI"], "file.bin", "one letter twice"),
  ]

  @Test(arguments: accepted) func accepts(_ row: (arguments: [String], name: String, because: String)) throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(row.arguments.map { $0 == "URI" ? server.uri("/file.bin") : $0 })
    try run.expect(.ok, leaving: [row.name: Summary("hello")], row.because)
  }

  static let refused: [(arguments: [String], said: String, because: String)] = [
    (["--out", "x", "URI"], "--out", "a prefix is no name, though it is unambiguous"),
    (["--quie", "URI"], "--quie", "nor without an argument"),
    (["--quiett", "URI"], "--quiett", "nor more than the name"),
    (["--QUIET", "URI"], "--QUIET", "names have a case"),
    (["--output x", "URI"], "--output x", "one word"),
    (["--q", "URI"], "--q", "two dashes are for names"),
    (["--=x", "URI"], "--", "no name"),
    (["-q-", "URI"], "--", "a dash is no letter"),
    (["-qé", "URI"], "there is no option", "nor is a byte beyond ASCII"),
    (["--no\u{1B}[2J", "URI"], "--no\\x1b[2J", "what a terminal would obey is shown, not sent"),
    (["--quiet=", "URI"], "--quiet takes no argument", "an empty argument is one"),
    (["URI", "--output"], "--output needs an argument", "nothing follows"),
    (["URI", "-qo"], "--output needs an argument", "nor after a cluster"),
    (["--retry", "--quiet", "URI"], "--retry '--quiet'", "what follows is the argument"),
    (["-tq", "URI"], "--retry 'q'", "and the rest of a cluster"),
    (["--", "-q", "URI"], "-q", "after -- all are operands"),
    (["--"], "no URL", "and there have to be some"),
    (["-", "URI"], "'-'", "a dash alone is an operand, and no URL"),
    (["", "URI"], "empty", "an empty operand"),
    (["--completion", "tcsh"], "tcsh", "a shell that nobody wrote for"),
    (["--completion="], "--completion ''", "no shell"),
  ]

  @Test(arguments: refused) func refuses(_ row: (arguments: [String], said: String, because: String)) throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(row.arguments.map { $0 == "URI" ? server.uri("/file.bin") : $0 })
    try run.expect(.usage, row.because)
    #expect(run.standardError.contains(row.said), "\(row.because): \(run.standardError)")
    #expect(run.standardOutput.isEmpty && server.connectionCount == 0, "\(row.because)")
  }
}
