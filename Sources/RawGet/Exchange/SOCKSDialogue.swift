/// Why a SOCKS server opened no connection.
public enum SOCKSRefusal: Error, Equatable, Sendable {
  /// It accepts no way to log in that there are credentials for, or not these (RFC 1928 §3, RFC 1929 §2).
  case credentials
  /// What it said is not SOCKS5.
  case malformed
  /// Its reply to the request, 1 to 255 (RFC 1928 §6).
  case refused(UInt8)

  /// Whether another attempt can make a difference: 1 is any failure, 3 to 6 are about the way to the origin.
  var isTransient: Bool {
    guard case .refused(let reply) = self else { return false }
    return reply == 1 || (3...6).contains(reply)
  }
}

/// What is said to a SOCKS5 server until it has connected to the origin (RFC 1928, RFC 1929).
///
///     greeting ─▶ (authenticating ─▶) requesting ─▶ reading the bound address ─▶ done
///         └──────────────┴────────────────┴── anything else ──▶ throws
///
/// It asks for exactly the bytes of the next answer: nothing that follows the last one is ever read here.
struct SOCKSDialogue {
  /// Where the server is to connect to.
  enum Destination {
    /// Four or sixteen bytes.
    case address([UInt8])
    /// At most 255 bytes.
    case name([UInt8])
  }
  private enum State {
    case greeting
    case authenticating
    case requesting
    case bound(rest: Int)
    case done
  }
  private static let version: UInt8 = 5
  private static let noAuthentication: UInt8 = 0
  private static let usernamePassword: UInt8 = 2

  private var state = State.greeting
  private let request: [UInt8]
  private let credentials: Userinfo?

  init(to destination: Destination, port: UInt16, credentials: Userinfo?) {
    self.credentials = credentials
    var request: [UInt8] = [SOCKSDialogue.version, 1, 0]  // CONNECT
    switch destination {
    case .address(let bytes): request += [bytes.count == 4 ? 1 : 4] + bytes
    case .name(let bytes): request += [3, UInt8(clamping: bytes.count)] + bytes.prefix(255)
    }
    self.request = request + [UInt8(port >> 8), UInt8(port & 0xFF)]
  }

  /// What is sent first: the ways to log in that there are. Credentials are offered only where they were given.
  var greeting: [UInt8] {
    credentials == nil
      ? [SOCKSDialogue.version, 1, SOCKSDialogue.noAuthentication]
      : [SOCKSDialogue.version, 2, SOCKSDialogue.noAuthentication, SOCKSDialogue.usernamePassword]
  }

  /// How many bytes the next answer has; 0 when all is said.
  var wanted: Int {
    switch state {
    case .greeting, .authenticating: 2
    case .requesting: 5  // up to the first byte of the address, which may be the length of a name
    case .bound(let rest): rest
    case .done: 0
    }
  }

  /// Takes an answer of `wanted` bytes; returns what is sent next, if anything is.
  mutating func didReceive(_ answer: [UInt8]) throws(SOCKSRefusal) -> [UInt8] {
    precondition(answer.count == wanted)
    switch state {
    case .greeting: return try didGreet(answer)
    case .authenticating:
      guard answer[0] == 1 else { throw .malformed }
      guard answer[1] == 0 else { throw .credentials }
      state = .requesting
      return request
    case .requesting:
      guard answer[0] == SOCKSDialogue.version else { throw .malformed }
      guard answer[1] == 0 else { throw .refused(answer[1]) }
      switch answer[3] {
      case 1: state = .bound(rest: 3 + 2)
      case 3: state = .bound(rest: Int(answer[4]) + 2)
      case 4: state = .bound(rest: 15 + 2)
      default: throw .malformed
      }
    case .bound: state = .done
    case .done: break
    }
    return []
  }

  private mutating func didGreet(_ answer: [UInt8]) throws(SOCKSRefusal) -> [UInt8] {
    guard answer[0] == SOCKSDialogue.version else { throw .malformed }
    switch answer[1] {
    case SOCKSDialogue.noAuthentication:
      state = .requesting
      return request
    case SOCKSDialogue.usernamePassword:
      guard let credentials else { throw .malformed }
      state = .authenticating
      let (user, password) = (credentials.user.prefix(255), credentials.password.prefix(255))
      return [1, UInt8(user.count)] + user + [UInt8(password.count)] + password
    default: throw .credentials
    }
  }
}
