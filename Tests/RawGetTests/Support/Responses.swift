import HTTP1

/// A response head and its framing, read from its lines as a server would send them.
struct TestResponse {
  let head: ResponseHead
  let framing: Framing

  /// The status line begins after `HTTP/1.1 `.
  init(_ lines: [String]) throws {
    var reader = ResponseReader(answering: .get)
    let bytes = Array(("HTTP/1.1 " + lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    _ = try reader.didReceive(bytes.span)
    guard let head = reader.head else { throw ProtocolError.incompleteHead }
    self.head = head
    framing = reader.framing
  }
}
