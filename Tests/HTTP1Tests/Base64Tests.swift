import Foundation
import Testing

@testable import HTTP1

/// base64 as digests are written in it (RFC 4648 §4, RFC 8941 §4.2.7).
struct Base64Tests {
  @Test func readsBackWhatAnotherImplementationWrites() {
    var generator = SeededGenerator(seed: 4648)
    for count in 0...200 {
      let value = generator.bytes(count: count...count, from: Array(0...255))
      #expect(base64Decoded(Array(Data(value).base64EncodedString().utf8)[...]) == value, "\(count) bytes")
    }
  }

  @Test func aSliceIsReadFromItsOwnStart() {
    #expect(base64Decoded(bytes("::YWJj::")[2..<6]) == bytes("abc"))
  }

  static let padBits = [
    ("YWI=", "ab", "zero"), ("YWJ=", "ab", "one of two pad bits"), ("YWK=", "ab", "the other"), ("YQ==", "a", "zero"),
    ("YR==", "a", "the last of four"), ("YX==", "a", "three of four"), ("YQ", "a", "no padding"),
    ("YWI", "ab", "no padding"), ("YWJjZA", "abcd", "no padding behind whole ones"),
  ]

  @Test(arguments: padBits) func padBitsAreLetGo(_ text: String, value: String, because: String) {
    #expect(base64Decoded(bytes(text)[...]) == bytes(value), "\(because)")
  }

  static let refused = [
    ("YQ=", "half of the padding"), ("Y", "less than a byte"), ("YWJjY", "less than a byte behind whole ones"),
    ("=", "padding alone"), ("==", "padding alone"), ("====", "padding alone"), ("Y===", "too much of it"),
    ("YQ===", "too much of it"), ("YWJj=", "where none is needed"), ("YWJj====", "where none is needed"),
    ("YQ==YWJj", "padding inside"), ("Y=Q=", "padding inside"), ("=YWI", "padding in front"),
    ("YQ=A", "not at the end"),
    ("YW I=", "a blank"), (" YWI=", "a blank in front"), ("YWI= ", "a blank behind"), ("YW\tj", "HTAB"),
    ("YWJj\r\nYWJj", "a line end (RFC 4648 §3.1)"), ("YWJj\n", "LF"), ("YWJ\0", "NUL"),
    ("YW-_", "the other alphabet (RFC 4648 §5)"), ("YWJ-", "its 62"), ("YWJ_", "its 63"), ("YW:j", "a colon"),
    ("YWJ@", "before A"), ("YWJ[", "behind Z"), ("YWJ`", "before a"), ("YWJ{", "behind z"), ("YWJ.", "before /"),
    ("YWJ,", "behind +"), ("YWJ*", "before +"), ("YWJ\u{E9}", "beyond ASCII"), ("YWJ\u{C1}", "A with the highest bit"),
  ]

  @Test(arguments: refused) func refuses(_ text: String, because: String) {
    #expect(base64Decoded(bytes(text)[...]) == nil, "\(because)")
  }
}
