internal import HTTP1

extension Cookie {
  /// Reads a Set-Cookie value as the response of `target` sets it (RFC 6265 §5.2, §5.3); nil for one that is to be
  /// ignored.
  init?(setBy value: [UInt8], from target: TargetURI, now: Int64) {
    let pieces = value.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard let first = pieces.first, let pair = Cookie.pair(first), let content = pair.value,
      Cookie.isSendable(name: pair.name, value: content)
    else { return nil }
    self.init(name: pair.name, value: content, domain: target.host.bytes, isHostOnly: true)
    path = Cookie.defaultPath(target.path)
    var maxAge: Int64?
    for piece in pieces.dropFirst() {
      guard let attribute = Cookie.pair(piece) else { continue }
      let text = attribute.value ?? []
      if attribute.name.equalsIgnoringCase("Secure") {
        isSecure = true
      } else if attribute.name.equalsIgnoringCase("Path") {
        path = text.first == UInt8(ascii: "/") ? text : Cookie.defaultPath(target.path)
      } else if attribute.name.equalsIgnoringCase("Expires") {
        expires = CookieDate.seconds(text, now: now) ?? expires
      } else if attribute.name.equalsIgnoringCase("Max-Age") {
        maxAge = Cookie.maxAge(text) ?? maxAge
      } else if attribute.name.equalsIgnoringCase("Domain"), !text.isEmpty {
        guard take(domain: text, of: target.host) else { return nil }
      }
    }
    if let maxAge { expires = maxAge <= 0 ? 0 : now + min(maxAge, 1 << 40) }
    if isSecure && target.scheme != .https { return nil }  // anyone on the way could have set it
  }

  /// The host itself, or a name above it that is not a public suffix (RFC 6265 §5.3, steps 5 and 6).
  private mutating func take(domain text: [UInt8], of host: Host) -> Bool {
    let name = (text.first == UInt8(ascii: ".") ? text.dropFirst() : text[...]).map { $0.lowercased }
    if !Cookie.maySpan(name) || host.isAddress { return name == host.bytes }
    guard Cookie.domainMatches(host, name) else { return false }
    domain = name
    isHostOnly = false
    return true
  }

  private static func pair(_ piece: ArraySlice<UInt8>) -> (name: [UInt8], value: [UInt8]?)? {
    let equals = piece.firstIndex(of: UInt8(ascii: "="))
    let name = trimmed(piece[..<(equals ?? piece.endIndex)])
    return name.isEmpty ? nil : (name, equals.map { trimmed(piece[($0 + 1)...]) })
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let bytes = Array(text)
    return Array(bytes[trimmingBlanks(bytes.span, in: 0..<bytes.count)])
  }

  /// 1*DIGIT with an optional minus sign (RFC 6265 §5.2.2); so many digits that they don't fit are a long time.
  private static func maxAge(_ text: [UInt8]) -> Int64? {
    let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.allSatisfy({ $0.isDigit }) else { return nil }
    return digits.count < text.count ? 0 : decimalValue(digits) ?? .max
  }
}

/// The date of a cookie, in whatever form servers write it (RFC 6265 §5.1.1).
enum CookieDate {
  /// Seconds since 1970; nil when something of it is missing.
  static func seconds(_ text: [UInt8], now: Int64) -> Int64? {
    var time: [UInt8]?
    var day: Int64?
    var month: [UInt8]?
    var year: Int64?
    let tokens = text.split { !($0.isDigit || $0.isLetter || $0 == UInt8(ascii: ":") || $0 >= 0x7F) }
    for token in tokens {
      let number = token.allSatisfy({ $0.isDigit }) ? decimalValue(token) : nil
      if time == nil, let read = clock(token) {
        time = read
      } else if day == nil, let number, token.count <= 2 {
        day = number
      } else if month == nil, let name = monthName(token) {
        month = name
      } else if year == nil, let number, token.count == 2 || token.count == 4 {
        year = token.count == 4 ? number : number + (number < 70 ? 2_000 : 1_900)
      }
    }
    guard let time, let day, let month, let year, year >= 1_601 else { return nil }
    let date = padded(day) + [.space] + month + [.space] + year.decimalDigits + [.space] + time
    return HTTPDate(fieldValue: Array("Thu, ".utf8) + date + Array(" GMT".utf8), now: now)?.secondsSince1970
  }

  private static func padded(_ number: Int64) -> [UInt8] {
    (number < 10 ? [UInt8(ascii: "0")] : []) + number.decimalDigits
  }

  /// `h:m:s` with one or two digits each, as two.
  private static func clock(_ token: ArraySlice<UInt8>) -> [UInt8]? {
    let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var text: [UInt8] = []
    for part in parts {
      guard part.count <= 2, let number = decimalValue(part) else { return nil }
      text += (text.isEmpty ? [] : [UInt8(ascii: ":")]) + padded(number)
    }
    return text
  }

  private static func monthName(_ token: ArraySlice<UInt8>) -> [UInt8]? {
    let months = Array("JanFebMarAprMayJunJulAugSepOctNovDec".utf8)
    for start in stride(from: 0, to: months.count, by: 3) {
      let name = months[start..<(start + 3)]
      if token.prefix(3).map({ $0.lowercased }) == name.map({ $0.lowercased }) { return Array(name) }
    }
    return nil
  }
}
