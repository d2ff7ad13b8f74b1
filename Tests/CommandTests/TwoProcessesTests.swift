import Foundation
import LoopbackServer
import Testing

/// Several processes and one name: one of them downloads, the others leave or wait (S3-4).
struct TwoProcessesTests {
  static let resource = Rerun.resource
  static let early = 700_001  // bytes

  private func server(_ delivered: Gate, _ goOn: Gate, _ fields: [String] = []) throws -> LoopbackServer {
    try LoopbackServer { exchange in
      guard exchange.requestNumber == 1 else {
        var conduct = Conduct.correct
        conduct.fields = fields
        return Self.resource.respond(to: exchange, conduct)
      }
      let head = [
        "HTTP/1.1 200 OK", "ETag: \"first\"", "Last-Modified: Sat, 21 Mar 2026 09:30:00 GMT",
        "Content-Length: \(Self.resource.length)",
      ]
      exchange.send((head + fields).joined(separator: "\r\n") + "\r\n\r\n")
      exchange.send(Self.resource.bytes(in: 0..<Int64(Self.early)))
      exchange.awaitDelivery()
      delivered.open()
      exchange.wait(at: goOn)
      exchange.send(Self.resource.bytes(in: Int64(Self.early)..<Self.resource.length))
    }
  }

  /// The name from the URI, or from the response.
  @Test(arguments: ["file.bin", "named.bin"]) func theSecondWaitsForTheFirst(_ name: String) throws {
    let (delivered, goOn) = (Gate(), Gate())
    let fields = name == "file.bin" ? [] : ["Content-Disposition: attachment; filename=\(name)"]
    let server = try server(delivered, goOn, fields)
    defer { server.stop() }
    let folder = try Folder()
    let first = try RunningCommand(["-q", server.uri("/file.bin")], in: folder)
    #expect(delivered.wait())
    #expect(first.wait { folder.size(of: name + ".part") == Self.early })
    let busy = try RunningCommand(["-q", server.uri("/file.bin")], in: folder).outcome()
    #expect(busy.ending == .exited(ExitCode.busy.rawValue), "S3-4: \(busy.standardError)")
    busy.expectOneLine()
    let second = try RunningCommand(["--wait", server.uri("/file.bin")], in: folder, standardError: "waiting")
    #expect(second.wait { folder.size(of: "waiting") > 0 })
    goOn.open()
    #expect(try first.outcome().ending == .exited(0))
    #expect(try second.outcome().ending == .exited(0))
    try FileManager.default.removeItem(atPath: folder.path + "/waiting")
    #expect(try folder.files == [name: Summary(Self.resource.bytes)])
  }

  @Test func theSecondGoesOnWhereTheFirstWasKilled() throws {
    let (delivered, goOn) = (Gate(), Gate())
    let server = try server(delivered, goOn)
    defer { server.stop() }
    let folder = try Folder()
    let first = try RunningCommand(["-q", server.uri("/file.bin")], in: folder)
    #expect(delivered.wait())
    #expect(first.wait { folder.size(of: "file.bin.part") == Self.early })
    let second = try RunningCommand(["--wait", server.uri("/file.bin")], in: folder, standardError: "waiting")
    #expect(second.wait { folder.size(of: "waiting") > 0 })
    first.signal(SIGKILL)
    #expect(try second.outcome().ending == .exited(0))
    #expect(Summary(try folder.bytes(of: "file.bin")) == Summary(Self.resource.bytes))
    #expect(server.requests.last?.field("Range") == "bytes=634465-")
  }

  @Test func inspectingDisturbsNobody() throws {
    let (delivered, goOn) = (Gate(), Gate())
    let server = try server(delivered, goOn)
    defer { server.stop() }
    let folder = try Folder()
    let first = try RunningCommand(["-q", server.uri("/file.bin")], in: folder)
    #expect(delivered.wait())
    #expect(first.wait { folder.size(of: "file.bin.part") == Self.early })
    try RunningCommand(["--inspect", "file.bin"], in: folder).outcome().expectBusy()
    goOn.open()
    try first.outcome().expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)])
  }

  @Test func eightAtOnce() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let folder = try Folder()
    let commands = try (0..<8).map { _ in try RunningCommand(["-q", "--wait", server.uri("/file.bin")], in: folder) }
    let endings = try commands.map { try $0.outcome().ending }
    #expect(endings == [Ending](repeating: .exited(0), count: 8))
    #expect(try folder.files == ["file.bin": Summary(Self.resource.bytes)])
  }
}

extension Outcome {
  fileprivate func expectBusy(at location: SourceLocation = #_sourceLocation) {
    #expect(ending == .exited(ExitCode.busy.rawValue), "\(standardError)", sourceLocation: location)
    expectOneLine(at: location)
  }
}
