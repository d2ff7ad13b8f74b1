import Foundation
import LoopbackServer
import Posix
import Testing

@testable import RawGet

/// A stream whose reader sleeps (`OutputStream`): nobody waits for it but its own download, and what it gets is right.
struct SlowReaderTests {
  private static let resource = Resource(length: 700_000, seed: 23)
  private struct Ended: Error { let name: String }
  private let folder: Folder
  private let fifo: SleepyFIFO

  init() throws {
    signal(SIGPIPE, SIG_IGN)  // as whoever owns the process does
    folder = try Folder()
    fifo = try SleepyFIFO()
  }

  private func job(
    _ uri: String, _ number: Int = 0, to destination: Destination? = nil,
    _ change: (inout DownloadRequest, inout DownloadOptions) -> Void = { _, _ in }
  ) throws -> DownloadJob {
    var (request, options) = try Run.prepared(uri, destination ?? .file(fifo.path))
    change(&request, &options)
    return DownloadJob(Download(request, options), number: number)
  }

  /// Runs until the job waits for its reader and nobody has anything to do; the numbers of those that ended meanwhile.
  @discardableResult private func holdUp(_ job: DownloadJob, on loop: inout EventLoop) throws -> [Int] {
    var ended: [Int] = []
    while true {
      switch try loop.advance() {
      case .finished(let other, let result):
        if other === job { throw Ended(name: result.name) }
        #expect(result.name == "complete")
        ended.append(other.number)
      case .event, .woken: continue
      case .idle:
        if job.download.waitsForReader { return ended }
        try OuterLoop.wait(for: loop)
      }
    }
  }

  /// The reader is awake from here on, and reads so much at once.
  private func finish(
    _ job: DownloadJob, on loop: inout EventLoop, reading count: Int = SleepyFIFO.capacity
  ) throws -> (result: DownloadResult, content: Content) {
    var bytes: [UInt8] = []
    while true {
      let kept = job.download.keptForReader
      #expect(kept <= OutputStream.mostKept, "bounded")
      switch try loop.advance() {
      case .finished(let other, let result):
        guard other === job else { continue }
        while case let last = fifo.read(), !last.isEmpty { bytes += last }
        return (result, Content(bytes))
      case .event, .woken: continue
      case .idle:
        let read = fifo.read(atMost: count)
        bytes += read
        if read.isEmpty { try OuterLoop.wait(for: loop) }
      }
    }
  }

  // MARK: The others

  @Test("no turn of the loop waits for a reader, and others go on", arguments: [false, true])
  func theOthersGoOn(_ isOverLanes: Bool) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    var loop = try EventLoop()
    let slow = try job(server.uri("/slow")) { if isOverLanes { $1.connections = .exactly(4) } }
    loop.add(slow)
    try holdUp(slow, on: &loop)
    for number in 1...5 { loop.add(try job(server.uri("/\(number)"), number, to: folder.destination)) }
    var ended: Set<Int> = []
    while ended.count < 5 {
      ended.formUnion(try holdUp(slow, on: &loop))
      if ended.count < 5 { try OuterLoop.wait(for: loop) }
    }
    for number in 1...5 { #expect(folder.content(of: "\(number)") == Self.resource.content) }
    let (kept, waiting) = (slow.download.progress.kept, fifo.waiting)
    #expect(kept == waiting && waiting > 0, "what is told is what was written")
    let end = try finish(slow, on: &loop)
    #expect(end.result.name == "complete" && end.content == Self.resource.content)
    #expect(end.result.summary?.length == Self.resource.length)
  }

  @Test func whoWaitsIsNotBusy() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    var loop = try EventLoop()
    let slow = try job(server.uri("/x"))
    loop.add(slow)
    try holdUp(slow, on: &loop)
    let time = loop.timeUntilDue
    #expect(time.map { $0 > .seconds(60) } ?? true, "no time but the download's own")
    let isReady = try OuterLoop.isReady(loop)
    #expect(!isReady, "neither the stream nor the connection, on which content waits")
    _ = fifo.read()
    let isReadyNow = try OuterLoop.isReady(loop)
    #expect(isReadyNow)
  }

  @Test func aWakeIsNoEnd() throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/other" { return exchange.stall() }
      Self.resource.respond(to: exchange)
    }
    defer { server.stop() }
    var loop = try EventLoop()
    let (slow, other) = (try job(server.uri("/x")), try job(server.uri("/other"), 1, to: folder.destination))
    loop.add(slow)
    loop.add(other)
    for _ in 0..<3 {
      try holdUp(slow, on: &loop)
      loop.waker.wake()
      guard case .woken = try loop.advance() else {
        Issue.record("told to nobody")
        return
      }
    }
    other.canceller.cancel()
    var name = "none"
    while name == "none" {
      if case .finished(let job, let result) = try loop.advance() {
        #expect(job === other)
        name = result.name
      }
    }
    #expect(name == "cancelled")
    try holdUp(slow, on: &loop)
    let end = try finish(slow, on: &loop)
    #expect(end.result.name == "complete" && end.content == Self.resource.content)
  }

  // MARK: What ends it

  enum End: CaseIterable { case cancelled, cancelledFromElsewhere, timeLimit, outputClosed }

  @Test(arguments: End.allCases, [false, true]) func endsAllTheSame(_ end: End, _ isOverLanes: Bool) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    var loop = try EventLoop()
    let slow = try job(server.uri("/x")) { _, options in
      if isOverLanes { options.connections = .exactly(4) }
      if end == .timeLimit { options.timeouts.total = .seconds(1) }
    }
    loop.add(slow)
    try holdUp(slow, on: &loop)
    let waiting = fifo.waiting
    switch end {
    case .cancelled: slow.cancel()
    case .cancelledFromElsewhere:
      let canceller = slow.canceller
      Thread.detachNewThread { canceller.cancel() }
    case .timeLimit: break
    case .outputClosed: fifo.leave()
    }
    let failure = try finish(slow, on: &loop, reading: 0).result.failure
    let name = end == .cancelledFromElsewhere ? "cancelled" : "\(end)"
    #expect(failure.map { RawGetTests.name(of: $0.error) } == name)
    #expect(failure?.kept == Int64(waiting), "what is kept for the reader is not what it got")
    #expect(OpenDescriptors.names(in: fifo.folder).count == (end == .outputClosed ? 0 : 1), "but for its reader")
  }

  /// Whatever the server does, and however long: it is the reader who is waited for.
  @Test func theServerIsNotBlamed() throws {
    let stall = Stall()
    let server = try LoopbackServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 700000\r\n\r\n")
      exchange.send(Self.resource.bytes(in: 0..<100_000))
      exchange.stall(stall)
    }
    defer { server.stop() }
    var (request, options) = try Run.prepared(server.uri("/x"), .file(fifo.path))
    request.fields = []
    options.timeouts.idle = .seconds(20)
    options.speedFloor = SpeedFloor(rate: 1_000_000, time: .seconds(3_000))
    var download = Download(request, options)
    var driver = Driver(stall: stall)
    driver.runToStall(&download)
    var isHeldUp = download.waitsForReader  // of a value that can't be copied, an expectation can't show parts
    #expect(isHeldUp)
    driver.skip(to: driver.now + .seconds(7_200))
    stall.raise()
    guard case .stalled(let until) = driver.run(&download) else {
      Issue.record("the reader's sleep ended it")
      return
    }
    #expect(until == .distantFuture)
    _ = fifo.read()
    stall.raise()
    guard case .stalled(let idle) = driver.run(&download) else {
      Issue.record("the server was blamed")
      return
    }
    isHeldUp = download.waitsForReader
    let time = idle - driver.now
    #expect(!isHeldUp && time == .seconds(20), "its time begins now")
    driver.skip(to: idle)
    guard case .event(.interrupted(let error, _)) = driver.run(&download) else {
      Issue.record("and ends")
      return
    }
    #expect(RawGetTests.name(of: error) == "timedOut.content")
  }

  // MARK: What it gets

  struct Way: Sendable {
    let name: String
    var conduct = Conduct.correct
    var change: @Sendable (inout DownloadRequest, inout DownloadOptions) -> Void = { _, _ in }
    var content: @Sendable () -> [UInt8] = { resource.bytes }
  }
  static let ways = [
    Way(name: "by length"),
    Way(
      name: "chunked",
      conduct: {
        var conduct = Conduct.correct
        conduct.framing = .chunked
        return conduct
      }()),
    Way(name: "with a digest", change: { $1.checksum = RawGetVersion.hasTLS ? digest : nil }),
    Way(name: "at a rate", change: { $1.rateLimit = 20_000_000 }),
    Way(name: "4 lanes", change: { $1.connections = .exactly(4) }),
    Way(
      name: "4 lanes in memory of ours",
      change: {
        $1.connections = .exactly(4)
        $1.systemHolds = false
      }),
    Way(name: "blocks", change: { $1.blockLength = 100_000 }),
    Way(
      name: "ranges", change: { request, _ in request.ranges = WantedRanges(text: Array("600000-,0-299999".utf8)) },
      content: { resource.bytes(in: 600_000..<700_000) + resource.bytes(in: 0..<300_000) }),
  ]
  private static let digest = Checksum(text: Array("sha256=\(resource.digest)".utf8))

  /// Read in pieces that do not match anything.
  @Test(arguments: 0..<ways.count, transports) func isRight(_ number: Int, _ isSecure: Bool) throws {
    let way = Self.ways[number]
    let tls = isSecure ? try ServerTLS(TestAuthority.shared().good) : nil
    let server = try LoopbackServer(tls: tls) { Self.resource.respond(to: $0, way.conduct) }
    defer { server.stop() }
    var loop = try EventLoop()
    let slow = try job(server.uri("/x"), 0, way.change)
    loop.add(slow)
    try holdUp(slow, on: &loop)
    let end = try finish(slow, on: &loop, reading: 10_007)
    #expect(end.result.name == "complete", "\(way.name)")
    #expect(end.content == Content(way.content()), "\(way.name)")
  }

  @Test func isRightInOneAnswerOfManyParts() throws {
    let origin = RangesOrigin(Self.resource)
    let server = try LoopbackServer { origin.respond(to: $0) }
    defer { server.stop() }
    var wanted = try #require(WantedRanges(text: Array("0-99,5000-5099,600000-,0-299999".utf8)))
    wanted.areAskedAtOnce = true
    var loop = try EventLoop()
    let slow = try job(server.uri("/x")) { request, _ in request.ranges = wanted }
    loop.add(slow)
    try holdUp(slow, on: &loop)
    let end = try finish(slow, on: &loop, reading: 10_007)
    #expect(end.result.name == "complete")
    let ranges: [Range<Int64>] = [0..<100, 5_000..<5_100, 600_000..<700_000, 0..<300_000]
    #expect(end.content == Content(ranges.flatMap { Self.resource.bytes(in: $0) }))
  }

  @Test("nothing comes twice", arguments: [Conduct.Ending.close, .reset])
  func afterADrop(_ ending: Conduct.Ending) throws {
    let server = try LoopbackServer { exchange in
      Self.resource.respond(to: exchange, exchange.requestNumber == 1 ? .dropping(after: 300_000, ending) : .correct)
    }
    defer { server.stop() }
    var loop = try EventLoop()
    let slow = try job(server.uri("/x"))
    loop.add(slow)
    try holdUp(slow, on: &loop)
    let end = try finish(slow, on: &loop, reading: 4_096)
    #expect(end.result.name == "complete" && end.content == Self.resource.content)
    #expect(server.requests.map { $0.field("Range") } == [nil, "bytes=300000-"])
  }

  // MARK: Descriptors of other kinds

  /// Whoever can't be waited for is looked after now and then, and that is not all the time.
  @Test func goesByTimeWhereNobodyCanWait() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    var loop = try EventLoop()
    let slow = try job(server.uri("/x"))
    loop.add(slow)
    try holdUp(slow, on: &loop)
    var interests: [Interest] = []
    slow.download.appendInterests(to: &interests)
    #expect(interests.map(\.readiness) == [.writable])
    let another = Interest(descriptor: interests[0].descriptor, serial: 0, readiness: .writable)
    let isAnother = slow.download.cannotWatch(another)
    #expect(!isAnother)
    let isSeen = slow.download.cannotWatch(interests[0])
    #expect(isSeen)
    slow.becomeDue()
    try holdUp(slow, on: &loop)
    interests = []
    slow.download.appendInterests(to: &interests)
    #expect(interests.isEmpty)
    let time = loop.timeUntilDue
    #expect(time.map { $0 <= OutputStream.retryInterval } == true)
    let end = try finish(slow, on: &loop)
    #expect(end.result.name == "complete" && end.content == Self.resource.content)
  }
}

extension Download {
  fileprivate var waitsForReader: Bool { heldUpSince != nil }

  /// Bytes that were received and are not written yet.
  fileprivate var keptForReader: Int64 { sink.map { $0.length - $0.arrived } ?? 0 }
}
