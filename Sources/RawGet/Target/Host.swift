internal import HTTP1

/// The host of a target URI: a name, or an address (RFC 3986 §3.2.2). A copy is a reference.
public struct Host: Equatable, Sendable {
  private final class Parts: Sendable {
    let bytes: [UInt8]
    let zone: [UInt8]?
    let isIPv6: Bool
    let isAddress: Bool

    init(_ bytes: [UInt8], zone: [UInt8]? = nil, isIPv6: Bool = false, isAddress: Bool) {
      (self.bytes, self.zone, self.isIPv6, self.isAddress) = (bytes, zone, isIPv6, isAddress)
    }
  }
  private let parts: Parts

  /// The name in lower case, or the address without brackets and zone. A name's final dot stays: it keeps the resolver
  /// from trying search domains. At most 254 bytes.
  public var bytes: [UInt8] { parts.bytes }

  /// Which of this machine's links an IPv6 address belongs to (RFC 4007 §11). 1 to 15 bytes; nobody else's business.
  public var zone: [UInt8]? { parts.zone }

  /// It is an IPv6 address, which stands in brackets wherever a port may follow.
  public var isIPv6: Bool { parts.isIPv6 }
  /// It is an address of either family: nothing is looked up.
  public var isAddress: Bool { parts.isAddress }

  /// Reads what stands between userinfo and port.
  init(_ text: ArraySlice<UInt8>, translation: HostTranslation) throws(TargetURIError) {
    if text.first == UInt8(ascii: "[") {
      try self.init(bracketed: text)
    } else {
      try self.init(registeredName: text, translation: translation)
    }
  }

  /// `IP-literal`. A zone follows `%25` (RFC 6874 §2), or a bare `%`, as people paste it. IPvFuture, which nobody has
  /// ever defined, is refused.
  private init(bracketed text: ArraySlice<UInt8>) throws(TargetURIError) {
    guard text.last == UInt8(ascii: "]") else { throw .invalidHost }
    let inner = text.dropFirst().dropLast()
    let address = inner.prefix { $0 != UInt8(ascii: "%") }
    guard IPLiteral.isIPv6(address) else { throw .invalidHost }
    var zone: [UInt8]?
    if address.count < inner.count {
      let name = inner.dropFirst(address.count + (inner[address.endIndex...].starts(with: "%25".utf8) ? 3 : 1))
      guard (1...15).contains(name.count), name.allSatisfy({ $0.isUnreserved }) else { throw .invalidHost }
      zone = Array(name)
    }
    parts = Parts(address.map { $0.lowercased }, zone: zone, isIPv6: true, isAddress: true)
  }

  /// `IPv4address` or `reg-name`. Decoded first and judged then, so that no encoding hides a character.
  private init(registeredName text: ArraySlice<UInt8>, translation: HostTranslation) throws(TargetURIError) {
    var name = PercentEncoding.decoding(text)
    if name.contains(where: { $0 >= 0x80 }) {
      guard String(validating: name, as: UTF8.self) != nil else { throw .invalidHost }
      switch translation(name) {
      case .ascii(let translated): name = translated  // judged like any other: translation can yield `/` or an address
      case .invalid: throw .internationalHost(unavailable: false)
      case .unavailable: throw .internationalHost(unavailable: true)
      }
    }
    if name.contains(where: { $0 != $0.lowercased }) { name = name.map { $0.lowercased } }
    let isAddress = IPLiteral.isIPv4(name[...])
    guard isAddress || (Host.isName(name) && !IPLiteral.endsInNumber(name[...])) else { throw .invalidHost }
    parts = Parts(name, isAddress: isAddress)
  }

  /// Equal in every part.
  public static func == (left: Host, right: Host) -> Bool {
    left.parts === right.parts || left.bytes == right.bytes && left.zone == right.zone && left.isIPv6 == right.isIPv6
  }

  /// Labels of 1 to 63 bytes, 253 in all, and perhaps a final dot (RFC 1035 §2.3.4). Underscores are in use. A hyphen
  /// may stand anywhere: whether such a name exists is for the resolver to say.
  private static func isName(_ name: [UInt8]) -> Bool {
    let dot = UInt8(ascii: ".")
    let labels = name.last == dot ? name.dropLast() : name[...]
    guard labels.count <= 253 else { return false }
    return labels.split(separator: dot, omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.count)
        && label.allSatisfy {
          $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }
  }

  /// The same address on the link of `other`, if that is this address and a link was only given there.
  func adoptingZone(of other: Host) -> Host {
    zone == nil && isIPv6 && bytes == other.bytes ? other : self
  }
}

extension Host {
  /// As in the Host field and on a request line: brackets around IPv6, no zone (RFC 6874 §4).
  package var fieldValue: [UInt8] {
    isIPv6 ? [UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")] : bytes
  }

  /// As in a URI that this machine will read again.
  var text: [UInt8] {
    guard let zone else { return fieldValue }
    return [UInt8(ascii: "[")] + bytes + Array("%25".utf8) + zone + [UInt8(ascii: "]")]
  }

  /// As address parsing and the resolver want it: no brackets, the zone behind a bare `%`.
  package var lookupName: [UInt8] {
    guard let zone else { return bytes }
    return bytes + [UInt8(ascii: "%")] + zone
  }

  /// What a certificate has to name: no final dot (RFC 6066 §3).
  package var certificateName: [UInt8] {
    bytes.last == UInt8(ascii: ".") ? Array(bytes.dropLast()) : bytes
  }
}
