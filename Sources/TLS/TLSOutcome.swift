// What the calls of a session come to. Having to wait is a value: the caller waits for its socket to become
// readable or writable, then makes the same call again.

public enum TLSProgress: Equatable, Sendable {
  case done
  case wantsRead
  case wantsWrite
}

public enum TLSReceived: Equatable, Sendable {
  case bytes(Int)  // > 0
  case wantsRead
  case wantsWrite
  /// close_notify: the peer says that this was all (RFC 8446 §6.1).
  case closed
  /// The connection ended without it: what came may be a part only (RFC 9112 §9.8).
  case truncated
}

public enum TLSSent: Equatable, Sendable {
  case bytes(Int)  // > 0, maybe fewer than offered
  case wantsRead
  case wantsWrite
}
