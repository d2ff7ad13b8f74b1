import Foundation
import LoopbackServer
import Testing

/// A part that is larger than 32 bits, or a `Double`, can count (T12, T13): sparse, and the server has zeros up to its
/// end and then a tail. Sizes that the file system under the temporary folder can't hold are tried in memory.
struct LargeOffsetTests {
  static let tail = Resource(length: 100_000, seed: 5)

  static let offsets: [Int64] = [
    1 << 31 - 1, 1 << 31, 1 << 31 + 1, 1 << 32 - 1, 1 << 32, 1 << 32 + 1, 5 << 30, 1 << 53 - 1, 1 << 53, 1 << 53 + 1,
  ]

  /// Answers `bytes=first-` and `bytes=first-last` of `offset` zeros and the tail.
  private static func respond(to exchange: ServerExchange, _ offset: Int64) {
    let total = offset + tail.length
    let bounds = (exchange.request.field("Range") ?? "").dropFirst(6).split(separator: "-").compactMap { Int64($0) }
    guard let first = bounds.first, first < offset else { return exchange.reply("416 Range Not Satisfiable") }
    let last = bounds.count > 1 ? bounds[1] : total - 1
    exchange.send("HTTP/1.1 206 Partial Content\r\nETag: \"large\"\r\nContent-Length: \(last - first + 1)\r\n")
    exchange.send("Content-Range: bytes \(first)-\(last)/\(total)\r\n\r\n")
    exchange.send([UInt8](repeating: 0, count: Int(min(last + 1, offset) - first)))
    if last >= offset { exchange.send(tail.bytes) }
  }

  @Test(arguments: offsets) func aPartIsContinuedAt(_ offset: Int64) throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.field("Range") != nil { return Self.respond(to: exchange, offset) }
      exchange.send("HTTP/1.1 200 OK\r\nETag: \"large\"\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n")
      exchange.send([UInt8](repeating: 0, count: 100_000))
      exchange.reset()
    }
    defer { server.stop() }
    for folder in [try Folder(), try? Folder(in: "/dev/shm/")].compactMap({ $0 }) {
      let uri = server.uri("/file.bin")
      let cut = try RunningCommand(["-q", "--retry", "0", uri], in: folder).outcome()
      #expect(cut.ending == .exited(ExitCode.incomplete.rawValue), "\(cut.standardError)")
      guard truncate(folder.path + "/file.bin.part", Int(offset)) == 0 else { continue }
      let run = try RunningCommand(["-q", uri], in: folder).outcome()
      #expect(run.ending == .exited(0), "T12 T13 \(offset): \(run.standardError)")
      #expect(server.requests.last?.field("Range") == "bytes=\(offset - 65_536)-", "T12 T13")
      #expect(folder.size(of: "file.bin") == offset + Self.tail.length)
      #expect(try folder.end(of: "file.bin", from: offset) == Self.tail.bytes)
      return
    }
  }

  /// No file system holds this; nothing of what is here is given up.
  @Test func aLengthThatCantBeStoredKeepsThePart() throws {
    let claimed: Int64 = 1 << 62 + 1  // bytes
    let resource = Resource(length: 200_000)
    let server = try LoopbackServer { exchange in
      guard exchange.requestNumber > 1 else {
        exchange.send("HTTP/1.1 200 OK\r\nETag: \"large\"\r\nTransfer-Encoding: chunked\r\n\r\n30d40\r\n")
        exchange.send(resource.bytes)
        return exchange.reset()
      }
      exchange.send("HTTP/1.1 206 Partial Content\r\nETag: \"large\"\r\nContent-Length: \(claimed - 134_464)\r\n")
      exchange.send("Content-Range: bytes 134464-\(claimed - 1)/\(claimed)\r\n\r\n")
      exchange.send(resource.bytes(in: 134_464..<200_000))
      exchange.stall()
    }
    defer { server.stop() }
    let folder = try Folder()
    let arguments = ["-q", "--retry", "0", server.uri("/file.bin")]
    let part = ["file.bin.part": Summary(resource.bytes)]
    try RunningCommand(arguments, in: folder).outcome().expect(.incomplete, leaving: part)
    try RunningCommand(arguments, in: folder).outcome().expect(.noSpace, leaving: part, "T12")
  }
}

extension Folder {
  /// The bytes behind `offset`.
  fileprivate func end(of name: String, from offset: Int64) throws -> [UInt8] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path + "/" + name))
    try file.seek(toOffset: UInt64(offset))
    return Array(try file.readToEnd() ?? Data())
  }
}
