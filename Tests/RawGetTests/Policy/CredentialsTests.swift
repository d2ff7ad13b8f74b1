import HTTP1
import Testing

@testable import RawGet

/// What can be sent as credentials, and which methods a caller may use.
struct CredentialsTests {
  @Test(
    arguments: [
      ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("test", "123\u{A3}", "Basic dGVzdDoxMjPCow=="),
      ("", "", "Basic Og=="), ("me", "a:b", "Basic bWU6YTpi"), ("me:x", "b", nil), ("me", "a\r\nX: y", nil),
      ("m\u{0}e", "b", nil), ("me", "\u{7F}", nil),
    ] as [(String, String, String?)])
  func basic(_ row: (user: String, password: String, value: String?)) {
    let made = Credentials(user: Array(row.user.utf8), password: Array(row.password.utf8))
    #expect(made?.fieldValue == row.value.map { Array($0.utf8) }, "RFC 7617 §2")
  }

  @Test(arguments: [
    ("mF_9.B5f-4.1JqM", true), ("a+/~b==", true), ("", false), ("=", false), ("a=b", false), ("a b", false),
    ("a\n", false), ("a\u{e9}", false), ("a,b", false),
  ])
  func bearer(_ row: (token: String, isValid: Bool)) {
    #expect((Credentials(bearer: Array(row.token.utf8)) != nil) == row.isValid, "RFC 6750 §2.1 \(row.token)")
  }

  @Test(arguments: [
    ("GET", true, true), ("PUT", true, true), ("DELETE", true, true), ("OPTIONS", true, true), ("POST", true, false),
    ("PATCH", true, false), ("get", true, false), ("M-SEARCH", true, false), ("HEAD", false, true),
    ("CONNECT", false, false), ("TRACE", false, true), ("", false, false), ("A B", false, false),
    ("A\r\nB", false, false),
  ])
  func methods(_ row: (token: String, isAllowed: Bool, isIdempotent: Bool)) {
    #expect((CallerMethod(token: Array(row.token.utf8)) != nil) == row.isAllowed, "\(row.token)")
    #expect(
      RequestMethod(Array(row.token.utf8)).map { $0.isIdempotent } ?? false == row.isIdempotent, "RFC 9110 §9.2.2")
  }

  @Test(arguments: [
    ("POST", 301, "GET"), ("POST", 302, "GET"), ("POST", 303, "GET"), ("POST", 307, "POST"), ("POST", 308, "POST"),
    ("PUT", 301, "PUT"), ("PUT", 302, "PUT"), ("PUT", 303, "GET"), ("DELETE", 303, "GET"), ("HEAD", 303, "HEAD"),
    ("HEAD", 302, "HEAD"), ("GET", 301, "GET"), ("GET", 308, "GET"),
  ])
  func afterRedirect(_ row: (before: String, status: Int, after: String)) throws {
    let method = try #require(RequestMethod(Array(row.before.utf8)))
    #expect(method.afterRedirect(row.status).token == Array(row.after.utf8), "RFC 9110 §15.4")
  }
}
