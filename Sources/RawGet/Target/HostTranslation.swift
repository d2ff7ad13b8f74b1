internal import Posix

/// Translates a host name beyond ASCII, given in UTF-8, to the form that the resolver knows (RFC 5891 §4). A parameter,
/// so that tests need no library; the engine always passes `systemHostTranslation`.
package typealias HostTranslation = (_ utf8: [UInt8]) -> TranslatedHost

package enum TranslatedHost: Equatable, Sendable {
  case ascii([UInt8])
  case invalid
  /// Nothing on this system can translate names.
  case unavailable
}

package func systemHostTranslation(_ utf8: [UInt8]) -> TranslatedHost {
  switch InternationalName.ascii(utf8) {
  case .ascii(let name): .ascii(name)
  case .invalid: .invalid
  case .unavailable: .unavailable
  }
}
