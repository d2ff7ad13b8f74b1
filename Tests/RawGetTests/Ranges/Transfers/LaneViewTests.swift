import LoopbackServer
import Testing

@testable import RawGet

/// What lanes do about each other's pace, as a server sees it, and what those who watch are told.
struct LaneViewTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Answers in small pieces until the gate is open, as over a line of about 1 MB/s.
  private static func trickle(_ resource: Resource, to exchange: ServerExchange, isDone: Guarded<Bool>) {
    guard let asked = exchange.request.closedRange?.clamped(to: 0..<resource.length) else { return }
    exchange.send("HTTP/1.1 206 Partial Content\r\nContent-Length: \(asked.count)\r\nETag: \"first\"\r\n")
    exchange.send("Content-Range: bytes \(asked.lowerBound)-\(asked.upperBound - 1)/\(resource.length)\r\n\r\n")
    for start in stride(from: asked.lowerBound, to: asked.upperBound, by: 10_000) {
      let piece = resource.bytes(in: start..<min(start + 10_000, asked.upperBound))
      if isDone.withLock({ $0 }) {
        exchange.send(piece)
      } else {
        exchange.drip(piece, pieces: 10_000, pause: 10_000)
      }
    }
    exchange.keepOpen()
  }

  @Test("a lane that brings nothing is cut, and its rest comes from elsewhere", arguments: [1, 2])
  func stalledLane(_ stalled: Int) throws {
    let resource = Resource(length: 8_000_000, seed: 91)
    let (isDone, cutAt) = (Guarded(false), Guarded(Int64(-1)))
    let server = try LoopbackServer { exchange in
      if exchange.connectionNumber == stalled, let range = exchange.request.closedRange {
        cutAt.withLock { $0 = range.lowerBound + 100_000 }
        exchange.send("HTTP/1.1 206 Partial Content\r\nContent-Length: \(range.count)\r\nETag: \"first\"\r\n")
        exchange.send("Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/8000000\r\n\r\n")
        exchange.send(resource.bytes(in: range.lowerBound..<range.lowerBound + 100_000))
        return exchange.stall()
      }
      if exchange.request.closedRange?.lowerBound == cutAt.withLock({ $0 }) { isDone.withLock { $0 = true } }
      Self.trickle(resource, to: exchange, isDone: isDone)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: .exactly(4), in: folder)
    #expect(run.name == "complete" && run.interruptions == [])
    #expect(folder.content(of: "x") == resource.content)
    #expect(isDone.withLock { $0 }, "asked for again from the byte that had come")
  }

  /// The others have brought all that there was: nothing tells a slow lane from a broken path but time.
  @Test func stalledAtTheEnd() throws {
    let resource = Resource(length: 2_500_000, seed: 92)
    let server = try LoopbackServer { exchange in
      if exchange.connectionNumber == 2 { return exchange.stall() }
      resource.respond(to: exchange)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: .exactly(4), in: folder) {
      $0.timeouts.response = .milliseconds(300)
    }
    #expect(run.name == "complete")
    #expect(folder.content(of: "x") == resource.content)
  }

  @Test("no more is asked for than a second's worth ahead", arguments: [ConnectionChoice.exactly(4), .exactly(1)])
  func limitedRate(_ choice: ConnectionChoice) throws {
    let (rate, resource) = (Int64(2_000_000), Resource(length: 2_500_000, seed: 93))
    let server = try LoopbackServer { resource.respond(to: $0) }
    defer { server.stop() }
    var (request, options) = try Run.prepared(server.uri("/x"), folder.destination)
    request.destination = folder.destination
    (options.connections, options.rateLimit, options.blockLength) = (choice, rate, 250_000)
    var download = Download(request, options)
    var driver = Driver(isLive: true)
    while case .event = driver.run(&download) {
      let asked = server.requests.compactMap { $0.closedRange?.upperBound }.max() ?? 0
      #expect(asked <= download.progress.kept + rate)
    }
    #expect(driver.finish(&download).name == "complete")
    #expect(folder.content(of: "x") == resource.content)
  }

  @Test("told in the order of the content", arguments: laneChoices) func events(_ choice: ConnectionChoice) throws {
    let resource = Resource(length: 6_000_000, seed: 94)
    let server = try LoopbackServer { resource.respond(to: $0) }
    defer { server.stop() }
    var (request, options) = try Run.prepared(server.uri("/x"), folder.destination)
    request.destination = folder.destination
    options.connections = choice
    var download = Download(request, options)
    var driver = Driver(isLive: true)
    var counts: [Int] = []
    var heads: [String] = []
    while case .event(let event) = driver.run(&download) {
      counts.append(download.connectionCount)
      switch event {
      case .requested(let head): heads.append(String(decoding: head, as: UTF8.self))
      case .responded(let head): #expect(String(decoding: head, as: UTF8.self).contains("206"))
      case .began(let progress): #expect(progress.kept == 0 && progress.completeLength == resource.length)
      default: Issue.record("nothing happened that would have to be told: \(event)")
      }
      #expect(download.progress.completeLength == nil || download.progress.completeLength == resource.length)
    }
    #expect(driver.finish(&download).name == "complete")
    #expect(download.connectionCount == 0 && download.progress.kept == resource.length)
    let asked = Set(server.requests.map(\.description))
    #expect(heads.allSatisfy(asked.contains), "as they were sent")
    let starts = heads.compactMap { head -> Int64? in
      let value = head.split(separator: "Range: bytes=").last?.prefix { $0 != "-" }
      return value.flatMap { Int64($0) }
    }
    #expect(starts.count == heads.count && starts == starts.sorted() && starts.first == 0)
    #expect(driver.events.count == 2 * heads.count + 1)
    if case .exactly(let count) = choice {
      #expect(counts.max() ?? 0 > 1 && counts.max() ?? 0 <= count + 1, "one more while a slow one ends")
    }
  }
}
