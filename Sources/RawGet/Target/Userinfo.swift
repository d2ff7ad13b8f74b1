/// A user name and password found in front of a host, decoded (RFC 3986 §3.2.1). For the `Authorization` field of its
/// origin only (RFC 9110 §4.2.4), in no text that is shown or kept.
public struct Userinfo: Equatable, Sendable {
  /// Decoded; may be empty where a target URI holds it.
  public let user: [UInt8]

  /// Empty if none was given.
  public let password: [UInt8]

  /// Reads `USER:PASSWORD`, not encoded, for a proxy of any kind; nil when one of them is missing, too long or can't be
  /// sent.
  public init?(text: [UInt8]) {
    let user = text.prefix { $0 != UInt8(ascii: ":") }
    guard (1...255).contains(user.count), (1...256).contains(text.count - user.count) else { return nil }
    guard text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    self.user = Array(user)
    password = Array(text[(user.count + 1)...])
  }

  /// Reads what stands before the last `@` of an authority.
  init(_ text: ArraySlice<UInt8>) throws(TargetURIError) {
    let colon = UInt8(ascii: ":")
    let encodedUser = text.prefix { $0 != colon }
    user = PercentEncoding.decoding(encodedUser)
    password = PercentEncoding.decoding(text.dropFirst(encodedUser.count + 1))
    // A user name ends at the first colon once both are joined again, and neither holds controls (RFC 7617 §2).
    guard !user.contains(colon) else { throw .invalidUserinfo }
    guard (user + password).allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .invalidUserinfo }
    // Browsers end the authority at a backslash: `http://good\@evil/` must not mean `evil` to us and `good` to them.
    guard !text.contains(UInt8(ascii: "\\")) else { throw .invalidUserinfo }
  }
}
