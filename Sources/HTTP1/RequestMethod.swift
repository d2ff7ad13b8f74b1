/// A request method: a case-sensitive token (RFC 9110 §9.1).
public struct RequestMethod: Equatable, Sendable {
  public let token: [UInt8]

  /// nil unless it is 1*tchar. `get` is a method, and not GET.
  public init?(_ token: [UInt8]) {
    guard !token.isEmpty, token.allSatisfy({ $0.isTokenCharacter }) else { return nil }
    self.token = token
  }

  private init(known: String) { token = Array(known.utf8) }

  public static let get = RequestMethod(known: "GET")
  public static let head = RequestMethod(known: "HEAD")
  public static let connect = RequestMethod(known: "CONNECT")

  var isHead: Bool { token.equals("HEAD") }
  var isConnect: Bool { token.equals("CONNECT") }
}
