import Foundation
import LoopbackServer
import Testing

/// Which key a server may have, and which version of TLS is spoken.
@Suite(.enabled(if: Command.hasTLS)) struct PinTests {
  private static let resource = Resource(length: 400_000)
  private static let stranger = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

  /// As RFC 7469 §2.4 says it, by another hand.
  private static func pin(of certificate: String) throws -> String {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c",
      "openssl x509 -in \"$0\" -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64",
      certificate,
    ]
    let output = Pipe()
    shell.standardOutput = output
    try shell.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    return "sha256//" + text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// PIN stands for the pin of the server's key.
  static let rows: [(pins: [String], options: [String], isMet: Bool, because: String)] = [
    (["PIN"], [], true, "the key"),
    ([stranger + ";PIN"], [], true, "one of several"),
    ([stranger, "PIN"], [], true, "given one by one"),
    ([stranger], [], false, "another key, whoever certified it"),
    (["PIN"], ["-k"], true, "a pin is enough without an authority"),
    ([stranger], ["-k"], false, "looked at even when nothing else is"),
  ]

  @Test(arguments: rows)
  func looksAtTheKey(_ row: (pins: [String], options: [String], isMet: Bool, because: String)) throws {
    let authority = try TestAuthority.shared()
    let server = try LoopbackServer(tls: ServerTLS(authority.good)) { exchange in
      // Drops, so that sessions are taken up again.
      Self.resource.respond(to: exchange, .dropping(after: 150_000))
    }
    defer { server.stop() }
    let pin = try Self.pin(of: authority.good.certificateFile)
    let pins = row.pins.flatMap { ["--pinned-key", $0.replacing("PIN", with: pin)] }
    let trust = row.options.isEmpty ? ["--cacert", authority.file] : row.options
    let run = try Command.run(["--progress=none"] + trust + pins + [server.uri("/file.bin")])
    if row.isMet {
      try run.expectWhole(Self.resource, row.because)
    } else {
      #expect(run.ending == .exited(ExitCode.tls.rawValue), "\(row.because): \(run.standardError)")
      #expect(run.standardError.contains("pinned"), "\(row.because): \(run.standardError)")
      #expect(server.requests.isEmpty, "\(row.because): nothing was asked")
      #expect(server.connectionCount == 1, "\(row.because): not tried again")
      #expect(try run.folder.files.isEmpty)
    }
  }

  static let versions: [([String], ServerTLS.Version, Bool)] = [
    (["--tls-min", "1.2"], .tls12, true), (["--tls-min", "1.3"], .tls13, true), (["--tls-min=1.3"], .tls12, false),
    (["--tls-max", "1.2"], .tls12, true), (["--tls-max", "1.2"], .tls13, false), (["--tls-max=1.3"], .tls13, true),
    (["--tls-min=1.2", "--tls-max=1.2"], .tls12, true), (["--tls-min=1.3", "--tls-max=1.3"], .tls12, false),
  ]

  @Test(arguments: versions) func speaksTheVersions(_ row: ([String], ServerTLS.Version, Bool)) throws {
    let authority = try TestAuthority.shared()
    let server = try LoopbackServer(tls: ServerTLS(authority.good, only: row.1)) { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(["-q", "--cacert", authority.file] + row.0 + [server.uri("/file.bin")])
    try run.expect(row.2 ? .ok : .tls, leaving: row.2 ? ["file.bin": Summary("hello")] : [:], "\(row)")
  }

  static let refused: [([String], String)] = [
    (["--pinned-key", ""], "nothing"), (["--pinned-key", "sha256//"], "no digest"),
    (["--pinned-key", "sha256//AAAA"], "a digest of another length"),
    (["--pinned-key", "sha1//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="], "another algorithm"),
    (["--pinned-key", "sha256//*AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="], "not base64"),
    (["--pinned-key", stranger + ";"], "an empty one"), (["--pinned-key", "key.pem"], "a file"),
    (["--tls-min", "1.1"], "too old"), (["--tls-max", "1.1"], "too old"), (["--tls-min", ""], "nothing"),
    (["--tls-min", "1.3", "--tls-max", "1.2"], "none is left"),
  ]

  @Test(arguments: refused) func refuses(_ row: (arguments: [String], because: String)) throws {
    let run = try Command.run(row.arguments + ["https://127.0.0.1:9/"])
    try run.expect(.usage, leaving: [:], row.because)
    let isNamed = run.standardError.contains(row.arguments[0]) && !run.standardError.contains("there is no option")
    #expect(isNamed, "the option is named: \(run.standardError)")
  }

  /// Files that can't be used are named, and no connection is made.
  @Test(arguments: [
    (["--cert", "none.pem"], "none.pem"), (["--cert", "text"], "text"),
    (["--cert", "GOOD", "--key", "none.pem"], "none"),
    (["--cert", "GOOD", "--key", "OTHER"], "key"), (["--key", "GOOD"], "certificate"), (["--capath", "none"], "none"),
  ])
  func namesTheFile(_ row: (arguments: [String], word: String)) throws {
    let authority = try TestAuthority.shared()
    let server = try LoopbackServer(tls: ServerTLS(authority.good)) { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let files = ["GOOD": authority.client.certificateFile, "OTHER": authority.selfSigned.keyFile]
    let arguments = ["-q"] + row.arguments.map { files[$0] ?? $0 } + [server.uri("/file.bin")]
    let run = try Command.run(arguments) { try $0.write("no certificate", to: "text") }
    #expect(run.ending == .exited(ExitCode.file.rawValue), "\(run.standardError)")
    #expect(run.standardError.contains(row.word), "\(run.standardError)")
    run.expectOneLine()
    #expect(server.connectionCount == 0)
  }

  @Test func anEmptyStoreIsSaid() throws {
    let environment = ["SSL_CERT_FILE": "/none/bundle.pem", "SSL_CERT_DIR": "/none"]
    let run = try Command.run(["-q", "https://127.0.0.1:9/"], environment: environment)
    #expect(run.standardError.contains("/none/bundle.pem"), "the path that was tried: \(run.standardError)")
    #expect(run.ending == .exited(ExitCode.file.rawValue))
    run.expectOneLine()
  }
}
