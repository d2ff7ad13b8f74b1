import LoopbackServer

@testable import RawGet

/// A server for the target and one for each of its mirrors, each with its own script.
struct Places {
  let servers: [LoopbackServer]

  init(_ scripts: LoopbackServer.Script...) throws { servers = try scripts.map { try LoopbackServer(script: $0) } }

  /// The first server's file, with the others as mirrors, whose paths are another one.
  func run(
    in folder: Folder, _ change: (inout DownloadRequest, inout DownloadOptions) -> Void = { _, _ in }
  ) throws -> Run {
    let mirrors = try servers.dropFirst().map { try TargetURI(text: Array($0.uri("/pub/copy.img").utf8)) }
    return try Run(servers[0].uri("/file.bin"), to: folder.destination, in: folder) { request, options in
      request.mirrors = mirrors
      change(&request, &options)
    }
  }

  func stop() { for server in servers { server.stop() } }

  /// How many requests each of them saw.
  var counts: [Int] { servers.map(\.requests.count) }

  /// The ranges that one of them was asked for.
  func ranges(_ index: Int) -> [String?] { servers[index].requests.map { $0.field("Range") } }
}

extension Resource {
  /// The resource, until the connection breaks in the first answer; nothing but broken connections after that.
  func dying(after count: Int64, fields: [String] = []) -> LoopbackServer.Script {
    { exchange in
      guard exchange.requestNumber == 1 else { return exchange.reset() }
      var conduct = Conduct.dropping(after: count)
      conduct.fields = fields
      respond(to: exchange, conduct)
    }
  }

  /// As it should be, with these fields.
  func served(_ fields: [String] = []) -> LoopbackServer.Script {
    { exchange in
      var conduct = Conduct.correct
      conduct.fields = fields
      respond(to: exchange, conduct)
    }
  }
}
