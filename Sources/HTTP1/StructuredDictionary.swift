/// A Structured Field was not what it must be: all of it is ignored, as if it were not there (RFC 8941 §4.2).
struct MalformedStructuredField: Error {}

/// A Dictionary of Structured Fields, read member by member (RFC 8941 §4.2.2). Byte Sequences are what digests need;
/// every other type is read to its end, then forgotten. The types that RFC 9651 added are malformed, as they are for
/// every field defined by RFC 8941.
///
/// In time linear to the field's length, which the head bounds; nothing nests deeper than an Inner List.
struct StructuredDictionary {
  enum Value {
    case byteSequence([UInt8])
    case other
  }

  private var rest: ArraySlice<UInt8>

  /// `fieldValue` is that of all lines, joined by commas.
  init(_ fieldValue: [UInt8]) { rest = fieldValue.drop { $0 == .space } }

  /// The next member in the order in which they stand, of several with one key each; nil after the last one.
  mutating func nextMember() throws(MalformedStructuredField) -> (key: ArraySlice<UInt8>, value: Value)? {
    if rest.isEmpty { return nil }
    let key = try key()
    var value = Value.other  // a key alone is the Boolean true
    if take("=") { value = rest.first == UInt8(ascii: "(") ? try innerList() : try bareItem() }
    try parameters()
    rest = rest.drop { $0.isBlank }
    if !rest.isEmpty {
      try demand(take(","))
      rest = rest.drop { $0.isBlank }
      try demand(!rest.isEmpty)  // nothing follows the last comma
    }
    return (key, value)
  }

  /// RFC 8941 §4.2.3.3: capital letters are not of it.
  private mutating func key() throws(MalformedStructuredField) -> ArraySlice<UInt8> {
    guard let first = rest.first, first.isLowercaseLetter || first == UInt8(ascii: "*") else {
      throw MalformedStructuredField()
    }
    return takePrefix { byte in
      switch byte {
      case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "*"): true
      default: byte.isLowercaseLetter || byte.isDigit
      }
    }
  }

  /// RFC 8941 §4.2.3.2. They say nothing about a digest.
  private mutating func parameters() throws(MalformedStructuredField) {
    while take(";") {
      rest = rest.drop { $0 == .space }
      _ = try key()
      if take("=") { _ = try bareItem() }
    }
  }

  /// RFC 8941 §4.2.1.2, without the parameters behind it.
  private mutating func innerList() throws(MalformedStructuredField) -> Value {
    try demand(take("("))
    while true {
      rest = rest.drop { $0 == .space }
      if take(")") { return .other }
      _ = try bareItem()
      try parameters()
      try demand(rest.first == .space || rest.first == UInt8(ascii: ")"))
    }
  }

  /// RFC 8941 §4.2.3.1: the first byte tells the type.
  private mutating func bareItem() throws(MalformedStructuredField) -> Value {
    guard let first = rest.first else { throw MalformedStructuredField() }
    switch first {
    case UInt8(ascii: ":"): return .byteSequence(try byteSequence())
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "?"): try boolean()
    case UInt8(ascii: "-"): try number()
    case UInt8(ascii: "*"): token()
    default:
      if first.isDigit {
        try number()
      } else {
        try demand(first.isLetter)
        token()
      }
    }
    return .other
  }

  /// RFC 8941 §4.2.7.
  private mutating func byteSequence() throws(MalformedStructuredField) -> [UInt8] {
    try demand(take(":"))
    let text = takePrefix { $0 != UInt8(ascii: ":") }
    guard take(":"), let bytes = base64Decoded(text) else { throw MalformedStructuredField() }
    return bytes
  }

  /// An Integer of at most 15 digits, or a Decimal of at most 12 and 3 (RFC 8941 §4.2.4).
  private mutating func number() throws(MalformedStructuredField) {
    _ = take("-")
    let whole = takePrefix { $0.isDigit }
    guard take(".") else { return try demand((1...15).contains(whole.count)) }
    let fraction = takePrefix { $0.isDigit }
    try demand((1...12).contains(whole.count) && (1...3).contains(fraction.count))
  }

  /// RFC 8941 §4.2.5: only quote and backslash are escaped, and all of it is printable ASCII.
  private mutating func string() throws(MalformedStructuredField) {
    try demand(take("\""))
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"): try demand(take("\"") || take("\\"))
      default: try demand((0x20...0x7E).contains(byte))
      }
    }
    throw MalformedStructuredField()
  }

  /// RFC 8941 §4.2.6; what it begins with was looked at.
  private mutating func token() {
    _ = takePrefix { $0.isTokenCharacter || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
  }

  /// RFC 8941 §4.2.8.
  private mutating func boolean() throws(MalformedStructuredField) {
    try demand(take("?") && (take("0") || take("1")))
  }

  private func demand(_ condition: Bool) throws(MalformedStructuredField) {
    if !condition { throw MalformedStructuredField() }
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: byte) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func takePrefix(while isMember: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let prefix = rest.prefix(while: isMember)
    rest = rest[prefix.endIndex...]
    return prefix
  }
}

extension UInt8 {
  fileprivate var isLowercaseLetter: Bool { isLetter && lowercased == self }
}
