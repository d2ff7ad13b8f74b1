extension Resource {
  /// Answers GET and HEAD as RFC 9110 says, §14 (ranges) and §13.1.5 (If-Range) included, but for
  /// what `conduct` changes. Keeps the connection open where the framing allows it.
  public func respond(to exchange: ServerExchange, _ conduct: Conduct = .correct) {
    let asked = conduct.ignoresRange ? nil : range(askedBy: exchange.request, conduct)
    guard asked != .unsatisfiable else {
      exchange.send(head("416 Range Not Satisfiable", ["Content-Range: bytes */\(length)", "Content-Length: 0"]))
      return finish(exchange, conduct)
    }
    var range = 0..<length
    var fields = conduct.fields
    if case .satisfiable(let part) = asked {
      range = min(max(part.lowerBound + conduct.shiftsRange, 0), part.upperBound - 1)..<part.upperBound
      range = range.lowerBound..<(range.lowerBound + min(Int64(range.count), conduct.longestPart ?? .max))
      let right = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
      fields.append("Content-Range: \(conduct.contentRange ?? right)")
    } else if let contentRange = conduct.contentRange {
      fields.append("Content-Range: \(contentRange)")
    }
    let status = asked == nil ? "200 OK" : "206 Partial Content"
    fields.append(contentsOf: framing(of: range, conduct))
    if let made = conduct.fieldsOfContent { fields += made(bytes(in: range)) }
    exchange.send(conduct.interim + head(conduct.status ?? status, fields + representationFields))
    guard exchange.request.method != "HEAD" else { return finish(exchange, conduct) }
    sendContent(range, to: exchange, conduct)
  }

  private func head(_ status: String, _ fields: [String]) -> String {
    let date = "Date: Mon, 30 Nov 2026 10:00:00 GMT"
    return (["HTTP/1.1 \(status)", date] + fields).joined(separator: "\r\n") + "\r\n\r\n"
  }

  private var representationFields: [String] {
    var fields = ["Accept-Ranges: bytes"]
    if let entityTag { fields.append("ETag: \(entityTag)") }
    if let lastModified { fields.append("Last-Modified: \(lastModified)") }
    if let contentType { fields.append("Content-Type: \(contentType)") }
    return fields
  }

  private func framing(of range: Range<Int64>, _ conduct: Conduct) -> [String] {
    switch conduct.framing {
    case .contentLength: ["Content-Length: \(conduct.contentLength ?? String(range.count))"]
    case .chunked: ["Transfer-Encoding: chunked"]
    case .untilClose: ["Connection: close"]
    }
  }

  private func range(askedBy request: RecordedRequest, _ conduct: Conduct) -> ByteRangeRequest? {
    guard request.method == "GET", let value = request.field("Range") else { return nil }
    if let validator = request.field("If-Range"), !conduct.ignoresIfRange {
      let isStrong = validator.hasPrefix("\"")
      guard isStrong ? validator == entityTag : validator == lastModified else { return nil }
    }
    return ByteRangeRequest(fieldValue: value, length: length)
  }

  private func sendContent(_ range: Range<Int64>, to exchange: ServerExchange, _ conduct: Conduct) {
    let isChunked = conduct.framing == .chunked
    let end = range.lowerBound + min(Int64(range.count), conduct.dropsAfter ?? .max)
    for start in stride(from: range.lowerBound, to: end, by: 65_536) {
      let piece = bytes(in: start..<min(start + 65_536, end))
      if isChunked { exchange.send(String(piece.count, radix: 16) + "\r\n") }
      guard exchange.send(piece) else { return }
      if isChunked { exchange.send("\r\n") }
      if start == range.lowerBound, let gate = conduct.gate { exchange.wait(at: gate) }
    }
    if conduct.dropsAfter != nil, end < range.upperBound {
      switch conduct.ending {
      case .close: return exchange.close()
      case .closeWithoutNotify: return exchange.closeWithoutNotify()
      case .reset: return exchange.reset()
      case .stall: return exchange.stall()
      }
    }
    if isChunked { exchange.send("0\r\n\r\n") }
    if conduct.framing != .untilClose, conduct.contentLength == nil { finish(exchange, conduct) }
  }

  private func finish(_ exchange: ServerExchange, _ conduct: Conduct) {
    if conduct.closesAfterwards { return exchange.close() }
    let asksForClose = exchange.request.field("Connection")?.lowercased() == "close"
    if exchange.request.version == "HTTP/1.1", !asksForClose { exchange.keepOpen() }
  }
}
