import Testing

@testable import HTTP1

/// The boundary in a Content-Type (RFC 9110 §8.3.1, RFC 2046 §5.1.1): one, in the grammar, or none (S2-5).
struct MultipartBoundaryTests {
  struct Row {
    let contentType: String
    let boundary: String?  // nil: must be refused
    let because: String
  }

  static func named(_ parameters: String, _ boundary: String?, _ because: String) -> Row {
    Row(contentType: "multipart/byteranges" + parameters, boundary: boundary, because: because)
  }

  static let accepted = [
    named("; boundary=00000000000000000001", "00000000000000000001", "as nginx writes it"),
    named("; boundary=f558cca0800ee75d", "f558cca0800ee75d", "as Apache writes it"),
    named("; boundary=\"proxy/5.7:0A1B\"", "proxy/5.7:0A1B", "quoted, as it must be with a colon"),
    named(";boundary=B", "B", "no blank"),
    named(" \t; \tboundary=B", "B", "OWS around the semicolon"),
    named("; BoundarY=bB", "bB", "the name in any case, the value as it is"),
    Row(contentType: "MULTIPART/ByteRanges;boundary=B", boundary: "B", because: "the type in any case"),
    named("; charset=x; boundary=B; q=\"a;b\\\"boundary=C\"", "B", "other parameters mean nothing"),
    named(";; ;boundary=B;", "B", "a parameter may be absent"),
    named("; boundary=\"\\B\\ \\b\"", "B b", "quoted pairs"),
    named("; boundary=\"'()+_,-./:=? 0aZ\"", "'()+_,-./:=? 0aZ", "every kind of bchar"),
    named("; boundary=" + filler(70), filler(70), "70 bytes"),
  ]

  static let rows =
    accepted + [
      Row(contentType: "", boundary: nil, because: "nothing"),
      Row(contentType: ";boundary=B", boundary: nil, because: "no media type"),
      Row(contentType: "multipart/byteranges/x;boundary=B", boundary: nil, because: "no media type"),
      Row(contentType: "multipart/byterange;boundary=B", boundary: nil, because: "another type"),
      Row(contentType: "multipart/x-byteranges;boundary=B", boundary: nil, because: "its name of before RFC 2068"),
      Row(contentType: "multipart/mixed;boundary=B", boundary: nil, because: "another type"),
      Row(contentType: "text/plain;boundary=B", boundary: nil, because: "another type"),
      Row(contentType: " multipart/byteranges;boundary=B", boundary: nil, because: "a blank before it"),
      Row(contentType: "multipart / byteranges;boundary=B", boundary: nil, because: "blanks in the type"),
      named("", nil, "no boundary"),
      named(";", nil, "no boundary"),
      named("; charset=x", nil, "no boundary"),
      named("; boundary", nil, "no value"),
      named("; boundary=", nil, "an empty value"),
      named("; boundary=\"\"", nil, "an empty value in quotes"),
      named("; boundary=;", nil, "an empty value"),
      named(" boundary=B", nil, "no semicolon"),
      named(", boundary=B", nil, "a comma is no semicolon"),
      named("; boundary =B", nil, "a blank before the equals sign"),
      named("; boundary= B", nil, "a blank behind the equals sign"),
      named("; boundary=B C", nil, "bytes behind the value"),
      named("; boundary=\"B\"C", nil, "bytes behind the closing quote"),
      named("; boundary=B ", nil, "a field value has no blank at its end"),
      named("; boundary=B, multipart/byteranges; boundary=C", nil, "two values on one line"),
      named("; boundary=B; boundary=B", nil, "named twice, though equal"),
      named("; boundary=B; Boundary=C", nil, "named twice"),
      named("; boundary=B; =", nil, "a broken parameter behind it"),
      named("; =x; boundary=B", nil, "a broken parameter before it"),
      named("; a=\"x; boundary=B", nil, "an open quote"),
      named("; boundary=\"B", nil, "an open quote"),
      named("; boundary=\"B\\", nil, "half a quoted pair"),
      named("; boundary=\"B \"", nil, "a space at its end"),
      named("; boundary=\" \"", nil, "only a space"),
      named("; boundary=\"B\tC\"", nil, "HTAB is no bchar"),
      named("; boundary=\"B\\\"C\"", nil, "a quote is no bchar"),
      named("; boundary=B*C", nil, "a tchar that is no bchar"),
      named("; boundary=a:b", nil, "a bchar that is no tchar, without quotes"),
      named("; boundary=\"B\u{E9}\"", nil, "not ASCII"),
      named("; boundary=\"B\u{0}\"", nil, "NUL"),
      named("; a=\"\u{0}\"; boundary=B", nil, "NUL in another parameter"),
      named("; a=\"\\\u{7F}\"; boundary=B", nil, "DEL in a quoted pair"),
      named("; boundary=" + filler(71), nil, "71 bytes"),
    ]

  @Test(arguments: rows) func readsBoundary(_ row: Row) {
    #expect(MultipartBoundary(contentType: bytes(row.contentType))?.text == row.boundary.map { bytes($0) })
  }
}
