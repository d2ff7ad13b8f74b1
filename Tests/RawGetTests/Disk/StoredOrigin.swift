import LoopbackServer

/// Serves bytes that are in memory, ranges of them too, as RFC 9110 says: fast enough for a thousand downloads in one test.
struct StoredOrigin: Sendable {
  let content: [UInt8]
  var entityTag: String? = #""stored""#
  var lastModified: String? = "Sat, 21 Mar 2026 09:30:00 GMT"
  var ignoresRange = false
  var status = "200 OK"
  /// Content bytes after which the connection is reset.
  var dropsAfter: Int?
  /// Head and content are sent as one.
  var inOnePiece = false

  func respond(to exchange: ServerExchange) {
    let ifRange = exchange.request.field("If-Range")
    var range: Range<Int>?
    if !ignoresRange, ifRange == nil || ifRange == entityTag ?? lastModified,
      let asked = exchange.request.field("Range")
    {
      range = StoredOrigin.range(asked, of: content.count)
    }
    var fields = ["Date: Mon, 30 Nov 2026 10:00:00 GMT"]
    if let lastModified { fields.append("Last-Modified: \(lastModified)") }
    if let entityTag { fields.append("ETag: \(entityTag)") }
    if let range { fields.append("Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.count)") }
    let sent = range ?? 0..<content.count
    fields.append("Content-Length: \(sent.count)")
    let line = range == nil ? status : "206 Partial Content"
    let head = Array(((["HTTP/1.1 \(line)"] + fields).joined(separator: "\r\n") + "\r\n\r\n").utf8)
    if inOnePiece {
      exchange.send(head + content[sent])
      return exchange.keepOpen()
    }
    exchange.send(head)
    let end = min(sent.lowerBound + (dropsAfter ?? sent.count), sent.upperBound)
    for start in stride(from: sent.lowerBound, to: end, by: 512_000) {
      guard exchange.send(Array(content[start..<min(start + 512_000, end)])) else { return }
    }
    if end < sent.upperBound { exchange.reset() } else { exchange.keepOpen() }
  }

  /// `bytes=FIRST-` and `bytes=FIRST-LAST`, the only ones that are asked for.
  static func range(_ fieldValue: String, of length: Int) -> Range<Int>? {
    let bounds = fieldValue.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
    guard let first = bounds.first, first < length else { return nil }
    return first..<(bounds.count > 1 ? min(bounds[1] + 1, length) : length)
  }
}
