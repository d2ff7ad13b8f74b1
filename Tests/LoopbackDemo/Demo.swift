import Foundation
import LoopbackServer

/// The same resource over http and https; each response ends after `dropEvery` bytes, by turns with
/// RST and with FIN (inside TLS without close_notify), unless the content ends before.
struct Demo {
  private let resource: Resource
  private let servers: [LoopbackServer]
  private let authority: String

  init(_ options: Options) throws {
    let resource = Resource(length: options.size, seed: 2026)
    let script: LoopbackServer.Script = { exchange in
      let ending: Conduct.Ending = exchange.requestNumber.isMultiple(of: 2) ? .closeWithoutNotify : .reset
      resource.respond(to: exchange, .dropping(after: options.dropEvery, ending))
    }
    self.resource = resource
    let authority = try TestAuthority.shared()
    self.authority = authority.file
    servers = [
      try LoopbackServer(script: script),
      try LoopbackServer(tls: ServerTLS(authority.good), script: script),
    ]
  }

  /// One line each for http and https, and the file of the authority that vouches for https.
  func announce() {
    let digest = resource.digest
    for server in servers { say("ready \(server.uri("/demo.bin")) sha256=\(digest)") }
    say("authority \(authority)")
  }

  func stop() { for server in servers { server.stop() } }

  /// One line for each request that was answered.
  func report() {
    for server in servers {
      for request in server.requests {
        say("\(server.origin) request \(request.number): \(request.field("Range") ?? "from the start")")
      }
    }
  }

  /// At once, also when standard output is a pipe.
  private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
