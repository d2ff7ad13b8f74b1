import LoopbackServer
import Testing

@testable import FuzzHarnesses
@testable import RawGet

/// Many small files from one origin, on one loop and a disk that costs nothing.
struct ManyDownloadsTests {
  private static let count = 200

  /// Runs them all, so many at once; what came of them, by their number.
  private func run(_ server: LoopbackServer, _ jobs: Int, on disk: SimulatedDisk) throws -> [String] {
    var loop = try EventLoop(files: disk)
    var (begun, ended) = (0, [String](repeating: "", count: Self.count))
    var underWay = 0
    while true {
      while underWay < jobs, begun < Self.count {
        let target = try TargetURI(text: Array(server.uri("/\(begun)").utf8))
        let request = DownloadRequest(target: target, destination: .directory([UInt8(ascii: "/")]))
        loop.add(DownloadJob(Download(request, DownloadOptions()), number: begun))
        begun += 1
        underWay += 1
      }
      if underWay == 0 { return ended }
      switch try loop.run(for: .seconds(60)) {
      case .event: continue
      case .woken, .idle: Issue.record("nothing happened for too long")
      case .finished(let job, let result):
        ended[job.number] = result.name
        underWay -= 1
      }
    }
  }

  @Test("no more connections than downloads at once (RFC 9112 §9.3)", arguments: [1, 4, 64])
  func connectionsAreUsedAgain(_ jobs: Int) throws {
    let server = try LoopbackServer { exchange in
      let text = exchange.request.target
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
      exchange.keepOpen()
    }
    defer { server.stop() }
    let disk = SimulatedDisk()
    #expect(try run(server, jobs, on: disk) == [String](repeating: "complete", count: Self.count))
    for number in 0..<Self.count { #expect(disk.content(of: "\(number)") == Array("/\(number)".utf8)) }
    #expect(disk.names.count == Self.count, "and nothing else is left")
    #expect(server.requests.count == Self.count)
    #expect(server.connectionCount <= jobs, "\(server.connectionCount) connections")
  }

  /// Looks: the name, the part, and the name again once the part is ours; its length, its name, its record; its name
  /// again at the end, and three names beside. Changes: created, locked, appended to, its mode, renamed. Synchronised: the
  /// file; and the directory, which those have in common that end in one turn.
  @Test("what a small file costs on the disk", arguments: [1, 64]) func callsAreFew(_ jobs: Int) throws {
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
      exchange.keepOpen()
    }
    defer { server.stop() }
    let disk = SimulatedDisk()
    #expect(try run(server, jobs, on: disk) == [String](repeating: "complete", count: Self.count))
    let ofTheFirst = 2  // that locks exclude
    #expect(disk.calls <= (10 + 5 + 2) * Self.count + ofTheFirst, "\(disk.calls)")
    #expect(!disk.story.contains { $0.contains(".part.tmp") }, "no record")
  }
}
