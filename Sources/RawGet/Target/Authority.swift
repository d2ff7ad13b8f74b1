internal import HTTP1

/// `[userinfo "@"] host [":" port]` (RFC 3986 §3.2).
struct Authority {
  let userinfo: Userinfo?
  let host: Host

  /// nil if absent or empty: the scheme's own (RFC 3986 §3.2.3).
  let port: UInt16?

  /// Userinfo ends at the last `@`, since passwords are pasted with theirs unencoded; a host never holds one.
  init(_ text: ArraySlice<UInt8>, translation: HostTranslation) throws(TargetURIError) {
    var hostAndPort = text
    if let at = text.lastIndex(of: UInt8(ascii: "@")) {
      userinfo = at == text.startIndex ? nil : try Userinfo(text[..<at])
      hostAndPort = text[at...].dropFirst()
    } else {
      userinfo = nil
    }

    let end = Authority.endOfHost(hostAndPort)
    guard end > hostAndPort.startIndex else { throw .missingHost }
    host = try Host(hostAndPort[..<end], translation: translation)

    let digits = hostAndPort[end...].dropFirst()  // the colon
    if digits.isEmpty {
      port = nil
    } else {
      guard let number = decimalValue(digits), let port = UInt16(exactly: number), port > 0 else { throw .invalidPort }
      self.port = port
    }
  }

  /// Where the colon before the port stands, or the end. An IPv6 literal's own colons lie within its brackets; one
  /// without brackets leaves a colon in the host, which is refused there.
  private static func endOfHost(_ text: ArraySlice<UInt8>) -> Int {
    guard let colon = text.lastIndex(of: UInt8(ascii: ":")) else { return text.endIndex }
    if let bracket = text.lastIndex(of: UInt8(ascii: "]")), bracket > colon { return text.endIndex }
    return colon
  }
}
