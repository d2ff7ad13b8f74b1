import Foundation
import LoopbackServer

/// Serves one scenario: the first run of a client until a line arrives on standard input, then the last one.
struct ScenarioServer {
  private let scenario: Scenario
  private let server: LoopbackServer
  /// Requests before the last run; nil until that begins.
  private let before: Guarded<Int?>

  init(_ scenario: Scenario) throws {
    let before = Guarded<Int?>(scenario.steps == .once || scenario.steps == .together ? 0 : nil)
    self.before = before
    self.scenario = scenario
    server = try LoopbackServer { exchange in
      if let count = before.withLock({ $0 }) {
        scenario.answer(exchange, exchange.requestNumber - count)
      } else if scenario.steps == .twice {
        scenario.first.respond(to: exchange)
      } else {
        scenario.first.respond(to: exchange, .dropping(after: Scenario.kept, .stall))
      }
    }
  }

  /// The file that the server has at first and at last, for comparing.
  func write(to folder: String) throws {
    for (name, resource) in [("first", scenario.first), ("second", scenario.second)] {
      try Data(resource.bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
  }

  func run() {
    FileHandle.standardOutput.write(Data("ready \(server.uri("/file.bin"))\n".utf8))
    while readLine() != nil {
      let count = server.requests.count
      before.withLock { $0 = count }
      FileHandle.standardOutput.write(Data("next\n".utf8))
    }
    server.stop()
  }

  /// `NAME|STEPS|KEPT|WHAT THE SERVER DOES`, a line each.
  static var list: String {
    Scenario.all.map { "\($0.name)|\($0.steps.rawValue)|\(Scenario.kept)|\($0.summary)\n" }.joined()
  }
}
