/// `"line \(number) of \(words)"` is a text of our own words and of whole numbers; for the bytes of others there is
/// `add(foreign:)`. Every piece costs a call; in a `String` it costs some 300 bytes, because the standard library puts its
/// own code in the place of one.
extension Text: ExpressibleByStringInterpolation {
  package init(stringLiteral words: String) { self.init(words) }

  package init(stringInterpolation pieces: Pieces) { self = pieces.text }

  package struct Pieces: StringInterpolationProtocol {
    fileprivate var text = Text()

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ words: String) { text.add(words) }

    package mutating func appendInterpolation(_ words: String) { text.add(words) }

    package mutating func appendInterpolation(_ words: Text) { text.append(words) }

    package mutating func appendInterpolation(_ number: Int64) { text.add(number) }

    package mutating func appendInterpolation(_ number: Int32) { text.add(Int64(number)) }

    package mutating func appendInterpolation(_ number: Int) { text.add(Int64(number)) }
  }
}
