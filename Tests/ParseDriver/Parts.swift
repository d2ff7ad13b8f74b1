import HTTP1

/// The parts of a 206 with several ranges (RFC 9110 §15.3.7.2).
struct Parts {
  /// Each with its offset in the representation, in bytes, in the order in which they came.
  private(set) var all: [(offset: Int64, content: [UInt8])] = []

  /// nil if the message is none of that kind.
  init?(of message: Message) throws(Refusal) {
    guard message.head.status == 206, message.framing != .none,
      let type = message.head.fields.value(of: .contentType), Parts.isMultipart(type)
    else { return nil }
    guard let boundary = MultipartBoundary(contentType: type) else { throw Refusal(category: "bad-multipart") }
    do throws(ProtocolError) {
      try read(message.content, boundary: boundary)
    } catch {
      throw Refusal(category: "bad-multipart")
    }
  }

  private static func isMultipart(_ type: [UInt8]) -> Bool {
    type.prefix { $0 != UInt8(ascii: ";") && !$0.isBlank }.equalsIgnoringCase("multipart/byteranges")
  }

  private mutating func read(_ content: [UInt8], boundary: MultipartBoundary) throws(ProtocolError) {
    var reader = MultipartByteRangesReader(boundary: boundary)
    var taken = 0
    reading: while true {
      let step = try reader.didReceive(content.span.extracting(taken...))
      switch step.event {
      case .part(let first, _, _): all.append((first, []))
      case .content(let range):
        all[all.endIndex - 1].content += content[(taken + range.lowerBound)..<(taken + range.upperBound)]
      case .needsMore, .complete: break reading
      }
      taken += step.taken
    }
    try reader.contentDidEnd()
  }
}
