import Foundation
import LoopbackServer
import Testing

/// OpenSSL is loaded when it is needed, and not before. Here the libraries that the loader finds first are empty files.
@Suite(.enabled(if: Command.hasTLS)) struct OpenSSLLoadingTests {
  static let resource = Rerun.resource
  private let libraries: Folder

  init() throws {
    libraries = try Folder()
    try libraries.write("", to: "libssl.so.3")
    try libraries.write("", to: "libcrypto.so.3")
  }

  private func run(_ arguments: [String]) throws -> Outcome {
    try Command.run(["-q"] + arguments, environment: ["LD_LIBRARY_PATH": libraries.path])
  }

  @Test(arguments: [[], ["-x", "3"]]) func plainHTTPNeedsNone(_ options: [String]) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    try run(options + [server.uri("/file.bin")]).expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
  }

  @Test func aDigestThatOnlyTheServerSpeaksOfIsNotLookedAt() throws {
    let digest = ChecksumTests.base64(Self.resource.digest)
    let server = try LoopbackServer { exchange in
      var conduct = Conduct.correct
      conduct.fields = ["Repr-Digest: sha-256=:\(digest):"]
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    try run([server.uri("/file.bin")]).expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
  }

  @Test func aChecksumNeedsIt() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try run(["--checksum", ChecksumTests.right, server.uri("/file.bin")])
    try run.expect(.unsupported)
    #expect(run.standardError.contains("libcrypto.so.3"), "\(run.standardError)")
    #expect(server.requests.isEmpty, "nothing was asked")
  }

  @Test func httpsNeedsIt() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let run = try run(["https://localhost:\(server.port)/file.bin"])
    try run.expect(.unsupported)
    #expect(run.standardError.contains("no OpenSSL to load"), "\(run.standardError)")
  }

  /// A library of that name without the functions: a version that is too old, say.
  @Test func aLibraryWithoutTheFunctionsIsNotUsed() throws {
    let other = try #require(Self.someLibrary, "a library to stand for it")
    for name in ["libssl.so.3", "libcrypto.so.3"] {
      try FileManager.default.removeItem(atPath: libraries.path + "/" + name)
      try FileManager.default.copyItem(atPath: other, toPath: libraries.path + "/" + name)
    }
    let run = try run(["https://localhost:1/file.bin"])
    try run.expect(.unsupported)
    #expect(run.standardError.contains("undefined symbol"), "\(run.standardError)")
  }

  private static var someLibrary: String? {
    ["/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64", "/usr/lib"].map { $0 + "/libm.so.6" }
      .first { FileManager.default.fileExists(atPath: $0) }
  }
}
