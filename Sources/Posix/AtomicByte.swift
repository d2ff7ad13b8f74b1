internal import Synchronization

/// A small number that threads share. Orders what was written before it was set for whoever reads it.
public struct AtomicByte: ~Copyable, Sendable {
  private let stored = Atomic<UInt8>(0)

  /// It is 0.
  public init() {}

  public var value: UInt8 { stored.load(ordering: .acquiring) }

  /// Sets it if it is 0 still: the first one wins.
  public func setFirst(_ value: UInt8) {
    _ = stored.compareExchange(expected: 0, desired: value, ordering: .acquiringAndReleasing)
  }
}
