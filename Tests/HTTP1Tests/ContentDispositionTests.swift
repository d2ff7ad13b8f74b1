import HTTP1
import Testing

struct ContentDispositionTests {
  struct Row: Sendable {
    let fieldValue: [UInt8]
    let filename: String?  // nil: no usable name
    let because: String

    init(_ fieldValue: String, _ filename: String?, _ because: String) {
      self.init(Array(fieldValue.utf8), filename, because)
    }

    init(_ fieldValue: [UInt8], _ filename: String?, _ because: String) {
      self.fieldValue = fieldValue
      self.filename = filename
      self.because = because
    }
  }

  static let plain = [
    Row("attachment; filename=data.csv", "data.csv", "a token"),
    Row(#"attachment; filename="monthly data.csv""#, "monthly data.csv", "a quoted string"),
    Row(#"Inline;FileName="x.csv""#, "x.csv", "names without regard to case, no blanks needed"),
    Row("attachment \t; \t filename \t= \t\"x.csv\" \t", "x.csv", "blanks wherever RFC 6266 §4.1 implies them"),
    Row(#"form-data; name="f"; filename="x.csv""#, "x.csv", "an unknown type is as good as attachment"),
    Row(
      #"attachment; a="; filename=wrong"; filename="right""#, "right", "a semicolon between quotes separates nothing"),
    Row(#"attachment; filename="a\"b\\c""#, #"a"b\c"#, "quoted pairs of quote and backslash"),
    Row(#"attachment; filename="C:\new\x.csv""#, "C:newx.csv", "quoted pairs of anything else too"),
    Row(#"attachment; filename="a%20b%2Fc""#, "a%20b%2Fc", "percent is only a character here"),
    Row(
      "attachment; filename=monthly data (1).csv ; size=3", "monthly data (1).csv", "a bare value runs to its semicolon"
    ),
    Row("attachment; filename=../up/x.csv", "../up/x.csv", "making it safe is for whoever uses it"),
    Row("attachment; filename='x.csv'", "'x.csv'", "single quotes quote nothing"),
    Row("attachment;; filename=x.csv;", "x.csv", "empty parameters"),
    Row(#"attachment; filename="first"; filename="second""#, "first", "the first of two counts"),
    Row(#"attachment; filename=""; filename="second""#, "second", "an empty one is none"),
    Row("attachment; filename=\"é中.csv\"", "é中.csv", "UTF-8 as it came"),
    Row(Array("attachment; filename=\"".utf8) + [0xE9, 0x22], "é", "not UTF-8: ISO-8859-1"),
    Row(#"attachment; filename="x.csv"; filename="open"#, "x.csv", "what was read before the doubt counts"),
    Row("attachment", nil, "a type alone"),
    Row("attachment;", nil, "a type and nothing"),
    Row("attachment; filename", nil, "no value"),
    Row("attachment; filename; filename=x.csv", nil, "nothing is read after a parameter without value"),
    Row("attachment; filename=", nil, "an empty value"),
    Row("attachment; =x.csv", nil, "no parameter name"),
    Row("attachment; file name=x.csv", nil, "a blank in the parameter name"),
    Row(#"attachment; filename="x.csv"#, nil, "a quote left open: perhaps only a part of the name"),
    Row(#"attachment; filename="x.csv\"#, nil, "a quoted pair left open"),
    Row(#"attachment; filename="x".csv"#, nil, "bytes after the closing quote"),
    Row(#"attachment; filename=x".csv""#, nil, "a quote inside a bare value"),
    Row(#"attachment; filenames="x.csv""#, nil, "another parameter"),
    Row(#"attachment; filename*0="x"; filename*1=".csv""#, nil, "no continuations in HTTP (RFC 8187 §1)"),
  ]

  static let extended = [
    Row("attachment; filename*=UTF-8''%e2%82%ac%20rates.csv", "€ rates.csv", "UTF-8"),
    Row("attachment; filename*=utf-8'en-GB'x.csv", "x.csv", "charset without regard to case, language ignored"),
    Row("attachment; filename*=ISO-8859-1''%A3%20rates.csv", "£ rates.csv", "the other charset"),
    Row("attachment; filename=plain; filename*=UTF-8''extended", "extended", "preferred behind filename"),
    Row("attachment; filename*=UTF-8''extended; filename=plain", "extended", "and before it"),
    Row("attachment; filename*=UTF-8''bad%; filename*=UTF-8''good", "good", "the first usable one counts"),
    Row("attachment; filename*=UTF-8''it's(1)*!.csv", "it's(1)*!.csv", "what encodeURIComponent leaves bare"),
    Row(#"attachment; filename*="UTF-8''x%20y""#, "x y", "in quotes: wrong and without doubt"),
    Row("attachment; filename*=UTF-8''..%2F..%2Fx", "../../x", "making it safe is for whoever uses it"),
    Row("attachment; filename*=UTF-8''; filename=plain", "plain", "empty"),
    Row("attachment; filename*=UTF-8''%; filename=plain", "plain", "percent and nothing"),
    Row("attachment; filename*=UTF-8''%4; filename=plain", "plain", "percent and one digit"),
    Row("attachment; filename*=UTF-8''%4g; filename=plain", "plain", "percent and a letter"),
    Row("attachment; filename*=UTF-8''%C1%81; filename=plain", "plain", "an overlong A"),
    Row("attachment; filename*=UTF-8''%E0%80%AF; filename=plain", "plain", "an overlong slash of three bytes"),
    Row("attachment; filename*=UTF-8''%ED%A0%80; filename=plain", "plain", "a surrogate"),
    Row("attachment; filename*=UTF-8''%F4%90%80%80; filename=plain", "plain", "beyond U+10FFFF"),
    Row("attachment; filename*=UTF-8''%E2%82; filename=plain", "plain", "a character cut short"),
    Row("attachment; filename*=UTF-8''\u{E9}; filename=plain", "plain", "a bare byte beyond ASCII"),
    Row("attachment; filename*=UTF-16''x; filename=plain", "plain", "another charset"),
    Row("attachment; filename*=''x; filename=plain", "plain", "no charset"),
    Row("attachment; filename*=UTF-8'x; filename=plain", "plain", "one quote"),
    Row("attachment; filename*=x.csv; filename=plain", "plain", "no quote"),
    Row("attachment; filename*=UTF-8''bad%; size=1", nil, "nothing else to fall back on"),
  ]

  static let refused = [
    Row("", nil, "empty"),
    Row(" \t", nil, "blanks"),
    Row("filename=x.csv", nil, "no type"),
    Row(#"filename="x.csv"; attachment"#, nil, "no type in front"),
    Row("; filename=x.csv", nil, "an empty type"),
    Row("attachment filename=x.csv", nil, "no semicolon"),
    Row("attachment, filename=x.csv", nil, "a comma is no semicolon"),
    Row(#""attachment"; filename=x.csv"#, nil, "a type in quotes"),
  ]

  @Test(arguments: plain + extended) func reads(_ row: Row) {
    let disposition = ContentDisposition(fieldValue: row.fieldValue)
    #expect(disposition != nil, "\(row.because)")
    #expect(disposition?.filename.map { String(decoding: $0, as: UTF8.self) } == row.filename, "\(row.because)")
  }

  @Test(arguments: refused) func refuses(_ row: Row) {
    #expect(ContentDisposition(fieldValue: row.fieldValue) == nil, "\(row.because)")
  }

  @Test func nameIsAlwaysUTF8AndNeverEmpty() {
    var generator = SplitMix(state: 6266)
    let alphabet = Array("attachment;filename*=UTF-8''%c3%a9\"\\ \té".utf8) + [0xFF, 0xC0]
    for _ in 0..<10_000 {
      let tail = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
        alphabet[Int.random(in: alphabet.indices, using: &generator)]
      }
      for prefix in ["attachment;filename=", "attachment;filename*=UTF-8''", ""] {
        guard let name = ContentDisposition(fieldValue: Array(prefix.utf8) + tail)?.filename else { continue }
        #expect(!name.isEmpty && String(validating: name, as: UTF8.self) != nil, "\(tail)")
      }
    }
  }

  /// The same numbers in every run.
  struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
