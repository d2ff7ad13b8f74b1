internal import CPosix

public enum AddressFamily: Equatable, Sendable {
  case v4, v6
}

/// An IP address and a port.
public struct SocketAddress: Equatable, Sendable {
  private let high: UInt64
  private let low: UInt64
  private let scope: UInt32
  public let family: AddressFamily
  public let port: UInt16

  /// Reads a dotted quad, or an IPv6 address without brackets (RFC 4291 §2.2) and with an optional
  /// zone after a `%`, by name or number (RFC 4007 §11); `nil` for anything else, a zone that is
  /// not on this machine included.
  public init?(literal: [UInt8], port: UInt16) {
    var address = px_address()
    guard withTerminated(literal, { unsafe px_address_read($0, port, &address) }) == 0 else { return nil }
    self.init(address)
  }

  init(_ address: px_address) {
    high = address.high
    low = address.low
    scope = address.scope
    family = address.version == 4 ? .v4 : .v6
    port = address.port
  }

  var native: px_address {
    px_address(high: high, low: low, scope: scope, port: port, version: family == .v4 ? 4 : 6)
  }

  /// As they travel: 4 or 16.
  public var bytes: [UInt8] {
    var whole: [UInt8] = []
    for half in [high, low] {
      for shift in stride(from: 56, through: 0, by: -8) {
        whole.append(UInt8(truncatingIfNeeded: half >> UInt64(shift)))
      }
    }
    return family == .v4 ? Array(whole.suffix(4)) : whole
  }

  /// `127.0.0.1:80`, `[::1]:80` or `[fe80::1%eth0]:80`, for people.
  public var text: [UInt8] {
    let capacity = px_address_text_capacity
    return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = unsafe buffer.withMemoryRebound(to: CChar.self) { unsafe px_address_text(native, $0.baseAddress) }
    }
  }
}
