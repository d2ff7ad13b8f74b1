import HTTP1

@testable import RawGet

/// Answers to a selection of ranges, as their heads tell of them.
enum SelectionAnswers {
  static let tag = #"ETag: "a""#

  /// A 206 with this Content-Range.
  static func part(_ range: String, _ fields: [String] = [tag], length: Int? = nil) -> [String] {
    ["206 Partial Content", "Content-Range: bytes \(range)"] + fields + (length.map { ["Content-Length: \($0)"] } ?? [])
  }

  static func whole(_ length: Int, _ fields: [String] = [tag]) -> [String] {
    ["200 OK", "Content-Length: \(length)"] + fields
  }

  static func parts(_ fields: [String] = [tag], type: String = "multipart/byteranges; boundary=x") -> [String] {
    ["206 Partial Content", "Content-Type: \(type)"] + fields
  }
}

extension RangeSelection {
  init?(_ text: String, atOnce: Bool = false) {
    guard var wanted = WantedRanges(text: Array(text.utf8)) else { return nil }
    wanted.areAskedAtOnce = atOnce
    self.init(wanted)
  }

  /// The next request goes out and is answered so.
  mutating func ask(_ lines: [String], at target: String = "http://example.org/x") throws -> Answer? {
    guard nextRequest() != nil else { return nil }
    let response = try TestResponse(lines)
    let seen = Representation(
      of: response.head, framing: response.framing, at: try Known.target(target), now: Known.now)
    return didReceiveHead(response.head, framing: response.framing, seen)
  }

  /// And content follows: all that was announced, or so many bytes.
  mutating func receive(_ lines: [String], _ count: Int64? = nil) throws {
    guard case .part(let announced)? = try ask(lines) else { throw ProtocolError.invalidContentRange }
    didReceive(count ?? announced)
  }

  /// The `Range` of the next request, and its `If-Range`.
  mutating func asks() -> [String] {
    guard let request = nextRequest() else { return [] }
    return [request.fieldValue, request.validator?.fieldValue ?? []].map { String(decoding: $0, as: UTF8.self) }
  }
}
