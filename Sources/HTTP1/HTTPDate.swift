/// A date in one of the three forms of RFC 9110 §5.6.7, in whole seconds of UTC.
///
///     Sun, 06 Nov 1994 08:49:37 GMT    IMF-fixdate, the only one that is written
///     Sunday, 06-Nov-94 08:49:37 GMT   RFC 850
///     Sun Nov  6 08:49:37 1994         asctime
///
/// The name of the day is read past and not compared: servers get it wrong, and nothing hangs on it.
public struct HTTPDate: Equatable, Comparable, Sendable {
  /// Seconds since 1970-01-01 00:00:00 UTC; negative before that.
  public let secondsSince1970: Int64

  public init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

  /// Reads a whole field value. `now` (seconds since 1970) decides the century of a two-digit year: one that would
  /// lie more than 50 years ahead is in the past.
  public init?(fieldValue: [UInt8], now: Int64) {
    var reader = DateReader(fieldValue)
    guard let date = reader.read(now: now) else { return nil }
    secondsSince1970 = date.secondsSince1970
  }

  public static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.secondsSince1970 < right.secondsSince1970 }

  /// IMF-fixdate; nil outside of the years 0 to 9999, which it can't write.
  public var fieldValue: [UInt8]? {
    let days = secondsSince1970.flooredDivision(by: 86_400)
    let date = CivilDate(daysSince1970: days)
    guard date.year >= 0, date.year <= 9_999 else { return nil }
    let second = Int(secondsSince1970 - days * 86_400)
    let weekday = Int((days + 4) - (days + 4).flooredDivision(by: 7) * 7)  // 1970-01-01 was a Thursday
    var text = dayNames[weekday] + Array(", ".utf8) + digits(date.day, count: 2) + [.space]
    text += monthNames[date.month - 1] + [.space] + digits(date.year, count: 4) + [.space]
    text += digits(second / 3_600, count: 2) + [UInt8(ascii: ":")] + digits(second / 60 % 60, count: 2)
    return text + [UInt8(ascii: ":")] + digits(second % 60, count: 2) + Array(" GMT".utf8)
  }
}

private let dayNames = names("SunMonTueWedThuFriSat")
private let monthNames = names("JanFebMarAprMayJunJulAugSepOctNovDec")

private func names(_ joined: String) -> [[UInt8]] {
  let bytes = Array(joined.utf8)
  return stride(from: 0, to: bytes.count, by: 3).map { Array(bytes[$0..<($0 + 3)]) }
}

private func digits(_ value: Int, count: Int) -> [UInt8] {
  var text = [UInt8](repeating: UInt8(ascii: "0"), count: count)
  var rest = value
  for index in text.indices.reversed() {
    text[index] += UInt8(rest % 10)
    rest /= 10
  }
  return text
}

/// A day of the proleptic Gregorian calendar.
struct CivilDate: Equatable {
  let year: Int
  let month: Int  // 1 to 12
  let day: Int  // 1 to 31

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Counts in eras of 400 years, which all have 146,097 days; a year is taken to begin in March.
  init(daysSince1970 days: Int64) {
    let shifted = days + 719_468  // days since 0000-03-01
    let era = shifted.flooredDivision(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
  }

  var daysSince1970: Int64 {
    let shiftedYear = Int64(month <= 2 ? year - 1 : year)
    let era = shiftedYear.flooredDivision(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Whether the calendar has this day.
  var isReal: Bool {
    guard month >= 1, month <= 12, day >= 1 else { return false }
    return CivilDate(daysSince1970: daysSince1970) == self
  }
}

extension Int64 {
  /// The quotient rounded towards minus infinity; `divisor` is positive.
  func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

/// Reads the forms byte by byte; every method returns nil when the next bytes are not what it reads.
private struct DateReader {
  private let text: [UInt8]
  private var position = 0

  init(_ text: [UInt8]) { self.text = text }

  mutating func read(now: Int64) -> HTTPDate? {
    guard let dayName = readLetters() else { return nil }
    if dayName == 3, skip(", ") { return readFixdate() }
    if dayName >= 6, dayName <= 9, skip(", ") { return readRFC850(now: now) }
    if dayName == 3, skip(" ") { return readAsctime() }
    return nil
  }

  private mutating func readFixdate() -> HTTPDate? {
    guard let day = readNumber(2), skip(" "), let month = readMonth(), skip(" "), let year = readNumber(4), skip(" "),
      let second = readTime(), skip(" GMT")
    else { return nil }
    return date(year, month, day, second)
  }

  private mutating func readRFC850(now: Int64) -> HTTPDate? {
    guard let day = readNumber(2), skip("-"), let month = readMonth(), skip("-"), let digits = readNumber(2), skip(" "),
      let second = readTime(), skip(" GMT")
    else { return nil }
    let thisYear = CivilDate(daysSince1970: now.flooredDivision(by: 86_400)).year
    guard thisYear >= 0, thisYear <= 9_999 else { return nil }
    let year = thisYear - thisYear % 100 + digits
    let fiftyYearsBefore = CivilDate(year: year - 50, month: month, day: day).daysSince1970 * 86_400 + Int64(second)
    return date(fiftyYearsBefore > now ? year - 100 : year, month, day, second)
  }

  private mutating func readAsctime() -> HTTPDate? {
    guard let month = readMonth(), skip(" ") else { return nil }
    guard let day = skip(" ") ? readNumber(1) : readNumber(2) else { return nil }
    guard skip(" "), let second = readTime(), skip(" "), let year = readNumber(4) else { return nil }
    return date(year, month, day, second)
  }

  private func date(_ year: Int, _ month: Int, _ day: Int, _ second: Int) -> HTTPDate? {
    let date = CivilDate(year: year, month: month, day: day)
    guard position == text.count, date.isReal else { return nil }
    return HTTPDate(secondsSince1970: date.daysSince1970 * 86_400 + Int64(second))
  }

  /// `hh:mm:ss` in seconds of the day; second 60 is a leap second.
  private mutating func readTime() -> Int? {
    guard let hour = readNumber(2), skip(":"), let minute = readNumber(2), skip(":"), let second = readNumber(2),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  private mutating func readMonth() -> Int? {
    guard position + 3 <= text.count else { return nil }
    let name = text[position..<(position + 3)]
    position += 3
    return monthNames.firstIndex { $0.elementsEqual(name) }.map { $0 + 1 }
  }

  private mutating func readNumber(_ count: Int) -> Int? {
    guard position + count <= text.count, let value = decimalValue(text[position..<(position + count)]) else {
      return nil
    }
    position += count
    return Int(value)
  }

  /// The count of letters skipped; nil for none.
  private mutating func readLetters() -> Int? {
    let start = position
    while position < text.count, text[position].isLetter { position += 1 }
    return position > start ? position - start : nil
  }

  private mutating func skip(_ expected: String) -> Bool {
    guard text[position...].starts(with: expected.utf8) else { return false }
    position += expected.utf8.count
    return true
  }
}
