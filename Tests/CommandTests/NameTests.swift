import LoopbackServer
import Testing

/// The name of the file: from the server (RFC 6266), else from the URI, and always a safe one.
struct NameTests {
  /// The path of the URI, the Content-Disposition if any, and the name.
  static let names: [(String, String?, String, String)] = [
    ("/dir/file.bin", nil, "file.bin", "S2-3 the last segment"),
    ("/file.bin?token=/secret", nil, "file.bin", "T24 a query names nothing"),
    ("/file.bin#part", nil, "file.bin", "T24 nor does a fragment"),
    ("/19 上传大文件.mov", nil, "19 上传大文件.mov", "S4-5 the readable name"),
    ("/19%20%E4%B8%8A.mov", nil, "19 上.mov", "S4-5 decoded"),
    ("/a%2520b", nil, "a%20b", "T23 decoded once"),
    ("/", nil, "download", "T24 no segment"),
    ("/dir/", nil, "download", "T24 an empty segment"),
    ("/x%2F..%2F..%2Fpasswd", nil, "passwd", "T24 decoded, then cut"),
    ("/x%5C..%5Cname", nil, "name", "T24 the other slash"),
    ("/.profile", nil, "_.profile", "T24 no hidden file"),
    ("/-rf", nil, "_-rf", "T24 no option"),
    ("/%2E%2E", nil, "download", "T24 no folder"),
    ("/a%00b%0Ac%1B", nil, "abc", "T24 no control characters"),
    ("/file.bin", "attachment; filename=other.bin", "other.bin", "S1-1 S1-2 a token"),
    ("/file.bin", #"attachment; filename="a \"b\".bin""#, "a \"b\".bin", "a quoted string"),
    ("/file.bin", "inline; filename=other.bin", "other.bin", "the type does not matter"),
    ("/file.bin", "attachment; filename=\"x\"; filename*=UTF-8''na%C3%AFve.bin", "naïve.bin", "filename* first"),
    ("/file.bin", "attachment; filename*=utf-8'en'%e2%82%ac; filename=x", "€", "in any order and case"),
    ("/file.bin", "attachment; filename*=UTF-8''%FF; filename=plain", "plain", "filename* is no UTF-8"),
    ("/file.bin", "attachment; filename=\"%41.bin\"", "%41.bin", "filename is not percent-decoded"),
    ("/file.bin", "attachment; filename=\"../../etc/passwd\"", "passwd", "T24 never outside"),
    ("/file.bin", "attachment; filename*=UTF-8''..%2F..%2Fx", "x", "T24 nor when encoded"),
    ("/file.bin", "attachment; filename=\"/etc/passwd\"", "passwd", "T24 nor when absolute"),
    ("/file.bin", "attachment; filename=\"..\"", "file.bin", "T24 no name: the URI's"),
    ("/file.bin", "attachment; filename=\"\"", "file.bin", "an empty name"),
    ("/file.bin", "attachment", "file.bin", "no name"),
    ("/file.bin", ";;;=\"", "file.bin", "no grammar"),
  ]

  @Test(arguments: names)
  func isSavedAs(_ row: (path: String, disposition: String?, name: String, because: String)) throws {
    let server = try LoopbackServer { exchange in
      exchange.reply("200 OK", row.disposition.map { ["Content-Disposition: \($0)"] } ?? [], text: "hello")
    }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri(row.path)])
    try run.expect(.ok, leaving: [row.name: Summary("hello")], row.because)
  }

  @Test(arguments: [255, 300, 4_000]) func aLongNameIsCutBeforeItsExtension(_ count: Int) throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/" + String(repeating: "ü", count: count) + ".tar")])
    let name = try #require(try run.folder.files.keys.first)
    #expect(run.ending == .exited(0))
    #expect(name.hasSuffix(".tar") && name.hasPrefix("üü"))
    #expect(name.utf8.count <= 255)
    #expect(try run.files == [name: Summary("hello")])
  }

  @Test func aChosenNameWins() throws {
    let server = try LoopbackServer { exchange in
      exchange.reply("200 OK", ["Content-Disposition: attachment; filename=server.bin"], text: "hello")
    }
    defer { server.stop() }
    let run = try Command.run(["-q", "-o", "beautiful.jpg", server.uri("/file.bin")])
    try run.expect(.ok, leaving: ["beautiful.jpg": Summary("hello")], "S0-17")
  }

  @Test func aFolderCanBeChosen() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let uri = server.uri("/file.bin")
    let run = try Command.run(["-q", "-P", "down", uri]) { try $0.makeFolder("down") }
    try run.expect(.ok, leaving: ["down/file.bin": Summary("hello")], "S0-18")
    let other = try Command.run(["-q", "-o", "down/x", uri]) { try $0.makeFolder("down") }
    try other.expect(.ok, leaving: ["down/x": Summary("hello")], "S0-17 a path")
  }

  @Test func aMissingFolderIsAFileError() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(["-q", "--retry", "0", "-o", "none/x", server.uri("/file.bin")])
    try run.expect(.file, leaving: [:])
  }
}
