import Foundation
import LoopbackServer
import Testing

/// `--xattr`: the file says where it came from, and no secret with it.
struct AttributeTests {
  /// Glibc as Swift sees it has them not.
  private typealias Get =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int
    ) -> Int
  private typealias Set =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32
    ) -> Int32

  private static func attribute(_ name: String, of path: String) -> String? {
    var value = [UInt8](repeating: 0, count: 1_024)
    let get = unsafeBitCast(dlsym(nil, "getxattr"), to: Get.self)
    let count = get(path, "user.xdg." + name, &value, value.count)
    return count < 0 ? nil : String(decoding: value[..<count], as: UTF8.self)
  }

  /// Not every file system has them.
  private static func hasAttributes(_ folder: Folder) throws -> Bool {
    try folder.write("", to: "probe")
    defer { unlink(folder.path + "/probe") }
    let set = unsafeBitCast(dlsym(nil, "setxattr"), to: Set.self)
    return set(folder.path + "/probe", "user.probe", "x", 1, 0) == 0
  }

  @Test func namesTheOrigin() throws {
    let server = try LoopbackServer { exchange in
      if exchange.requestNumber == 1 { return exchange.redirect(to: "/signed?key=secret") }
      exchange.reply("200 OK", text: "hello")
    }
    defer { server.stop() }
    let folder = try Folder()
    let hasAttributes = try Self.hasAttributes(folder)
    let uri = "http://user:password@127.0.0.1:\(server.port)/file.bin?token=secret#part"
    let referer = ["-H", "Referer: http://u:p@example.org/page?session=secret#part"]
    let run = try RunningCommand(["-q", "--xattr", "-o", "file.bin"] + referer + [uri], in: folder).outcome()
    #expect(run.ending == .exited(0))
    #expect(try run.files == ["file.bin": Summary("hello")])
    guard hasAttributes else {
      #expect(run.standardError.contains("attributes"), "a warning: \(run.standardError)")
      return
    }
    let path = folder.path + "/file.bin"
    #expect(Self.attribute("origin.url", of: path) == "http://127.0.0.1:\(server.port)/file.bin")
    #expect(Self.attribute("referrer.url", of: path) == "http://example.org/page")
    #expect(run.standardError.isEmpty)
  }

  @Test func saysNothingUnasked() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(["-q", server.uri("/file.bin")])
    #expect(Self.attribute("origin.url", of: run.folder.path + "/file.bin") == nil)
  }

  /// On a file system without them: /proc and its like take no files at all, so a device is written to.
  @Test func aStreamHasNone() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    try Command.run(["-q", "--xattr", "-o", "/dev/null", server.uri("/file.bin")]).expect(.ok)
    let run = try Command.run(["-q", "--xattr", "-o", "-", server.uri("/file.bin")])
    #expect(run.standardOutput == Array("hello".utf8) && run.ending == .exited(0))
  }
}
