internal import HTTP1
internal import Posix

/// How connections are made, whoever they lead to.
public struct Dialing: Equatable, Sendable {
  /// A family of addresses.
  public enum Family: Equatable, Sendable {
    /// IPv4.
    case v4
    /// IPv6.
    case v6
  }

  /// Addresses of the other family are left alone.
  public var family: Family?
  /// Every connection leads to this socket in the file system, whatever host is asked for. At most `pathLimit` bytes.
  public var socketPath: [UInt8]?
  /// The longest `socketPath` that the system takes, in bytes.
  public static let pathLimit = LocalEnd.pathLimit

  /// A host and port whose addresses are given and not looked up.
  private struct Known: Equatable {
    let host: [UInt8]
    let port: UInt16
    let addresses: [SocketAddress]
  }
  private var known: [Known] = []
  private var localEnd: LocalEnd?

  /// To what the resolver says, from wherever the system likes.
  public init() {}

  /// Connections leave from an address of this machine, or through one of its interfaces. False if `text` is neither.
  public mutating func leave(through text: [UInt8]) -> Bool {
    localEnd = LocalEnd(text: text)
    return localEnd != nil
  }

  /// Takes `HOST:PORT:ADDRESS[,ADDRESS]`; an IPv6 address may stand in brackets. False if it does not read. The last
  /// word about a host and port counts.
  public mutating func resolve(_ text: [UInt8]) -> Bool {
    let colon = UInt8(ascii: ":")
    let bracket = text.first == UInt8(ascii: "[") ? text.firstIndex(of: UInt8(ascii: "]")) : nil
    guard let end = text[(bracket ?? 0)...].firstIndex(of: colon),
      let host = try? Host(text[..<end], translation: systemHostTranslation),
      let portEnd = text[(end + 1)...].firstIndex(of: colon),
      let number = decimalValue(text[(end + 1)..<portEnd]), let port = UInt16(exactly: number), port > 0
    else { return false }
    var addresses: [SocketAddress] = []
    for item in text[(portEnd + 1)...].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let isBracketed = item.first == UInt8(ascii: "[") && item.last == UInt8(ascii: "]")
      let literal = isBracketed ? item.dropFirst().dropLast() : item
      guard let address = SocketAddress(literal: Array(literal), port: port) else { return false }
      addresses.append(address)
    }
    known.append(Known(host: host.lookupName, port: port, addresses: addresses))
    return true
  }

  // MARK: Addresses

  /// What to look up: addresses that would be left alone are not asked for.
  var lookupFamily: AddressFamily? {
    switch family {
    case .v4?: .v4
    case .v6?: .v6
    case nil: localEnd?.family
    }
  }

  /// The way to a host whose addresses are known without a name server; nil for any other.
  func connector(to host: Host, port: UInt16, timeout: Duration, now: Instant) throws(DownloadError) -> Connector? {
    if let socketPath { return Connector(toPath: socketPath, timeout: timeout, now: now) }
    guard let addresses = knownAddresses(of: host, port: port) else { return nil }
    return try connector(to: addresses, timeout: timeout, now: now)
  }

  /// Those that no name server is asked for.
  func knownAddresses(of host: Host, port: UInt16) -> [SocketAddress]? {
    let name = host.lookupName
    if let known = known.last(where: { $0.port == port && $0.host == name }) { return known.addresses }
    return SocketAddress(literal: name, port: port).map { [$0] }
  }

  /// The way to those of the addresses that may be used.
  func connector(to addresses: [SocketAddress], timeout: Duration, now: Instant) throws(DownloadError) -> Connector {
    let usable = addresses.filter { address in
      let families = [lookupFamily ?? address.family, localEnd?.family ?? address.family]
      return families.allSatisfy { $0 == address.family }
    }
    if usable.isEmpty { throw .resolution(.noAddress) }
    return Connector(to: usable, from: localEnd, timeout: timeout, now: now)
  }
}
