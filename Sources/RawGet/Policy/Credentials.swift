internal import HTTP1

/// What a request proves with whose it is (RFC 9110 §11.6.2): for the origin it was given for, and no other.
public struct Credentials: Equatable, Sendable {
  let fieldValue: [UInt8]

  /// The Basic scheme (RFC 7617 §2): user-id and password joined by a colon, in base64. nil when the user-id has a
  /// colon, or either a control character.
  public init?(user: [UInt8], password: [UInt8]) {
    guard !user.contains(UInt8(ascii: ":")) else { return nil }
    guard (user + password).allSatisfy({ $0 >= .space && $0 != 0x7F }) else { return nil }
    self.init(basic: user, password)
  }

  /// The Bearer scheme (RFC 6750 §2.1); nil when it is no `b64token`.
  public init?(bearer token: [UInt8]) {
    let marks = Array("-._~+/".utf8)
    let body = token.prefix { $0.isDigit || $0.isLetter || marks.contains($0) }
    guard !body.isEmpty, token.dropFirst(body.count).allSatisfy({ $0 == UInt8(ascii: "=") }) else { return nil }
    fieldValue = Array("Bearer ".utf8) + token
  }

  /// What stood before the host of a URI was judged when it was read.
  init(_ userinfo: Userinfo) { self.init(basic: userinfo.user, userinfo.password) }

  private init(basic user: [UInt8], _ password: [UInt8]) {
    fieldValue = Array("Basic ".utf8) + Credentials.base64(user + [UInt8(ascii: ":")] + password)
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
