internal import CPosix

/// A host name that could not be resolved.
public struct LookupError: Error, Equatable, Sendable {
  /// An EAI_* code, whose numbers differ from system to system.
  public let code: Int32
  /// The errno behind EAI_SYSTEM, else 0.
  public let systemCode: Int32

  /// There are addresses, and none that may be used.
  public static var noAddress: LookupError { LookupError(code: px_EAI_SYSTEM(), systemCode: px_EAFNOSUPPORT) }
  public var isNoAddress: Bool { self == .noAddress }

  /// The name server did not answer; a later try may succeed.
  public var isTemporary: Bool { code == px_EAI_AGAIN() }

  public var message: [UInt8] {
    if code == px_EAI_SYSTEM() { return SystemError(code: systemCode, operation: .resolve).message }
    guard let text = unsafe px_lookup_text(code) else { return [] }
    return unsafe bytes(ofTerminated: text)
  }
}

/// A host name on its way to addresses: getaddrinfo waits as long as it likes, so it runs on a
/// thread of its own, and the caller keeps the deadline. A literal never needs one: read it with
/// `SocketAddress(literal:port:)` first.
@safe
public struct AddressLookup: ~Copyable {
  private let lookup: OpaquePointer

  private init(_ lookup: OpaquePointer) { unsafe self.lookup = lookup }

  /// - Parameter family: addresses of this one alone; nil: of both.
  public static func start(
    host: [UInt8], port: UInt16, family: AddressFamily? = nil
  ) throws(SystemError) -> AddressLookup {
    var made: OpaquePointer?
    let version: UInt8 = family == nil ? 0 : family == .v4 ? 4 : 6
    let outcome = withTerminated(host) { unsafe px_lookup_start($0, port, version, &made) }
    try SystemError.check(outcome, .resolve)
    guard let lookup = unsafe made else { throw SystemError(code: px_ENOMEM, operation: .resolve) }
    return unsafe AddressLookup(lookup)
  }

  /// Abandons: a thread still waiting goes on alone and frees what it holds when it returns.
  deinit { unsafe px_lookup_abandon(lookup) }

  /// Becomes readable when the answer is there.
  public var raw: Int32 { unsafe px_lookup_descriptor(lookup) }

  /// The addresses in the order to try them in (RFC 6724), at most 64; `nil`: not yet.
  public func result() throws(LookupError) -> [SocketAddress]? {
    guard unsafe px_lookup_is_done(lookup) else { return nil }
    let code = unsafe px_lookup_code(lookup)
    guard code == 0 else {
      throw LookupError(code: code, systemCode: unsafe px_lookup_system_code(lookup))
    }
    return (0..<(unsafe px_lookup_count(lookup))).map { SocketAddress(unsafe px_lookup_address(lookup, $0)) }
  }
}
