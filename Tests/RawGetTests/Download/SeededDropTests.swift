import LoopbackServer
import Testing

@testable import RawGet

/// Whatever a line does, and whatever a server that tells the truth does, the end is the exact file (docs/PROMISES.md).
struct SeededDropTests {
  /// What one seed makes of a server: each request has its own fault, until the line is good.
  private struct Weather: Sendable {
    static let badRequests = 12
    let resource: Resource
    private let conducts: [Conduct]

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let sizes: [Int64] = [0, 1, 1_000, 65_536, 300_000]
      let size = Int64.random(in: 0...(sizes.randomElement(using: &random) ?? 0), using: &random)
      var resource = Resource(length: size, seed: seed)
      if Int.random(in: 0..<3, using: &random) == 0 {
        resource.entityTag = [nil, "W/\"weak\""].randomElement(using: &random) ?? nil
      }
      self.resource = resource
      conducts = (0..<Weather.badRequests).map { _ in Weather.conduct(size, &random) }
    }

    private static func conduct(_ size: Int64, _ random: inout SeededGenerator) -> Conduct {
      let endings: [Conduct.Ending] = [.close, .closeWithoutNotify, .reset]
      var conduct = Conduct.dropping(
        after: .random(in: 0...size, using: &random), endings.randomElement(using: &random) ?? .reset)
      let framings: [Conduct.Framing] = [.contentLength, .chunked, .untilClose]
      conduct.framing = framings.randomElement(using: &random) ?? .contentLength
      // Only a plain connection's end can't be told from a cut; then nobody can.
      if conduct.framing == .untilClose && conduct.ending != .reset { conduct.ending = .reset }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: conduct.ignoresRange = true
      case 1: conduct.shiftsRange = .random(in: -9...9, using: &random)
      case 2: conduct.ignoresIfRange = true
      default: break
      }
      return conduct
    }

    func respond(to exchange: ServerExchange) {
      let number = exchange.requestNumber
      resource.respond(to: exchange, number > Weather.badRequests ? .correct : conducts[number - 1])
    }
  }

  @Test("T3 T4 T19: drops anywhere", arguments: 0..<40 as Range<UInt64>, transports)
  func endsExact(_ seed: UInt64, _ isSecure: Bool) throws {
    let (weather, folder) = (Weather(seed: seed), try Folder())
    let tls = isSecure ? try ServerTLS(TestAuthority.shared().good) : nil
    let server = try LoopbackServer(tls: tls) { weather.respond(to: $0) }
    defer { server.stop() }
    let run = try Run(server.uri("/x"), in: folder) { $0.retryLimit = 100 }
    #expect(run.name == "complete")
    #expect(folder.content(of: "x") == weather.resource.content)
    #expect(try folder.names == ["x"])
  }
}
