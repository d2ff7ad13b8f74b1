internal import CPosix

/// Where connections leave this machine.
public enum LocalEnd: Equatable, Sendable {
  /// Its port is 0.
  case address(SocketAddress)
  /// Through this interface.
  case interface([UInt8])

  /// Reads an address, or the name of an interface that is here; nil for anything else.
  public init?(text: [UInt8]) {
    if let address = SocketAddress(literal: text, port: 0) {
      self = .address(address)
      return
    }
    let exists = withTerminated(text) { unsafe px_interface_exists($0) ? 1 : 0 }
    guard exists == 1 else { return nil }
    self = .interface(text)
  }

  /// Only this one leads anywhere from here; nil: both may.
  public var family: AddressFamily? {
    guard case .address(let address) = self else { return nil }
    return address.family
  }

  /// The longest path of a socket in the file system.
  public static let pathLimit = px_local_path_limit  // bytes
}
