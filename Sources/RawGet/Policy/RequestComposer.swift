internal import HTTP1

/// Which fields a request carries, and which of them may leave the origin they were meant for.
enum RequestComposer {
  /// The caller's fields that say nothing secret: only these follow a redirect to another origin. A name not
  /// listed here may hold a credential (`PRIVATE-TOKEN`, `X-Api-Key`), so it stays.
  private static var harmless: [FieldName] {
    [.accept, .userAgent, FieldName("Accept-Language"), FieldName("Cache-Control"), FieldName("Pragma")]
  }

  /// The head of a GET for `target`; nil when a field can't be sent.
  ///
  /// - Parameters:
  ///   - leftOrigin: a redirect led to another origin somewhere in this chain.
  ///   - range: what to ask for, if the representation is still the one that its validator names.
  static func head(
    for request: DownloadRequest, target: TargetURI, leftOrigin: Bool, userAgent: [UInt8],
    range: RangeRequest?
  ) -> [UInt8]? {
    guard var head = RequestHead(method: .get, target: target.requestTarget),
      head.append(.host, target.hostField)
    else { return nil }
    let fields = request.fields.map { $0.line }.filter { field in !leftOrigin || harmless.contains { field.isNamed($0) }
    }
    for field in fields {
      guard head.append(name: field.name, value: field.value) else { return nil }
    }
    if !fields.contains(where: { $0.isNamed(.userAgent) }), !head.append(.userAgent, userAgent) { return nil }
    if !fields.contains(where: { $0.isNamed(.accept) }), !head.append(.accept, Array("*/*".utf8)) { return nil }
    if !fields.contains(where: { $0.isNamed(.wantReprDigest) }) {
      guard head.append(.wantReprDigest, DigestField.wantedValue) else { return nil }
    }
    // Offsets into a compressed form would be of no use to a resume.
    guard head.append(.acceptEncoding, Array("identity".utf8)) else { return nil }
    if !leftOrigin, let userinfo = request.target.userinfo, !fields.contains(where: { $0.isNamed(.authorization) }) {
      guard head.append(.authorization, basicCredentials(userinfo)) else { return nil }
    }
    if let range {
      guard head.append(.range, range.range.fieldValue) else { return nil }
      if let validator = range.validator {
        guard let condition = validator.fieldValue, head.append(.ifRange, condition) else { return nil }
      }
    }
    return head.finished()
  }

  /// The Basic scheme (RFC 7617 §2): user-id and password in UTF-8, joined by a colon, in base64.
  private static func basicCredentials(_ userinfo: Userinfo) -> [UInt8] {
    Array("Basic ".utf8) + base64(userinfo.user + Array(":".utf8) + userinfo.password)
  }

  /// RFC 4648 §4, with padding.
  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for offset in 0..<3 { bits = bits << 8 | (offset < group.count ? UInt32(group[start + offset]) : 0) }
      for place in 0..<4 {
        let isPadding = place > group.count
        text.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> (18 - 6 * place) & 0x3F)])
      }
    }
    return text
  }
}
