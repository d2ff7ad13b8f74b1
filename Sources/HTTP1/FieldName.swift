/// A field name, compared as ASCII without case (RFC 9110 §5.1).
public struct FieldName: Sendable {
  /// As it is written in a request.
  package let text: String

  package init(_ text: String) { self.text = text }

  package func matches(_ bytes: Span<UInt8>, in range: Range<Int>) -> Bool {
    let name = text.utf8.span
    guard name.count == range.count else { return false }
    for index in name.indices {
      guard name[index].lowercased == bytes[range.lowerBound + index].lowercased else { return false }
    }
    return true
  }
}

// Computed, so that none of them costs anything until it is used.
extension FieldName {
  public static var accept: FieldName { FieldName("Accept") }
  public static var acceptEncoding: FieldName { FieldName("Accept-Encoding") }
  public static var acceptRanges: FieldName { FieldName("Accept-Ranges") }
  public static var authorization: FieldName { FieldName("Authorization") }
  public static var connection: FieldName { FieldName("Connection") }
  public static var contentDisposition: FieldName { FieldName("Content-Disposition") }
  public static var contentEncoding: FieldName { FieldName("Content-Encoding") }
  public static var contentLength: FieldName { FieldName("Content-Length") }
  public static var contentRange: FieldName { FieldName("Content-Range") }
  public static var contentType: FieldName { FieldName("Content-Type") }
  public static var date: FieldName { FieldName("Date") }
  public static var entityTag: FieldName { FieldName("ETag") }
  public static var host: FieldName { FieldName("Host") }
  public static var ifRange: FieldName { FieldName("If-Range") }
  public static var lastModified: FieldName { FieldName("Last-Modified") }
  public static var location: FieldName { FieldName("Location") }
  public static var range: FieldName { FieldName("Range") }
  public static var retryAfter: FieldName { FieldName("Retry-After") }
  public static var transferEncoding: FieldName { FieldName("Transfer-Encoding") }
  public static var userAgent: FieldName { FieldName("User-Agent") }

  /// Fields that decide where a message ends or what a range means: they may not be folded.
  static func isFraming(_ bytes: Span<UInt8>, in range: Range<Int>) -> Bool {
    FieldName.contentLength.matches(bytes, in: range) || FieldName.transferEncoding.matches(bytes, in: range)
      || FieldName.contentRange.matches(bytes, in: range) || FieldName.connection.matches(bytes, in: range)
  }
}
