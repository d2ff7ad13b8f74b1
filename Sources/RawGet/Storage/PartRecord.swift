internal import HTTP1

/// `NAME.part.meta`: what is known of the bytes in `NAME.part`, in field syntax (RFC 9112 §5), read by the same reader as
/// a response head. It confirms and never claims: the part's own length is the truth, and a record that is torn or of
/// another version counts as absent.
///
/// No secret is in it: userinfo is left out, and of a query only a hash is kept, which is enough to see that it is the same.
struct PartRecord: Equatable {
  static let version: Int64 = 1
  static let sizeLimit = 65_536  // bytes
  static var suffix: [UInt8] { Array(".part.meta".utf8) }

  /// What the download was asked for.
  var target: TargetIdentity
  /// The origin that served the content, redirects followed.
  var finalOrigin: [UInt8]
  var representation: RepresentationFields
  /// The digest, as `ALGORITHM=HEX`, that alone says whether the bytes belong together: they are of several places
  /// (docs/MIRRORS.md). nil for those of one representation.
  var mixedUnder: [UInt8]?
  /// Bytes that outlast a power cut.
  var durableLength: Int64
  /// The boot in which `durableLength` was written; empty where that is not known.
  var boot: [UInt8]
  /// The process that writes the part.
  var owner: Int32

  private static let names = (
    version: FieldName("Rawget-Part"), target: FieldName("Target"), query: FieldName("Target-Query-Hash"),
    origin: FieldName("Final-Origin"), length: FieldName("Complete-Length"), mixed: FieldName("Mixed-Under"),
    durable: FieldName("Durable-Length"),
    boot: FieldName("Boot"), owner: FieldName("Owner"), check: FieldName("Check")
  )

  /// In bytes that read back equal; nil when a value can't stand in a field, or all of them are too long.
  func serialized() -> [UInt8]? {
    var bytes: [UInt8] = []
    func add(_ name: FieldName, _ value: [UInt8]?) -> Bool {
      guard let value else { return true }
      guard FieldLine(name: Array(name.text.utf8), value: value) != nil else { return false }
      bytes += Array(name.text.utf8) + Array(": ".utf8) + value + [.cr, .lf]
      return true
    }
    let names = PartRecord.names
    guard add(names.version, PartRecord.version.decimalDigits), add(names.target, target.text),
      add(names.query, target.queryHash.map(hexadecimal)), add(names.origin, finalOrigin),
      add(.entityTag, representation.entityTag), add(.lastModified, representation.lastModified),
      add(.date, representation.date), add(.contentType, representation.mediaType),
      add(.contentEncoding, representation.contentCoding),
      add(names.length, representation.completeLength?.decimalDigits), add(names.mixed, mixedUnder),
      add(names.durable, durableLength.decimalDigits), add(names.boot, boot.isEmpty ? nil : boot),
      add(names.owner, Int64(owner).decimalDigits)
    else { return nil }
    let check = hexadecimal(fingerprint(bytes))
    guard add(names.check, check), bytes.count + 2 <= PartRecord.sizeLimit else { return nil }
    return bytes + [.cr, .lf]
  }

  /// nil for anything but a whole record of this version.
  init?(bytes: [UInt8]) {
    let names = PartRecord.names
    guard bytes.count <= PartRecord.sizeLimit, let fields = Fields(section: bytes),
      fields.singleValue(of: names.version)?.elementsEqual(PartRecord.version.decimalDigits) == true,
      let check = fields.singleValue(of: names.check), check == PartRecord.check(of: bytes),
      let target = fields.value(of: names.target), let durable = fields.value(of: names.durable),
      let durableLength = decimalValue(durable), let owner = fields.value(of: names.owner).flatMap({ decimalValue($0) })
    else { return nil }
    self.target = TargetIdentity(
      text: target, queryHash: fields.value(of: names.query).flatMap { hexadecimalNumber($0) })
    finalOrigin = fields.value(of: names.origin) ?? []
    representation = RepresentationFields(fields)
    representation.completeLength = fields.value(of: names.length).flatMap { decimalValue($0) }
    mixedUnder = fields.value(of: names.mixed)
    self.durableLength = durableLength
    boot = fields.value(of: names.boot) ?? []
    self.owner = Int32(truncatingIfNeeded: owner)
    guard serialized() == bytes else { return nil }  // as this version writes it, to the byte
  }

  init(
    target: TargetIdentity, finalOrigin: [UInt8], representation: RepresentationFields, mixedUnder: [UInt8]? = nil,
    durableLength: Int64, boot: [UInt8], owner: Int32
  ) {
    self.target = target
    self.finalOrigin = finalOrigin
    self.representation = representation
    self.mixedUnder = mixedUnder
    self.durableLength = durableLength
    self.boot = boot
    self.owner = owner
  }

  /// The fingerprint of everything before the `Check` line.
  private static func check(of bytes: [UInt8]) -> [UInt8]? {
    let mark = Array("Check: ".utf8)
    guard let start = bytes.indices.reversed().first(where: { bytes[$0...].starts(with: mark) }) else { return nil }
    return hexadecimal(fingerprint(bytes[..<start]))
  }
}

/// Which target URI a part belongs to, without the secrets that may be in it.
struct TargetIdentity: Equatable {
  /// Scheme, host, port and path.
  let text: [UInt8]
  let queryHash: UInt64?

  init(_ target: TargetURI) {
    text = target.textWithoutQuery
    queryHash = target.query.map { fingerprint($0) }
  }

  init(text: [UInt8], queryHash: UInt64?) {
    self.text = text
    self.queryHash = queryHash
  }
}

/// FNV-1a, 64 bits: notices tearing and accident, not malice.
func fingerprint(_ bytes: some Sequence<UInt8>) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  return hash
}

private func hexadecimal(_ value: UInt64) -> [UInt8] {
  let digits = Array("0123456789abcdef".utf8)
  return (0..<16).map { digits[Int(value >> (60 - 4 * UInt64($0)) & 15)] }
}

private func hexadecimalNumber(_ digits: [UInt8]) -> UInt64? {
  guard digits.count == 16 else { return nil }
  var value: UInt64 = 0
  for digit in digits {
    guard let nibble = digit.hexadecimalValue else { return nil }
    value = value << 4 | UInt64(nibble)
  }
  return value
}
