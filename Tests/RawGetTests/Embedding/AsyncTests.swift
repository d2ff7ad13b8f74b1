import Foundation
import LoopbackServer
import Testing

@testable import RawGet

/// `AsyncDownload`: a thread of its own, a sequence of events, one outcome (docs/EMBEDDING.md).
struct AsyncTests {
  private static let resource = Resource(length: 300_000, seed: 39)
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func begin(_ server: LoopbackServer) throws -> AsyncDownload {
    let (request, options) = try Run.prepared(server.uri("/x"), folder.destination)
    return AsyncDownload(request, options, progressEvery: .milliseconds(1))
  }

  @Test func eventsAndThenTheOutcome() async throws {
    let server = try LoopbackServer { exchange in
      Self.resource.respond(to: exchange, exchange.requestNumber == 1 ? .dropping(after: 100_000) : .correct)
    }
    defer { server.stop() }
    let download = try begin(server)
    var told: [String] = []
    for await event in download.events {
      if case .progressed = event { continue }
      told.append(String(name(of: event).prefix { $0 != "." }))
    }
    #expect(told == ["began", "interrupted", "began"])
    for _ in 0..<2 { #expect(await download.result.name == "complete") }
    #expect(folder.content(of: "x") == Self.resource.content)
  }

  /// Nobody reads the events, and nobody holds the value while its outcome is awaited.
  @Test func theOutcomeAlone() async throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    #expect(try await begin(server).result.name == "complete")
    #expect(folder.content(of: "x") == Self.resource.content)
  }

  @Test func toLetGoOfItDoesNotEndIt() async throws {
    let gate = Gate()
    let server = try LoopbackServer { exchange in
      var conduct = Conduct.correct
      conduct.gate = gate
      Self.resource.respond(to: exchange, conduct)
    }
    defer { server.stop() }
    _ = try begin(server)
    gate.open()
    while folder.content(of: "x") == nil { await Task.yield() }
    #expect(folder.content(of: "x") == Self.resource.content)
  }

  enum Way: CaseIterable { case method, pause, taskThatAwaits, taskThatIterates }

  /// The server waits for ever: only what is asked for ends it.
  @Test(arguments: Way.allCases) func anEndFromOutside(_ way: Way) async throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0, .dropping(after: 100_000, .stall)) }
    defer { server.stop() }
    let download = try begin(server)
    let awaiting = Task { await download.result }
    let iterating = Task { for await _ in download.events {} }
    while folder.content(of: "x.part") != Self.resource.content(in: 0..<100_000) { await Task.yield() }
    switch way {
    case .method: download.cancel()
    case .pause: download.pause()
    case .taskThatAwaits: awaiting.cancel()
    case .taskThatIterates: iterating.cancel()
    }
    let result = await download.result
    #expect(result.name == (way == .pause ? "paused" : "cancelled"))
    #expect(await awaiting.value.name == result.name)
    await iterating.value
    #expect(result.failure?.kept == 100_000 && result.failure?.isResumable == true)
    #expect(OpenDescriptors.names(in: folder) == [])
  }

  /// Many at once, each cancelled at another moment: one outcome for each, and every one is resumed.
  @Test(arguments: 0..<8 as Range<UInt64>) func atAnyMoment(_ seed: UInt64) async throws {
    let server = try LoopbackServer { Self.resource.respond(to: $0) }
    defer { server.stop() }
    var random = SeededGenerator(seed: seed)
    let turns = (0..<8).map { _ in Int.random(in: 0..<600, using: &random) }
    await withTaskGroup(of: Void.self) { group in
      for (number, turns) in turns.enumerated() {
        group.addTask {
          guard let (request, options) = try? Run.prepared(server.uri("/\(number)"), folder.destination) else { return }
          let task = Task { await AsyncDownload(request, options).result }
          for _ in 0..<turns { await Task.yield() }
          task.cancel()
          let name = await task.value.name
          #expect(["complete", "cancelled"].contains(name))
          if name == "cancelled" { #expect(Download(request, options).run().name == "complete") }
          #expect(folder.content(of: "\(number)") == Self.resource.content)
        }
      }
    }
    #expect(try folder.names == (0..<8).map { "\($0)" })
  }
}
