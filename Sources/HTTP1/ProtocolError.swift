/// A rule of HTTP/1.1 that the peer broke; its connection is of no further use.
///
/// Offsets and counts are what the message said or what arrived; bytes kept before the error stay good.
public enum ProtocolError: Error, Equatable, Sendable {
  // How the connection ended (RFC 9112 §8)

  /// Closed before the first byte of a response.
  case noResponse
  /// Closed inside the head.
  case incompleteHead
  /// Closed before the announced end. Content already kept stays good for a resume.
  case incompleteContent(missing: Int64)  // bytes
  /// Closed before the last chunk and its trailer section were whole (RFC 9112 §7.1).
  case incompleteChunkedContent
  /// The content ends with the connection, and the connection did not end in order
  /// (a reset, or TLS without close_notify: RFC 9112 §9.8).
  case unprovenEnd

  // The head

  /// The first bytes are not `HTTP/`.
  case notHTTP
  /// HTTP, but not 1.x (RFC 9112 §2.3).
  case unsupportedVersion
  /// RFC 9112 §4.
  case invalidStatusLine
  /// No colon, an empty name, a byte that is no `tchar` in the name, or a blank before the colon (RFC 9112 §5).
  case invalidFieldLine(line: Int)  // counted from 1, the status line included
  /// A CR without LF, or a NUL (RFC 9112 §2.2, RFC 9110 §5.5).
  case controlInHead
  /// A framing field continued on a second line (RFC 9112 §5.2).
  case foldedFramingField
  /// A line of the head longer than the bound.
  case lineTooLong(limit: Int)  // bytes
  /// A head, or a trailer section, longer than the bound.
  case headTooLarge(limit: Int)  // bytes
  case tooManyFields(limit: Int)
  case tooManyInterimResponses(limit: Int)
  /// 101, though no `Upgrade` was sent (RFC 9110 §15.2.2).
  case unexpectedUpgrade
  /// Bytes behind the head that opens a tunnel, before anything was sent into it (RFC 9110 §9.3.6).
  case unexpectedContent

  // Framing (RFC 9112 §6)

  /// Not 1*DIGIT, or more than 2^63-1 (RFC 9110 §8.6).
  case invalidContentLength
  /// Several values that differ (RFC 9112 §6.3).
  case conflictingContentLength
  /// Anything but exactly `chunked`, or `chunked` in HTTP/1.0 (RFC 9112 §6.1).
  case unsupportedTransferCoding

  // Chunks (RFC 9112 §7.1)

  /// Not 1*HEXDIG, or a sum of sizes beyond 2^63-1.
  case invalidChunkSize
  case invalidChunkExtension
  case chunkExtensionsTooLong(limit: Int)  // bytes in one body
  /// A line end inside the framing that is not CRLF, or data that does not end where its size says.
  case invalidChunkLineEnd

  // Ranges (RFC 9110 §14.4)

  /// A 206 without a usable Content-Range, or with numbers that do not fit what was asked or what came.
  case invalidContentRange

  // Several ranges (RFC 9110 §14.6, RFC 2046 §5.1.1)

  /// A delimiter that does not stand right behind the content of a part, or bytes outside the parts.
  case invalidMultipart
  /// The content ended before the delimiter that closes it.
  case incompleteMultipart
  case tooManyParts(limit: Int)
}
