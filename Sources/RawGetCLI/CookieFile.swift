internal import RawGet

/// Cookies in the format of Netscape, a line each, as browsers and curl export them. Only read.
enum CookieFile {
  static let sizeLimit = 4 << 20  // bytes

  static func read(_ path: [UInt8]) throws(UsageError) -> [Cookie] {
    var cookies: [Cookie] = []
    var number = 0
    let contents = try CommandInput.contents(of: path, limit: sizeLimit)
    for line in contents.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      var line = line.last == 0x0D ? line.dropLast() : line
      let mark = Array("#HttpOnly_".utf8)  // of scripts, which there are none of here
      if line.starts(with: mark) { line = line.dropFirst(mark.count) }
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      guard let cookie = Cookie(fileLine: Array(line)) else {
        throw .at(
          path + Text(":\(number)").bytes,
          .malformed("not a cookie: domain, TRUE, path, FALSE, expiry, name, value by tabs"))
      }
      cookies.append(cookie)
    }
    return cookies
  }
}
