import LoopbackServer

/// One thing that happens to downloads, for comparing what clients make of it (scripts/compare-peers.sh).
struct Scenario: Sendable {
  /// What the client is made to do.
  enum Steps: String {
    /// Run once.
    case once
    /// Interrupted while `first` is incomplete, then run again.
    case again
    /// Run to its end, then run again.
    case twice
    /// Two at the same time.
    case together
  }
  typealias Answer = @Sendable (ServerExchange, _ number: Int) -> Void

  let name: String
  let steps: Steps
  /// For the table: what the server does.
  let summary: String
  /// What the server has at first, and at the second run.
  var first = Scenario.resource
  var second = Scenario.resource
  /// Answers in the last run; `number` counts its requests from 1.
  var answer: Answer

  static let resource = Resource(length: 4_000_000)
  static let kept: Int64 = 2_400_000  // bytes, when the first run is interrupted
  private static let changed = resource.changed()
  private static let nameless = unnamed(resource)

  private static func unnamed(_ resource: Resource) -> Resource {
    var other = resource
    other.entityTag = nil
    other.lastModified = nil
    return other
  }

  private static func resized(_ resource: Resource, _ length: Int64) -> Resource {
    var other = resource
    other.length = length
    return other
  }

  /// Correct but for what `change` does to it.
  private static func serving(
    _ resource: Resource, _ change: @escaping @Sendable (inout Conduct, Int) -> Void = { _, _ in }
  ) -> Answer {
    return { exchange, number in
      var conduct = Conduct.correct
      change(&conduct, number)
      resource.respond(to: exchange, conduct)
    }
  }

  private static func serving(
    _ name: String, _ steps: Steps, _ summary: String, _ first: Resource, _ second: Resource,
    _ change: @escaping @Sendable (inout Conduct, Int) -> Void = { _, _ in }
  ) -> Scenario {
    Scenario(
      name: name, steps: steps, summary: summary, first: first, second: second, answer: serving(second, change))
  }

  static let all: [Scenario] = [
    serving("resume", .again, "has the same file", resource, resource),
    serving("changed", .again, "has another file of the same size, another ETag and date", resource, changed),
    serving(
      "changed-unnamed", .again, "has another file of the same size, and never an ETag or date", nameless,
      unnamed(changed)),
    serving("smaller", .again, "has another file, smaller than what is here", resource, resized(changed, 1_000_000)),
    serving(
      "larger-careless", .again, "has another, larger file, and does not know If-Range", resource,
      resized(changed, 5_000_000)
    ) { conduct, _ in conduct.ignoresIfRange = true },
    serving("ranges-ignored", .again, "answers 200 with everything", resource, resource) { conduct, _ in
      conduct.ignoresRange = true
    },
    serving("earlier", .again, "answers a 206 that starts 1,000 bytes earlier, and says so", resource, resource) {
      conduct, _ in conduct.shiftsRange = -1_000
    },
    Scenario(name: "login-page", steps: .again, summary: "answers 200 with a login page") { exchange, _ in
      exchange.reply("200 OK", ["Content-Type: text/html"], text: "<html>please log in</html>")
    },
    Scenario(name: "error-page", steps: .again, summary: "answers 404 with a page") { exchange, _ in
      exchange.reply("404 Not Found", ["Content-Type: text/html"], text: "<html>not found</html>")
    },
    serving("complete", .twice, "has the same file; it was downloaded whole", resource, resource),
    serving("cut-length", .once, "closes once in the middle of content of a known length", resource, resource) {
      conduct, number in if number == 1 { conduct.drop(.close) }
    },
    serving("cut-chunked", .once, "closes once in the middle of chunked content", resource, resource) {
      conduct, number in
      conduct.framing = .chunked
      if number == 1 { conduct.drop(.close) }
    },
    serving("drops", .once, "resets every connection after a quarter of the file", resource, resource) {
      conduct, _ in
      conduct.drop(.reset)
      conduct.dropsAfter = 1_000_000
    },
    Scenario(name: "two-at-once", steps: .together, summary: "has the file, and takes a second for it") {
      exchange, _ in resource.respond(slowly: exchange)
    },
  ]
}

extension Conduct {
  fileprivate mutating func drop(_ ending: Ending) {
    dropsAfter = Scenario.kept
    self.ending = ending
  }
}

extension Resource {
  /// Everything, whatever is asked, in a second or so.
  fileprivate func respond(slowly exchange: ServerExchange) {
    let tag = entityTag.map { "ETag: \($0)\r\n" } ?? ""
    let modified = lastModified.map { "Last-Modified: \($0)\r\n" } ?? ""
    exchange.send("HTTP/1.1 200 OK\r\n\(tag)\(modified)Content-Length: \(length)\r\n\r\n")
    exchange.drip(bytes, pieces: Int(length / 50), pause: 20_000)
  }
}
