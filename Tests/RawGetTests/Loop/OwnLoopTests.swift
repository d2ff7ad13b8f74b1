import Foundation
import LoopbackServer
import Testing

@testable import RawGet

/// The engine in a loop that belongs to somebody else, here one of poll(2).
struct OwnLoopTests {
  private static let resource = Resource(length: 700_000, seed: 17)
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func job(
    _ uri: String, _ number: Int = 0, _ change: (inout DownloadOptions) -> Void = { _ in }
  ) throws -> DownloadJob {
    var (request, options) = try Run.prepared(uri, folder.destination)
    change(&options)
    return DownloadJob(Download(request, options), number: number)
  }

  @discardableResult
  private func wait(for loop: borrowing EventLoop) throws -> Int32 { try OuterLoop.wait(for: loop) }

  /// Runs to the next end of a job.
  private func finish(on loop: inout EventLoop) throws -> (number: Int, name: String) {
    while true {
      switch try loop.advance() {
      case .finished(let job, let result): return (job.number, result.name)
      case .event, .woken: continue
      case .idle: try wait(for: loop)
      }
    }
  }

  @Test("S0-12 S4-5: many at once, http and https, through drops", arguments: transports)
  func many(_ isSecure: Bool) throws {
    let server = try LoopbackServer(tls: isSecure ? try ServerTLS(TestAuthority.shared().good) : nil) { exchange in
      Self.resource.respond(to: exchange, .dropping(after: 300_000))
    }
    defer { server.stop() }
    var loop = try EventLoop()
    for number in 0..<20 { loop.add(try job(server.uri("/\(number)"), number)) }
    var ended: Set<Int> = []
    for _ in 0..<20 {
      let end = try finish(on: &loop)
      #expect(end.name == "complete")
      ended.insert(end.number)
    }
    #expect(ended.count == 20)
    for number in 0..<20 { #expect(folder.content(of: "\(number)") == Self.resource.content) }
  }

  @Test func whatIsDueIsSaid() throws {
    let server = try LoopbackServer { $0.stall() }
    defer { server.stop() }
    var loop = try EventLoop()
    var time = loop.timeUntilDue  // of a value that can't be copied, an expectation can't show parts
    #expect(time == nil, "nothing to do, ever")
    let job = try job(server.uri("/x")) { $0.timeouts.response = .seconds(7_000) }
    loop.add(job)
    time = loop.timeUntilDue
    #expect(time == .zero)
    while true {
      if case .idle = try loop.advance(), job.download.connectionCount == 1 { break }
      try wait(for: loop)
    }
    time = loop.timeUntilDue
    #expect(try #require(time) > .zero && #require(time) <= .seconds(7_000))
    job.cancel()
    time = loop.timeUntilDue
    #expect(time == .zero)
    #expect(try finish(on: &loop).name == "cancelled")
    time = loop.timeUntilDue
    #expect(time == nil)
    guard case .idle = try loop.advance() else {
      Issue.record("S4-4: told once, and never again")
      return
    }
  }

  @Test("a deadline ends the wait, and then the download") func deadlines() throws {
    let server = try LoopbackServer { $0.stall() }
    defer { server.stop() }
    var loop = try EventLoop()
    loop.add(try job(server.uri("/x")) { $0.timeouts.total = .milliseconds(100) })
    #expect(try finish(on: &loop).name == "timeLimit")
  }

  @Test("cancelled by another thread, a wait without end ends") func cancelledFromElsewhere() throws {
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
      exchange.stall()
    }
    defer { server.stop() }
    var loop = try EventLoop()
    let jobs = try (0..<3).map { number in
      try job(server.uri("/\(number)"), number) { $0.timeouts.idle = .seconds(7_000) }
    }
    for job in jobs { loop.add(job) }
    while true {  // until all is here that will come, and nothing but the end is waited for
      if case .idle = try loop.advance(), jobs.allSatisfy({ $0.download.progress.kept == 5 }),
        loop.timeUntilDue.map({ $0 > .seconds(60) }) ?? true
      {
        break
      }
      try wait(for: loop)
    }
    let canceller = jobs[1].canceller
    let hasCancelled = Gate()
    Thread.detachNewThread {
      canceller.cancel()
      hasCancelled.open()
    }
    #expect(try finish(on: &loop) == (1, "cancelled"), "and no other")
    #expect(hasCancelled.wait())
    jobs[0].canceller.cancel()
    jobs[2].canceller.cancel()
    #expect(Set([try finish(on: &loop).number, try finish(on: &loop).number]) == [0, 2])
    while case .woken = try loop.advance() {}  // by a request that was seen before its wake-up came
    canceller.cancel()
    guard case .idle = try loop.advance() else {
      Issue.record("S4-4: cancelling what ended wakes nobody")
      return
    }
  }

  @Test func cancelledBeforeItBegins() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    var loop = try EventLoop()
    let job = try job(server.uri("/x"))
    job.canceller.cancel()
    loop.add(job)
    #expect(try finish(on: &loop).name == "cancelled")
    #expect(server.requests.isEmpty)
  }

  /// Its number may be that of another file by then, to which eight bytes would be written.
  @Test("a waker outlives its loop") func afterTheLoop() throws {
    let server = try LoopbackServer { $0.stall() }
    defer { server.stop() }
    let job = try job(server.uri("/x"))
    let (waker, canceller) = try wakers(of: job)
    var others: [Int32] = []  // what is written to one end can be read at the other
    for _ in 0..<32 {
      var ends: [Int32] = [-1, -1]
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      others += ends
    }
    defer { for other in others { close(other) } }
    waker.wake()
    canceller.cancel()
    var entries = others.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    #expect(poll(&entries, nfds_t(entries.count), 0) == 0)
  }

  /// The loop is gone when it returns.
  private func wakers(of job: DownloadJob) throws -> (LoopWaker, JobCanceller) {
    var loop = try EventLoop()
    loop.add(job)
    _ = try loop.advance()
    return (loop.waker, job.canceller)
  }

  @Test func beingWokenIsTold() throws {
    var loop = try EventLoop()
    let waker = loop.waker
    Thread.detachNewThread { waker.wake() }
    #expect(try wait(for: loop) == 1)
    guard case .woken = try loop.advance(), case .idle = try loop.advance() else {
      Issue.record("woken, and nobody noticed")
      return
    }
  }
}
