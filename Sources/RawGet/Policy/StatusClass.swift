/// What a final status means to a download (RFC 9110 §15).
enum StatusClass: Equatable {
  /// The content is the resource, or a part of it that was asked for.
  case content
  case partialContent
  case redirection
  case rangeNotSatisfiable
  /// Worth another attempt: 408, 425, 429, 500, 502, 503, 504.
  case transient
  /// Final, with or without content: nothing that was asked for.
  case refusal

  init(_ status: Int) {
    switch status {
    case 204, 205: self = .refusal  // a success without the content that was asked for
    case 206: self = .partialContent
    case 200..<300: self = .content
    case 301, 302, 303, 307, 308: self = .redirection
    case 416: self = .rangeNotSatisfiable
    case 408, 425, 429, 500, 502, 503, 504: self = .transient
    default: self = .refusal  // 304 unasked, 305, every other 4xx and 5xx, and what is beyond 599
    }
  }
}
