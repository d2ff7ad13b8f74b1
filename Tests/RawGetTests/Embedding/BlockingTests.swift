import Foundation
import LoopbackServer
import Posix
import Synchronization
import Testing

@testable import RawGet

/// `Download.run`: on the calling thread, to its one end (docs/EMBEDDING.md).
struct BlockingTests {
  private static let resource = Resource(length: 300_000, seed: 31)
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func download(_ uri: String, _ change: (inout DownloadOptions) -> Void = { _ in }) throws -> Download {
    var (request, options) = try Run.prepared(uri, folder.destination)
    change(&options)
    return Download(request, options)
  }

  @Test(arguments: transports) func bringsTheFile(_ isSecure: Bool) throws {
    let tls = isSecure ? try ServerTLS(TestAuthority.shared().good) : nil
    let server = try LoopbackServer(tls: tls) { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let result = try download(server.uri("/x")).run()
    #expect(result.name == "complete" && result.summary?.length == 300_000)
    #expect(result.summary?.path == folder.path(of: "x"))
    #expect(folder.content(of: "x") == Self.resource.content)
    #expect(OpenDescriptors.names(in: folder) == [])
  }

  @Test func tellsOnTheCallingThread() throws {
    let server = try LoopbackServer { exchange in
      if exchange.request.target == "/a" { return exchange.redirect(to: "/x") }
      Self.resource.respond(to: exchange, exchange.requestNumber == 2 ? .dropping(after: 70_000) : .correct)
    }
    defer { server.stop() }
    let thread = pthread_self()
    var told: [String] = []
    let result = try download(server.uri("/a")).run(progressEvery: .seconds(600)) { event in
      told.append(RawGetTests.name(of: event))
      #expect(pthread_equal(pthread_self(), thread) != 0)
    }
    #expect(result.name == "complete")
    #expect(told.map { $0.prefix { $0 != "." } } == ["redirected", "began", "interrupted", "redirected", "began"])
  }

  @Test(arguments: [true, false]) func headsAreToldToThoseWhoAsk(_ isWanted: Bool) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    var heads = 0
    let result = try download(server.uri("/x")).run(tellsHeads: isWanted) { event in
      switch event {
      case .requested, .responded: heads += 1
      default: break
      }
    }
    #expect(result.name == "complete" && heads == (isWanted ? 2 : 0))
  }

  /// The rest comes only when the first piece was told of.
  @Test func progressIsToldWhileNothingElseHappens() throws {
    let gate = Gate()
    let server = try LoopbackServer { exchange in
      var conduct = Conduct.correct
      conduct.gate = gate
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    var last: Int64 = 0
    let result = try download(server.uri("/x")).run(progressEvery: .milliseconds(1)) { event in
      guard case .progressed(let progress) = event else { return }
      #expect(progress.kept > last && progress.completeLength == 300_000)
      last = progress.kept
      if progress.kept == 65_536 { gate.open() }
    }
    #expect(result.name == "complete" && last >= 65_536)
  }

  @Test func aFailureIsAnOutcome() throws {
    let server = try LoopbackServer { $0.reply("404 Not Found") }
    defer { server.stop() }
    let failure = try download(server.uri("/x")).run().failure
    #expect(failure?.error.code == "status" && failure?.exitCode == 8)
    #expect(failure?.error.message == "the server answered 404: there is no such file")
    #expect(failure?.isResumable == false)
  }

  // MARK: An end from outside

  struct End: Sendable {
    let ask: @Sendable (DownloadControl) -> Void
    let name: String
    let exit: Int32
  }
  static let ends = [
    End(ask: { $0.cancel() }, name: "cancelled", exit: 1),
    End(ask: { $0.pause() }, name: "paused", exit: 9),
    End(
      ask: {
        $0.pause(); $0.cancel()
      }, name: "paused", exit: 9),
    End(
      ask: {
        $0.cancel(); $0.pause()
      }, name: "cancelled", exit: 1),
  ]

  @Test(arguments: 0..<ends.count) func beforeItBegins(_ number: Int) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let control = DownloadControl()
    Self.ends[number].ask(control)
    for _ in 0..<2 {
      let failure = try download(server.uri("/x")).run(control).failure
      #expect(failure.map { name(of: $0.error) } == Self.ends[number].name)
      #expect(failure?.kept == 0 && failure?.isResumable == false)
    }
    #expect(server.connectionCount == 0)
    #expect(try folder.names == [])
  }

  /// The server waits for ever: only the end that was asked for ends it.
  @Test(arguments: 0..<ends.count) func whileItWaits(_ number: Int) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0, .dropping(after: 100_000, .stall)) }
    defer { server.stop() }
    let control = DownloadControl()
    let end = Self.ends[number]
    let result = try download(server.uri("/x")).run(control, progressEvery: .milliseconds(1)) { event in
      guard case .progressed(let progress) = event, progress.kept == 100_000 else { return }
      let asked = Thread { end.ask(control) }
      asked.start()
    }
    #expect(result.name == end.name)
    #expect(result.failure?.exitCode == end.exit)
    #expect(result.failure?.kept == 100_000 && result.failure?.isResumable == true)
    #expect(result.failure?.partPath == folder.path(of: "x.part"))
    #expect(folder.content(of: "x.part") == Self.resource.content(in: 0..<100_000))
  }

  /// Whoever reads nothing of a FIFO keeps the download waiting for it.
  @Test(arguments: 0..<2) func whileItsReaderSleeps(_ number: Int) throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let fifo = try SleepyFIFO()
    let control = DownloadControl()
    let end = Self.ends[number]
    let (request, options) = try Run.prepared(server.uri("/x"), .file(fifo.path))
    let isFull = Gate()
    let ender = Thread {
      isFull.wait()
      end.ask(control)
    }
    ender.start()
    let result = Download(request, options).run(control, progressEvery: .milliseconds(1)) { event in
      if case .progressed(let progress) = event, progress.kept > 60_000 { isFull.open() }
    }
    #expect(result.name == end.name)
    let written = Int64(fifo.waiting)
    #expect(result.failure?.kept == written && result.failure?.isResumable == false)
    #expect(Content(fifo.read()) == Self.resource.content(in: 0..<written))
  }

  /// Several that have one control end together, whoever sees the wake first.
  @Test func oneControlForSeveral() throws {
    let server = try LoopbackServer { $0.stall() }
    defer { server.stop() }
    let control = DownloadControl()
    let names = Guarded<[String]>([])
    let all = DispatchGroup()
    for number in 0..<4 {
      let (request, options) = try Run.prepared(server.uri("/\(number)"), folder.destination)
      all.enter()
      Thread.detachNewThread {
        let result = Download(request, options).run(control)
        names.withLock { $0.append(result.name) }
        all.leave()
      }
    }
    while server.requests.count < 4 { sched_yield() }
    control.pause()
    all.wait()
    #expect(names.withLock { $0 } == ["paused", "paused", "paused", "paused"])
  }

  /// Whenever it comes: one outcome, and what is here is a prefix that another run goes on from.
  @Test(arguments: 0..<60 as Range<UInt64>, transports) func atAnyMoment(_ seed: UInt64, _ isSecure: Bool) throws {
    var random = SeededGenerator(seed: seed)
    let tls = isSecure ? try ServerTLS(TestAuthority.shared().good) : nil
    let server = try LoopbackServer(tls: tls) { Self.resource.respond(to: $0) }
    defer { server.stop() }
    let control = DownloadControl()
    let turns = Int.random(in: 0..<4_000, using: &random)
    let cancels = Bool.random(using: &random)
    let hasAsked = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for _ in 0..<turns { sched_yield() }
      if cancels { control.cancel() } else { control.pause() }
      hasAsked.signal()
    }
    let result = try download(server.uri("/x")).run(control)
    hasAsked.wait()
    if let failure = result.failure {
      #expect(name(of: failure.error) == (cancels ? "cancelled" : "paused"))
      let kept = folder.bytes(of: "x.part") ?? []
      #expect(Int64(kept.count) == failure.kept)
      #expect(Content(kept) == Self.resource.content(in: 0..<failure.kept))
      #expect(failure.isResumable == (failure.kept > 0))
      #expect(try download(server.uri("/x")).run().name == "complete")
    }
    #expect(folder.content(of: "x") == Self.resource.content)
    #expect(try folder.names == ["x"])
    #expect(OpenDescriptors.names(in: folder) == [])
  }

  /// The descriptor lives as long as somebody could write to it, and no longer.
  @Test func whatAControlHolds() throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    weak var waker: SharedWakeDescriptor?
    do {
      let control = DownloadControl()
      waker = try control.waker()
      #expect(try download(server.uri("/x")).run(control).name == "complete")
      #expect(waker != nil)
      control.cancel()
    }
    #expect(waker == nil)
  }
}
