internal import CPosix

/// What is read from its start to its end: a file, a pipe, standard input.
public struct InputFile: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// Through symbolic links. A FIFO waits for its writer.
  public init(path: [UInt8]) throws(SystemError) {
    guard !path.contains(0) else { throw SystemError(code: px_EINVAL, operation: .open) }
    let terminated = path + [0]
    let raw = unsafe terminated.withUnsafeBufferPointer { bytes in unsafe px_input_open(bytes.baseAddress) }
    descriptor = Descriptor(adopting: try SystemError.check(raw, .open))
  }

  private init(adopting raw: Int32) { descriptor = Descriptor(adopting: raw) }

  /// Closed with the value: nobody else may read it.
  public static func standardInput() -> InputFile { InputFile(adopting: 0) }

  /// One read, which may wait: the count of bytes; 0 at the end. A signal ends it with `isInterrupted`.
  public func read(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
    let count = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
      unsafe px_input_read(descriptor.raw, bytes.baseAddress, bytes.count)
    }
    return try SystemError.check(count, .read)
  }

  /// Whether a read would not wait.
  public var isReady: Bool { px_input_is_ready(descriptor.raw) }

  /// Whether nobody but its owner, who is this user or root, may read it.
  public func isPrivate() throws(SystemError) -> Bool {
    try SystemError.check(px_input_is_private(descriptor.raw), .status) == 1
  }

  /// Everything to the end; nil if that is more than `limit` bytes.
  public func readAll(limit: Int) throws(SystemError) -> [UInt8]? {
    var all: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while true {
      var span = piece.mutableSpan
      let count = try read(into: &span)
      if count == 0 { return all }
      all += piece[..<count]
      if all.count > limit { return nil }
    }
  }
}
