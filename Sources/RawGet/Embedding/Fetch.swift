internal import HTTP1

/// A small request, whose answer is kept in memory.
public struct FetchRequest: Sendable {
  /// The methods there are (RFC 9110 §9.3).
  public enum Method: Sendable {
    /// Asks for content.
    case get
    /// The answer has no content (RFC 9110 §9.3.2).
    case head
    /// Sends content, and never twice.
    case post
  }
  /// Where the question goes.
  public var target: TargetURI
  /// How it is asked.
  public var method: Method
  /// None may be one that the engine owns (`CallerField.isOwned`).
  public var fields: [CallerField] = []
  /// What a POST sends along, whole (RFC 9110 §6.4); the other methods send nothing.
  public var content: [UInt8]?
  /// For the target's origin, in place of those in the target itself.
  public var credentials: Credentials?
  /// Cookies to begin with (`DownloadRequest.cookies`).
  public var cookies = CookieJar()
  /// The most content that an answer may have, in bytes.
  public var contentLimit: Int64 = 1_048_576

  /// A question without fields, content and cookies, whose answer has at most 1 MiB.
  public init(_ method: Method = .get, _ target: TargetURI) {
    self.method = method
    self.target = target
  }

  fileprivate var asDownload: DownloadRequest {
    var request = DownloadRequest(target: target, destination: .memory(limit: contentLimit))
    request.fields = fields
    request.credentials = credentials
    request.cookies = cookies
    switch method {
    case .get: request.method = .get
    case .head: request.method = .head
    case .post:
      request.method = .post
      request.content = content
    }
    return request
  }
}

/// The answer, whatever its status: 404 is one.
public struct FetchResponse: Sendable {
  private let head: ResponseHead
  /// Whole, without its framing; empty for HEAD.
  public let content: [UInt8]
  /// Where redirects led.
  public let finalTarget: TargetURI

  fileprivate init(_ answer: Answer, _ content: [UInt8]) {
    head = answer.head
    finalTarget = answer.target
    self.content = content
  }

  /// A final one, from 200 up.
  public var status: Int { head.status }

  /// The value of the first field line of this name, whose case does not matter; without blanks around it.
  public func field(_ name: String) -> [UInt8]? { head.fields.value(of: FieldName(name)) }

  /// The values of all its lines, in their order.
  public func fields(_ name: String) -> [[UInt8]] { head.fields.values(of: FieldName(name)) }
}

/// Asks servers small questions, one after the other, on the calling thread. Connections are used again.
///
/// Redirects are followed by the rules for downloads. Nothing is tried twice, but for a GET or HEAD on a connection that
/// turns out to be closed. An answer takes `Timeouts.total`, or two minutes, at most.
public struct Fetcher: ~Copyable {
  private var inquiry: Inquiry

  /// - Parameters:
  ///   - options: timeouts, trust and the way; what concerns files is of no use here.
  ///   - control: ends what is asked, from any thread: it throws `DownloadError.cancelled` or `.paused` then.
  public init(
    _ options: DownloadOptions = DownloadOptions(), _ control: DownloadControl = DownloadControl()
  ) throws(DownloadError) {
    inquiry = try Inquiry(options, control)
  }

  /// Asks, and waits for the whole answer.
  ///
  /// - Throws: `DownloadError.tooLarge` for more content than the request allows; never for a status.
  public mutating func fetch(_ request: FetchRequest) throws(DownloadError) -> FetchResponse {
    var content: [UInt8] = []
    let answer = try inquiry.answer(to: request.asDownload, limit: request.contentLimit) { piece in
      for index in piece.indices { content.append(piece[index]) }
    }
    guard answer.isWhole else { throw .tooLarge(limit: request.contentLimit) }
    return FetchResponse(answer, content)
  }
}

/// Asks one small question, and waits for the answer.
///
/// - Throws: as `Fetcher.fetch`.
public func fetch(
  _ request: FetchRequest, _ options: DownloadOptions = DownloadOptions(),
  _ control: DownloadControl = DownloadControl()
) throws(DownloadError) -> FetchResponse {
  var fetcher = try Fetcher(options, control)
  return try fetcher.fetch(request)
}
