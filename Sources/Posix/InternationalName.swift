internal import CPosix

/// Host names with letters beyond ASCII (RFC 5890), through libidn2 if it can be loaded: its tables
/// are larger than all of this program, and few need them.
public enum InternationalName {
  public enum Outcome: Equatable, Sendable {
    case ascii([UInt8])
    /// Not a name that IDNA allows.
    case invalid
    /// There is no libidn2 here.
    case unavailable
  }

  /// The A-labels of a UTF-8 name: `bücher.example` becomes `xn--bcher-kva.example`. Input is
  /// normalised (NFC) and mapped without the transitional exceptions (UTS #46).
  public static func ascii(_ utf8: [UInt8]) -> Outcome {
    guard !utf8.isEmpty, !utf8.contains(0) else { return .invalid }
    let capacity = 256  // bytes; a name has at most 253 (RFC 1035 §2.3.4)
    var outcome = Int(px_idna_unavailable)
    let ascii = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      _ = withTerminated(utf8) { name in
        outcome = unsafe buffer.withMemoryRebound(to: CChar.self) {
          unsafe px_idna_ascii(name, $0.baseAddress, capacity)
        }
        return 0
      }
      count = max(outcome, 0)
    }
    if outcome == Int(px_idna_unavailable) { return .unavailable }
    return outcome > 0 && isHostName(ascii) ? .ascii(ascii) : .invalid
  }

  /// The mapping makes `/`, `@` or `:` of their full-width forms, and lets controls and empty labels
  /// pass: a name must not come out as something else. `_` is no letter, but is in use.
  private static func isHostName(_ ascii: [UInt8]) -> Bool {
    var previous = UInt8(ascii: ".")
    for byte in ascii {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): break
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): break
      case UInt8(ascii: ".") where previous != UInt8(ascii: "."): break
      default: return false
      }
      previous = byte
    }
    return true
  }
}
