import LoopbackServer

@testable import RawGet

/// Serves no more than the beginning before each of some places was asked for a block: on a fast machine the first would
/// have brought everything, or be asked for it, before the others are known. Without a whole answer no rate is known, and
/// little is asked for ahead.
final class Meeting: Sendable {
  /// By here all are there, in bytes: a place may begin to fail.
  static let free: Int64 = 1_000_000
  private let missing: Guarded<Set<Int>>
  private let gate = Gate()

  init(_ places: Int...) { missing = Guarded(Set(places)) }

  /// A place as it should be, or as `respond` has it behind the first block of the first place, which has `fields`.
  func script(
    _ place: Int, _ resource: Resource, fields: [String] = [], respond: (@Sendable (ServerExchange) -> Void)? = nil
  ) -> LoopbackServer.Script {
    { exchange in
      let range = exchange.request.closedRange
      if let range, !range.isSample {
        let isAll = self.missing.withLock { missing in
          missing.remove(place)
          return missing.isEmpty
        }
        if isAll { self.gate.open() }
        if place == 0, range.lowerBound == 0 {
          var conduct = Conduct.correct
          (conduct.gate, conduct.fields) = (self.gate, fields)
          return resource.respond(to: exchange, conduct)
        }
        exchange.wait(at: self.gate)
      }
      if let respond { respond(exchange) } else { resource.respond(to: exchange) }
    }
  }
}

extension Range<Int64> {
  /// What a mirror is asked for first.
  var isSample: Bool { count <= Int(LanePlace.sampleLength) }
}

extension Places {
  /// The first server's file over several connections, with the others as mirrors.
  func run(
    in folder: Folder, over connections: ConnectionChoice, _ checksum: String?, to destination: Destination? = nil,
    _ change: (inout DownloadRequest, inout DownloadOptions) -> Void = { _, _ in }
  ) throws -> Run {
    try run(in: folder) { request, options in
      options.connections = connections
      options.checksum = checksum.flatMap { Checksum(text: Array($0.utf8)) }
      if let destination { request.destination = destination }
      change(&request, &options)
    }
  }

  /// Blocks that one of them was asked for, its sample aside.
  func blocks(_ index: Int) -> [Range<Int64>] {
    servers[index].requests.compactMap(\.closedRange).filter { !$0.isSample }
  }

  var mirrorURIs: [String] { servers.dropFirst().map { $0.uri("/pub/copy.img") } }
}

extension Run {
  /// Mirrors that brought blocks as well, in the order in which they came.
  var joined: [String] {
    events.compactMap { event in
      guard case .joined(let target) = event else { return nil }
      return String(decoding: target.text, as: UTF8.self)
    }
  }

  /// Mirrors that were given up meanwhile, and why.
  var left: [String: String] {
    var left: [String: String] = [:]
    for case .left(let target, let error) in events {
      left[String(decoding: target.text, as: UTF8.self)] = RawGetTests.name(of: error)
    }
    return left
  }

  /// Who had a part in what is not what the digest says.
  var culprits: [String]? {
    guard case .integrity(_, let from)? = result.failure?.error else { return nil }
    return from.map { String(decoding: $0.text, as: UTF8.self) }
  }
}
