/// Base64 with padding (RFC 4648 §4).
func base64(_ bytes: [UInt8]) -> [UInt8] {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = Array(bytes[start..<min(start + 3, bytes.count)])
    let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for index in 0...group.count { text.append(alphabet[bits >> (18 - 6 * index) & 0x3F]) }
    text += [UInt8](repeating: UInt8(ascii: "="), count: 3 - group.count)
  }
  return text
}

extension [UInt8] {
  /// Whether `part` stands somewhere in these bytes.
  func contains(run part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: part) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
