internal import HTTP1
internal import Posix
internal import TLS

/// Why a download failed, in one line: what happened, what was kept, what to do next (docs/PROMISES.md, 7).
package enum FailureSentences {
  package static func sentence(_ failure: DownloadFailure) -> Text {
    var text = statement(failure)
    let isStream = failure.kept > 0 && failure.partPath == nil
    if case .changed = failure.error, isStream { return text }  // the advice is about a file
    if let advice = advice(failure.error) { text.append("; \(advice)") }
    return text
  }

  /// What happened and what was kept, for programs: the advice names options of the command.
  package static func statement(_ failure: DownloadFailure) -> Text {
    var text = Text()
    addCause(failure.error, to: &text)
    addKept(failure, to: &text)
    return text
  }

  /// What happened, alone: for a line about the next attempt.
  package static func cause(_ error: DownloadError) -> Text {
    var text = Text()
    addCause(error, to: &text)
    return text
  }

  private static func addKept(_ failure: DownloadFailure, to text: inout Text) {
    guard failure.kept > 0 else { return }
    text.append("; \(failure.kept) bytes are ")
    guard let path = failure.partPath else { return text.add("written") }
    text.add("kept in ")
    text.add(foreign: path)
  }

  private static func advice(_ error: DownloadError) -> String? {
    switch error {
    case .resolution(let error) where error.isNoAddress: "-4, -6, --interface and --resolve say which may"
    case .resolution, .unreachable, .connectionLost, .timedOut, .notAContinuation: "run it again to go on"
    case .protocolViolation(let violation): violation.isTruncation ? "run it again to go on" : nil
    case .timeLimit: "raise --max-time or run it again"
    case .tooLarge: "--max-filesize sets the limit"
    case .changed: "the file is as it was; without -c a new one is begun"
    case .notTheResource: "log in, or wait until the server has the file again"
    case .otherVersion: "ask for it without that mirror, or wait until it has the same"
    case .exists: "--existing=replace, rename, skip or resume says what to do with it"
    case .busy: "wait for the other process, as --wait does"
    case .noSpace: "make room and run it again"
    case .refused(let status, _): status == 401 ? "--user-file, --bearer-file or a netrc file give credentials" : nil
    case .paused: "run it again to go on"
    case .redirection(.downgrade): "--allow-downgrade follows it all the same"
    case .redirection(.unsafeElsewhere): "ask there, if that is right"
    case .proxy(_, .refused(407, _)), .socks(.credentials): "credentials go into the proxy's URL"
    case .proxy(_, let error): advice(error)
    case .socks(let refusal): refusal.isTransient ? "run it again to go on" : nil
    case .tls(.verification): "--cacert names an authority to trust"
    case .file(let error) where error.isMissing: "--create-dirs makes directories that are missing"
    case .noRanges: "without --range it is fetched as a whole"
    case .unprovenRanges: "--multipart asks for all ranges in one answer, which may help"
    case .invalidRequest, .tls, .redirection, .integrity, .notContinuable, .file, .outputClosed, .notAllowed,
      .cancelled, .system,
      .noSuchRange:
      nil
    }
  }

  private static func addCause(_ error: DownloadError, to text: inout Text) {
    switch error {
    case .invalidRequest: text.add("a name or a field can't be used as it is")
    case .resolution(let error) where error.isNoAddress: text.add("none of the host's addresses may be used")
    case .resolution(let error): add("the host name was not found", error.message, to: &text)
    case .unreachable(let error): add("no connection to the server", error.message, to: &text)
    case .connectionLost(let error): add("the connection broke", error.message, to: &text)
    case .timedOut(let wait): text.add(sentence(wait))
    case .timeLimit: text.add("the time limit for the whole download has passed")
    case .tooLarge(let limit): text.append("the file has more than the \(limit) bytes that it may have")
    case .tls(let error): add(error, to: &text)
    case .proxy(let name, let error):
      text.add("proxy ")
      text.add(foreign: name)
      text.add(": ")
      addCause(error, to: &text)
    case .socks(let refusal): text.add(sentence(refusal))
    case .protocolViolation(let error): text.append(ProtocolSentences.sentence(error))
    case .refused(let status, _): text.append("the server answered \(status)\(meaning(status))")
    case .redirection(let refusal): text.append(sentence(refusal))
    case .changed: text.add("the file on the server is not the one that is here")
    case .notTheResource: text.add("the server sends something else, a login page perhaps")
    case .otherVersion: text.add("the mirror has another version of the file, by its length or its digest")
    case .integrity(let path, let places):
      text.add("the content is whole and not what its digest says")
      for (index, place) in places.enumerated() {
        text.add(index == 0 ? "; it is from " : " and ")
        text.add(foreign: place.shown)
      }
      guard let path else { return }
      text.add("; it is put away as ")
      text.add(foreign: path)
    case .notAContinuation: text.add("the server does not continue where the part ends")
    case .notContinuable: text.add("the connection broke, and the server offers no way to go on in a stream")
    case .noRanges: text.add("the server sends the whole file and no ranges of it")
    case .unprovenRanges: text.add("the server does not show that its answers are ranges of one and the same file")
    case .noSuchRange(let range, let length):
      text.add("the file has no bytes ")
      text.add(foreign: range.text)
      if let length { text.append("; it has \(length) in all") }
    case .file(let error): add("a file can't be used", error.message, to: &text)
    case .noSpace(let needed):
      text.add("there is no space left on the disk")
      guard let needed else { return }
      text.add(" for ")
      text.add(size: needed)
    case .exists: text.add("something with the target's name exists already")
    case .busy: text.add("another process is downloading to the same name")
    case .outputClosed: text.add("the reader of standard output has gone")
    case .notAllowed: text.add("the answer is none that is allowed")
    case .cancelled: text.add("interrupted")
    case .paused: text.add("it was paused")
    case .system(let error): add("the system refuses what rawget needs", error.message, to: &text)
    }
  }

  private static func add(_ words: String, _ reason: [UInt8], to text: inout Text) {
    text.add(words)
    guard !reason.isEmpty else { return }
    text.add(" (")
    text.add(foreign: reason)
    text.add(")")
  }

  private static func add(_ error: TLSError, to text: inout Text) {
    switch error {
    case .notBuilt: text.add("this build of rawget has no TLS, which https needs")
    case .notLoaded(let reason): add("there is no OpenSSL to load, which https and digests need", reason, to: &text)
    case .verification(_, let reason): add("the server's certificate can't be trusted", reason, to: &text)
    case .unpinned: text.add("the server's key is none of those that are pinned")
    case .handshake(let reason): add("the TLS handshake failed", reason, to: &text)
    case .protocolFailure(let reason): add("the TLS stream is damaged", reason, to: &text)
    case .connection: text.add("the connection broke under TLS")
    case .truncatedInHandshake: text.add("the server closed the connection in the TLS handshake")
    case .configuration(let reason): add("TLS can't be set up", reason, to: &text)
    }
  }

  private static func sentence(_ wait: DownloadError.Wait) -> String {
    switch wait {
    case .resolution: "the host name was not resolved in time"
    case .connection: "the server could not be reached in time"
    case .handshake: "the TLS handshake was not done in time"
    case .response: "the server did not answer in time"
    case .content: "the server fell silent"
    case .speed: "the server was slower than it may be"
    }
  }

  private static func sentence(_ refusal: SOCKSRefusal) -> String {
    switch refusal {
    case .credentials: "it wants other credentials"
    case .malformed: "it does not speak SOCKS5"
    case .refused(let reply):
      switch reply {
      case 2: "it does not allow this connection"
      case 3: "the network can't be reached from there"
      case 4: "the host can't be reached from there"
      case 5: "the server refuses the connection from there"
      case 6: "the server could not be reached in time"
      case 7, 8: "it can't connect to such an address"
      default: "it could not connect to the server"
      }
    }
  }

  private static func sentence(_ refusal: RedirectionRefusal) -> Text {
    switch refusal {
    case .tooMany(let limit): "the server redirects more than \(limit) times"
    case .downgrade: "the server redirects from https to http"
    case .invalidLocation: "the server redirects to nowhere"
    case .unsafeElsewhere: "the server redirects a request that is no plain question to another origin"
    }
  }

  private static func meaning(_ status: Int) -> String {
    switch status {
    case 401, 407: ": credentials are needed"
    case 403: ": access is forbidden"
    case 404, 410: ": there is no such file"
    case 429: ": too many requests"
    case 500..<600: ": it is in trouble itself"
    default: ""
    }
  }
}
