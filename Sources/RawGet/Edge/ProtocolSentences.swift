internal import HTTP1

/// What a broken rule of HTTP means to someone who only wanted a file.
enum ProtocolSentences {
  static func sentence(_ error: ProtocolError) -> Text {
    switch error {
    case .noResponse: "the server closed the connection without an answer"
    case .incompleteHead: "the answer broke off in its head"
    case .incompleteContent(let missing): "the answer broke off, \(missing) bytes are missing"
    case .incompleteChunkedContent: "the answer broke off before its last chunk"
    case .unprovenEnd: "the answer ended with a broken connection, so that nothing shows it is whole"
    case .notHTTP: "the server does not speak HTTP"
    case .unsupportedVersion: "the server speaks another version of HTTP than 1.x"
    case .invalidStatusLine: "the answer's status line is malformed"
    case .invalidFieldLine(let line): "line \(line) of the answer's head is malformed"
    case .controlInHead: "the answer's head holds a control character that could hide something"
    case .foldedFramingField: "a field that decides about the length is split over lines"
    case .lineTooLong(let limit): "a line of the answer's head is longer than \(limit) bytes"
    case .headTooLarge(let limit): "the answer's head is larger than \(limit) bytes"
    case .tooManyFields(let limit): "the answer's head has more than \(limit) fields"
    case .tooManyInterimResponses(let limit): "the server sent more than \(limit) interim answers"
    case .unexpectedUpgrade: "the server switches to another protocol unasked"
    case .unexpectedContent: "the answer to CONNECT is longer than it may be"
    case .invalidContentLength: "the answer's Content-Length is no length"
    case .conflictingContentLength: "the answer has several Content-Lengths that differ"
    case .unsupportedTransferCoding: "the answer uses a transfer coding other than chunked"
    case .invalidChunkSize: "a chunk of the answer has no valid size"
    case .invalidChunkExtension: "a chunk extension of the answer is malformed"
    case .chunkExtensionsTooLong(let limit): "the answer's chunk extensions are longer than \(limit) bytes"
    case .invalidChunkLineEnd: "a chunk of the answer does not end where its size says"
    case .invalidContentRange: "the answer's Content-Range does not fit what was asked"
    case .invalidMultipart: "a part of the answer does not end where its Content-Range says"
    case .incompleteMultipart: "the answer ended before its last part was whole"
    case .tooManyParts(let limit): "the answer has more than \(limit) parts"
    }
  }
}
