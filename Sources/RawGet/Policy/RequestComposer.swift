internal import HTTP1

/// Which fields a request carries, and which of them may leave the origin they were meant for.
enum RequestComposer {
  /// The caller's fields that say nothing secret: only these follow a redirect to another origin. A name not
  /// listed here may hold a credential (`PRIVATE-TOKEN`, `X-Api-Key`), so it stays.
  private static var harmless: [FieldName] {
    [.accept, .userAgent, FieldName("Accept-Language"), FieldName("Cache-Control"), FieldName("Pragma")]
  }

  /// What one request says beyond what the caller wants of all of them.
  struct Particulars {
    var method = RequestMethod.get
    /// Length of the content that follows, in bytes; nil for none.
    var contentLength: Int?
    /// What to ask for, if the representation is still the one that its validator names.
    var range: RangeRequest?
    /// Seconds since 1970: only something newer is wanted (RFC 9110 §13.1.3).
    var modifiedSince: Int64?
    /// The value of the Cookie field.
    var cookies: [UInt8]?
    /// The one that is to pass the request on, and is told the whole target for that (RFC 9112 §3.2.2).
    var proxy: Proxy?
  }

  /// The head of a request for `target`; nil when a field can't be sent.
  ///
  /// - Parameter leftOrigin: a redirect led to another origin somewhere in this chain.
  static func head(
    for request: DownloadRequest, target: TargetURI, leftOrigin: Bool, userAgent: [UInt8]?,
    _ particulars: Particulars
  ) -> [UInt8]? {
    guard
      var head = RequestHead(
        method: particulars.method, target: particulars.proxy == nil ? target.requestTarget : target.absoluteForm),
      head.append(.host, target.hostField)
    else { return nil }
    let fields = request.fields.map { $0.line }.filter { field in
      if particulars.contentLength == nil && request.content != nil && field.isNamed(.contentType) { return false }
      return !leftOrigin || harmless.contains { field.isNamed($0) }
    }
    var cookies = particulars.cookies
    for field in fields {
      var value = field.value
      if field.isNamed(.cookie), let others = cookies.take() { value += Array("; ".utf8) + others }  // one field only
      guard head.append(name: field.name, value: value) else { return nil }
    }
    func has(_ name: FieldName) -> Bool { fields.contains { $0.isNamed(name) } }
    guard has(.userAgent) || head.append(.userAgent, ifAny: userAgent),
      has(.accept) || head.append(.accept, "*/*"),
      has(.wantReprDigest) || head.append(.wantReprDigest, DigestField.wantedValue),
      // Offsets into a compressed form would be of no use to a resume.
      head.append(.acceptEncoding, "identity"),
      leftOrigin || has(.authorization) || head.append(.authorization, ifAny: credentials(of: request)?.fieldValue),
      head.append(.cookie, ifAny: cookies),
      head.append(FieldName("Proxy-Authorization"), ifAny: particulars.proxy?.authorization),
      append(particulars, hasType: has(.contentType), to: &head)
    else { return nil }
    return (consume head).finished()
  }

  /// Those given aside go before those in the URI.
  private static func credentials(of request: DownloadRequest) -> Credentials? {
    request.credentials ?? request.target.userinfo.map { Credentials($0) }
  }

  private static func append(_ particulars: Particulars, hasType: Bool, to head: inout RequestHead) -> Bool {
    if let range = particulars.range {
      guard head.append(.range, range.fieldValue) else { return false }
      if let validator = range.validator {
        guard let condition = validator.fieldValue, head.append(.ifRange, condition) else { return false }
      }
    }
    if let seconds = particulars.modifiedSince, let date = HTTPDate(secondsSince1970: seconds).fieldValue {
      guard head.append(FieldName("If-Modified-Since"), date) else { return false }
    }
    guard let length = particulars.contentLength else { return true }
    if length > 0 && !hasType, !head.append(.contentType, "application/octet-stream") { return false }
    return head.append(.contentLength, Int64(length).decimalDigits)
  }
}

extension FieldName {
  static var cookie: FieldName { FieldName("Cookie") }
}
