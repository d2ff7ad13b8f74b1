import LoopbackServer
import Testing

@testable import RawGet

/// All lanes bring one representation, or the rules for one connection decide (docs/PROMISES.md, 2): never a mix.
struct LaneDisagreementTests {
  private static let resource = Resource(length: 3_000_000, seed: 51)
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// What the server comes to say from its third answer on.
  struct Change: Sendable, CustomTestStringConvertible {
    let because: String
    /// What is there at the end if it stays with that; nil when `name` says how it fails.
    var new: Resource? = resource
    var name = "complete"
    let respond: @Sendable (ServerExchange) -> Void
    var testDescription: String { because }
  }

  private static func version(_ tag: String?, length: Int64 = 3_000_000, seed: UInt64 = 52) -> Resource {
    var other = Resource(length: length, seed: seed)
    other.entityTag = tag
    other.lastModified = nil
    return other
  }

  private static func change(
    _ because: String, _ new: Resource, _ change: (inout Conduct) -> Void = { _ in }
  ) -> Change {
    var made = Conduct.correct
    change(&made)
    let conduct = made
    return Change(because: because, new: new) { new.respond(to: $0, conduct) }
  }

  private static func refusal(_ status: String, _ name: String, _ fields: [String] = []) -> Change {
    Change(because: status, new: nil, name: name) { $0.reply(status, fields, text: "<p>nothing for you") }
  }

  /// The numbers of an answer alone are wrong: the whole is right.
  private static func numbers(_ contentRange: String) -> Change {
    var made = Conduct.correct
    made.contentRange = contentRange
    let conduct = made
    return Change(because: contentRange) { exchange in
      resource.respond(to: exchange, exchange.request.field("Range") == nil ? .correct : conduct)
    }
  }

  static let changes: [Change] = [
    change("another tag", version("\"other\"")) { $0.ignoresIfRange = true },
    change("another tag, a 200", version("\"other\"")),
    change("another tag, a chunked 200", version("\"other\"")) { $0.framing = .chunked },
    change("another tag, longer", version("\"other\"", length: 4_000_000)) { $0.ignoresIfRange = true },
    change("another tag, shorter", version("\"other\"", length: 1_000)) { $0.ignoresIfRange = true },
    change("no tag any more", version(nil)) { $0.ignoresIfRange = true },
    change("a weak tag", version("W/\"first\"")) { $0.ignoresIfRange = true },
    change("the same tag, longer", version("\"first\"", length: 3_000_001)),
    change("the same tag, shorter", version("\"first\"", length: 2_000_000)),
    change("a coding", resource) { $0.fields = ["Content-Encoding: gzip"] },
    numbers("bytes 0-99/3000000"), numbers("bytes 524288-1048575/3000001"), numbers("bytes 524289-3000000/3000000"),
    numbers("bytes */3000000"), numbers("nonsense"),
    refusal("200 OK", "notTheResource", ["Content-Type: text/html"]),
    refusal("404 Not Found", "refused"), refusal("410 Gone", "refused"), refusal("401 Unauthorized", "refused"),
    refusal("302 Found", "redirection.invalidLocation"),
    Change(because: "302 to where it is") { exchange in
      exchange.request.target == "/x" ? exchange.redirect(to: "/y") : resource.respond(to: exchange)
    },
  ]

  @Test("it was one answer alone", arguments: changes, laneChoices)
  func once(_ change: Change, _ choice: ConnectionChoice) throws {
    let server = try LoopbackServer { exchange in
      exchange.requestNumber == 3 ? change.respond(exchange) : Self.resource.respond(to: exchange)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: choice, in: folder)
    #expect(run.name == "complete", "\(run.interruptions)")
    #expect(try folder.names == ["x"])
    let content = folder.content(of: "x")
    #expect(content == Self.resource.content || content == change.new?.content, "one version, and whole")
  }

  @Test("it is so from then on", arguments: changes, laneChoices)
  func fromThenOn(_ change: Change, _ choice: ConnectionChoice) throws {
    let server = try LoopbackServer { exchange in
      exchange.requestNumber >= 3 ? change.respond(exchange) : Self.resource.respond(to: exchange)
    }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), over: choice, in: folder) { $0.retryLimit = 1 }
    #expect(run.name == change.name)
    if let new = change.new {
      #expect(folder.content(of: "x") == new.content)
      #expect(try folder.names == ["x"])
    } else {
      let kept = run.result.failure?.kept ?? 0
      #expect(kept >= 524_288, "what was proven stays")
      #expect(folder.content(of: "x.part") == Self.resource.content(in: 0..<kept))
      #expect(try folder.namesWithoutRecords == ["x.part"])
    }
  }

  @Test("into a pipe: what has gone by is continued, or left at that", arguments: changes)
  func intoAPipe(_ change: Change) throws {
    for (isForEver, choice) in [(false, ConnectionChoice.exactly(4)), (true, .exactly(4)), (true, .automatic)] {
      let server = try LoopbackServer { exchange in
        let number = exchange.requestNumber
        number == 3 || isForEver && number > 3 ? change.respond(exchange) : Self.resource.respond(to: exchange)
      }
      defer { server.stop() }
      let fifo = try ReadFIFO()
      let run = try Run(server.uri("/x"), to: .file(fifo.path), in: folder) {
        $1.connections = choice
        $1.retryLimit = 1
      }
      let kept = run.name == "complete" ? Self.resource.length : run.result.failure?.kept ?? -1
      #expect(fifo.content() == Self.resource.content(in: 0..<kept), "\(run.name)")
      #expect(isForEver || run.name == "complete", "\(run.name) \(run.interruptions)")
    }
  }
}
