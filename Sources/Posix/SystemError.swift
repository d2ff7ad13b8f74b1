internal import CPosix

/// A call to the system that failed: its errno, and what was being done.
public struct SystemError: Error, Equatable, Sendable {
  /// What was being done, for the sentence made of it at the edge.
  public enum Operation: Equatable, Sendable {
    case openSocket, connect, receive, send, resolve
    case open, create, write, read, synchronize, rename, remove, status, lock, changeAttributes
    case poll, wake, random, spawn
  }

  /// The errno.
  public let code: Int32
  public let operation: Operation

  public init(code: Int32, operation: Operation) {
    self.code = code
    self.operation = operation
  }

  /// The system's text for the code, such as `No space left on device`.
  public var message: [UInt8] {
    let capacity = 256  // bytes; the longest text of glibc is under 60
    return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = unsafe px_error_text(code, buffer.baseAddress, capacity)
    }
  }

  /// The disk, the quota or the largest file size is reached.
  public var isNoSpace: Bool { code == px_ENOSPC || code == px_EDQUOT || code == px_EFBIG }
  public var alreadyExists: Bool { code == px_EEXIST }
  /// A file that turned out shorter than it was.
  public static var unexpectedEnd: SystemError { SystemError(code: px_EIO, operation: .read) }

  /// A write that took nothing and named no cause.
  static var unexplained: SystemError { SystemError(code: px_EIO, operation: .write) }

  public static var missing: SystemError { SystemError(code: px_ENOENT, operation: .open) }
  public static var unsupported: SystemError { SystemError(code: px_ENOTSUP, operation: .changeAttributes) }

  public var isMissing: Bool { code == px_ENOENT }
  public var isWouldBlock: Bool { code == px_EAGAIN || code == px_EWOULDBLOCK }

  /// The reader of a pipe has gone.
  public var isBrokenPipe: Bool { code == px_EPIPE }
  public var isInterrupted: Bool { code == px_EINTR }
  public var isAccessDenied: Bool { code == px_EACCES || code == px_EPERM || code == px_EROFS }

  /// Of a poller: it is a file or a device that can't be waited for.
  public var isUnwatchable: Bool { code == px_EPERM && operation == .poll }

  /// The last component is a symbolic link that was not to be followed.
  public var isSymbolicLink: Bool { code == px_ELOOP }

  /// What was opened is not a regular file.
  public var isNotRegular: Bool { code == px_ENOTSUP || code == px_EISDIR }
  public var isNameTooLong: Bool { code == px_ENAMETOOLONG }
  public var isConnectionRefused: Bool { code == px_ECONNREFUSED }
  public var isConnectionReset: Bool { code == px_ECONNRESET }
  public var isTimedOut: Bool { code == px_ETIMEDOUT }

  /// The process or the system has no descriptor left; one that is closed helps.
  public var isOutOfDescriptors: Bool { code == px_EMFILE || code == px_ENFILE }

  /// This network, or this address family, leads nowhere from here.
  public var isUnreachable: Bool {
    code == px_ENETUNREACH || code == px_EHOSTUNREACH || code == px_EADDRNOTAVAIL || code == px_EAFNOSUPPORT
  }
}

extension SystemError {
  /// Gives back what a `px_` call returned, unless that is an errno negated.
  @discardableResult
  static func check(_ value: Int32, _ operation: Operation) throws(SystemError) -> Int32 {
    guard value < 0 else { return value }
    throw SystemError(code: -value, operation: operation)
  }

  @discardableResult
  static func check(_ value: Int, _ operation: Operation) throws(SystemError) -> Int {
    guard value < 0 else { return value }
    throw SystemError(code: Int32(truncatingIfNeeded: -value), operation: operation)
  }
}
