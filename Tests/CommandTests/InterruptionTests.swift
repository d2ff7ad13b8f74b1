import Foundation
import LoopbackServer
import Testing

/// Signals, and a second process (S1-10, S3-4, S3-7).
struct InterruptionTests {
  /// Sends a head and this much, delivers it, opens `delivered`, and goes on when `goOn` opens.
  private static let resource = Resource(length: 1_000_000)
  private static let early = 700_001  // bytes

  private func server(_ delivered: Gate, _ goOn: Gate) throws -> LoopbackServer {
    try LoopbackServer { exchange in
      let bytes = Self.resource.bytes
      exchange.send("HTTP/1.1 200 OK\r\nETag: \"first\"\r\nContent-Length: \(bytes.count)\r\n\r\n")
      exchange.send(Array(bytes[..<Self.early]))
      exchange.awaitDelivery()
      delivered.open()
      exchange.wait(at: goOn)
      exchange.send(Array(bytes[Self.early...]))
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalKeepsEverythingReceived(_ signal: Int32) throws {
    let (delivered, goOn) = (Gate(), Gate())
    let server = try server(delivered, goOn)
    defer { server.stop() }
    let folder = try Folder()
    let command = try RunningCommand(["-q", server.uri("/file.bin")], in: folder)
    #expect(delivered.wait())
    #expect(command.wait { folder.size(of: "file.bin.part") == Self.early })
    command.signal(signal)
    let run = try command.outcome()
    #expect(run.ending == .signalled(signal), "a shell must see it: \(run.ending)")
    let part = Summary(Array(Self.resource.bytes[..<Self.early]))
    #expect(try run.files == ["file.bin.part": part], "S1-10 S3-7 T19")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalBeforeTheHeadLeavesNothing(_ signal: Int32) throws {
    let asked = Gate()
    let server = try LoopbackServer { exchange in
      asked.open()
      exchange.stall()
    }
    defer { server.stop() }
    let command = try RunningCommand(["-q", server.uri("/file.bin")], in: Folder())
    #expect(asked.wait())
    command.signal(signal)
    let run = try command.outcome()
    #expect(run.ending == .signalled(signal))
    #expect(try run.folder.files.isEmpty, "S2-1")
  }

  @Test func aSecondProcessLeaves() throws {
    let (delivered, goOn) = (Gate(), Gate())
    let server = try server(delivered, goOn)
    defer { server.stop() }
    let folder = try Folder()
    let first = try RunningCommand(["-q", server.uri("/file.bin")], in: folder)
    #expect(delivered.wait())
    #expect(first.wait { folder.size(of: "file.bin.part") >= 0 })
    let second = try RunningCommand(["-q", "-o", "file.bin", server.uri("/file.bin")], in: folder).outcome()
    #expect(second.ending == .exited(ExitCode.busy.rawValue), "S3-4: \(second.standardError)")
    second.expectOneLine()
    goOn.open()
    try first.outcome().expect(.ok, leaving: ["file.bin": Summary(Self.resource.bytes)], "and disturbs nothing")
  }
}
