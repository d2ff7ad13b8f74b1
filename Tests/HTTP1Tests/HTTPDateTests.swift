import Testing

@testable import HTTP1

/// The three forms of a date (RFC 9110 §5.6.7).
struct HTTPDateTests {
  static let now: Int64 = 1_800_000_000  // 2027-01-15

  struct Row {
    let fieldValue: String
    let seconds: Int64?  // since 1970; nil: must be refused
    let because: String
  }

  static let accepted = [
    Row(fieldValue: "Sun, 06 Nov 1994 08:49:37 GMT", seconds: 784_111_777, because: "IMF-fixdate"),
    Row(fieldValue: "Sunday, 06-Nov-94 08:49:37 GMT", seconds: 784_111_777, because: "RFC 850"),
    Row(fieldValue: "Sun Nov  6 08:49:37 1994", seconds: 784_111_777, because: "asctime"),
    Row(fieldValue: "Wed Nov 16 08:49:37 1994", seconds: 784_975_777, because: "asctime, two digits"),
    Row(fieldValue: "Thu, 01 Jan 1970 00:00:00 GMT", seconds: 0, because: "the epoch"),
    Row(fieldValue: "Wed, 31 Dec 1969 23:59:59 GMT", seconds: -1, because: "the second before"),
    Row(fieldValue: "Tue, 19 Jan 2038 03:14:08 GMT", seconds: 1 << 31, because: "2^31 (T12)"),
    Row(fieldValue: "Sun, 07 Feb 2106 06:28:16 GMT", seconds: 1 << 32, because: "2^32 (T12)"),
    Row(fieldValue: "Sat, 01 Jan 0000 00:00:00 GMT", seconds: -62_167_219_200, because: "the first year"),
    Row(fieldValue: "Fri, 31 Dec 9999 23:59:59 GMT", seconds: 253_402_300_799, because: "the last second"),
    Row(fieldValue: "Tue, 29 Feb 2000 00:00:00 GMT", seconds: 951_782_400, because: "2000 is a leap year"),
    Row(fieldValue: "Thu, 29 Feb 2024 00:00:00 GMT", seconds: 1_709_164_800, because: "2024 is a leap year"),
    Row(fieldValue: "Sat, 31 Dec 2016 23:59:60 GMT", seconds: 1_483_228_800, because: "a leap second"),
    Row(fieldValue: "Mon, 06 Nov 1994 08:49:37 GMT", seconds: 784_111_777, because: "the day's name is read past"),
    Row(fieldValue: "Xyz, 06 Nov 1994 08:49:37 GMT", seconds: 784_111_777, because: "the day's name is read past"),
  ]

  static func refused(_ values: [String], _ because: String) -> [Row] {
    values.map { Row(fieldValue: $0, seconds: nil, because: because) }
  }

  static let rows =
    accepted
    + refused(["", " ", "0", "784111777", "yesterday", "GMT"], "no date")
    + refused(["1994-11-06T08:49:37Z", "06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994", "08:49:37"], "another form")
    + refused(["Thu, 29 Feb 1900 00:00:00 GMT", "Thu, 29 Feb 2023 00:00:00 GMT"], "no leap year")
    + refused(["Thu, 29 Feb 2100 00:00:00 GMT", "Thursday, 29-Feb-27 00:00:00 GMT"], "no leap year")
    + refused(["Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT"], "no such day")
    + refused(["Sun, 32 Oct 1994 08:49:37 GMT", "Sun, 99 Oct 1994 08:49:37 GMT"], "no such day")
    + refused(["Sun, 06 Xyz 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT"], "no such month")
    + refused(["Sun, 06 NOV 1994 08:49:37 GMT", "Sun, 06 11 1994 08:49:37 GMT"], "no such month")
    + refused(["Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT"], "no such time")
    + refused(["Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT"], "no such time")
    + refused(["Sun, 06 Nov 1994 -8:49:37 GMT", "Sun, 06 Nov 1994 +8:49:37 GMT"], "no such time")
    + refused(["Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT"], "too few digits")
    + refused(["Sun, 06 Nov 1994 8:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT"], "the wrong count of digits")
    + refused(["Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 94"], "the wrong count of digits")
    + refused(["Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC"], "GMT and nothing else")
    + refused(["Sun, 06 Nov 1994 08:49:37 gmt", "Sun, 06 Nov 1994 08:49:37 +0000"], "GMT and nothing else")
    + refused(["Sun, 06 Nov 1994 08:49:37 -0100", "Sun Nov  6 08:49:37 1994 GMT"], "no zone is ever ignored")
    + refused(["Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT"], "blanks around")
    + refused(["Sun,06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT"], "blanks inside")
    + refused(["Sun, 06-Nov-1994 08:49:37 GMT", "Sunday, 06 Nov 94 08:49:37 GMT"], "two forms mixed")
    + refused(["Su, 06 Nov 1994 08:49:37 GMT", "Sunda, 06-Nov-94 08:49:37 GMT"], "no such name")
    + refused(["Sunday, 06 Nov 1994 08:49:37 GMT", "Wednesdays, 06-Nov-94 08:49:37 GMT"], "no such name")
    + refused(["Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT"], "a list")
    + refused(["Sun, ", "Sun, 0", "Sun, 06 N", "Sun, 06 Nov 199", "Sunday, 06-Nov-9", "Sun ", "Sun Nov"], "cut off")

  @Test(arguments: rows) func readsDate(_ row: Row) {
    let date = HTTPDate(fieldValue: bytes(row.fieldValue), now: HTTPDateTests.now)
    #expect(date?.secondsSince1970 == row.seconds)
  }

  struct CenturyRow {
    let now: String
    let fieldValue: String
    let means: String?
    let because: String
  }

  static let centuries = [
    CenturyRow(
      now: "Fri, 15 Jan 2027 08:00:00 GMT", fieldValue: "Sunday, 06-Nov-94 08:49:37 GMT",
      means: "Sun, 06 Nov 1994 08:49:37 GMT", because: "2094 is more than 50 years ahead"),
    CenturyRow(
      now: "Fri, 15 Jan 2027 08:00:00 GMT", fieldValue: "Friday, 15-Jan-77 08:00:00 GMT",
      means: "Fri, 15 Jan 2077 08:00:00 GMT", because: "50 years to the second are not more than 50"),
    CenturyRow(
      now: "Fri, 15 Jan 2027 08:00:00 GMT", fieldValue: "Saturday, 15-Jan-77 08:00:01 GMT",
      means: "Sat, 15 Jan 1977 08:00:01 GMT", because: "50 years and a second are"),
    CenturyRow(
      now: "Fri, 15 Jan 2027 08:00:00 GMT", fieldValue: "Tuesday, 29-Feb-00 00:00:00 GMT",
      means: "Tue, 29 Feb 2000 00:00:00 GMT", because: "this century"),
    CenturyRow(
      now: "Thu, 01 Jan 1970 00:00:00 GMT", fieldValue: "Sunday, 06-Nov-94 08:49:37 GMT",
      means: "Sun, 06 Nov 1994 08:49:37 GMT", because: "a clock that was never set"),
    CenturyRow(
      now: "Fri, 15 Jan 2027 08:00:00 GMT", fieldValue: "Sunday, 29-Feb-96 08:49:37 GMT",
      means: "Thu, 29 Feb 1996 08:49:37 GMT", because: "a leap day of the past century"),
    CenturyRow(
      now: "Thu, 01 Jan 2060 00:00:00 GMT", fieldValue: "Monday, 29-Feb-00 00:00:00 GMT",
      means: "Tue, 29 Feb 2000 00:00:00 GMT", because: "60 years back is the past"),
  ]

  @Test(arguments: centuries) func twoDigitYearsAreAtMostFiftyYearsAhead(_ row: CenturyRow) throws {
    let now = try #require(HTTPDate(fieldValue: bytes(row.now), now: 0)).secondsSince1970
    let date = HTTPDate(fieldValue: bytes(row.fieldValue), now: now)
    #expect(date?.fieldValue.map { text($0) } == row.means)
  }

  @Test func datesAreInOrder() {
    #expect(HTTPDate(secondsSince1970: -1) < HTTPDate(secondsSince1970: 0))
    #expect(!(HTTPDate(secondsSince1970: 0) < HTTPDate(secondsSince1970: 0)))
  }

  @Test func readsBack() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<1_000 {
      let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &generator)
      let value = HTTPDate(secondsSince1970: seconds).fieldValue ?? []
      #expect(HTTPDate(fieldValue: value, now: HTTPDateTests.now)?.secondsSince1970 == seconds)
    }
  }

  static let farSeconds: [Int64] = [
    .min, .min + 1, .max, .max - 1, -62_167_219_201, 253_402_300_800, .min / 86_400, .max / 86_400,
  ]

  @Test(arguments: farSeconds) func neverTrapsOutsideOfItsYears(_ seconds: Int64) {
    #expect(HTTPDate(secondsSince1970: seconds).fieldValue == nil || abs(seconds) < 1 << 50)
    let date = HTTPDate(fieldValue: bytes("Sunday, 06-Nov-94 08:49:37 GMT"), now: seconds)
    #expect(date == nil || abs(seconds) < 1 << 50)
  }

  /// Against a calendar that only counts on: every day from 1890 to 2110.
  @Test func everyDayHasItsDate() {
    var (year, month, day) = (1890, 1, 1)
    for days in Int64(-29_219)..<51_134 {
      let date = CivilDate(year: year, month: month, day: day)
      if CivilDate(daysSince1970: days) != date || date.daysSince1970 != days || !date.isReal {
        Issue.record("day \(days) is \(year)-\(month)-\(day)")
        return
      }
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
      if day < length { (day, month) = (day + 1, month) } else { (day, month) = (1, month + 1) }
      if month > 12 { (month, year) = (1, year + 1) }
    }
    #expect((year, month, day) == (2110, 1, 1))
  }

  @Test func weekdaysFollowEachOther() {
    let names = (0..<14).map { text(HTTPDate(secondsSince1970: $0 * 86_400 - 86_400).fieldValue?.prefix(3) ?? []) }
    #expect(names.joined() == "WedThuFriSatSunMonTueWedThuFriSatSunMonTue")
  }

  @Test func neverTrapsOnAnyBytes() {
    var generator = SeededGenerator(seed: 6)
    let whole = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"]
    for round in 0..<3_000 {
      var value = bytes(whole[round % 3])
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<value.count, using: &generator)
        if generator.isOne(in: 4) {
          value.removeSubrange(index...)
        } else {
          value[index] = UInt8(generator.next() >> 56)
        }
        if value.isEmpty { break }
      }
      guard let date = HTTPDate(fieldValue: value, now: HTTPDateTests.now) else { continue }
      #expect(date.fieldValue != nil)
    }
  }
}
