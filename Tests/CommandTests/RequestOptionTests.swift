import Foundation
import LoopbackServer
import Testing

/// What the options about requests put on the wire, and what they refuse.
struct RequestOptionTests {
  struct Row: Sendable {
    let options: [String]
    let lines: [String]
    let because: String
  }

  static let rows = [
    Row(options: ["-A", "me/1"], lines: ["User-Agent: me/1"], because: "-A"),
    Row(options: ["--user-agent=a", "-H", "User-Agent: b"], lines: ["User-Agent: b"], because: "-H goes first"),
    Row(
      options: ["-e", "http://u:p@a.example/b?c#d"], lines: ["Referer: http://a.example/b?c"],
      because: "neither userinfo nor fragment (RFC 9110 §10.1.3)"),
    Row(options: ["--no-cache"], lines: ["Cache-Control: no-cache", "Pragma: no-cache"], because: "--no-cache"),
    Row(options: ["-u", "me:own"], lines: ["Authorization: Basic bWU6b3du"], because: "-u"),
    Row(options: ["--user-file", "secret"], lines: ["Authorization: Basic bWU6b3du"], because: "--user-file"),
    Row(options: ["--bearer-file", "token"], lines: ["Authorization: Bearer t0ken"], because: "--bearer-file"),
    Row(
      options: ["--bearer-file", "token", "-u", "me:own"], lines: ["Authorization: Basic bWU6b3du"],
      because: "the last word counts"),
    Row(options: ["--netrc-file", "netrc"], lines: ["Authorization: Basic bGk6cHc="], because: "--netrc-file"),
    Row(
      options: ["--netrc-file", "default"], lines: ["Authorization: Basic ZDpk"], because: "default, when pointed to"),
    Row(
      options: ["--netrc-file", "netrc", "-u", "me:own"], lines: ["Authorization: Basic bWU6b3du"],
      because: "options go before files"),
    Row(options: ["--cookie", "a=1; b=2", "--cookie", "c=3"], lines: ["Cookie: a=1; b=2; c=3"], because: "--cookie"),
    Row(options: ["--cookies", "jar"], lines: ["Cookie: deep=2; k=v"], because: "--cookies: those that are for it"),
    Row(
      options: ["-H", "Cookie: z=0", "--cookie", "a=1"], lines: ["Cookie: z=0; a=1"],
      because: "one field (RFC 6265 §5.4)"),
  ]

  static func prepare(_ folder: Folder) throws {
    try folder.write("me:own\n", to: "secret")
    try folder.write("t0ken\r\n", to: "token")
    try folder.write(
      """
      # for tests
      machine other.example login a password b
      macdef init
      cd pub
      machine 127.0.0.1 login no password no

      machine 127.0.0.1   # the one
        login "li"
        password p\\w account x
      """.replacingOccurrences(of: "p\\w", with: "\"p\\w\""), to: "netrc")
    try folder.write("default login d password d", to: "default")
    try folder.write("machine 127.0.0.1 login d password d\n", to: "shared")
    try folder.write(
      """
      # Netscape HTTP Cookie File

      127.0.0.1\tFALSE\t/\tFALSE\t0\tk\tv
      #HttpOnly_127.0.0.1\tFALSE\t/deep\tFALSE\t4000000000\tdeep\t2
      127.0.0.1\tFALSE\t/\tFALSE\t1000000000\texpired\tx
      127.0.0.1\tFALSE\t/\tTRUE\t0\tsecure\tx
      example.org\tFALSE\t/\tFALSE\t0\telsewhere\tx

      """, to: "jar")
    for name in ["secret", "token", "netrc", "default"] { chmod(folder.path + "/" + name, 0o600) }
    chmod(folder.path + "/shared", 0o640)
  }

  @Test(arguments: rows) func isSent(_ row: Row) throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(["-q", "-o", "out"] + row.options + [server.uri("/deep/file")], prepare: Self.prepare)
    #expect(run.ending == .exited(0), "\(row.because): \(run.standardError)")
    let request = try #require(server.requests.first)
    for line in row.lines {
      let name = String(line.prefix { $0 != ":" })
      #expect(request.values(name).map { "\(name): \($0)" } == [line], "\(row.because)")
    }
  }

  /// Options, a word of the line that must name the place, why.
  static let refused: [([String], String, String)] = [
    (["-A", "a\r\nX: y"], "user-agent", "a line end"), (["-e", "ftp://a/"], "referer", "no such page"),
    (["-e", "a"], "referer", "no URL"),
    (["-u", "a:\u{1}"], "--user", "a control character"), (["-u", "me"], "--user", "no password, no terminal"),
    (["--user-file", "none"], "none", "no such file"), (["--user-file", "shared"], "shared", "others may read it"),
    (["--user-file", "token"], "token", "no colon"), (["--bearer-file", "netrc"], "netrc", "more than a token"),
    (["--bearer-file", "shared"], "shared", "others may read it"), (["--bearer-file", "."], ".", "a directory"),
    (["--netrc-file", "none"], "none", "no such file"), (["--netrc-file", "shared"], "shared", "others may read it"),
    (["--netrc-file", "jar"], "jar:3", "no netrc file"), (["--netrc"], ".netrc", "there is none"),
    (["-X", "HEAD"], "method", "--head does that"), (["-X", "CONNECT"], "method", "for proxies"),
    (["-X", "TRACE"], "method", "shows secrets"), (["-X", "A B"], "method", "no token"),
    (["-X", ""], "method", "empty"),
    (["-X", "A\r\nB"], "method", "no token"),
    (["--body-file", "none"], "none", "no such file"),
    (["--explain", "--body", "x"], "explain", "it would change things"),
    (["--body-file", "-", "-i", "-"], "body-file", "one standard input for two"),
    (["--cookie", "a"], "cookie", "no value"), (["--cookie", "a=b\r\nX: y"], "cookie", "a line end"),
    (["--cookie", ""], "cookie", "nothing"), (["--cookies", "none"], "none", "no such file"),
    (["--cookies", "netrc"], "netrc:2", "no cookie file"),
    (["-H", "Content-Length: 3", "--body", "abc"], "Content-Length", "S0-21"),
  ]

  @Test(arguments: refused) func refuses(_ row: (options: [String], place: String, because: String)) throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(row.options + [server.uri("/file")], prepare: Self.prepare)
    #expect(run.ending == .exited(ExitCode.usage.rawValue), "\(row.because): \(run.standardError)")
    run.expectOneLine(row.because)
    #expect(run.standardError.contains(row.place), "\(row.because): \(run.standardError)")
    #expect(server.connectionCount == 0, "\(row.because)")
    #expect(try run.folder.files["file"] == nil, "\(row.because)")
  }

  /// The line that is wrong is named, and none of its secret words.
  @Test(arguments: [
    ("machine a login b\npassword", 2, "no value"), ("login s3cret", 1, "no machine"),
    ("machine a\n\nlogin b passwort s3cret", 3, "an unknown word"), ("machine a password \"s3cret", 1, "an open quote"),
    ("machine 127.0.0.1 login a:b password s3cret", 1, "a colon in the user name"),
    ("machine 127.0.0.1 login a password s3\u{1}cret", 1, "a control character"),
  ])
  func aNetrcFileWithAMistake(_ row: (text: String, line: Int, because: String)) throws {
    let run = try Command.run(["--netrc-file", "rc", "http://127.0.0.1:9/file"]) { folder in
      try folder.write(row.text, to: "rc")
      chmod(folder.path + "/rc", 0o600)
    }
    #expect(run.ending == .exited(ExitCode.usage.rawValue), "\(row.because): \(run.standardError)")
    #expect(run.standardError.contains("rc:\(row.line): "), "\(row.because): \(run.standardError)")
    #expect(!run.standardError.contains("s3"), "\(row.because): \(run.standardError)")
  }

  /// In the place where it usually is it is read unasked, but for `default`, and missed by nobody.
  @Test func theUsualNetrcFile() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let folder = try Folder()
    try Self.prepare(folder)
    let uri = server.uri("/file")
    func sends(_ options: [String], _ environment: [String: String]) throws -> [String] {
      let run = try RunningCommand(
        ["-q", "--existing=replace"] + options + [uri], in: folder, environment: environment)
      #expect(try run.outcome().ending == .exited(0), "\(options) \(environment)")
      return server.requests.last?.values("Authorization") ?? []
    }
    #expect(try sends([], ["NETRC": folder.path + "/netrc"]) == ["Basic bGk6cHc="])
    #expect(try sends(["--no-netrc"], ["NETRC": folder.path + "/netrc"]).isEmpty)
    #expect(
      try sends([], ["NETRC": folder.path + "/default"]).isEmpty, "a password for everybody is sent to nobody unasked")
    #expect(try sends(["--netrc"], ["NETRC": folder.path + "/default"]) == ["Basic ZDpk"])
    #expect(try sends([], [:]).isEmpty)
    #expect(rename(folder.path + "/netrc", folder.path + "/.netrc") == 0)
    #expect(try sends([], ["HOME": folder.path]) == ["Basic bGk6cHc="])
    chmod(folder.path + "/.netrc", 0o644)
    let run = try RunningCommand(["-q", uri], in: folder, environment: ["HOME": folder.path]).outcome()
    #expect(run.ending == .exited(ExitCode.usage.rawValue) && run.standardError.contains(".netrc"))
    try folder.write("machine other.example login a password b\n", to: ".netrc")
    chmod(folder.path + "/.netrc", 0o644)
    #expect(try sends([], ["HOME": folder.path]).isEmpty, "its mode matters to those whose secret is in it")
  }

  @Test func aPasswordIsAskedForAndNotShown() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let folder = try Folder()
    let terminal = try TerminalCommand(["-q", "-o", "out", "-u", "me", server.uri("/f")], in: folder, isInput: true)
    #expect(terminal.command.wait { terminal.text.contains("password of me: ") })
    terminal.type("own\n")
    #expect(try terminal.outcome().ending == .exited(0))
    #expect(server.requests.first?.field("Authorization") == "Basic bWU6b3du")
    #expect(!terminal.text.contains("own"), "\(terminal.text)")
  }

  /// S0-21, S1-11: none of them reaches another origin or a screen.
  @Test(arguments: [
    ["-u", "me:t0ken"], ["--bearer-file", "token"], ["--netrc-file", "rc"], ["--cookie", "id=t0ken"],
    ["-e", "http://a.example/t0ken"],
  ])
  func secretsStay(_ options: [String]) throws {
    let other = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    let elsewhere = other.uri("/end")
    let first = try LoopbackServer { $0.redirect(to: $0.request.target == "/start" ? "/next" : elsewhere) }
    defer {
      first.stop()
      other.stop()
    }
    let run = try Command.run(["-v", "-o", "out"] + options + [first.uri("/start")]) { folder in
      try Self.prepare(folder)
      try folder.write("machine 127.0.0.1 login me password t0ken", to: "rc")
      chmod(folder.path + "/rc", 0o600)
    }
    #expect(run.ending == .exited(0), "\(run.standardError)")
    #expect(first.requests.count == 2 && other.requests.count == 1)
    #expect(first.requests.allSatisfy { !$0.values("Authorization").isEmpty || $0.description.contains("t0ken") })
    for name in ["Authorization", "Cookie", "Referer"] {
      #expect(other.requests.allSatisfy { $0.values(name).isEmpty }, "\(name)")
    }
    if options[0] != "-e" { #expect(!run.standardError.contains("t0ken"), "\(run.standardError)") }
  }

  /// What a chain of redirects sets is sent where it is for, and forgotten afterwards (RFC 6265 §5.3, §5.4).
  @Test func cookiesOfAChain() throws {
    let server = try LoopbackServer { exchange in
      switch exchange.request.target {
      case "/a/start":
        exchange.reply(
          "302 Found",
          [
            "Location: /a/login", "Set-Cookie: id=1", "Set-Cookie: root=2; Path=/; HttpOnly",
            "Set-Cookie: bad=3; Domain=com",
            "Set-Cookie: old=4; Max-Age=0", "Set-Cookie: safe=5; Secure",
          ])
      case "/a/login": exchange.reply("303 See Other", ["Location: /b/file", "Set-Cookie: given=new; Path=/"])
      default: exchange.reply("200 OK", text: "hello")
      }
    }
    defer { server.stop() }
    let options = ["-q", "-o", "out", "--cookie", "given=mine"]
    try Command.run(options + [server.uri("/a/start")]).expect(.ok, leaving: ["out": Summary("hello")])
    #expect(
      server.requests.map { $0.field("Cookie") } == ["given=mine", "id=1; given=mine; root=2", "root=2; given=new"])
    try Command.run(["-q", "-o", "out", server.uri("/b/file")]).expect(.ok, leaving: ["out": Summary("hello")])
    #expect(server.requests.last?.values("Cookie") == [], "the next run knows nothing of it")
  }
}
