internal import HTTP1
internal import TLS

/// The digest that a representation must have: from the caller (`--checksum ALGO=HEX`), or from the server's field.
public struct Checksum: Equatable, Sendable {
  let algorithm: DigestAlgorithm
  let expected: [UInt8]  // exactly algorithm.byteCount

  /// Reads `ALGO=HEX`: sha-256, sha-512, sha-1 or md5 in either case, the hyphen is optional; the hexadecimal digits, in
  /// either case too, are exactly those of one digest. nil for anything else, blanks included.
  public init?(text: [UInt8]) {
    guard let equals = text.firstIndex(of: UInt8(ascii: "=")),
      let algorithm = Checksum.algorithm(named: text[..<equals]),
      let expected = Checksum.hexadecimalDecoded(text[(equals + 1)...]), expected.count == algorithm.byteCount
    else { return nil }
    self.algorithm = algorithm
    self.expected = expected
  }

  init(_ digest: DigestField.Digest) {
    expected = digest.value
    algorithm =
      switch digest.algorithm {
      case .sha256: .sha256
      case .sha512: .sha512
      case .sha1: .sha1
      case .md5: .md5
      }
  }

  /// It finds accidents, and proves nothing against whoever wants to deceive.
  public var isWeak: Bool { algorithm.isWeak }

  /// `ALGO=hex`, which reads back equal.
  public var text: [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    var text = Array(algorithm.name.utf8)
    text.append(UInt8(ascii: "="))
    for byte in expected { text += [digits[Int(byte >> 4)], digits[Int(byte & 0xF)]] }
    return text
  }

  private static func algorithm(named name: ArraySlice<UInt8>) -> DigestAlgorithm? {
    if name.equalsIgnoringCase("sha-256") || name.equalsIgnoringCase("sha256") { return .sha256 }
    if name.equalsIgnoringCase("sha-512") || name.equalsIgnoringCase("sha512") { return .sha512 }
    if name.equalsIgnoringCase("sha-1") || name.equalsIgnoringCase("sha1") { return .sha1 }
    if name.equalsIgnoringCase("md5") { return .md5 }
    return nil
  }

  private static func hexadecimalDecoded(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    var rest = digits
    var bytes: [UInt8] = []
    while let first = rest.popFirst() {
      guard let high = first.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}
