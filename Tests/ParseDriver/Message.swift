import HTTP1

/// A whole response, read by a fresh `ResponseReader`.
struct Message {
  let method: RequestMethod
  let head: ResponseHead
  let framing: Framing
  let content: [UInt8]
  let trailers: Fields
  /// Of the heads before the final one.
  let interimStatuses: [Int]
  /// What followed the message on its connection.
  let leftover: [UInt8]
  /// Whether another request may go the same way: surplus bytes answer nothing that was asked (RFC 9112 §9.2).
  let isReusable: Bool

  /// Shows the pieces one by one, then the end of the connection.
  init(reading received: ReceivedCase) throws(Refusal) {
    var reader = ResponseReader(answering: received.method)
    var content: [UInt8] = []
    var leftover: [UInt8] = []
    do throws(ProtocolError) {
      for piece in received.pieces { try Message.show(piece, to: &reader, content: &content, leftover: &leftover) }
      if let end = received.end { try reader.connectionDidEnd(end) }
    } catch {
      throw Refusal(category: error.category)
    }
    guard let head = reader.head, try Message.isComplete(&reader) else { throw Refusal(category: "incomplete") }
    method = received.method
    self.head = head
    framing = reader.framing
    self.content = content
    trailers = reader.trailers
    interimStatuses = reader.interimStatuses
    self.leftover = leftover
    isReusable = reader.allowsPersistence && leftover.isEmpty
  }

  private static func show(
    _ piece: [UInt8], to reader: inout ResponseReader, content: inout [UInt8], leftover: inout [UInt8]
  ) throws(ProtocolError) {
    var taken = 0
    while true {
      let step = try reader.didReceive(piece.span.extracting(taken...))
      if case .content(let range) = step.event {
        content += piece[(taken + range.lowerBound)..<(taken + range.upperBound)]
      }
      taken += step.taken
      switch step.event {
      case .head, .content: continue
      case .needsMore: return
      case .complete:
        leftover += piece[taken...]
        return
      }
    }
  }

  /// Asked with nothing to show, a reader says what it waits for.
  private static func isComplete(_ reader: inout ResponseReader) throws(Refusal) -> Bool {
    do throws(ProtocolError) {
      return try reader.didReceive([UInt8]().span).event == .complete
    } catch {
      throw Refusal(category: error.category)
    }
  }
}

extension Framing {
  var name: String {
    switch self {
    case .none: "none"
    case .length: "content-length"
    case .chunked: "chunked"
    case .untilClose: "close-delimited"
    case .tunnel: "tunnel"
    }
  }
}
