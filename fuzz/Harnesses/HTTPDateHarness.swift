import HTTP1

extension Harness {
  /// Dates in three forms, and Retry-After: text, then eight bytes of present time, in seconds since 1970.
  static let httpDate = Harness("http-date") { input in
    var choices = Choices(input, count: 8)
    let (text, now) = (choices.text, choices.int64())
    try requireWritable(HTTPDate(secondsSince1970: now))
    let date = HTTPDate(fieldValue: text, now: now)
    if let date { try requireWritable(date) }
    if let date, text.contains(UInt8(ascii: "-")) { try requireCentury(date, now: now) }
    if let naive = naiveFixdate(text) { try require(date?.secondsSince1970 == naive, "not \(naive)") }
    if date != nil, text.dropFirst(3).first == UInt8(ascii: ",") {
      try require(naiveFixdate(text) != nil, "an IMF-fixdate that the calendar does not have")
    }

    let retry = RetryAfter(fieldValue: text, now: now)
    if let seconds = text.naiveNumber {
      try require(retry == .seconds(seconds) && retry?.delay(now: now) == seconds, "not \(seconds) seconds")
    } else {
      try require(retry == date.map { .date($0) }, "neither seconds nor the date")
      guard let date, date.secondsSince1970 > now else { return try require(retry?.delay(now: now) ?? 0 == 0, "past") }
      let (delay, overflowed) = date.secondsSince1970.subtractingReportingOverflow(now)
      try require(retry?.delay(now: now) == (overflowed ? Int64.max : delay), "another delay")
    }
  }

  /// A date of the years 0 to 9999 is written so that every form reads back equal; no other date is written.
  private static func requireWritable(_ date: HTTPDate) throws {
    let years = Int64(-62_167_219_200)...253_402_300_799
    guard let text = date.fieldValue else {
      return try require(!years.contains(date.secondsSince1970), "\(date.secondsSince1970) is not written")
    }
    try require(naiveFixdate(text) == date.secondsSince1970, "\(String(decoding: text, as: UTF8.self)) is not right")
    let now = date.secondsSince1970
    for form in [text, asctime(text), rfc850(text)] {
      let again = HTTPDate(fieldValue: form, now: now)
      try require(again == date, "\(String(decoding: form, as: UTF8.self)) does not read back")
    }
  }

  /// A year of two digits is of the present century, or of the one before if that were more than 50 years ahead.
  private static func requireCentury(_ date: HTTPDate, now: Int64) throws {
    guard let text = date.fieldValue, let present = HTTPDate(secondsSince1970: now).fieldValue else { return }
    if let before = naiveFixdate(text, yearsLater: -50) { try require(before <= now, "more than 50 years ahead") }
    let isMoved = text[12...13] != present[12...13]
    if isMoved, let after = naiveFixdate(text, yearsLater: 50) { try require(after > now, "in the wrong century") }
  }

  /// `Sun, 06 Nov 1994 08:49:37 GMT` as `Sun Nov  6 08:49:37 1994`.
  private static func asctime(_ text: [UInt8]) -> [UInt8] {
    let day = [text[5] == UInt8(ascii: "0") ? 0x20 : text[5], text[6]]
    return joined(text[0...2], [0x20], text[8...10], [0x20], day[...], text[16...24], text[11...15])
  }

  /// The same as `Sunday, 06-Nov-94 08:49:37 GMT`, the name of the day not being read.
  private static func rfc850(_ text: [UInt8]) -> [UInt8] {
    let dash = [UInt8(ascii: "-")][...]
    return joined(Array("Someday, ".utf8)[...], text[5...6], dash, text[8...10], dash, text[14...])
  }

  private static func joined(_ parts: ArraySlice<UInt8>...) -> [UInt8] { Array(parts.joined()) }
}

/// `Sun, 06 Nov 1994 08:49:37 GMT` in seconds since 1970, day by day and year by year (RFC 9110 §5.6.7).
private func naiveFixdate(_ text: [UInt8], yearsLater: Int = 0) -> Int64? {
  let shape = Array("AAA, 00 AAA 0000 00:00:00 GMT".utf8)
  guard text.count == shape.count else { return nil }
  for (byte, form) in zip(text, shape).prefix(26) {
    switch form {
    case UInt8(ascii: "A"): if !(byte >= 0x41 && byte <= 0x5A || byte >= 0x61 && byte <= 0x7A) { return nil }
    case UInt8(ascii: "0"): if !byte.isNaiveDigit { return nil }
    default: if byte != form { return nil }
    }
  }
  guard text.suffix(3) == shape.suffix(3) else { return nil }
  func number(_ range: Range<Int>) -> Int { Int(text[range].naiveNumber ?? -1) }
  let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
  let name = String(decoding: text[8..<11], as: UTF8.self)
  guard let month = months.firstIndex(where: { $0.capitalizedASCII == name }) else { return nil }
  let (day, year) = (number(5..<7), number(12..<16) + yearsLater)
  func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
  let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  let (hour, minute, second) = (number(17..<19), number(20..<22), number(23..<25))
  guard year >= 0, day >= 1, day <= lengths[month], hour < 24, minute < 60, second <= 60 else { return nil }
  let leapDays = (0..<year).reduce(0) { $0 + (isLeap($1) ? 1 : 0) }
  let days = year * 365 + leapDays + lengths[..<month].reduce(0, +) + day - 1 - 719_528  // those before 1970
  return Int64(days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
}

extension String {
  fileprivate var capitalizedASCII: String { prefix(1).uppercased() + dropFirst() }
}
