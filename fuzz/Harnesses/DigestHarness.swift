import HTTP1

extension Harness {
  /// `Repr-Digest`, `Content-Digest` and `Digest`: a section of field lines without the empty line at its end.
  static let digest = Harness("digest") { input in
    guard let fields = Fields(section: input + Array("\r\n\r\n".utf8)) ?? Fields(section: input + Array("\r\n".utf8))
    else { return }
    for kind in [DigestField.Kind.representation, .content, .instance] {
      guard let field = DigestField(kind, in: fields) else { continue }
      try requireSound(field, as: kind, in: input)
      try require(reads(kind, field.digests) == field, "the same digests, written anew, are others")
      try require(reads(kind, field.digests.reversed()) == field, "the order of the members counts")
      if kind == .instance {
        let lines: [UInt8] = fields.inText.reversed().flatMap { $0.name + Array(":".utf8) + $0.value + [0x0A] }
        let reversed = Fields(section: lines + [0x0A]).flatMap { DigestField(kind, in: $0) }
        try require(reversed == field, "the order of the lines counts")
      } else {
        try requireLastCounts(kind, behind: field, in: fields)
      }
    }
    let strongest = DigestField.strongest(ofRepresentationIn: fields)
    let usable = [DigestField.Kind.representation, .instance].flatMap { DigestField($0, in: fields)?.digests ?? [] }
    try require(strongest == usable.first, "\(String(describing: strongest)) is not the strongest")
  }

  /// Each algorithm once, the strongest first, with the length of its value, which stands in the field.
  private static func requireSound(_ field: DigestField, as kind: DigestField.Kind, in text: [UInt8]) throws {
    let lengths = field.digests.map { $0.value.count }
    try require(zip(lengths, lengths.dropFirst()).allSatisfy { $0 > $1 }, "not the strongest first: \(lengths)")
    for digest in field.digests {
      let length: Int
      switch digest.algorithm {
      case .sha512: length = 64
      case .sha256: length = 32
      case .sha1: length = 20
      case .md5: length = 16
      }
      try require(digest.value.count == length && digest.algorithm.byteCount == length, "\(digest)")
      try require(kind == .instance || length >= 32, "\(digest.algorithm) is deprecated (RFC 9530 §5)")
      let certain = base64(digest.value).prefix { $0 != UInt8(ascii: "=") }.dropLast()  // the last may have pad bits
      try require(text.contains(run: Array(certain)), "\(digest) stands nowhere in the field")
    }
  }

  /// A line more: of several members with one key the last counts (RFC 8941 §3.2), and the others stay.
  private static func requireLastCounts(_ kind: DigestField.Kind, behind field: DigestField, in fields: Fields) throws {
    let value = [UInt8](repeating: 0x55, count: 32)
    var lines: [UInt8] = fields.inText.flatMap { $0.name + Array(":".utf8) + $0.value + [0x0A] }
    lines += Array((kind == .content ? "Content" : "Repr").utf8) + Array("-Digest: sha-256=:".utf8)
    lines += base64(value) + Array(":\n\n".utf8)
    guard let longer = Fields(section: lines).flatMap({ DigestField(kind, in: $0) }) else { return }
    try require(longer.digests.first { $0.algorithm == .sha256 }?.value == value, "not the last SHA-256")
    let others = [field, longer].map { $0.digests.filter { $0.algorithm != .sha256 } }
    try require(others[0] == others[1], "a line about SHA-256 changes another algorithm")
  }

  private static func reads(_ kind: DigestField.Kind, _ digests: [DigestField.Digest]) -> DigestField? {
    let members = digests.map { digest in
      let key =
        switch digest.algorithm {
        case .sha512: "sha-512="
        case .sha256: "sha-256="
        case .sha1: "sha="
        case .md5: "md5="
        }
      let colon = Array((kind == .instance ? "" : ":").utf8)
      return Array(key.utf8) + colon + base64(digest.value) + colon
    }
    let name =
      switch kind {
      case .representation: "Repr-Digest: "
      case .content: "Content-Digest: "
      case .instance: "Digest: "
      }
    let line = Array(name.utf8) + members.joined(separator: Array(", ".utf8))
    return Fields(section: line + Array("\r\n\r\n".utf8)).flatMap { DigestField(kind, in: $0) }
  }
}
