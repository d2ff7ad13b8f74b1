import LoopbackServer

extension LoopbackServer {
  /// Resets the connection in the first response, after so many bytes of content; the others are for `script`.
  convenience init(dropping resource: Resource, after count: Int64, then script: @escaping Script) throws {
    try self.init { exchange in
      guard exchange.requestNumber > 1 else { return resource.respond(to: exchange, .dropping(after: count)) }
      script(exchange)
    }
  }
}
