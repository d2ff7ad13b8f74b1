import HTTP1

/// The response is not to be used. The category is a word for the reason.
struct Refusal: Error {
  let category: String
}

extension ProtocolError {
  var category: String {
    switch self {
    case .noResponse, .incompleteHead, .incompleteContent, .incompleteChunkedContent, .unprovenEnd: "truncated"
    case .notHTTP, .invalidStatusLine: "bad-status-line"
    case .unsupportedVersion: "unsupported-version"
    case .invalidFieldLine, .controlInHead, .foldedFramingField: "bad-header"
    case .lineTooLong, .headTooLarge, .tooManyFields, .tooManyInterimResponses, .chunkExtensionsTooLong: "too-large"
    case .unexpectedUpgrade, .unexpectedContent: "unexpected-upgrade"
    case .invalidContentLength, .conflictingContentLength: "bad-content-length"
    case .unsupportedTransferCoding: "bad-transfer-encoding"
    case .invalidChunkSize, .invalidChunkExtension, .invalidChunkLineEnd: "bad-chunk"
    case .invalidContentRange: "bad-content-range"
    case .invalidMultipart, .incompleteMultipart, .tooManyParts: "bad-multipart"
    }
  }
}
