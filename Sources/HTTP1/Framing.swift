/// How the end of a message's content is known.
public enum Framing: Equatable, Sendable {
  /// No content, whatever the fields say.
  case none
  /// So many bytes.
  case length(Int64)
  case chunked
  /// Everything until the connection ends in order.
  case untilClose
  /// A 2xx to CONNECT: what follows is no longer HTTP.
  case tunnel

  /// The rules of RFC 9112 §6.3 for a response, in their order.
  public init(of head: ResponseHead, answering method: RequestMethod) throws(ProtocolError) {
    if method.isHead || head.isInterim || head.status == 204 || head.status == 304 {
      self = .none
      return
    }
    if method.isConnect && head.status < 300 {
      self = .tunnel
      return
    }
    let length = try contentLength(of: head.fields)
    if head.fields.contains(.transferEncoding) {
      try requireChunked(head)
      self = .chunked
    } else if let length {
      self = .length(length)
    } else {
      self = .untilClose
    }
  }
}

/// The one value of all Content-Length lines; nil when there is none. Equal repeated values are granted
/// (RFC 9110 §8.6); a guess at a bad or differing one never is (RFC 9112 §6.3, rule 5).
private func contentLength(of fields: Fields) throws(ProtocolError) -> Int64? {
  var length: Int64?
  try fields.forEachMember(of: .contentLength) { (member) throws(ProtocolError) in
    guard let value = decimalValue(member) else { throw .invalidContentLength }
    if let length, length != value { throw .conflictingContentLength }
    length = value
  }
  return length
}

/// Exactly one coding, `chunked` in any case, without parameters, from a peer that speaks HTTP/1.1 or later:
/// in HTTP/1.0 a Transfer-Encoding means that the framing is faulty (RFC 9112 §6.1).
private func requireChunked(_ head: ResponseHead) throws(ProtocolError) {
  var codings = 0
  var isChunked = false
  head.fields.forEachMember(of: .transferEncoding) { coding in
    codings += 1
    isChunked = coding.equalsIgnoringCase("chunked")
  }
  guard codings == 1, isChunked, head.statusLine.minorVersion >= 1 else { throw .unsupportedTransferCoding }
}
