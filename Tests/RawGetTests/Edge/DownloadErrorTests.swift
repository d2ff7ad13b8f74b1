import HTTP1
import Posix
import TLS
import Testing

@testable import RawGet

/// Whether an error may pass, and which exit status it becomes (docs/RESUME.md, docs/PROMISES.md).
struct DownloadErrorTests {
  struct Row: Sendable {
    let error: DownloadError
    var isTransient = false
    let exit: Int32
    var exitWithPart: Int32?  // nil: the same

    init(_ error: DownloadError, transient isTransient: Bool = false, _ exit: Int32, part exitWithPart: Int32? = nil) {
      self.error = error
      self.isTransient = isTransient
      self.exit = exit
      self.exitWithPart = exitWithPart
    }
  }

  private static let refused = SystemError(code: 111, operation: .connect)

  static let rows =
    [
      Row(.invalidRequest, 2),
      Row(.timeLimit, 15),
      Row(.tooLarge(limit: 1), 15),
      Row(.redirection(.tooMany(limit: 20)), 15),
      Row(.redirection(.downgrade), 7),
      Row(.redirection(.invalidLocation), 7),
      Row(.changed, 11),
      Row(.notContinuable, 9),
      Row(.noRanges, 16),
      Row(.unprovenRanges, 16),
      Row(.noSuchRange(.from(5), completeLength: 5), 8),
      Row(.file(SystemError(code: 13, operation: .create)), 3),
      Row(.outputClosed, 3),
      Row(.noSpace(needed: nil), 14),
      Row(.noSpace(needed: 5), 14),
      Row(.exists, 12),
      Row(.busy, 13),
      Row(.cancelled, 1),
      Row(.paused, 9),
      Row(.notAllowed, 1),
      Row(.system(SystemError(code: 24, operation: .poll)), 1),
      Row(.tls(.notBuilt), 16),
      Row(.tls(.notLoaded(reason: [])), 16),
      Row(.tls(.configuration(reason: [])), 3),
      Row(.tls(.verification(code: 62, reason: [])), 5),
      Row(.tls(.unpinned), 5),
      Row(.tls(.handshake(reason: [])), 5),
      Row(.tls(.protocolFailure(reason: [])), 5),
      Row(.tls(.connection(code: 104)), transient: true, 4, part: 9),
      Row(.tls(.truncatedInHandshake), transient: true, 4, part: 9),
      Row(.unreachable(refused), transient: true, 4, part: 9),
      Row(.connectionLost(refused), transient: true, 4, part: 9),
      Row(.notAContinuation, transient: true, 9),
      Row(.notTheResource, transient: true, 11),
      Row(.otherVersion, transient: true, 11),
    ]
    + [DownloadError.Wait.resolution, .connection, .handshake, .response, .content, .speed].map {
      Row(.timedOut($0), transient: true, 4, part: 9)
    }
    + [400, 403, 404, 410, 416, 501, 505, 600].map { Row(.refused(status: $0, retryAfter: nil), 8) }
    + [408, 425, 429, 500, 502, 503, 504].map { Row(.refused(status: $0, retryAfter: 1), transient: true, 8) }
    + [401, 407].map { Row(.refused(status: $0, retryAfter: nil), 6) }

  static let protocolRows: [Row] =
    [
      .noResponse, .incompleteHead, .incompleteContent(missing: 1), .incompleteChunkedContent, .unprovenEnd,
    ].map { Row(.protocolViolation($0), transient: true, 4, part: 9) }
    + [
      .lineTooLong(limit: 1), .headTooLarge(limit: 1), .tooManyFields(limit: 1), .tooManyInterimResponses(limit: 1),
      .chunkExtensionsTooLong(limit: 1),
    ].map { Row(.protocolViolation($0), 15) }
    + [
      .notHTTP, .unsupportedVersion, .invalidStatusLine, .invalidFieldLine(line: 2), .controlInHead,
      .foldedFramingField,
      .unexpectedUpgrade, .invalidContentLength, .conflictingContentLength, .unsupportedTransferCoding,
      .invalidChunkSize, .invalidChunkExtension, .invalidChunkLineEnd, .invalidContentRange,
    ].map { Row(.protocolViolation($0), 7) }

  @Test(arguments: rows + protocolRows) func means(_ row: Row) {
    #expect(row.error.isTransient == row.isTransient, "T3: what can't pass is not tried again")
    #expect(row.error.exitCode(kept: 0) == row.exit)
    #expect(row.error.exitCode(kept: 1) == row.exitWithPart ?? row.exit)
    #expect(row.exit != 0, "only a proven file is 0")
  }

  /// S0-20: a line that says what happened, what was kept and what to do.
  @Test(arguments: rows + protocolRows) func isOneLine(_ row: Row) {
    let path = Array("/tmp/a\n\u{1B}[2Jb.part".utf8)
    for (kept, partPath) in [(0, nil), (7, nil), (7, path)] as [(Int64, [UInt8]?)] {
      let failure = DownloadFailure(error: row.error, kept: kept, partPath: partPath)
      let line = String(decoding: FailureSentences.sentence(failure).bytes, as: UTF8.self)
      let cause = String(decoding: FailureSentences.cause(row.error).bytes, as: UTF8.self)
      #expect(!line.utf8.contains { $0 < 0x20 || $0 == 0x7F })
      #expect(cause.utf8.count > 10 && line.hasPrefix(cause))
      #expect(line.contains("7 bytes are ") == (kept > 0))
      #expect(line.contains(#"kept in /tmp/a\x0a\x1b[2Jb.part"#) == (partPath != nil))
    }
  }

  @Test func everyCauseHasWordsOfItsOwn() {
    let causes = (Self.rows + Self.protocolRows).map {
      String(decoding: FailureSentences.cause($0.error).bytes, as: UTF8.self)
    }
    #expect(Set(causes).count == causes.count)
  }

  struct Sentence: Sendable { let failure: DownloadFailure, text: String }

  static let sentences = [
    Sentence(
      failure: DownloadFailure(
        error: .connectionLost(SystemError(code: 104, operation: .receive)), kept: 12, partPath: [0x78]),
      text: "the connection broke (Connection reset by peer); 12 bytes are kept in x; run it again to go on"),
    Sentence(
      failure: DownloadFailure(error: .noSpace(needed: 4_000_000_000), kept: 0, partPath: nil),
      text: "there is no space left on the disk for 4.0 GB; make room and run it again"),
    Sentence(
      failure: DownloadFailure(error: .refused(status: 404, retryAfter: nil), kept: 0, partPath: nil),
      text: "the server answered 404: there is no such file"),
    Sentence(
      failure: DownloadFailure(error: .outputClosed, kept: 9, partPath: nil),
      text: "the reader of standard output has gone; 9 bytes are written"),
  ]

  @Test("S0-20", arguments: sentences) func says(_ row: Sentence) {
    #expect(String(decoding: FailureSentences.sentence(row.failure).bytes, as: UTF8.self) == row.text)
  }
}
