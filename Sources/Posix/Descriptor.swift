internal import CPosix

/// Owns a file descriptor and closes it, once: an interrupted close is not repeated, since the
/// number may belong to someone else by then.
public struct Descriptor: ~Copyable, Sendable {
  /// To watch or to call with, never to close.
  public private(set) var raw: Int32

  public init(adopting raw: Int32) { self.raw = raw }

  /// Gives the descriptor up without closing it.
  public consuming func release() -> Int32 {
    let released = raw
    raw = -1
    return released
  }

  deinit {
    if raw >= 0 { px_close(raw) }
  }
}
