internal import CPosix

/// Page-aligned storage that a loop owns and every stream uses in turn. Zeroed at first, and
/// resident only as far as it was written.
@safe
public struct ReceiveBuffer: ~Copyable {
  private let storage: UnsafeMutableRawPointer
  public let capacity: Int  // bytes

  /// Traps when there is no memory, as an array does.
  public init(capacity: Int) {
    precondition(capacity > 0)
    guard let pages = unsafe px_pages_map(capacity) else { preconditionFailure("out of memory") }
    unsafe storage = pages
    self.capacity = capacity
  }

  deinit { unsafe px_pages_unmap(storage, capacity) }

  /// `count` bytes from `offset` on, or everything to the end.
  @_lifetime(&self)
  public mutating func writable(from offset: Int, count: Int? = nil) -> MutableSpan<UInt8> {
    precondition(offset >= 0 && offset <= capacity && count ?? 0 >= 0)
    let count = min(count ?? capacity, capacity - offset)
    let start = unsafe (storage + offset).assumingMemoryBound(to: UInt8.self)
    let span = unsafe MutableSpan(_unsafeStart: start, count: count)
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  @_lifetime(borrow self)
  public func filled(_ range: Range<Int>) -> Span<UInt8> {
    precondition(range.lowerBound >= 0 && range.upperBound <= capacity)
    let start = unsafe UnsafePointer((storage + range.lowerBound).assumingMemoryBound(to: UInt8.self))
    let span = unsafe Span(_unsafeStart: start, count: range.count)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Copies `bytes` to `offset`; they must fit.
  public mutating func fill(_ bytes: Span<UInt8>, at offset: Int = 0) {
    precondition(offset >= 0 && offset <= capacity && bytes.count <= capacity - offset)
    let target = unsafe storage + offset
    unsafe bytes.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { unsafe target.copyMemory(from: start, byteCount: bytes.count) }
    }
  }

  /// Copies the range to `offset`; the two may overlap.
  public mutating func move(_ range: Range<Int>, to offset: Int) {
    precondition(range.lowerBound >= 0 && range.upperBound <= capacity)
    precondition(offset >= 0 && offset <= capacity - range.count)
    unsafe (storage + offset).copyMemory(from: storage + range.lowerBound, byteCount: range.count)
  }
}
