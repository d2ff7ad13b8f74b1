import LoopbackServer
import Posix
import Testing

@testable import RawGet

/// The loop itself, with the system's clock (docs/ARCHITECTURE.md).
struct EventLoopTests {
  private static let resource = Resource(length: 700_000, seed: 13)
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A download in the loop's hands.
  private func begin(_ uri: String, on loop: inout EventLoop) throws -> DownloadJob {
    let (request, options) = try Run.prepared(uri, folder.destination)
    let job = DownloadJob(Download(request, options))
    loop.add(job)
    return job
  }

  private func finish(on loop: inout EventLoop) throws -> DownloadResult {
    while true {
      switch try loop.run(for: .seconds(60)) {
      case .event: continue
      case .finished(_, let result): return result
      case .woken: Issue.record("nobody called")
      case .idle: Issue.record("nothing happened for a minute")
      }
    }
  }

  @Test("S0-12 S0-13 S4-7: on one loop, in the caller's thread, http and https") func oneAfterTheOther() throws {
    var loop = try EventLoop()
    for (number, isSecure) in (transports + transports).enumerated() {
      let maker = isSecure ? try ServerTLS(TestAuthority.shared().good) : nil
      let server = try LoopbackServer(tls: maker) { Self.resource.respond(to: $0) }
      defer { server.stop() }
      _ = try begin(server.uri("/\(number)"), on: &loop)
      #expect(try finish(on: &loop).name == "complete")
      #expect(folder.content(of: "\(number)") == Self.resource.content)
      guard case .idle = try loop.run(for: .zero) else {
        Issue.record("S4-4: told once, and never again")
        return
      }
    }
  }

  /// The loop has one buffer: what one download received must be out of it before another one's turn.
  @Test(
    "by turns, at every event, nothing of one reaches the other", arguments: ["", "Transfer-Encoding: chunked\r\n"])
  func byTurns(_ framing: String) throws {
    let texts = ["one: " + String(repeating: "1", count: 400), "the other: " + String(repeating: "2", count: 300)]
    let servers = try texts.map { text in
      try LoopbackServer { exchange in
        if exchange.request.target == "/" { return exchange.redirect(to: "/x") }
        let content = framing.isEmpty ? text : String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n0\r\n\r\n"
        exchange.send("HTTP/1.1 200 OK\r\n" + (framing.isEmpty ? "Content-Length: \(text.utf8.count)\r\n" : framing))
        exchange.send("\r\n" + content)
      }
    }
    defer { for server in servers { server.stop() } }
    let folders = [try Folder(), try Folder()]
    var loop = try EventLoop()
    for (number, server) in servers.enumerated() {
      let request = try Run.prepared(server.uri("/"), folders[number].destination).0
      loop.add(DownloadJob(Download(request, DownloadOptions()), number: number))
    }
    var ends: [String?] = [nil, nil]
    while ends.contains(nil) {
      if case .finished(let job, let result) = try loop.run(for: .seconds(60)) { ends[job.number] = result.name }
    }
    #expect(ends == ["complete", "complete"])
    #expect(zip(folders, texts).allSatisfy { $0.bytes(of: "x") == Array($1.utf8) })
  }

  @Test("heads are told to those who want them", arguments: [true, false]) func tellsHeads(_ isWanted: Bool) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    var loop = try EventLoop(jobs: 1, .exactly(1), tellsHeads: isWanted)
    _ = try begin(server.uri("/x"), on: &loop)
    var heads = 0
    while true {
      switch try loop.run(for: .seconds(60)) {
      case .event(_, .requested), .event(_, .responded): heads += 1
      case .event: continue
      case .finished(_, let result):
        #expect(result.name == "complete" && heads == (isWanted ? 2 : 0))
        return
      case .woken, .idle: Issue.record("nothing happened for too long")
      }
    }
  }

  @Test func beingWokenIsTold() throws {
    let gate = Gate()
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
      exchange.wait(at: gate)
      exchange.send("hello")
    }
    defer { server.stop() }
    var loop = try EventLoop()
    let job = try begin(server.uri("/x"), on: &loop)
    var isIdle = false
    while !isIdle || job.download.progress.kept < 5 {
      if case .idle = try loop.run(for: .zero) { isIdle = true } else { isIdle = false }
    }
    WakeDescriptor.wake(loop.wakeRaw)
    WakeDescriptor.wake(loop.wakeRaw)
    guard case .woken = try loop.run(for: .seconds(60)) else {
      Issue.record("woken, and nobody noticed")
      return
    }
    gate.open()
    #expect(try finish(on: &loop).name == "complete", "twice at once is once")
  }

  @Test("S2-2: the time given is not overrun while content flows") func theCallerIsNotForgotten() throws {
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\n\r\n")
      exchange.sendEndlessly([UInt8](repeating: 7, count: 65_536))
    }
    defer { server.stop() }
    var loop = try EventLoop()
    let (request, options) = try Run.prepared(server.uri("/x"), .file(Array("/dev/null".utf8)))
    let job = DownloadJob(Download(request, options))
    loop.add(job)
    var idles = 0
    while idles < 20 {
      if case .idle = try loop.run(for: .zero) { idles += 1 }
    }
    job.cancel()
    #expect(try finish(on: &loop).name == "cancelled")
  }

  /// All are served by one thread: one that has much to tell does not keep the others waiting.
  @Test func anEventIsATurn() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    var loop = try EventLoop()
    var options = DownloadOptions()
    options.proxies = ProxyChoice(always: try #require(Proxy(text: Array("127.0.0.1:\(server.port)".utf8))))
    for number in 0..<3 {
      try folder.put(Array(Self.resource.bytes[..<100]), as: "\(number).part")
      let request = try Run.prepared(server.uri("/\(number)"), folder.destination).0
      loop.add(DownloadJob(Download(request, options), number: number))
    }
    var order: [Int] = []
    while order.count < 6 {  // what was found, and then the way to go: both at once
      if case .event(let job, _) = try loop.run(for: .seconds(60)) { order.append(job.number) }
    }
    #expect(order == [0, 1, 2, 0, 1, 2])
  }

  /// Also where both have passed before the loop looks.
  @Test func deadlinesPassInTheirOrder() throws {
    let server = try LoopbackServer { $0.stall() }
    defer { server.stop() }
    var loop = try EventLoop()
    let waits: [Duration] = [.milliseconds(300), .milliseconds(100), .milliseconds(200)]
    for (number, wait) in waits.enumerated() {
      let request = try Run.prepared(server.uri("/\(number)"), folder.destination).0
      var options = DownloadOptions()
      options.timeouts.total = wait
      loop.add(DownloadJob(Download(request, options), number: number))
    }
    var order: [Int] = []
    while order.count < 3 {
      if case .finished(let job, _) = try loop.run(for: .seconds(60)) { order.append(job.number) }
    }
    #expect(order == [1, 2, 0])
  }

  @Test func cancelledFromItsOwnLoop() throws {
    let server = try LoopbackServer { $0.stall() }
    defer { server.stop() }
    var loop = try EventLoop()
    let job = try begin(server.uri("/x"), on: &loop)
    WakeDescriptor.wake(loop.wakeRaw)
    var outcome = try loop.run(for: .seconds(60))
    while case .event = outcome { outcome = try loop.run(for: .seconds(60)) }
    guard case .woken = outcome else {
      Issue.record("\(outcome)")
      return
    }
    job.cancel()
    #expect(try finish(on: &loop).name == "cancelled")
    try begin("http://127.0.0.1:\(server.port)/x", on: &loop).cancel()
    #expect(try finish(on: &loop).name == "cancelled", "before it began")
  }
}
