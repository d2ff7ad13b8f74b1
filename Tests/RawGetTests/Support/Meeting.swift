import LoopbackServer

@testable import RawGet

/// Lets nobody go far before each of some places was asked for a block: on a fast machine the first would have brought
/// everything before the others are known.
final class Meeting: Sendable {
  /// What is served before all are there, in bytes.
  static let free: Int64 = 1_000_000
  private let missing: Guarded<Set<Int>>
  private let gate = Gate()

  init(_ places: Int...) { missing = Guarded(Set(places)) }

  /// A place as it should be, or as `respond` has it.
  func script(
    _ place: Int, _ resource: Resource, respond: (@Sendable (ServerExchange) -> Void)? = nil
  ) -> LoopbackServer.Script {
    { exchange in
      if let range = exchange.request.closedRange {
        if !range.isSample {
          let isAll = self.missing.withLock { missing in
            missing.remove(place)
            return missing.isEmpty
          }
          if isAll { self.gate.open() }
        }
        if range.lowerBound >= Self.free { exchange.wait(at: self.gate) }
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
