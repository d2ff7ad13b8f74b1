internal import CPosix

/// What is read from its start to its end: a file, a pipe, standard input.
public struct InputFile: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// Through symbolic links. A FIFO is open before its writer is.
  public init(path: [UInt8]) throws(SystemError) {
    guard !path.contains(0) else { throw SystemError(code: px_EINVAL, operation: .open) }
    let terminated = path + [0]
    let raw = unsafe terminated.withUnsafeBufferPointer { bytes in unsafe px_input_open(bytes.baseAddress) }
    descriptor = Descriptor(adopting: try SystemError.check(raw, .open))
  }

  /// Whether what is there can be read once only: a FIFO, a pipe, a terminal.
  public static func isStream(path: [UInt8]) -> Bool {
    let terminated = path + [0]
    return unsafe terminated.withUnsafeBufferPointer { bytes in unsafe px_input_is_stream(bytes.baseAddress) }
  }

  /// Whether nothing has this name; false where that can't be told.
  public static func isMissing(path: [UInt8]) -> Bool {
    let terminated = path + [0]
    return unsafe terminated.withUnsafeBufferPointer { bytes in unsafe px_input_is_missing(bytes.baseAddress) }
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

  /// Waits until a read would not wait, or the descriptor `wake` can be read. A signal ends it with `isInterrupted`.
  public func wait(orReadable wake: Int32) throws(SystemError) {
    try SystemError.check(px_input_wait(descriptor.raw, wake), .poll)
  }

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
