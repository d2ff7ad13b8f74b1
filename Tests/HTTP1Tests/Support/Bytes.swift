/// The bytes of `text`, one for each scalar up to U+00FF, so that a table can write any byte as `\u{..}`.
func bytes(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

/// The other way round: one scalar for each byte.
func text(_ bytes: some Sequence<UInt8>) -> String {
  var text = String.UnicodeScalarView()
  for byte in bytes { text.append(Unicode.Scalar(byte)) }
  return String(text)
}

/// `line` repeated until it is `count` bytes long.
func filler(_ count: Int, of byte: String = "x") -> String { String(repeating: byte, count: count) }
