import LoopbackServer

/// An origin that answers several ranges in one response, as RFC 9110 §14.6 has it.
struct RangesOrigin: Sendable {
  var resource: Resource
  var boundary = "B0undary"
  /// What departs from a right answer.
  var change: @Sendable (inout [Range<Int64>]) -> Void = { _ in }
  var fields: [String] = []

  init(_ resource: Resource) { self.resource = resource }

  /// The ranges of a `Range` field, cut off at the end.
  func ranges(_ value: String) -> [Range<Int64>] {
    let length = resource.length
    return value.dropFirst(6).split(separator: ",").map { text in
      let bounds = text.split(separator: "-", omittingEmptySubsequences: false)
      guard let first = Int64(bounds[0]) else { return max(length - (Int64(bounds[1]) ?? 0), 0)..<length }
      return first..<min((Int64(bounds[1]) ?? length - 1) + 1, length)
    }
  }

  /// The whole response to a request for these ranges, head and all.
  func response(to value: String) -> [UInt8] {
    var ranges = ranges(value)
    change(&ranges)
    var content: [UInt8] = []
    for range in ranges {
      content += Array("\r\n--\(boundary)\r\nContent-Type: text/plain\r\n".utf8)
      content += Array(
        "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(resource.length)\r\n\r\n".utf8)
      content += resource.bytes(in: range)
    }
    content += Array("\r\n--\(boundary)--\r\n".utf8)
    let lines =
      [
        "HTTP/1.1 206 Partial Content", "Content-Length: \(content.count)",
        "Content-Type: multipart/byteranges; boundary=\(boundary)",
      ] + (resource.entityTag.map { ["ETag: \($0)"] } ?? []) + fields
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + content
  }

  /// Answers, and breaks off behind so many bytes of the response, if that is not all of it.
  func respond(to exchange: ServerExchange, dropsAfter count: Int = .max) {
    guard let value = exchange.request.field("Range"), value.contains(","),
      exchange.request.field("If-Range").map({ $0 == resource.entityTag }) ?? true
    else { return resource.respond(to: exchange) }
    let response = response(to: value)
    exchange.send(Array(response.prefix(count)))
    if count < response.count { exchange.reset() } else { exchange.keepOpen() }
  }
}
