import HTTP1

@testable import RawGet

/// Responses that a part may have been begun from.
enum Known {
  static let now: Int64 = 1_800_000_000  // 15 January 2027

  static let date = "Date: Mon, 30 Nov 2026 10:00:00 GMT"
  static let modified = [date, "Last-Modified: Sat, 21 Mar 2026 09:30:00 GMT"]
  static let otherwiseModified = [date, "Last-Modified: Sat, 21 Mar 2026 09:30:01 GMT"]

  static let strong = ["200 OK", "Content-Length: 9000000000000000000", #"ETag: "a""#]
  static let strongUnknownLength = ["200 OK", #"ETag: "a""#]
  static let strongDate = ["200 OK", "Content-Length: 2000000"] + modified
  static let recentDate = ["200 OK", date, "Last-Modified: Mon, 30 Nov 2026 09:59:01 GMT"]
  static let weak = ["200 OK", "Content-Length: 2000000", #"ETag: W/"a""#] + modified
  static let none = ["200 OK", "Content-Length: 2000000"]
  static let twoTags = ["200 OK", #"ETag: "a""#, #"ETag: "b""#] + modified

  static func target(_ text: String = "http://example.org/x") throws -> TargetURI {
    try TargetURI(text: Array(text.utf8))
  }

  static func representation(_ lines: [String], at target: TargetURI? = nil) throws -> Representation {
    let response = try TestResponse(lines)
    return Representation(
      of: response.head, framing: response.framing, at: try target ?? Known.target(), now: now)
  }
}
